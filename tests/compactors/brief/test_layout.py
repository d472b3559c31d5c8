"""How the lines of a brief look beside each other."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit
from compactors.conversations import say
from tamis.compactors.brief.reading.edited_places import edited_places
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import BRIEF_HEADER
from tamis.compactors.brief.writing.layout import story
from tamis.compactors.brief.writing.parser import parse_brief


def ran(text: str, *, turn: int = 3, at: int = 0) -> Statement:
    return Statement(kind="ran", text=text, turn=turn, place=(0, at))


def test_what_two_statements_tell_of_one_output_stands_in_one_line() -> None:
    told = [ran("ran `list` → marten"), ran("ran `list` → otter", at=1), ran("ran `list` → stoat", turn=5)]
    lines = story(told, [Episode(0, 9)], headed=False)
    assert lines == ["- ran `list` → marten … otter", "- ran `list` → stoat"]


def at(kind: StatementKind, text: str, turn: int, *, key: str = "") -> Statement:
    flags = ("source",) * (kind == "changed")
    return Statement(kind=kind, text=text, turn=turn, place=(0, 0), key=key, flags=flags)


EDITS = edited_places(
    [
        at("said", "A limit in the reader would do.", 2),
        at("asked", "yes, put it in", 3),
        at("changed", "edited src/rows.py: `read_rows()` → `read_rows(9)`", 4, key="src/rows.py"),
    ]
)


def head_over(text: str, turn: int, *, start: int = 0, end: int = 4) -> str:
    return story([at("said", text, turn)], [Episode(start, end)], edits=EDITS)[0]


def test_a_heading_tells_which_files_the_agent_spoke_of_were_edited_behind_it() -> None:
    head = "### #0-3 (edited later, from #4: rows.py)"
    assert head_over("It is `rows.py:7`.", 1) == head
    assert head_over("It is /repo/src/rows.py.", 1) == head_over("`read_rows` is slow.", 1) == head
    assert head_over("It is `cells/rows.py:7`.", 1) == "### #0-3"
    assert head_over("It is `rows.py:7`.", 1, end=5) == "### #0-4"


def test_a_heading_tells_what_was_edited_on_the_agents_proposal() -> None:
    assert head_over("A limit in the reader would do.", 2) == "### #0-3 (edited later, from #4: rows.py)"
    assert head_over("A limit in the writer would do.", 1) == "### #0-3"


def test_a_heading_with_files_is_read_back() -> None:
    lines = story([at("said", "It is `rows.py:7`.", 1)], [Episode(0, 4)], edits=EDITS)
    brief = parse_brief("\n".join([BRIEF_HEADER, "```", "## Story", *lines, "```"]))
    assert brief is not None
    assert [(line.text, line.turns) for line in brief] == [("It is `rows.py:7`.", (0, 3))]


def test_rows_that_a_table_has_behind_the_last_that_is_told_show() -> None:
    row = Statement(
        kind="said", text="| a | 1 |", turn=1, place=(0, 0), key="1", flags=("table", "named", "more")
    )
    words = Statement(kind="said", text="Shall I go on?", turn=1, place=(0, 90), key="5", flags=("prose",))
    assert story([row, words], [Episode(0, 9)], headed=False) == ["= | a | 1 | …", "= Shall I go on?"]


def test_a_small_brief_tells_nothing_of_a_file_as_it_was_before_it_was_edited() -> None:
    early = say("assistant", "The reader in `src/rows.py` keeps blank rows in `read_rows`.", id="early")
    changed = edit("e", "/work/shop/src/rows.py", "read_rows()", "read_rows(skip=True)")
    assert "keeps blank rows" in brief([TASK, early], 200)
    assert "keeps blank rows" not in brief([TASK, early, *changed], 200)
    assert "(edited later, from #3: rows.py)" in brief([TASK, early, say("user", "Go."), *changed], 900)


def test_the_end_of_an_output_stands_behind_what_else_is_told_of_it() -> None:
    told = [ran("grep `rows` → … stoat"), ran("grep `rows` → marten", at=1)]
    assert story(told, [Episode(0, 9)], headed=False) == ["- grep `rows` → marten … stoat"]
