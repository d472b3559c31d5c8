"""What the calibration says of judges, good and bad, and the set that it stands on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judging.judged import RUBRIC, SaysAlways, judgement
from tamis.errors import InputError, ModelTimeout, UnreadableFile
from tamis.evals.experiment.experiment_run import conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.agreement import Agreement
from tamis.evals.judging.calibration import (
    FEW,
    Calibration,
    Separation,
    answers_for,
    calibrate,
    calibrate_all,
    read_calibration,
)
from tamis.evals.judging.calibration_set import (
    LABELS,
    Label,
    LabelledCase,
    load_calibration_set,
)
from tamis.evals.judging.judge import JudgeCase, Judgement, dimension_scores, overall
from tamis.evals.judging.judge_runs import ask_judge, judge_cases
from tamis.evals.judging.model_judge import ModelJudge
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.probing.probes import PROBE_KINDS
from tamis.evals.rundir.rescore import score_run
from tamis.evals.rundir.results import Settings
from tamis.evals.rundir.run_directory import read_run
from tamis.models import Prompt, ScriptedModel

SHIPPED = load_calibration_set()
OFFLINE = asyncio.run(calibrate(OfflineJudge(RUBRIC)))


class Knows:
    """A judge that looks the label up: the best there can be, but for the labels that it is `fooled` by."""

    name = "knows"
    version = "1"
    rubric = RUBRIC

    def __init__(self, **fooled: float) -> None:
        self._scores = {
            "right": 5.0,
            "partly right": 3.0,
            "vague": 1.0,
            "wrong": 0.0,
            "declined": 0.0,
        } | fooled

    async def judge(self, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:
        label = next(known.label for known in SHIPPED.cases if known.case == case)
        return judgement({c.id: self._scores[label] for c in RUBRIC.for_probe(case.probe)})


def figures(calibration: Calibration, label: Label) -> tuple[int, int, int]:
    found = next(f for f in calibration.labels if f.label == label)
    return found.cases, found.judged, found.taken_for_right


def test_the_set_is_large_enough_and_holds_every_label_and_kind() -> None:
    assert len(SHIPPED.cases) >= 100
    assert {known.label for known in SHIPPED.cases} == set(LABELS) == set(get_args(Label))
    assert {known.case.probe.kind for known in SHIPPED.cases} == set(PROBE_KINDS)
    assert min(Counter(known.label for known in SHIPPED.cases).values()) >= 15


@pytest.mark.parametrize("kind", PROBE_KINDS)
def test_every_kind_has_right_and_wrong_answers(kind: str) -> None:
    labels = {known.label for known in SHIPPED.cases if known.case.probe.kind == kind}
    assert {"right", "wrong"} <= labels


def test_no_answer_stands_there_twice() -> None:
    assert len({known.case for known in SHIPPED.cases}) == len(SHIPPED.cases)


@pytest.mark.parametrize("criterion", RUBRIC.criteria, ids=lambda c: c.id)
def test_every_criterion_goes_with_right_and_with_wrong_answers(criterion: object) -> None:
    labels = {k.label for k in SHIPPED.cases if criterion in RUBRIC.for_probe(k.case.probe)}
    assert {"right", "wrong"} <= labels


@pytest.mark.parametrize("known", SHIPPED.cases, ids=lambda k: f"{k.label}: {k.case.answer.text[:40]}")
def test_the_offline_judge_can_judge_every_answer_that_ships(known: LabelledCase) -> None:
    said = asyncio.run(ask_judge(OfflineJudge(RUBRIC), known.case))
    assert isinstance(said, Judgement)
    score = overall(dimension_scores(RUBRIC, said))
    assert score is not None
    if known.label in ("vague", "declined", "partly right"):  # what it is fooled by is right or wrong words
        assert known.low <= score <= known.high


def test_the_offline_judge_tells_right_from_wrong() -> None:
    assert OFFLINE.reliable
    assert OFFLINE.verdict == "tells right answers from wrong ones"
    assert isinstance(OFFLINE.separation, Separation)
    assert OFFLINE.separation.low is not None
    assert OFFLINE.separation.low > 2.5


def test_the_offline_judge_is_fooled_by_right_words_turned_around_and_misses_other_words() -> None:
    """Its weakness is known, and must not grow: it reads words, not sense."""
    cases, judged, taken = figures(OFFLINE, "wrong")
    assert judged == cases
    assert 1 <= taken <= 4
    cases, _, taken = figures(OFFLINE, "right")
    assert 1 <= cases - taken <= 4
    assert figures(OFFLINE, "vague")[2] == figures(OFFLINE, "declined")[2] == 0


def test_a_judge_that_knows_is_relied_on() -> None:
    found = asyncio.run(calibrate(Knows()))
    assert found.reliable
    assert figures(found, "wrong")[2] == 0
    assert isinstance(found.separation, Separation)
    assert (found.separation.mean, found.separation.low, found.separation.high) == (5, 5, 5)
    assert found.evidence == (
        "116 of 116 answers of known worth judged: right ones 5.0 (5.0 to 5.0), 35 of 35 taken for right "
        "(90% to 100%); vague ones 1.0 (1.0 to 1.0), 0 of 18 taken for right (0% to 18%); wrong ones 0.0 "
        "(0.0 to 0.0), 0 of 30 taken for right (0% to 11%); right above wrong by 5.0 (5.0 to 5.0)"
    )
    assert (found.judge, found.version, found.rubric) == ("knows", "1", "six-dimensions@1")
    assert found.set == SHIPPED.id


@pytest.mark.parametrize("score", [3.0, 4.0, 5.0])
def test_a_judge_that_praises_everything_is_not_relied_on(score: float) -> None:
    found = asyncio.run(calibrate(SaysAlways(score)))
    assert not found.reliable
    assert found.verdict == "takes 100% of wrong answers for right: do not rely on it"


def test_a_judge_that_condemns_everything_is_not_relied_on() -> None:
    found = asyncio.run(calibrate(SaysAlways(0.0)))
    assert found.verdict == "takes 100% of right answers for wrong: do not rely on it"


def test_a_judge_that_hardly_tells_them_apart_is_not_relied_on() -> None:
    found = asyncio.run(calibrate(Knows(right=3.0, wrong=3.0)))
    assert not found.reliable


def test_vague_answers_taken_for_right_are_told() -> None:
    found = asyncio.run(calibrate(Knows(vague=4.0)))
    assert "vague ones 4.0 (4.0 to 4.0), 18 of 18 taken for right" in found.evidence


@pytest.mark.parametrize(
    "said", [ModelTimeout("m: no answer in time"), NotMeasured(reason="refused"), judgement({})]
)
def test_a_judge_that_does_not_answer_is_counted_and_not_relied_on(said: Exception | NotMeasured) -> None:
    found = asyncio.run(calibrate(SaysAlways(said)))
    assert sum(found.not_measured.values()) == len(SHIPPED.cases)
    assert found.verdict == "gave a usable judgement of only 0 of 116 answers: do not rely on it"
    assert all(f.mean is None and f.judged == 0 for f in found.labels)
    assert isinstance(found.separation, NotMeasured)


def test_what_was_not_judged_is_said_of_its_label() -> None:
    found = asyncio.run(calibrate(Knows(), SHIPPED.smaller(4)))
    assert found.evidence.startswith("4 of 4 answers of known worth judged: ")
    assert "vague ones not measured" in found.evidence


def test_a_judge_that_can_judge_no_criterion_is_not_relied_on() -> None:
    found = asyncio.run(calibrate(SaysAlways(None)))
    assert not found.reliable
    assert found.verdict.startswith("gave a usable judgement of only 0")


def test_agreement_with_itself_is_measured_where_it_is_asked_again() -> None:
    assert isinstance(asyncio.run(calibrate(Knows())).agreement, NotMeasured)
    again = asyncio.run(calibrate(Knows(), repeats=3)).agreement
    assert isinstance(again, Agreement)
    assert (again.raters, again.alpha) == (3, 1)


@given(st.integers(0, 1000))
def test_the_order_of_the_cases_does_not_matter(seed: int) -> None:
    judge, cases = OfflineJudge(RUBRIC), [known.case for known in SHIPPED.cases]
    rounds = asyncio.run(judge_cases(judge, cases, seed=seed))
    found = read_calibration(judge, SHIPPED, rounds)
    assert found.labels == OFFLINE.labels


def test_the_order_of_the_set_does_not_matter() -> None:
    turned = replace(SHIPPED, cases=SHIPPED.cases[::-1])
    assert asyncio.run(calibrate(OfflineJudge(RUBRIC), turned)).labels == OFFLINE.labels


def test_a_set_without_wrong_answers_tells_nothing() -> None:
    only = replace(SHIPPED, cases=tuple(c for c in SHIPPED.cases if c.label == "right"))
    found = asyncio.run(calibrate(Knows(), only))
    assert not found.reliable
    assert isinstance(found.separation, NotMeasured)


def test_a_smaller_set_has_a_right_and_a_wrong_answer_of_every_kind() -> None:
    few = SHIPPED.smaller(12)
    assert few.id == "tamis-calibration@1 (12 of 116 answers)"
    assert Counter((k.case.probe.kind, k.label) for k in few.cases) == {
        (kind, label): 1 for kind in PROBE_KINDS for label in ("right", "wrong")
    }
    assert len({k.question for k in few.cases}) == len(PROBE_KINDS)


@given(st.integers(0, 150))
def test_a_smaller_set_holds_no_more_than_it_may_and_grows_by_adding(most: int) -> None:
    few = SHIPPED.smaller(most)
    assert len(few.cases) == min(most, len(SHIPPED.cases))
    assert all(known in few.cases for known in SHIPPED.smaller(max(most - 1, 0)).cases)


def test_a_set_that_is_not_made_smaller_stays_as_it_is() -> None:
    assert SHIPPED.smaller(1000) == SHIPPED


def test_a_smaller_set_still_tells_a_good_judge_from_a_bad_one() -> None:
    few = SHIPPED.smaller(12)
    assert asyncio.run(calibrate(Knows(), few)).reliable
    assert not asyncio.run(calibrate(SaysAlways(4.0), few)).reliable


def test_what_was_asked_before_can_be_read_again() -> None:
    judge = OfflineJudge(RUBRIC)
    said = tuple(asyncio.run(ask_judge(judge, known.case)) for known in SHIPPED.cases)
    assert read_calibration(judge, SHIPPED, (said,)) == OFFLINE


MINE = """
name = "mine"
version = "2"
[overall]
right = [4, 5]
"partly right" = [1, 4]
vague = [0, 2]
wrong = [0, 1]
declined = [0, 1]
[[questions]]
kind = "recall"
question = "Which port?"
expected = [{ type = "number", value = "9090" }]
answers = [
  { label = "right", text = "9090" },
  { label = "wrong", text = "1", overall = [0, 3] },
  { label = "declined" },
]
"""


def test_a_set_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    mine = load_calibration_set(path)
    assert mine.id == "mine@2"
    assert [(k.label, k.low, k.high, k.case.answer.declined) for k in mine.cases] == [
        ("right", 4, 5, False),
        ("wrong", 0, 3, False),
        ("declined", 0, 1, True),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"right", text', '"good", text', r"at questions.1.answers.1.label: .*'right'"),
        ("wrong = [0, 1]", "", r"between which scores answers lie that are 'wrong'"),
        ("[4, 5]", "[4, 7]", r"at overall.right.2: .*less than or equal to 5"),
        ('kind = "recall"', 'kind = "guess"', r"at questions.1.kind"),
        ('version = "2"', 'version = "2"\nauthor = "me"', r"at author: Extra inputs"),
        ('type = "number"', 'type = "colour"', r"at questions.1.expected.1.type"),
    ],
)
def test_what_is_no_set_is_told_with_the_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace(old, new, 1))
    with pytest.raises(InputError, match=told):
        load_calibration_set(path)


def test_a_set_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No such file"):
        load_calibration_set(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("name =")
    with pytest.raises(UnreadableFile, match="is not TOML"):
        load_calibration_set(tmp_path / "bad.toml")


WHOLE = len(answers_for("offline").cases)
STORY = Path(__file__).parents[2] / "examples/sessions/logmerge.openai-chat.json"


def graded(prompt: Prompt) -> dict[str, object]:
    asked = json.loads(prompt.text)["rubric_criteria"]
    return {"criterionResults": [{"criterionId": c, "reasoning": "so", "score": 3} for c in asked]}


@pytest.mark.parametrize(
    ("judge", "most", "cases"),
    [
        ("offline", None, WHOLE),
        ("offline", 12, WHOLE),
        ("openai:gpt-5-mini", None, WHOLE),
        ("openai:gpt-5-mini", 12, 12),
        ("gguf:small.gguf", None, FEW),
        ("gguf:small.gguf", 12, 12),
        ("gguf:small.gguf", "all", WHOLE),
    ],
)
def test_a_model_that_runs_here_judges_fewer_unless_told(judge: str, most: object, cases: int) -> None:
    assert len(answers_for(judge, most).cases) == cases  # type: ignore[arg-type]


def test_each_judge_says_on_how_many_it_was_tried() -> None:
    model = ScriptedModel([graded] * 100)
    judges = [OfflineJudge(load_rubric()), ModelJudge(model, load_rubric())]
    offline, weak = asyncio.run(calibrate_all(judges, most=12))
    assert (offline.cases, weak.cases, len(model.prompts)) == (WHOLE, 12, 12)
    assert weak.set.endswith("(12 of 116 answers)")
    assert not weak.reliable


def test_a_judge_that_was_tried_is_tried_again_only_on_more(tmp_path: Path) -> None:
    run = tmp_path / "run"
    conduct(
        [SessionFile(set="story", path=STORY)],
        Settings(methods=("nothing",), budgets=("5%",), readers=("lexical",), judges=("offline",)),
        run,
    )
    model = ScriptedModel([graded] * 100)
    for most in (4, 2, 6):
        score_run(run, judges=["scripted"], calibration=most, models=lambda _: model)
    cases = [c.cases for c in read_run(run).calibrations if c.judge == model.name]
    assert cases == [4, 6]
    assert len({prompt.text for prompt in model.prompts}) == len(model.prompts)
