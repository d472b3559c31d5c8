"""How the lines of a brief look beside each other."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit
from compactors.conversations import run, say
from tamis.compactors.brief.reading.edits.edited_places import edited_places
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.utterances import agent_statements
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import BRIEF_HEADER
from tamis.compactors.brief.writing.layout import story, with_lines
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.messages import Message, Text, Thinking


def ran(text: str, *, turn: int = 3, at: int = 0) -> Statement:
    return Statement(kind="ran", text=text, turn=turn, place=(0, at))


def test_what_two_statements_tell_of_one_output_stands_in_one_line() -> None:
    told = [ran("ran `list` → marten"), ran("ran `list` → otter", at=1), ran("ran `list` → stoat", turn=5)]
    lines = story(told, [Episode(0, 9)], headed=False)
    assert lines == ["- ran `list` → marten … otter", "- ran `list` → stoat"]


def test_a_call_shortened_in_two_ways_is_one_and_no_line_of_it_stands_twice() -> None:
    call = "ran `for otter in $(list otters); do weigh"
    error = "Error: no scale for the otter at the shelf 7"
    told = [ran(f"{call} … done` → Weighed 7 ⏎ {error}"), ran(f"{call} $otter…` → … {error[:-3]}…", at=1)]
    [line] = story(told, [Episode(0, 9)], headed=False)
    assert line.count("no scale") == 1
    assert "Weighed 7" in line


def at(kind: StatementKind, text: str, turn: int, *, key: str = "") -> Statement:
    flags = ("source",) * (kind == "changed")
    return Statement(kind=kind, text=text, turn=turn, place=(0, 0), key=key, flags=flags)


def head_over(told: Statement, *behind: Statement, end: int = 4) -> str:
    return story([told], [Episode(0, end)], edits=edited_places([told, *behind]))[0]


def test_a_heading_tells_which_files_were_edited_again_that_are_edited_in_it() -> None:
    first = at("changed", "edited src/rows.py: added `x`", 1, key="src/rows.py")
    again = [at("changed", "edited src/rows.py: added `y`", turn, key="src/rows.py") for turn in (5, 7)]
    other = at("changed", "edited cells/rows.py: added `y`", 4, key="cells/rows.py")
    assert head_over(first, *again) == "### #0-3 (edited later, from #5: rows.py)"
    assert head_over(first, other) == head_over(first, *again, end=8).replace("7", "3") == "### #0-3"
    said = at("said", "It is `src/rows.py`.", 1)
    assert story([said], [Episode(0, 4)], edits=edited_places(again))[0] == "### #0-3"


def test_a_heading_tells_of_no_plan_and_nothing_temporary_that_was_edited_again() -> None:
    for key in ("/home/u/.claude/plans/a-b.md", "/tmp/try.sh"):
        edits = [at("changed", f"edited {key}: added `x`", turn, key=key) for turn in (1, 7)]
        assert head_over(*edits) == "### #0-3"


def test_what_is_put_back_behind_a_section_is_not_edited_later() -> None:
    made = at("changed", "wrote rows.py (read): x = 1", 1, key="rows.py")
    changed = at("changed", "edited rows.py: `x = 1` → `x = 2`", 5, key="rows.py")
    back = at("changed", "reverted rows.py", 9, key="rows.py")
    again = at("changed", "edited rows.py: added `y`", 11, key="rows.py")
    assert head_over(made, changed) == "### #0-3 (edited later, from #5: rows.py)"
    first = at("changed", "edited rows.py: `a = 1` → `a = 2`", 1, key="rows.py")
    assert head_over(first, changed, back) == "### #0-3 (edited later, from #9: rows.py)"
    assert head_over(first, back, again) == "### #0-3 (edited later, from #9: rows.py)"


def test_a_heading_with_files_is_read_back() -> None:
    edits = [at("changed", "edited rows.py: added `x`", turn, key="rows.py") for turn in (1, 7)]
    lines = story(edits[:1], [Episode(0, 4)], edits=edited_places(edits))
    brief = parse_brief("\n".join([BRIEF_HEADER, "```", "## Story", *lines, "```"]))
    assert brief is not None
    assert [(line.text, line.turns) for line in brief] == [("edited rows.py: added `x`", (0, 3))]


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


def test_a_small_brief_tells_of_no_file_put_back_that_was_edited_anew() -> None:
    first = edit("e", "/work/shop/src/rows.py", "read_rows()", "read_rows(skip=True)")
    back = run("b", "git checkout -- src/rows.py", "", 0)
    again = edit("a", "/work/shop/src/rows.py", "read_rows()", "read_rows(blank=False)")
    span = [TASK, *first, *back]
    assert "reverted" in brief(span, 120)
    assert "reverted" not in brief([*span, *again], 120)


def test_the_end_of_an_output_stands_behind_what_else_is_told_of_it() -> None:
    told = [ran("grep `rows` → … stoat"), ran("grep `rows` → marten", at=1)]
    assert story(told, [Episode(0, 9)], headed=False) == ["- grep `rows` → marten … stoat"]


def test_a_call_that_was_stopped_without_a_word_is_not_told_as_the_users_words() -> None:
    silent, spoken = "(stopped the agent's Bash make)", "(stopped the agent's Bash make) too slow."
    lines = story([at("asked", silent, 1), at("asked", spoken, 2)], [Episode(0, 3)], headed=False)
    assert lines == ["- the user stopped the agent's Bash make", f"> {spoken}"]


def test_a_list_with_holes_shows_them_and_its_own_numbers_say_which() -> None:
    own = ((2, "3. Weigh it."), (4, "5. Feed it."))
    items = [
        Statement(kind="asked", text=text, turn=0, place=(0, n), key=str(n), flags=("item",))
        for n, text in own
    ]
    head = Statement(kind="asked", text="The steps:", turn=0, place=(0, 0), key="0")
    told = story([head, *items], [Episode(0, 9)], headed=False)
    assert told[1:] == ["> … 3. Weigh it.", "> … 5. Feed it. …"]
    parts = [
        Statement(kind="said", text=text, turn=0, place=(0, n), key=str(n), flags=("heading",))
        for n, text in ((1, "What follows"), (4, "1. Weigh it"), (6, "3. Feed it"))
    ]
    assert story(parts, [Episode(0, 9)], headed=False) == [
        "= What follows",
        "= 1. Weigh it",
        "= … 3. Feed it",
    ]


def told_of(text: str, *left_out: str, thought: bool = False) -> list[str]:
    part = Thinking(text=text) if thought else Text(text=text)
    message = Message(id="m", role="assistant", parts=(part,))
    said = [s for s in agent_statements(message, 1) if not s.text.startswith(left_out)]
    return story(said, [Episode(0, 2)], headed=False)


def test_a_sentence_that_goes_on_from_one_that_is_left_out_shows_it() -> None:
    text = "`read` opens each table twice.\n\nNow `load` keeps them open. Rows come in the same order."
    assert told_of(text, "Now")[1:] == ["= … Rows come in the same order."]
    assert told_of(text.replace(". Rows", ".\n\nRows"), "Now")[1:] == ["= Rows come in the same order."]


def test_of_a_thought_only_what_goes_back_to_what_is_left_out_shows_it() -> None:
    text = "`read` opens each table twice. Now `load` keeps them. Rows come in order. So `size` is lost."
    told = told_of(text, "Now", "Rows", thought=True)
    assert told == ["= `read` opens each table twice.", "= … So `size` is lost."]
    assert "…" not in "".join(told_of(text, "Now", "So", thought=True))


def test_a_line_that_does_not_end_is_a_line_of_its_own() -> None:
    text = "## Rows\n\nBranch `rows` | 3 commits\n\n### Overview\n\nIt reads each table once. Heads stay."
    assert told_of(text, "Rows") == ["= Branch `rows` | 3 commits", "= It reads each table once. Heads stay."]


def test_a_list_of_which_the_end_is_left_out_shows_it_before_another_list() -> None:
    long = ", ".join(["the rows of a table are read once more for each of its cells"] * 9)
    text = f"Two causes:\n\n1. In `read`, {long}.\n2. In `load`, {long}.\n\nWays:\n\n- Cut `a`.\n- Cut `b`."
    told = told_of(text, "2. ")
    assert told[1].endswith("cells. …")
    assert told[2] == "= Ways:"
    assert not any("…" in line for line in told_of(text))


def test_a_verdict_of_which_the_rest_is_left_out_shows_it() -> None:
    text = "Not necessarily. For `rows.py` alone, run the loader.\n\nFor `heads.py` it is not enough."
    assert told_of(text, "For `heads.py`") == ["= Not necessarily. For `rows.py` alone, run the loader. …"]
    assert not any("…" in line for line in told_of(text))


def test_what_is_left_out_before_an_item_shows_wherever_it_is_told() -> None:
    text = "The split is clean.\n\n- marten is first\n- otter is second"
    first, *_, last = agent_statements(say("assistant", text), 1)
    assert story([first, last], [Episode(0, 9)], headed=False) == [
        "= The split is clean.",
        "= … - otter is second",
    ]
    assert story([last], [Episode(0, 9)], headed=False) == ["= … - otter is second"]


def test_a_heading_tells_that_a_file_was_deleted_and_which_of_two_of_one_name_was_edited() -> None:
    keys = ("src/a/rows.py", "old.py")
    told = [at("changed", f"edited {key}: added `y`", 1, key=key) for key in keys]
    edits = [
        at("changed", "edited src/a/rows.py: added `x`", 5, key="src/a/rows.py"),
        at("changed", "edited src/b/rows.py: added `x`", 6, key="src/b/rows.py"),
        at("changed", "deleted old.py", 8, key="old.py"),
    ]
    head = story(told, [Episode(0, 4)], edits=edited_places([*told, *edits]))[0]
    assert head == "### #0-3 (edited later, from #5: a/rows.py; deleted at #8: old.py)"
    [line] = parse_brief("\n".join([BRIEF_HEADER, "```", "## Story", head, "= It is `old.py`.", "```"])) or ()
    assert (line.text, line.turns) == ("It is `old.py`.", (0, 3))


def test_lines_that_are_added_stand_in_the_sections_that_there_are() -> None:
    rules = ["## Rules", "> never x", "- said with the request #4:", "> keep y"]
    text = "\n".join([BRIEF_HEADER, "```", *rules, "## Next", "- it goes on", "```"])
    made = with_lines(text, {"rules": ["> no ``` here"], "files": ["- made: a.py"]}.items())
    assert made is not None
    assert made.split("\n")[1:] == [
        "````",
        *rules[:2],
        "> no ``` here",
        *rules[2:],
        "## Files",
        "- made: a.py",
        "## Next",
        "- it goes on",
        "````",
    ]
    assert parse_brief(made) is not None
    assert with_lines("nothing", {"files": ["- made: a.py"]}.items()) is None
