"""A brief in little room: what is asked as a whole, and what came of it in a whole sentence."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, section, use
from compactors.conversations import run, say

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
    assert "\n## Next\n- to be done now, as the user answered: 8443" in told


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
    newest = edit("n", "/work/shop/src/cells.py", "x", f"def cells(rows):\n{body}\n    return rows")
    told = brief([TASK, *EDIT, *newest, *run("s", "ls src", "rows.py", 0)], 120)
    assert "- edited cells.py (cells)\n" in told
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
