"""What trials show together, and what so few of them do not."""

from __future__ import annotations

import pytest

from tamis.ab import Trial, compare_trials
from tamis.ab.ab_report import markdown_of
from tamis.ab.criteria import SuccessCriterion
from tamis.ab.trial import Requests, TrialArm, TrialRegret
from tamis.evals.inference.comparison import paired_share_difference


def trial(pair: int, arm: TrialArm, *, tokens: int = 1_000, success: bool = True, turns: int = 10) -> Trial:
    added = (5.0, 30.0) if arm == "on" else ()
    requests = Requests(
        turns=turns,
        answered=turns,
        input_tokens=tokens,
        output_tokens=100,
        cached_tokens=None,
        counted=False,
        decisions={"compacted": 1} if arm == "on" else {"untouched": turns},
        added_ms=added,
    )
    needs = TrialRegret(turns=8, regret_turns=pair % 2, kinds={}, tokens=0, looked_for=10, found=9)
    return Trial(
        pair=pair,
        arm=arm,
        first=arm == "on",
        status="ended",
        success=success,
        duration_s=10.0,
        requests=requests,
        needs=needs if arm == "on" else None,
    )


def pairs(count: int, *, on: int = 400, lost: int = 0) -> list[Trial]:
    """Without compression 1,000 tokens and a success each; with it fewer, and some lost."""
    made: list[Trial] = []
    for n in range(1, count + 1):
        made += [trial(n, "off"), trial(n, "on", tokens=on + n % 3 * 10, success=n > lost, turns=10 + n % 2)]
    return made


def criteria(trials: list[Trial]) -> dict[str, SuccessCriterion]:
    return {made.criterion: made for made in compare_trials(("agent",), trials).criteria}


def test_savings_are_of_all_tokens_and_met_where_the_whole_interval_is() -> None:
    made = criteria(pairs(8))["token savings"]
    assert made.value == pytest.approx(1 - (400 * 8 + 10 * 8) / 8_000, abs=0.01)
    assert (made.verdict, made.over) == ("met", "8 pairs")
    assert criteria(pairs(8, on=900))["token savings"].verdict == "missed"


def test_too_few_pairs_leave_it_open_however_large_the_difference() -> None:
    made = criteria(pairs(5))["token savings"]
    assert (made.verdict, made.note) == ("open", "takes 6 pairs to tell")


def test_success_stays_open_where_a_loss_could_not_have_been_seen() -> None:
    made = criteria(pairs(8))["task success rate"]
    assert made.value == 0
    assert made.low is not None
    assert made.low < -0.2
    assert made.verdict == "open"
    assert criteria(pairs(20, lost=15))["task success rate"].verdict == "missed"


def test_regret_quality_and_latency_are_those_of_the_arm_with_compression() -> None:
    made = criteria(pairs(8))
    assert made["regret rate, of iterations"].value == pytest.approx(4 / 64)
    assert made["context quality score"].value == pytest.approx(0.9)
    assert made["latency p95, ms"].value == 30.0
    assert made["latency p95, ms"].verdict == "met"
    assert made["skill precision"].verdict == "not measured"


def test_a_difference_says_what_so_many_pairs_could_have_shown() -> None:
    report = compare_trials(("agent",), pairs(4))
    tokens = next(made for made in report.differences if made.figure == "input tokens")
    assert tokens.comparison.difference == pytest.approx(-590)
    assert tokens.least_p == 0.125
    assert tokens.comparison.smallest_detectable is None
    assert "No p value of so few can be below 0.12" in markdown_of(report)


def test_a_figure_that_one_of_the_two_lacks_is_in_no_pair() -> None:
    made = pairs(3)
    gone = Trial(pair=3, arm="on", first=True, status="timed-out", success=False)
    report = compare_trials(("agent",), [*made[:-1], gone])
    found = {difference.figure: difference.comparison.pairs for difference in report.differences}
    assert found == {"success": 3, "iterations": 2, "input tokens": 2, "seconds": 2}
    assert report.arms[1].tokens_per_success is None


def test_the_interval_of_paired_shares_is_the_published_one() -> None:
    answers = [(True, True)] * 36 + [(True, False)] * 12 + [(False, True)] * 2
    within = paired_share_difference(answers)
    assert (round(within.low, 4), round(within.high, 4)) == (0.0569, 0.3404)
