"""Where things stand, and what is next."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, section, use, write
from compactors.conversations import run, say
from tamis.messages import Message, ToolCall

COMMIT = run("c", "git commit -m 'Skip rows'", "[main 0a1b2c3] Skip rows", 0)
PUSH = run("p", "git push origin main", "To example.org:x.git\n   1..2  main -> main", 0)
ELSEWHERE = edit("x", "/work/shop/docs/use.md", "one", "two")
DONE = say("assistant", "The rows of `src/rows.py` that hold nothing are skipped.")


def state(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "State"))


def upcoming(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "Next"))


def todo(*tasks: tuple[str, str]) -> tuple[Message, Message]:
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in tasks]
    return use("todo", "TodoWrite", "Todos have been modified successfully.", todos=todos)


def test_a_commit_without_a_push_says_so() -> None:
    assert "last commit 0a1b2c3 (#1), no push seen" in state(*COMMIT, DONE)


def test_a_commit_that_was_pushed_says_so() -> None:
    assert "last commit 0a1b2c3 (#1), pushed" in state(*COMMIT, *PUSH, DONE)


def test_a_commit_after_the_last_push_is_not_pushed() -> None:
    later = run("d", "git commit -m 'Count rows'", "[main 1b2c3d4] Count rows", 0)
    assert "last commit 1b2c3d4 (#5), not pushed since" in state(*COMMIT, *PUSH, *later, DONE)


def test_the_branch_of_a_commit_is_told() -> None:
    assert "on branch main; last commit" in state(*COMMIT, DONE)


def test_changed_files_stand_by_folder_with_a_star_since_the_last_commit() -> None:
    before = (
        *ELSEWHERE,
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/src/io.py", "b = 1", "b = 2"),
    )
    after = edit("e", "/work/shop/src/io.py", "c = 1", "c = 2")
    assert "changed (* = since that commit): src/: io.py*, rows.py; docs/use.md" in state(
        *before, *COMMIT, *after, DONE
    )


def test_without_a_commit_there_are_no_stars() -> None:
    assert "*" not in state(*edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"), DONE)


def test_files_that_the_agent_made_stand_apart() -> None:
    made = state(
        *ELSEWHERE,
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *write("w", "/work/shop/src/new.py", "x = 1\n"),
        DONE,
    )
    assert "- changed: src/rows.py; docs/use.md" in made
    assert "- made: src/new.py" in made


def test_the_last_run_is_told_with_the_edits_behind_it() -> None:
    run_then_edit = (
        *run("t", "pytest -q", "3 passed in 0.1s", 0),
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
    )
    assert "last run (#1, 1 edit later): ran `pytest -q`: 3 passed" in state(*run_then_edit, DONE)


def test_an_edit_that_nothing_was_run_after_is_told() -> None:
    assert "no test, check or script was run after the last edit of src/rows.py (#1)" in state(
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/src/rows.py", "b = 1", "b = 2"),
        DONE,
    ).replace("/work/shop/", "").replace("(#3)", "(#1)")


def test_open_tasks_stand_with_their_mark_and_finished_ones_do_not() -> None:
    text = state(
        *todo(("read the rows", "completed"), ("skip them", "in_progress"), ("count them", "pending"))
    )
    assert "[~] skip them" in text
    assert "[ ] count them" in text
    assert "read the rows" not in text


def test_a_call_under_way_is_told_where_it_is_the_newest() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    assert "under way, no result yet (#1): bash make all" in upcoming(
        Message(id="x-call", role="assistant", parts=(call,))
    )


def test_a_call_that_never_came_back_is_not_under_way_once_others_were_made() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    lost = Message(id="x-call", role="assistant", parts=(call,))
    assert "under way" not in upcoming(lost, *run("a", "ls src", "rows.py", 0))


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
    assert "the newest request (#2) is not finished" in text


def test_what_the_agent_was_about_to_do_is_told() -> None:
    assert "about to: Let me run the tests of the importer." in upcoming(
        say("assistant", "Let me run the tests of the importer.")
    )


def test_who_was_about_to_do_something_does_not_wait_for_the_user() -> None:
    lines = upcoming(DONE, say("assistant", "The tests cover it. Now let me run the linter."))
    assert "about to: Now let me run the linter." in lines
    assert "waits for the user" not in lines


def test_who_announced_something_and_went_on_to_answer_waits() -> None:
    lines = upcoming(say("assistant", "Let me sum up what I did. The rows that hold nothing are skipped."))
    assert "waits for the user" in lines
    assert "about to" not in lines


def test_an_offer_is_nothing_that_the_agent_was_about_to_do() -> None:
    lines = upcoming(say("assistant", "The rows are skipped. I can run the linter as well if you like."))
    assert "waits for the user" in lines
    assert "about to" not in lines


def test_of_one_program_the_newest_run_stands() -> None:
    older = run("t1", "python manage.py test shop.rows", "AttributeError: no rows", 1)
    newer = run("t2", "python manage.py test rows", "ImportError: cannot import rows", 1)
    lines = state(*older, *newer, DONE)
    assert "cannot import rows" in lines
    assert "no rows" not in lines


def test_a_run_that_the_state_tells_is_not_in_the_story_too() -> None:
    text = brief([TASK, *run("t", "python repro.py", "the second row is lost", 0), DONE], 1_500)
    assert text.count("the second row is lost") == 1


def test_sixty_tokens_hold_what_is_asked_and_what_is_next() -> None:
    long = say("user", "Please make src/rows.py skip the empty rows of each table. " * 9, id="task")
    text = brief([long, DONE], 60)
    assert section(text, "Asked")[0].startswith("> Please make src/rows.py skip")
    assert section(text, "Next") == ["- #0 is answered; the user is next"]


def test_a_hundred_tokens_hold_where_things_stand_besides() -> None:
    long = say("user", "Please make src/rows.py skip the empty rows of each table. " * 9, id="task")
    text = brief([long, *COMMIT, DONE], 100)
    assert all(section(text, title) for title in ("Story", "State", "Next"))


def test_the_last_call_is_told_with_what_it_gave_back() -> None:
    look = "def skip(rows):\n    return [r for r in rows if r]\n" + "x = 1\n" * 60
    last = run("k", "cat src/rows.py  # how skip works on rows", look, 0)
    assert "def skip(rows):" in upcoming(last[0], last[1])


def test_what_every_edit_prints_is_told_once() -> None:
    printed = 'File "/opt/tool.py", line 3\nSyntaxError: bad annotation\nThe file has been updated.'
    span = [
        use(name, "Edit", printed, file_path=f"/work/shop/{name}.py", old_string="one", new_string="two")
        for name in ("rows", "load")
    ]
    text = brief([TASK, *span[0], *span[1]], 1_500)
    assert "2 edits were made although each printed: SyntaxError: bad annotation, from /opt/tool.py" in text
    assert text.count("bad annotation") == 1


def test_where_nothing_was_run_the_state_says_so() -> None:
    never = ", nor before it"
    change = edit("y", "/work/shop/src/rows.py", "one", "two")
    assert never in state(*ELSEWHERE, *change)
    assert never not in state(*run("t", "pytest -q", "3 passed in 0.1s", 0), *change)


def test_many_files_of_one_beginning_are_told_by_it() -> None:
    made = [message for n in range(6) for message in write(f"w{n}", f"/work/shop/try_{n}.py", "x = 1\n")]
    assert "try_*.py (6)" in state(*made)


def test_thanks_at_the_end_are_no_request() -> None:
    thanks = say("user", "Thank you! Everything looks perfect. Have a great day! ###STOP###")
    assert "the agent has answered the newest request (#0)" in upcoming(DONE, thanks)


def test_a_call_that_ends_the_work_is_told_as_the_end() -> None:
    told = upcoming(*run("s", "submit", "diff --git a/x b/x"))
    assert "the agent ended its work with `submit`" in told
    assert "not finished" not in told
