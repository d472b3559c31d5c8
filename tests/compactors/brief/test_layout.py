"""How the lines of a brief look beside each other."""

from __future__ import annotations

from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.layout import story


def ran(text: str, *, turn: int = 3, at: int = 0) -> Statement:
    return Statement(kind="ran", text=text, turn=turn, place=(0, at))


def test_what_two_statements_tell_of_one_output_stands_in_one_line() -> None:
    told = [ran("ran `list` → marten"), ran("ran `list` → otter", at=1), ran("ran `list` → stoat", turn=5)]
    lines = story(told, [Episode(0, 9)], headed=False)
    assert lines == ["- ran `list` → marten … otter", "- ran `list` → stoat"]
