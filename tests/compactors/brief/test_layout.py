"""How the lines of a brief look beside each other."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit
from compactors.conversations import run, say
from tamis.compactors.brief.reading.edits.edited_places import edited_places
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.utterances import agent_statements
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import BRIEF_HEADER
from tamis.compactors.brief.writing.layout import story
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.messages import Message, Text, Thinking


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


def test_what_carries_out_a_draft_or_an_offer_does_not_make_it_look_old() -> None:
    edit = at("changed", "edited rules.md: # How rows are counted (draft) … ## Limits", 5, key="rules.md")
    offer = "If you want, next I can draft a section on counting for `rules.md`."
    assert (
        head_behind(edit, text="How rows are counted (draft)") == head_behind(edit, text=offer) == "### #0-3"
    )
    assert head_behind(edit, text="It is in `rules.md`.") == "### #0-3 (edited later, from #5: rules.md)"


def test_a_heading_tells_of_each_file_when_it_was_first_edited_later_and_of_no_plan() -> None:
    keys = {5: "src/rows.py", 7: "cells.py", 9: "src/rows.py", 11: "/home/u/.claude/plans/a-b.md"}
    edits = [at("changed", f"edited {key}: added `x`", turn, key=key) for turn, key in keys.items()]
    told = head_behind(*edits, text="It is `cells.py`, `rows.py` and a-b.md.")
    assert told == "### #0-3 (edited later, from #5: rows.py; from #7: cells.py)"


def test_a_proposal_stands_for_the_edits_behind_a_second_word_to_go_on() -> None:
    said = at("said", "A limit in the reader, and one in the writer?", 1)
    asked = [at("asked", "both", 2), at("said", "Connection closed.", 3), at("asked", "proceed", 4)]
    edit = at("changed", "edited src/rows.py: added `limit`", 5, key="src/rows.py")
    (head, _) = story([said], [Episode(0, 2)], edits=edited_places([said, *asked, edit]))
    assert head == "### #0-1 (edited later, from #5: rows.py)"


def head_behind(*edits: Statement, text: str = "It is `rows.py`.", end: int = 4, turn: int = 1) -> str:
    return story([at("said", text, turn)], [Episode(0, end)], edits=edited_places(edits))[0]


def test_what_is_made_or_put_back_behind_a_section_is_not_edited_later() -> None:
    made = at("changed", "wrote rows.py (read): x = 1", 5, key="rows.py")
    edit_of_it = at("changed", "edited rows.py: `x = 1` → `x = 2`", 7, key="rows.py")
    back = at("changed", "reverted rows.py", 9, key="rows.py")
    assert head_behind(made, edit_of_it) == head_behind(edit_of_it, back) == "### #0-3"
    assert head_behind(made, edit_of_it, end=6, turn=5) == "### #0-5 (edited later, from #7: rows.py)"
    assert head_behind(edit_of_it, back, end=8, turn=7) == "### #0-7 (edited later, from #9: rows.py)"
    assert head_behind(edit_of_it, back, end=8, turn=6) == "### #0-7"


def test_a_heading_tells_that_a_file_was_edited_again_that_is_edited_or_run_in_it() -> None:
    edits = [at("changed", "edited rows.py: added `x`", turn, key="rows.py") for turn in (1, 7)]
    run = Statement(kind="ran", text="ran `wc rows.py` → 9 cells.py", turn=1, place=(0, 0), key="wc rows.py")
    heads = [story([told], [Episode(0, 4)], edits=edited_places(edits))[0] for told in (edits[0], run)]
    assert heads == ["### #0-3 (edited later, from #7: rows.py)"] * 2
    other = edited_places([at("changed", "edited cells.py: added `x`", 7, key="cells.py")])
    assert story([run], [Episode(0, 4)], edits=other)[0] == "### #0-3"


def test_a_heading_tells_of_a_file_that_the_user_alone_names_and_that_was_edited_later() -> None:
    asked = at("asked", "There is an error in `rows.py:97`, too.", 1)
    edit = at("changed", "edited src/rows.py: added `x`", 5, key="src/rows.py")
    (head, _) = story([asked], [Episode(0, 4)], edits=edited_places([edit]))
    assert head == "### #0-3 (edited later, from #5: rows.py)"


def test_an_edit_taken_back_behind_what_is_told_is_none() -> None:
    tried = at("changed", "edited rows.py: `a = 1` → `a = 1`", 2, key="rows.py")
    back = at("changed", "reverted rows.py", 5, key="rows.py")
    again = at("changed", "edited rows.py: added `x`", 7, key="rows.py")
    assert head_behind(tried, back, again) == "### #0-3 (edited later, from #7: rows.py)"


def test_a_heading_tells_the_first_edit_of_a_file_and_takes_a_bare_name_for_the_file_at_hand() -> None:
    first = at("changed", "edited src/rows.py: added `x`", 5, key="src/rows.py")
    named = at("changed", "edited src/rows.py: `read_rows` → `read`", 7, key="src/rows.py")
    other = at("changed", "edited cells/rows.py: added `y`", 9, key="cells/rows.py")
    assert (
        head_behind(first, named, text="`read_rows` is slow.") == "### #0-3 (edited later, from #5: rows.py)"
    )
    assert head_behind(first, other, end=8) == "### #0-7"
    hidden = at("changed", "edited .rows.yml: added `x`", 5, key=".rows.yml")
    assert head_behind(hidden, text="It is `.rows.yml`.") == "### #0-3 (edited later, from #5: .rows.yml)"


def test_a_name_that_several_files_changed_tells_of_none_of_them() -> None:
    edits = [at("changed", f"edited {key}.py: `read_rows` → `read`", 5, key=f"{key}.py") for key in "ab"]
    assert head_behind(*edits[:1], text="`read_rows` is slow.") == "### #0-3 (edited later, from #5: a.py)"
    assert head_behind(*edits, text="`read_rows` is slow.") == "### #0-3"


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
    text = "`read` opens each table twice. Now `load` keeps them. Rows come in order. But `size` is lost."
    told = told_of(text, "Now", "Rows", thought=True)
    assert told == ["= `read` opens each table twice.", "= … But `size` is lost."]
    assert "…" not in "".join(told_of(text, "Now", "But", thought=True))


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
    edits = [
        at("changed", "edited src/a/rows.py: added `x`", 5, key="src/a/rows.py"),
        at("changed", "edited src/b/rows.py: added `x`", 6, key="src/b/rows.py"),
        at("changed", "edited old.py: added `x`", 6, key="old.py"),
        at("changed", "deleted old.py", 8, key="old.py"),
    ]
    told = head_behind(*edits, text="It is `a/rows.py`, or `old.py`.")
    assert told == "### #0-3 (edited later, from #5: a/rows.py; deleted at #8: old.py)"
    head = head_behind(*edits[2:], text="It is `old.py`.")
    assert head == "### #0-3 (edited later, deleted at #8: old.py)"
    [line] = parse_brief("\n".join([BRIEF_HEADER, "```", "## Story", head, "= It is `old.py`.", "```"])) or ()
    assert (line.text, line.turns) == ("It is `old.py`.", (0, 3))
