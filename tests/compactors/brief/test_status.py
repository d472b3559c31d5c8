"""Where things stand, and what is next."""

from __future__ import annotations

import pytest

import tamis
from compactors.brief.talk import DONE, TASK, brief, edit, section, todo, use, write
from compactors.conversations import run, say
from tamis.messages import Message

COMMIT = run("c", "git commit -m 'Skip rows'", "[main 0a1b2c3] Skip rows", 0)
ELSEWHERE = edit("x", "/work/shop/docs/use.md", "one", "two")


def state(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "State"))


def test_the_last_run_is_told_with_the_edits_behind_it() -> None:
    run_then_edit = (
        *run("t", "pytest -q", "3 passed in 0.1s", 0),
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
    )
    assert "last run (#1, edited since): ran `pytest -q`: 3 passed" in state(*run_then_edit, DONE)


def test_an_edit_of_what_no_run_reads_does_not_put_it_out_of_date() -> None:
    tested = run("a", "pytest -q", "=== 3 passed in 0.10s ===", 0)
    noted = edit("b", "/work/shop/CHANGELOG.md", "one", "two")
    assert "last run (#1): ran `pytest -q`: 3 passed" in state(*tested, *noted, DONE)
    checked = run("a", "npm run lint CHANGELOG.md", "CHANGELOG.md:1 no heading", 0)
    assert "last run (#1, edited since)" in state(*checked, *noted, DONE)


def test_a_run_that_found_few_of_the_tests_says_so() -> None:
    many = run("a", "pytest -q", "=== 30 passed, 2 failed in 0.10s ===", 1)
    none = run("b", "pytest -q", "=== 1 error in 0.10s ===", 1)
    few = run("c", "pytest -q", "=== 2 passed in 0.10s ===", 0)
    assert "2 passed (at #1, 32 tests ran: 30 passed, 2 failed; now 2)" in state(*many, *none, *few, DONE)
    told = state(*few, *edit("e", "/work/shop/src/rows.py", "a", "b"), *many, DONE)
    assert "tests ran" not in told


def test_edits_behind_the_last_run_are_told_with_it_and_not_again() -> None:
    told = state(
        *run("t", "pytest -q", "3 passed in 0.1s", 0),
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        *edit("b", "/work/shop/src/rows.py", "b = 1", "b = 2"),
        DONE,
    )
    assert "last run (#1, edited since)" in told
    assert "no test or script output since" not in told


def test_open_tasks_stand_with_their_mark_and_finished_ones_do_not() -> None:
    text = state(
        *todo(("read the rows", "completed"), ("skip them", "in_progress"), ("count them", "pending"))
    )
    assert "[~] skip them" in text
    assert "[ ] count them" in text
    assert "read the rows" not in text


def test_of_one_program_the_newest_run_stands() -> None:
    older = run("t1", "python manage.py test shop.rows", "AttributeError: no rows", 1)
    newer = run("t2", "python manage.py test rows", "ImportError: cannot import rows", 1)
    lines = state(*older, *newer, DONE)
    assert "cannot import rows" in lines
    assert "no rows" not in lines


def test_a_run_that_the_state_tells_is_not_in_the_story_too() -> None:
    text = brief([TASK, *run("t", "python repro.py", "the second row is lost", 0), DONE], 1_500)
    assert text.count("the second row is lost") == 1


def test_a_hundred_tokens_hold_where_things_stand_besides() -> None:
    long = say("user", "Please make src/rows.py skip the empty rows of each table. " * 9, id="task")
    text = brief([long, *COMMIT, DONE], 100)
    assert all(section(text, title) for title in ("Story", "State", "Next"))


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
    change = edit("y", "/work/shop/src/rows.py", "one", "two")
    assert state(*ELSEWHERE, *change).endswith("no test, build or script was run")
    assert "no test or script output since the last edit (#" in state(
        *run("t", "gcc rows.c", "rows.c:3: warning", 1), *change
    )


CHANGE = edit("chg", "/work/shop/src/rows.py", "a = 1", "a = 2")
TESTS = run("tests", "pytest -q", "3 passed in 0.1s", 0)


def test_of_an_earlier_run_of_a_script_the_end_of_what_it_printed_is_told() -> None:
    printed = "\n".join(f"row {n} of the table was read" for n in range(7))
    told = state(
        *CHANGE, *run("a", "python check_rows.py", printed, 0), *run("b", "pytest -q", "1 passed in 1s", 0)
    )
    [line] = [line for line in told.splitlines() if "earlier run" in line]
    assert "row 6" in line
    assert "row 0" not in line


def test_the_last_run_is_the_newest_one_and_stands_below_the_one_before() -> None:
    runs = (*TESTS, *run("s", "python try.py", "all is well", 0), *run("t", "mypy src", "Found 2 errors", 1))
    assert state(*runs, DONE).splitlines()[-2:] == [
        "- earlier run (#3): ran `python try.py` → all is well",
        "- last run (#5): ran `mypy src` → Found 2 errors",
    ]


def test_that_the_projects_tests_never_ran_is_told_beside_a_script_that_did() -> None:
    script = (*write("w", "/work/shop/try.py", "print(1)\n"), *run("r", "python try.py", "all is well", 0))
    failed = run("p", "python -m pytest tests -q", "/usr/bin/python: No module named pytest", 1)
    told = state(*CHANGE, *failed, *script)
    assert "- the project's own tests never ran (#3 failed: No module named pytest)" in told
    assert "last run (#7, the agent's script): ran `python try.py`" in told
    assert "never ran" not in state(*CHANGE, *failed, *TESTS, *script)
    looked = run("q", "python -c 'import pytest'", "ModuleNotFoundError: No module named 'pytest'", 1)
    assert "never ran" not in state(*CHANGE, *looked, *script)
    by_hand = write("w", "/work/shop/try.py", "from tests.test_rows import count\ncount()\nprint(1)\n")
    assert "never ran" not in state(*CHANGE, *failed, *by_hand, *script[2:])


def test_a_run_of_the_same_tests_with_other_settings_takes_the_place_of_the_one_before() -> None:
    line = "python -m unittest tests/test_rows.py"
    red = run("a", f"SHOP=none {line}", "KeyError: 'shop'", 1)
    told = state(*red, *run("b", f"SHOP=day {line}", "Ran 9 tests in 1s\n\nOK", 0), DONE)
    assert "earlier run" not in told


def test_how_many_tasks_are_done_is_told_beside_one_under_way() -> None:
    told = state(*todo(("Count the rows", "completed"), ("Skip the rows", "in_progress")))
    assert "- 1 of 2 tasks are done\n- [~] Skip the rows" in told


def test_a_small_brief_names_no_messages_by_number() -> None:
    span = [TASK, *CHANGE, *TESTS, *run("l", "ls src", "rows.py", 0)]
    assert "(#" not in brief(span, 200)
    assert "last run (#3)" in brief(span, 600)


def test_a_command_on_a_file_of_the_agents_own_is_a_run() -> None:
    tried = (*write("w", "/work/shop/try.sql", "select 1\n"), *run("r", "sqlcheck fix try.sql", "1 row", 0))
    assert "last run (#3): ran `sqlcheck fix try.sql` → 1 row" in state(*tried, DONE)


def test_a_check_through_another_program_is_a_run_after_the_edit() -> None:
    assert "was run after" not in state(*CHANGE, *run("l", "git ls-files | xargs npx eslint", "", 0), DONE)


def test_a_run_in_the_background_is_told_by_the_newest_look_at_it() -> None:
    begun = run("b", "npm test", "Process running with session ID 7\nsuite one", None)
    look = use("w", "write_stdin", "Tests: 4 passed, 4 total", session_id=7, chars="")
    assert "last run (#1): ran `npm test` → still running; so far: suite one" in state(*begun)
    assert "last run (#3): ran `npm test`: 4 passed" in state(*begun, *look)


def test_a_look_at_a_file_of_the_agents_own_is_no_run() -> None:
    made = write("w", "/work/shop/notes.md", "x\n")
    assert "run (" not in state(*made, *run("t", "test -f notes.md && git add notes.md", "there", 0), DONE)


ENTERED = use("p", "EnterPlanMode", "Entered plan mode. DO NOT write or edit any files yet.")


def test_plan_mode_is_told_while_it_is_on() -> None:
    assert "plan mode is on since #1" in state(*ENTERED, DONE)


@pytest.mark.parametrize(
    ("output", "is_on"),
    [("User has approved your plan.", False), ("The user doesn't want to proceed with this tool use.", True)],
)
def test_plan_mode_ends_with_a_plan_that_is_approved(output: str, is_on: bool) -> None:
    assert ("plan mode" in state(*ENTERED, *use("x", "ExitPlanMode", output, plan="skip"), DONE)) == is_on


def test_plan_mode_of_a_notice_ends_with_another() -> None:
    on = say("user", "Look at it.\n<system-reminder>\nPlan mode is active.\n</system-reminder>", id="on")
    off = say(
        "user",
        "Go.\n<system-reminder>\nYour mode has changed from plan to build.\n</system-reminder>",
        id="off",
    )
    assert "plan mode is on since #1" in state(on, DONE)
    assert "plan mode" not in state(on, off, DONE)


def test_plan_mode_that_somebody_speaks_of_is_not_on() -> None:
    assert "plan mode" not in state(say("user", "The page says that plan mode is active.", id="u"), DONE)


def test_a_file_that_came_up_after_a_run_does_not_put_it_out_of_date() -> None:
    span = [TASK, *write("w", "/repo/check.py", "x = 1"), *run("a", "python /repo/check.py", "fine", 0)]
    last = "\n".join(section(brief([*span, *write("v", "/repo/edge.py", "y = 1")]), "State"))
    assert "since" not in last
    again = "\n".join(section(brief([*span, *write("v", "/repo/check.py", "x = 2")]), "State"))
    assert "edited since" in again


def test_a_run_without_the_changes_is_not_where_they_stand() -> None:
    red = run("t", "make lint", "rows.py:1: unused import\n1 issue", 1)
    green = run("u", "git stash && make lint; git stash pop", "0 issues", 0)
    told = state(*edit("a", "/repo/rows.py", "a", "b"), *red, *green)
    assert "1 issue" in told
    assert "0 issues" not in told


def test_what_failed_many_edits_ago_is_not_where_things_stand() -> None:
    span = [TASK, *run("t", "make test", "make: *** no rule for rows", 2)]
    for n in range(5):
        span += edit(f"e{n}", "/work/shop/src/rows.py", f"row = {n}", f"row = {n + 1}")
    text = brief([*span, *run("u", "python check.py", "all rows stand", 0)], 900)
    assert "earlier run" not in text
    assert "last run" in text


def test_an_agent_that_ends_its_work_behind_the_brief_has_finished() -> None:
    ends, _ = use("f", "finish", "")
    long = [TASK, *run("t", "python check.py", "all rows stand " * 90, 0), ends]
    [made, *_] = tamis.compact(long, budget=120, keep_last=0).messages
    assert "the agent ends its work right behind this brief" in made.text
    assert "is not answered yet" not in made.text


def test_of_an_older_task_it_is_told_that_its_file_was_changed_since() -> None:
    plan = use("t", "TodoWrite", "ok", todos=[{"content": "Extend rows.ini", "status": "in_progress"}])
    told = state(*plan, *edit("a", "/repo/rows.ini", "a", "b"), say("user", "Go on.", id="on"))
    assert "- [?] Extend rows.ini (under way at #1; rows.ini changed at #3)" in told


def test_a_file_that_a_diff_shows_changed_was_there_before() -> None:
    shown = "--- a/src/rows.py\n+++ b/src/rows.py\n@@ -1 +1 @@\n-x\n+y"
    told = state(*write("w", "/work/shop/src/rows.py", "y"), *run("d", "git diff", shown, 0))
    assert "changed: " in told
    assert "made: " not in told


def test_what_goes_on_behind_the_brief_is_not_said_to_wait() -> None:
    ls = run("t", "python check.py", "all rows stand " * 90, 0)
    now = say("user", "Now count them.")
    [asked, *_] = tamis.compact([TASK, *ls, DONE, now], budget=120, keep_last=1).messages
    assert "the request is answered; the user goes on right behind this brief" in asked.text
    [worked, *_] = tamis.compact(
        [TASK, *ls, say("assistant", "I open it.")], budget=120, keep_last=1
    ).messages
    assert "is not answered yet; the work goes on right behind this brief" in worked.text
    [begun, *_] = tamis.compact([TASK, *ls, DONE, now, DONE], budget=120, keep_last=1).messages
    assert "is only begun; the work goes on right behind this brief" in begun.text
    assert "newest result" not in worked.text


def test_a_run_that_failed_before_what_it_ran_on_was_taken_back_is_no_state() -> None:
    broken = edit("a", "/repo/rows.py", "a = 1", "a = (1")
    red = run("t", "python use.py", "SyntaxError: '(' was never closed", 1)
    assert "SyntaxError" in state(*broken, *red)
    assert "SyntaxError" not in state(*broken, *red, *run("r", "git checkout /repo/rows.py", "", 0))


def test_a_run_of_a_check_is_not_the_last_run_where_something_else_ran_behind_it() -> None:
    told = state(*run("t", "make lint", "0 issues", 0), *run("c", "python -c 'print(7)'", "7", 0))
    assert "- run (#1): ran `make lint`" in told


def test_a_run_in_a_folder_that_was_deleted_since_is_no_state() -> None:
    tried = run("t", "cd /tmp/trial && echo a > rows.txt && ./count rows.txt", "1 row", 0)
    both = [*run("a", "mise run test", "ok", 0), *run("b", "mise run lint", "0 issues.", 0)]
    assert "trial" not in state(*tried, *run("r", "rm -rf /tmp/trial", "", 0), *both[2:])
    assert "earlier run (#1): ran `mise run test`" in state(*both)


def test_a_failure_that_the_agent_says_was_to_come_is_told_with_that() -> None:
    red = run("t", "python use.py", "ValueError: no zone", 1)
    told = state(*red, say("assistant", "This is expected - without a zone it must refuse."))
    assert "ValueError: no zone = This is expected - without a zone it must refuse." in told


def test_a_run_that_failed_as_hoped_tells_the_edit_before_it() -> None:
    tried = edit("t", "/work/shop/check.py", "LOCK = True", "LOCK = False")
    failed = run("r", "python check.py", "Traceback (most recent call last):\nLockError: no lock", 1)
    hoped = say("assistant", "This is expected - without the lock nothing is read.", id="hoped")
    told = brief([TASK, *write("w", "/work/shop/check.py", "LOCK = True\n"), *tried, *failed, hoped], 500)
    assert "(at #3: edited /work/shop/check.py: `LOCK = True` → `LOCK = False`) = This is expected" in told
    first = run("f", "python check.py", "all is locked", 0)
    both = [TASK, *write("w", "/work/shop/check.py", "LOCK = True\n"), *first, *tried, *failed, hoped]
    assert brief(both, 400).partition("last run")[2].count("`LOCK = False`") == 1


def test_a_build_of_a_program_is_no_script_of_the_agents() -> None:
    built = run("b", 'go build -o shop && echo "Built"', "Built", 0)
    assert "last run (#1): ran `go build -o shop` → Built" in state(*built, DONE)
    ran = run("r", "./shop --dry", "3 rows", 0)
    assert "(#3, the agent's script): ran `./shop --dry` → 3 rows" in state(*built, *ran, DONE)


def test_a_run_of_which_only_numbers_have_room_is_told_in_the_agents_words() -> None:
    script = write("w", "/work/shop/try.py", "import shop\nprint(shop.grid())\n")
    printed = "\n".join(["The grid of the shop:", *(f"[ {n}  8  0 {n * 7} {n * 9}]" for n in range(10, 90))])
    ran = run("r", "python try.py", printed, 0)
    said = say("assistant", "The grid works in all five cases. Let me count the rows.", id="said")
    assert "ran `python try.py` = The grid works in all five cases." in state(*CHANGE, *script, *ran, said)
    assert "ran `python try.py` → no error was seen" in state(*CHANGE, *script, *ran)
