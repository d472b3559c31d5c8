"""What the agent said is told with what it means nothing without, and without what it says in passing."""

from __future__ import annotations

from compactors.conversations import say
from tamis.compactors.brief.reading.reversals import without_forecasts
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.reading.utterances import agent_statements


def spoken(words: str) -> list[Statement]:
    """What an agent's message says."""
    return list(agent_statements(say("assistant", words), 0))


def test_what_is_said_of_the_last_thing_leans_on_it_over_a_paragraph() -> None:
    first, second = spoken("The quay is scanned row by row.\n\nThis is the same fault as in `lamps.py`.")
    assert second.leads == (first,)
    assert not spoken("The quay is scanned.\n\nThis branch holds the lamps of `quay.py`.")[1].leads


def test_what_says_that_it_is_the_same_kind_leans_on_what_it_is_like() -> None:
    first, second = spoken("`quay` scans each row. Small today (9 rows) but the same class of bug.")
    assert second.leads == (first,)


def test_a_sentence_goes_on_behind_its_code() -> None:
    [whole] = spoken("The hook should push:\n```text\nquay/v1\n```\nto `harbour-private`.")
    assert whole.text == "The hook should push: `quay/v1` to `harbour-private`."
    *_, code, end = spoken("So if you have:\n```yaml\na: 1\nb: 2\nc: 3\nd: 4\n```\nthe lamp is **not** lit.")
    assert end.leads == (code,)


def test_that_it_was_put_right_is_one_with_what_was_amiss() -> None:
    told = spoken("All is well. The lamps were **not** slow by the old fault, but by `quay`. I fixed that.")
    assert [s.text for s in told][1:] == [
        "The lamps were not slow by the old fault, but by `quay`. I fixed that."
    ]


def test_that_the_fault_was_reproduced_is_one_with_what_it_does() -> None:
    words = "It seems we've successfully reproduced the bug. The lamp is lit, though the quay is empty."
    [told] = spoken(words)
    assert told.text == words
    assert "guess" not in told.flags


def test_what_a_line_says_of_a_forecast_goes_with_it() -> None:
    assert without_forecasts("- Tighten it to ~2 s. It takes 20 ms, so 2 s is much.") == ""
    assert without_forecasts("- Rows are kept. The ceiling would fall.") == "- Rows are kept."
