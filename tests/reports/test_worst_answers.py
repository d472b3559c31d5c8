from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals import Run, Texts
from tamis.evals.probing.exact_scorer import AnswerScore
from tamis.evals.probing.probes import Expected
from tamis.reports.excerpts import alternate, apart, find_evidence
from tamis.reports.worst_answers import passages, worst_answers


def marked(text: str, *expected: Expected) -> list[str]:
    return list(alternate(text, find_evidence(expected, text)))[1::2]


def test_a_path_is_marked_as_itself() -> None:
    assert marked("io.py, radio.py", Expected(type="path", value="io.py")) == ["io.py"]


def test_an_amount_is_marked_however_it_is_written() -> None:
    assert marked("took 1.2k tokens", Expected(type="number", value="1200")) != []


def test_a_text_is_marked_across_its_line_breaks() -> None:
    assert marked("Never\n  touch it. So.", Expected(type="text", value="Never touch it.")) == [
        "Never\n  touch it."
    ]


def test_of_a_text_that_is_told_otherwise_the_nearest_line_is_marked() -> None:
    told = "we chose sqlite for the archive\nnothing to see"
    assert marked(told, Expected(type="text", value="sqlite was chosen for the archive, not postgres")) == [
        "we chose sqlite for the archive"
    ]


def test_what_shares_too_little_is_no_evidence() -> None:
    assert marked("the sky is blue", Expected(type="text", value="sqlite holds the archive")) == []


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda p: (min(p), max(p)))))
def test_places_never_lie_on_each_other(places: list[tuple[int, int]]) -> None:
    assert all(a[1] <= b[0] for a, b in pairwise(apart(places)))


@given(st.text(alphabet="ab \n", max_size=300), st.data())
def test_passages_lose_no_mark_of_the_first_lines(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    (found, *_) = passages(text, [(place, place)], (0, len(text)))
    assert "".join(found.pieces).strip("…") in text


def test_the_worst_come_by_kind_in_turn_and_never_an_answered_one(run: Run, texts: Texts) -> None:
    found = worst_answers(run, ["truncate", "ledger"], "5%", texts.__getitem__, most=3)
    assert set(found) == {"truncate", "ledger"}
    shown = found["truncate"].shown
    assert 0 < len(shown) <= 3
    assert all(one.score.value < 0.5 for one in shown)
    kinds = [one.probe.kind for one in shown]
    assert len(set(kinds)) == min(3, len({one.probe.kind for one in shown} | set(kinds)))


def test_counts_say_what_was_left_out(run: Run, texts: Texts) -> None:
    keys = {r.key for r in run.results if (r.method, r.budget) == ("truncate", "5%")}
    scores = [a.exact.value for a in run.answers if a.result in keys and isinstance(a.exact, AnswerScore)]
    found = worst_answers(run, ["truncate"], "5%", texts.__getitem__, most=1)["truncate"]
    assert (found.answers, found.wrong) == (len(scores), sum(value < 0.5 for value in scores))
    assert len(found.shown) == 1


def test_none_are_shown_where_none_are_wanted(run: Run, texts: Texts) -> None:
    found = worst_answers(run, ["truncate"], "5%", texts.__getitem__, most=0)["truncate"]
    assert found.shown == ()
    assert found.answers > 0


def test_every_shown_answer_has_its_judgement_and_its_source(run: Run, texts: Texts) -> None:
    for one in worst_answers(run, ["ledger", "truncate"], "1%", texts.__getitem__, most=5)["truncate"].shown:
        assert one.judgements
        assert bool(one.sources) == bool(one.probe.sources)


def test_a_run_without_questions_has_none(run: Run) -> None:
    from dataclasses import replace

    assert worst_answers(replace(run, answers=()), ["ledger"], "5%", pytest.fail, most=3) == {}
