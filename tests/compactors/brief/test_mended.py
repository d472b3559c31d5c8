"""What an agent found lacking in its own work, and then changed; what it thought, and then told."""

from __future__ import annotations

from compactors.brief.talk import brief, edit, section, texts, told, use, write
from compactors.conversations import run, say
from tamis.messages import Message, Thinking

TASK = say("user", "Mend src/rows.py: it loses the last row.")
FIRST = edit("a", "/work/shop/src/rows.py", "rows = []", "rows = [last]")
AGAIN = edit("b", "/work/shop/src/rows.py", "rows = [last]", "rows = [*all, last]")
LACK = say("assistant", "The blank rows are not counted by the new loop in read_rows.", id="lack")


def stale(*messages: Message) -> bool:
    """Whether what was found lacking counts as overtaken."""
    return any("stale" in s.flags for s in told([TASK, *messages]) if "blank rows" in s.text)


def test_it_counts_for_little_once_the_work_was_changed_again() -> None:
    assert stale(*FIRST, LACK, *AGAIN, *run("t", "ls", "rows.py", 0))


def test_it_stands_where_nothing_was_changed_since() -> None:
    assert not stale(*FIRST, LACK, *run("t", "ls", "rows.py", 0))


def test_what_was_lacking_before_the_work_began_is_its_cause() -> None:
    assert not stale(LACK, *FIRST, *AGAIN)


def said(*messages: Message) -> str:
    """What is told of the agent's words."""
    return " ".join(texts([TASK, *messages], "said", "found", "concluded"))


def test_what_failed_in_its_own_work_and_was_done_again_is_not_told() -> None:
    failed = say("assistant", "The new loop was not added to read_rows.", id="failed")
    assert "not added" not in said(*FIRST, failed, *AGAIN)
    assert "not added" in said(*FIRST, *AGAIN, failed)


def test_what_was_hoped_of_a_deed_that_was_looked_at_since_is_not_told() -> None:
    hope = say("assistant", "The script should have removed the blank rows of rows.py.", id="hope")
    assert "should have" not in said(*FIRST, hope, *run("t", "cat rows.py", "rows = [last]", 0))
    assert "should have" in said(*FIRST, hope)
    claim = say("assistant", "The blank rows are only in rows.py, which we've already fixed.", id="claim")
    assert "already fixed" not in said(*FIRST, claim, *run("t", "cat rows.py", "rows = [last]", 0))


def test_a_list_of_issues_goes_with_its_items_once_the_work_was_changed() -> None:
    found = "I notice a few issues:\n\n1. read_rows counts blank rows.\n\n2. It keeps the header row."
    listed = say("assistant", found, id="found")
    assert "header" not in said(*FIRST, listed, *AGAIN)
    assert "header" in said(*FIRST, *AGAIN, listed)


def test_what_is_said_of_an_error_that_every_edit_printed_goes_with_it() -> None:
    noise = 'File "/opt/tool.py", line 1\nSyntaxError: bad annotation\n'
    path, done = "/work/shop/src/rows.py", f"{noise}The file /work/shop/src/rows.py has been updated."
    first = use("n1", "Edit", done, file_path=path, old_string="a = 1", new_string="a = 2")
    second = use("n2", "Edit", done, file_path=path, old_string="b = 1", new_string="b = 2")
    remark = say("assistant", "The error message you're seeing is unrelated to src/rows.py.", id="remark")
    assert "unrelated" not in said(*first, remark, *second)


def test_a_look_at_a_plan_goes_once_the_plan_was_changed() -> None:
    path = "/home/till/.claude/plans/rows.md"
    look = use("r", "Read", "     1\tThe rows are still read twice.", file_path=path)
    assert "read twice" in " ".join(texts([TASK, *look]))
    new = edit("e", path, "The rows are still read twice.", "DONE")
    assert not any(text.startswith("Read ") for text in texts([TASK, *look, *new]))


def test_putting_a_file_back_counts_for_little_once_it_is_edited_again() -> None:
    back = run("back", "git checkout src/rows.py", "Updated 1 path from the index", 0)
    kept = [s for s in told([TASK, *FIRST, *back, *AGAIN]) if s.text.startswith("reverted")]
    assert kept
    assert all("stale" in s.flags for s in kept)


def thinks(*behind: Message) -> bool:
    """Whether a thought on the way is told."""
    thought = Thinking(text="Line 40 of `src/rows.py` may hold the header twice because of the patch.")
    way = Message(id="thought", role="assistant", parts=(thought,))
    return any(s.kind == "thought" for s in told([TASK, way, *behind]))


def test_what_was_thought_goes_where_the_outcome_is_told() -> None:
    assert not thinks(*FIRST, say("assistant", "The last row of `src/rows.py` is kept now.", id="done"))


def test_what_was_thought_stands_where_nothing_was_done_or_told() -> None:
    assert thinks(*FIRST)
    assert thinks(say("assistant", "The last row of `src/rows.py` is kept.", id="done"))


def test_an_edit_that_only_tidies_does_not_overtake_the_one_before_it() -> None:
    path, old = "/work/shop/src/rows.py", "def read():\n    rows = 1\n    rows = 1\n"
    elsewhere = run("s", f"sed -i 's/till/shop/' {path}", "", 0)  # so the edits are not told as one
    first = edit("a", path, "def read():\n    pass\n", old)
    tidy = edit("b", path, old, "def read():\n    rows = 1\n")
    again = edit("b", path, old, "def read():\n    rows = 2\n")
    for last, is_stale in ((tidy, False), (again, True)):
        made = [s for s in told([TASK, *first, *elsewhere, *last]) if s.turn == 1]
        full = [s for s in made if not {"outline", "stale"} & {*s.flags}]
        assert bool(full) is not is_stale


def runs(*changes: Message, before: str = "rows: 0", after: str = "rows: 3") -> list[str]:
    first, again = run("x", "python try.py", before, 0), run("y", "python try.py", after, 0)
    return [s.text for s in told([TASK, *first, *changes, *again]) if s.kind == "tested"]


def test_a_run_is_told_with_what_it_came_to_before_the_work_was_changed() -> None:
    assert runs(*FIRST) == ["ran `python try.py` → rows: 3 (at #1, before the last change: rows: 0)"]


def test_a_run_that_comes_to_the_same_is_told_by_itself() -> None:
    assert runs(*FIRST, after="rows: 0") == ["ran `python try.py` → rows: 0"]
    timed = {"before": "done in 3.1 s", "after": "done in 3.2 s"}  # says nothing of what came of it
    assert runs(*FIRST, **timed) == ["ran `python try.py` → ok"]


def test_a_run_of_a_script_that_was_changed_itself_is_no_trial_of_the_work() -> None:
    assert runs(*FIRST, *edit("t", "/work/shop/try.py", "a", "b")) == ["ran `python try.py` → rows: 3"]
    assert runs(*edit("t", "/work/shop/try.py", "a", "b")) == ["ran `python try.py` → rows: 3"]


def test_a_line_that_the_agent_doubled_itself_does_not_stand_for_the_work() -> None:
    tidied = edit("b", "/work/shop/src/rows.py", "    return rows\n    return rows", "    return rows")
    changed = " ".join(texts([TASK, *FIRST, *tidied], "changed"))
    assert "rows = [last]" in changed
    assert "return rows" not in changed


def test_a_failure_of_an_own_script_goes_from_the_state_where_the_next_one_ran_well() -> None:
    span = [*FIRST, *write("w", "/work/shop/try.py", "x"), *write("v", "/work/shop/look.py", "y")]
    span += run("x", "python try.py", "rows: 7\nERROR: expected 2 rows, got 0", 0)
    span += run("y", "python look.py", "rows: 7 and 9, as they should be", 0)
    stated = section(brief([TASK, *span]), "State")
    assert not any("got 0" in line for line in stated)
    assert any("look.py` → rows: 7 and 9" in line for line in stated)


def test_a_run_that_the_state_tells_of_is_not_told_again() -> None:
    rows = "\n".join(f"row {n}: {n * 7} read from the table of rows" for n in range(40))
    lines = brief([TASK, *run("r", "python look.py", rows, 0), *FIRST, say("assistant", "It is 30.", id="z")])
    assert any("edited since): ran `python look.py`" in line for line in section(lines, "State"))
    assert not any("look.py" in line for line in section(lines, "Story"))


def test_what_a_faulty_check_of_its_own_showed_goes_with_what_was_said_of_it() -> None:
    span = [*FIRST, *write("w", "/work/shop/try.py", "x"), *run("x", "python try.py", "✗ no row was kept", 0)]
    span += [
        say("assistant", "It says that no row was kept by the loop.", id="s"),
        *run("l", "ls", "try.py", 0),
    ]
    assert "no row was kept" in " ".join(texts([TASK, *span]))
    fault = say("assistant", "That is why my check wasn't right: a row is a tuple.", id="f")
    assert "no row was kept" not in " ".join(texts([TASK, *span, fault]))


def test_a_verdict_on_a_run_that_is_overtaken_goes_with_it() -> None:
    run_it = "python -m pytest tests/test_rows.py"
    span = [*FIRST, *run("x", run_it, "ImportError: no module named shelf", 1)]
    span += [say("assistant", "The test failed, which confirms that the issue still exists.", id="v"), *AGAIN]
    assert "still exists" in said(*span)
    assert "still exists" not in said(
        *span, *run("y", run_it, "ImportError: no module named shelf", 1), *AGAIN
    )


def thought(text: str) -> Message:
    return Message(id=text[:9], role="assistant", parts=(Thinking(text=text),))


def test_what_an_agent_that_works_alone_asks_itself_is_no_finding() -> None:
    asks = thought("The loop of `read_rows` skips the last row twice?")
    holds = thought("The loop of `read_rows` skips the last row twice.")
    look = run("l", "ls", "rows.py", 0)
    assert asks.parts[0].text not in texts([TASK, asks, *look])
    assert holds.parts[0].text in texts([TASK, holds, *look])


def test_what_it_thought_goes_where_it_answers_at_length() -> None:
    way = thought("Line 40 of `src/rows.py` may be the place to add the header.")
    answer = "Add it in `mill.py`. The barn calls the mill. The shed calls the barn. Nothing else is read."
    assert not any(s.kind == "thought" for s in told([TASK, way, say("assistant", answer)]))


def test_what_it_meant_to_do_counts_for_little_once_it_is_done() -> None:
    plan = say("assistant", "The fix should count the blank rows first.", id="plan")
    assert stale(plan, *FIRST)
    assert not stale(*FIRST, plan)


def test_what_is_said_of_a_file_that_is_then_deleted_says_so() -> None:
    found = say("assistant", "The file `hooks/pre-push` still calls the old mill.", id="found")
    gone = run("rm", "rm /work/shop/hooks/pre-push", "", 0)
    assert "calls the old mill. (deleted since, #2)" in said(found, *gone)


def test_that_nothing_is_committed_is_told_by_the_state_once_the_user_goes_on() -> None:
    ready = say("assistant", "Everything's uncommitted on `dev` for your review.", id="ready")
    assert "uncommitted" in said(*FIRST, ready)
    assert "uncommitted" not in said(*FIRST, ready, say("user", "Now mend src/head.py."), *AGAIN)


def test_what_it_says_of_an_edit_before_and_behind_it_is_told_by_the_edit() -> None:
    plan = say("assistant", "We'll add the last row to the loop of `read_rows`.", id="plan")
    behind = say("assistant", "We've added the last row to the loop.", id="behind")
    echo = say("assistant", "I don't see the row in the second table either.", id="echo")
    looked = run("l", "cat rows.py", "rows = []", 0)
    told = said(*looked, echo, plan, *FIRST, behind, *AGAIN, say("assistant", "Both rows stand.", id="end"))
    assert not any(words in told for words in ("We'll add", "We've added", "either"))
    assert "We've added" in said(*FIRST, *AGAIN, behind)


def test_code_in_a_report_is_told_by_its_first_line() -> None:
    shown = (
        "The loop holds all rows now. Use it:\n```\nrows = read_rows()\nfor row in rows:\n    a\n    b\n```"
    )
    assert "rows = read_rows() …" in said(*FIRST, say("assistant", shown, id="end"))
    assert "for row in rows:" in said(say("assistant", shown, id="end"))


def test_what_goes_back_to_a_sentence_that_was_taken_back_goes_with_it() -> None:
    words = (
        "One thing first: leave Kestrel alone for now. They change it on Monday. The order does not matter."
    )
    now = "Kestrel's new format is out. You can do Kestrel now."
    change = edit("e", "/work/shop/src/rows.py", "rows.append(row)", "rows.append(row or None)")
    told = brief([TASK, *change, say("user", words, id="1"), *change, say("user", now, id="3")], 1_000)
    assert "The order does not matter." in told
    assert "They change it" not in told
