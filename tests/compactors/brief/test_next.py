"""What is next at the end of the span."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import DONE, TASK, brief, edit, section, todo, use
from compactors.conversations import lines, run, say
from tamis.messages import Message, ToolCall


def upcoming(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "Next"))


def test_a_call_under_way_is_told_where_it_is_the_newest() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    assert "under way, no result yet (#1): bash make all" in upcoming(
        Message(id="x-call", role="assistant", parts=(call,))
    )


def test_a_call_that_never_came_back_is_not_under_way_once_others_were_made() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    lost = Message(id="x-call", role="assistant", parts=(call,))
    assert "under way" not in upcoming(lost, *run("a", "ls src", "rows.py", 0))


def test_a_call_that_printed_nothing_is_not_under_way_once_the_agent_spoke_of_it() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    silent = Message(id="x-call", role="assistant", parts=(call,))
    text = upcoming(silent, say("assistant", "It builds: the rows are skipped.", id="d"))
    assert "under way" not in text
    assert "the agent has answered the newest request (#0)" in text


def test_a_call_is_not_under_way_once_the_user_spoke_again() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    lost = Message(id="x-call", role="assistant", parts=(call,))
    assert "under way" not in upcoming(lost, say("user", "Rather count the rows."))


def test_the_user_is_next_where_the_agent_only_answered() -> None:
    assert "the agent has answered the newest request (#0) and waits for the user" in upcoming(DONE)


def test_the_user_is_not_next_where_a_task_is_open() -> None:
    text = upcoming(*todo(("count them", "pending")), DONE)
    assert "waits for the user" not in text
    assert "see the open tasks" in text


def test_the_user_is_not_next_where_the_last_message_calls() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "ls"})
    last = Message(id="x-call", role="assistant", parts=(*DONE.parts, call))
    assert "waits for the user" not in upcoming(last)


def test_the_user_is_not_next_where_the_request_is_the_newest_message() -> None:
    text = upcoming(DONE, say("user", "Now count them."))
    assert "the newest request (#2) is not begun" in text


def test_what_the_agent_was_about_to_do_is_told() -> None:
    assert "about to: Let me run the tests of the importer." in upcoming(
        say("assistant", "Let me run the tests of the importer.")
    )


def test_who_was_about_to_do_something_does_not_wait_for_the_user() -> None:
    lines = upcoming(DONE, say("assistant", "The tests cover it. Now let me run the linter."))
    assert "about to: Now let me run the linter." in lines
    assert "waits for the user" not in lines


def test_who_breaks_off_behind_what_it_announced_has_not_answered() -> None:
    lines = upcoming(say("assistant", "The build fails. Let me check the lock file. Did somebody else"))
    assert "about to: Let me check the lock file." in lines
    assert "waits for the user" not in lines


def test_who_announced_something_and_went_on_to_answer_waits() -> None:
    lines = upcoming(say("assistant", "Let me sum up what I did. The rows that hold nothing are skipped."))
    assert "waits for the user" in lines
    assert "about to" not in lines


def test_an_offer_is_nothing_that_the_agent_was_about_to_do() -> None:
    lines = upcoming(say("assistant", "The rows are skipped. I can run the linter as well if you like."))
    assert "waits for the user" in lines
    assert "about to" not in lines


def test_of_a_talk_seventy_tokens_hold_only_what_was_asked_and_said() -> None:
    talk = [
        say("user", "My table is B-71.", id="a"),
        DONE,
        say("user", "Please move B-71 to Friday.", id="b"),
    ]
    assert section(brief(talk, 70), "Next") == []


def test_sixty_tokens_hold_what_is_asked_and_what_is_next() -> None:
    long = say("user", "Please make src/rows.py skip the empty rows of each table. " * 9, id="task")
    text = brief([long, DONE], 60)
    assert "> Please make src/rows.py skip" in text
    assert section(text, "Next") == ["- the request is answered; the user is next"]


def test_the_last_call_is_told_with_what_it_gave_back() -> None:
    look = "def skip(rows):\n    return [r for r in rows if r]\n" + "x = 1\n" * 60
    last = run("k", "cat src/rows.py  # how skip works on rows", look, 0)
    assert "→ defines skip" in upcoming(last[0], last[1])


def test_thanks_at_the_end_are_no_request() -> None:
    thanks = say("user", "Thank you! Everything looks perfect. Have a great day! ###STOP###")
    assert "the agent has answered the newest request (#0)" in upcoming(DONE, thanks)


def test_a_call_that_ends_the_work_is_told_as_the_end() -> None:
    told = upcoming(*run("s", "submit", "diff --git a/x b/x"))
    assert "the agent ended its work with `submit`" in told
    assert "is not answered yet" not in told


def test_who_says_something_and_looks_on_has_not_answered() -> None:
    words = say("assistant", "The error names the index. That fits what the fix does.")
    look = run("g", "grep -n class src/rows.py", "3:class Rows", 0)
    spoken = Message(id="w", role="assistant", parts=(*words.parts, *look[0].parts))
    told = upcoming(*edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), spoken, look[1])
    assert "has answered" not in told
    assert "is not answered" in told


def test_older_open_tasks_leave_an_answered_request_answered() -> None:
    asked = say("user", "Which module reads the rows?", id="later")
    told = upcoming(*todo(("Write the docs", "pending")), asked, DONE)
    assert "answered the newest request (#3) and waits for the user; older tasks are open" in told


def test_a_last_call_that_only_keeps_a_plan_is_not_told() -> None:
    assert "last call" not in upcoming(*use("u", "update_todos", "ok", todos="[x] rows"))


def test_after_a_question_the_agent_has_gone_back_to_its_work() -> None:
    why = say("user", "why did you not tell me of the lock")
    back = say("assistant", "I overlooked it. Now let me continue with the parser.", id="back")
    text = upcoming(
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), why, back, *run("b", "ls src", "rows.py", 0)
    )
    assert (
        "from the newest request (#3) the agent has gone back to what was asked before "
        "(#0: Please make src/rows.py skip empty rows.): Now let me continue with the parser." in text
    )
    assert "is not answered" not in text


def test_where_nothing_was_done_there_is_nothing_to_go_back_to() -> None:
    why = say("user", "why did you not tell me of the lock")
    back = say("assistant", "I overlooked it. Now let me continue with the parser.", id="back")
    assert "gone back" not in upcoming(why, back)


def test_a_new_request_is_not_gone_back_from() -> None:
    new = say("user", "Now add a lock.")
    on = say("assistant", "Let me continue with the lock.", id="on")
    work = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    assert "the newest request (#3: Now add a lock.) is not answered yet, nor is the one before" in upcoming(
        *work, new, on, *run("b", "ls src", "rows.py", 0)
    )


def test_a_program_that_sends_the_agent_on_asks_for_nothing() -> None:
    nudge = "Please continue working on the task.\nIMPORTANT: YOU SHOULD NEVER ASK FOR HUMAN HELP."
    text = brief([TASK, DONE, say("user", nudge), say("assistant", "The rows are read.", id="more")])
    assert "continue working" not in text
    assert "NEVER ASK FOR HUMAN HELP" in text
    assert "the newest request (#2)" not in text


def test_a_command_that_names_its_tool_is_not_doubled() -> None:
    text = brief([TASK, *use("o", "open", "[File: a.py]\n" + lines("row", 90), command="open a.py")])
    assert "open open" not in text


def test_what_the_agent_asks_at_the_end_is_what_it_waits_for() -> None:
    asks = "src/rows.py skips empty rows now. Shall I count the skipped ones too? It is one line more."
    assert "and waits for the user: Shall I count the skipped ones too?" in upcoming(say("assistant", asks))
    polite = "src/rows.py skips empty rows now. Is there anything else I can do?"
    assert upcoming(say("assistant", polite)).endswith("and waits for the user")


def test_the_newest_change_is_not_told_under_next_where_the_story_tells_it() -> None:
    change = edit("e", "/work/shop/src/rows.py", "rows = []", "rows = set()")
    text = brief([TASK, *change], 600)
    assert "- edited" in "\n".join(section(text, "Story"))
    assert "newest result" not in text


def test_a_call_that_gave_nothing_back_is_no_newest_result() -> None:
    span = [say("user", "Where does the shop open?"), *run("g", "git status --short", "", 0)]
    assert "- last call: bash git status --short" in section(brief(span, 110), "Next")


def test_the_newest_call_is_told_with_what_it_gave_back_in_little_room_too() -> None:
    found = "\n".join(f"/w/shop/till_{n}.py:{n}: open = the shop of {n} rows" for n in range(20))
    span = [say("user", "Where does the shop open?"), *run("g", "grep -rn open /w", found, 0)]
    assert "- newest: ran `grep -rn open /w` → /w/shop/till_0.py:0: open" in "\n".join(
        section(brief(span, 110), "Next")
    )


def test_what_falls_back_to_something_goes_back_to_no_work() -> None:
    why = say("user", "is the lock read first")
    back = say("assistant", "Almost. I'll note that it falls back to the parser.", id="back")
    done = edit("b", "/work/shop/docs/use.md", "a", "b")
    assert "gone back" not in upcoming(
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), why, back, *done
    )


def test_a_request_for_which_a_call_was_made_is_begun() -> None:
    asked = say("user", "Make an example that runs.", id="more")
    done = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    assert "not begun" in upcoming(*done, DONE, asked)
    assert "not begun" not in upcoming(*done, DONE, asked, *use("l", "Glob", "a\nb", pattern="*"))


def test_where_the_program_handed_the_work_in_nothing_is_left_to_do() -> None:
    end = replace(say("user", "Exited (autosubmitted)", id="end"), origin="meta")
    assert upcoming(*edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), end) == (
        "- the program around the agent stopped it and handed in its work as it was (#3)"
    )


def test_what_was_announced_and_not_changed_is_told_by_its_files() -> None:
    read = [use(n, "Read", "a = 1", file_path=f"/work/shop/src/{n}.py") for n in ("rows", "cells")]
    plan = say("assistant", "I need to:\n1. Update src/rows.py\n2. Update src/cells.py", id="plan")
    one = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    told = upcoming(*read[0], *read[1], plan, *one)
    assert "- announced and not changed up to here: cells.py (#5)" in told
    both = (*read[0], *read[1], plan, *one, *edit("b", "/work/shop/src/cells.py", "a = 1", "a = 2"))
    assert "announced" not in upcoming(*both)
    look = say("assistant", "Let me check what src/cells.py would change.", id="look")
    assert "announced" not in upcoming(*read[0], *read[1], look, *run("l", "ls src", "rows.py", 0))


def test_a_file_that_is_to_stay_as_it_is_was_not_announced() -> None:
    read = [*use("r", "Read", "a = 1", file_path="/work/shop/src/cells.py")]
    for words in (
        "Let me fix this in the script instead of cells.py.",
        "If we go for pages, I need to update cells.py too.",
        "I need to:\n1. Update the reader\n2. Update cells.py (if needed)",
    ):
        assert "announced" not in upcoming(*read, say("assistant", words, id="s"), *run("l", "ls", "a", 0))
    said = say("assistant", "Now let me update cells.py to skip them.", id="s")
    assert "announced" in upcoming(*read, said, *run("l", "ls", "a", 0))
    left = say("assistant", "The text of cells.py looks good and doesn't need any changes.", id="left")
    assert "announced" not in upcoming(*read, said, *run("l", "ls", "a", 0), left, *run("m", "ls", "a", 0))


def test_a_word_to_go_on_goes_on_with_all_that_was_not_answered() -> None:
    work = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    beside = say("user", "Mend the lock.", id="lock")
    back = say("assistant", "I continue with the rows from here.", id="back")
    told = upcoming(
        *work,
        beside,
        *run("l", "mend lock", "", 0),
        say("user", "continue", id="on"),
        back,
        *edit("b", "/work/shop/src/rows.py", "b = 1", "b = 2"),
        *run("m", "ls", "a", 0),
    )
    assert (
        "(#6: continue) goes on with those before (#0: Please make src/rows.py skip empty rows.; "
        "#3: Mend the lock.); it is not answered yet" in told
    )
