"""A brief in little room: what is asked as a whole, and what came of it in a whole sentence."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, section, use
from compactors.conversations import run, say
from tamis.compactors.brief.writing.in_short import without_numbers

EDIT = edit("e", "/work/shop/src/rows.py", "rows.append(row)", "rows.append(row or None)")
LONG = (
    "The importer in src/rows.py, the report in src/report.py, the exporter in src/export.py, the help "
    "strings of the three commands, the README with its examples and its table of options, and the changelog "
    "all say now that empty rows are skipped."
)
ANSWER = 'User has answered your questions: "Which port?"="8443". You can now continue.'
SHORT = "Both src/rows.py and src/report.py skip empty rows."


def test_of_what_came_of_it_a_sentence_is_told_whole_before_the_beginning_of_a_longer_one() -> None:
    ended = say("assistant", f"{LONG}\n\n{SHORT}", id="ended")
    story = section(brief([TASK, *EDIT, ended], 130), "Story")
    assert f"= {SHORT}" in "\n".join(story)
    assert not any(line.startswith("= ") and line.endswith("…") for line in story)


def test_one_of_several_steps_does_not_pass_for_the_whole_request() -> None:
    steps = [
        f"{n}. Create src/stock/warehouse/importer/part_{n}.py with all that it needs" for n in range(1, 9)
    ]
    asked = "Split the importer of the warehouse:\n\n" + "\n".join(steps)
    told = brief([say("user", asked, id="steps"), *EDIT, *run("r", "ls src", "rows.py", 0)], 62)
    assert section(told, "Asked") == ["> Split the importer of the warehouse:"]


def test_the_words_that_an_answer_answers_stand_beside_it() -> None:
    words = say("assistant", "The plan is saved to docs/plans/rows-plan.md.", id="words").parts
    call, result = use("q", "AskUserQuestion", ANSWER, questions=[{"question": "Which port?"}])
    both = type(call)(id="both", role="assistant", parts=(*words, *call.parts))
    told = brief([TASK, *EDIT, both, result], 200)
    assert "= The plan is saved to docs/plans/rows-plan.md." in told
    assert "\n## Next\n- to be taken up now, the user's answer to `Which port?`: 8443" in told


def test_what_was_done_is_told_by_the_first_sentence_that_says_so() -> None:
    ended = say(
        "assistant",
        f"The plan is fully implemented and verified.\n\nHere is all:\n\n## Code\n\n{LONG}",
        id="ended",
    )
    assert "= The plan is fully implemented and verified." in brief([TASK, *EDIT, ended], 130)


def test_a_commit_for_an_older_request_is_left_to_the_state() -> None:
    made = run("c", "git commit -am 'Skip rows'", "[main 0a1b2c3] Skip rows", 0)
    span = [TASK, *EDIT, *made, say("user", "Now push it.", id="push"), *run("p", "ls src", "rows.py", 0)]
    told = brief(span, 150)
    assert "committed 0a1b2c3" not in told
    assert "last commit 0a1b2c3" in told


def test_the_newest_edit_is_told_by_its_place_where_it_has_no_room() -> None:
    body = "\n".join(f"    rows = keep(rows, {n}) if rows else drop(rows, {n})" for n in range(30))
    newest = edit("n", "/work/shop/src/rows.py", "x", f"def cells(rows):\n{body}\n    return rows")
    told = brief([TASK, *EDIT, *newest, *run("s", "ls src", "rows.py", 0)], 120)
    assert "src/rows.py (cells)" in told
    assert "rows.append" not in told


def test_nothing_is_told_that_goes_back_to_what_is_not() -> None:
    words = "Updated src/rows.py and src/report.py. It drops none. "
    words += "That settles the question of the rows that was open since the last review, so I took it out."
    assert "That settles" not in brief([TASK, *EDIT, say("assistant", words, id="ended")], 110)


def test_that_all_was_done_is_the_outcome_before_a_side_matter_of_the_report() -> None:
    ended = say(
        "assistant", f"The plan is fully implemented and verified.\n\n## Wording\n\n{LONG}", id="ended"
    )
    assert "= The plan is fully implemented and verified." in brief([TASK, *EDIT, ended], 110)


def test_the_edit_is_told_that_does_what_is_asked_and_not_a_newer_one_beside_it() -> None:
    newest = edit("n", "/work/shop/tests/test_cells.py", "x = 1", "assert cells(empty) == []")
    told = brief([TASK, *EDIT, *newest, *run("s", "ls src", "rows.py", 0)], 130)
    assert "- edited src/rows.py: `rows.append(row)`" in told
    assert "- edited tests/test_cells.py" not in told


def test_what_is_to_be_made_is_told_before_what_is_to_be_read_for_it() -> None:
    read = "Read docs/rows.md and all of the nine reports on the four importers in docs/importers/ with care."
    write = "Then write a summary of them as docs/summary.md with a table."
    asked = f"{read}\n\n{write} {'It should be short. ' * 40}"
    looked = run("r", "cat docs/rows.md", "# Rows", 0)
    ended = [
        say("assistant", "I have now read all of the nine reports.", id="old"),
        say("assistant", "Drafted docs/summary.md with a table of the four importers.", id="new"),
    ]
    story = section(brief([say("user", asked, id="ask"), *looked, *ended], 90), "Story")
    assert "> Then write a summary of them as docs/summary.md with a table. …" in story
    assert read not in "\n".join(story)
    assert "= Drafted docs/summary.md with a table of the four importers." in story


def test_an_issue_that_is_handed_on_stands_with_the_order_to_solve_it() -> None:
    steps = "How to reproduce:\n\nSet up a shop of 3.1 with a till.\n"
    issue = "The till prints a coin twice.\n\nThe total of a till with three drawers is a coin too high.\n\n"
    ends = f"{'The drawers are made of wood and of brass. ' * 16}\nINSTRUCTIONS:\nOne command at a time."
    opens = "We're currently solving the following issue within our repository."
    asked = f"{opens} Here's the issue text:\nISSUE:\n{issue}{steps}{ends}"
    told = section(
        brief([say("user", asked, id="ask"), *EDIT, *run("r", "ls src", "rows.py", 0)], 150), "Story"
    )
    assert told[0] == f"> {opens}"
    assert told[1] == "> … The till prints a coin twice."
    assert not any("Set up a shop" in line for line in told)


def test_what_was_typed_behind_a_template_is_what_is_asked() -> None:
    steps = "".join(f"{n}. Copy page {n} of the manual with what belongs to it\n" for n in range(1, 13))
    example = "Example usage:\n\n- Expected page: `manual/lock_7.md`\n"
    typed = "The manual of the lock on the Vecht, but leave out the pages on winter and the old gates"
    asked = f"Use the `copy-manual` skill.\n\nProcess:\n\n{steps}\n{example}\n{typed}"
    little = brief([say("user", asked, id="t"), *EDIT, *run("r", "ls src", "rows.py", 0)], 110)
    assert f"> {typed}" in little or f"> … {typed}" in little
    assert "> Use the `copy-manual` skill." in little
    assert "lock_7" not in brief([say("user", asked, id="t"), *EDIT], 1_500)


def test_where_there_is_room_a_small_brief_says_what_its_marks_mean() -> None:
    ended = say("assistant", f"{LONG}\n\n{SHORT}", id="ended")
    span = [TASK, *EDIT, ended]
    assert "(> the user, = the agent)" in brief(span, 320)
    assert "(> the user" not in brief(span, 130)


def test_notes_of_a_small_brief_have_no_numbers() -> None:
    assert without_numbers("> see (PR #4) (taken for Shop by the agent, see #9)") == (
        "> see (PR #4) (taken for Shop by the agent)"
    )
