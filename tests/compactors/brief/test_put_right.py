"""What the agent said on its way that its next deeds or words settled."""

from __future__ import annotations

from compactors.brief.talk import DONE, TASK, edit, texts, write
from compactors.conversations import run, say
from tamis.messages import Message, Text

ROWS = "/work/shop/src/rows.py"
FIRST = edit("a", ROWS, "a = 1", "a = 2")


def with_call(words: str, pair: tuple[Message, Message]) -> list[Message]:
    """A message that says something and calls a tool, with the result."""
    call, result = pair
    return [Message(id=f"w-{call.id}", role="assistant", parts=(Text(text=words), *call.parts)), result]


def said(*messages: Message) -> str:
    """What is told of the agent's words."""
    return "\n".join(texts([TASK, *messages], "said", "found", "concluded", "thought"))


def test_what_is_still_lacking_goes_where_the_same_message_changes_it() -> None:
    lack = "The loader still has the old name of `read_rows`."
    assert "old name" not in said(*with_call(f"{lack} Let me rename it.", FIRST))
    assert "old name" in said(*with_call(f"{lack} Let me look.", run("l", "cat a.py", "read_rows()", 0)))


def test_a_failure_goes_where_the_retry_of_the_same_message_went_well() -> None:
    words = "The import with `--all` failed. Let me look up the options and retry."
    assert "--all" not in said(*with_call(words, run("i", "shop import --every", "12 rows imported", 0)))
    assert "--all" in said(*with_call(words, run("i", "shop import --every", "error: no rows", 1)))


def test_a_branch_is_stale_until_it_is_rebased() -> None:
    words = "The branch is stale. Let me rebase it."
    done = run("r", "git rebase origin/main", "Successfully rebased and updated refs/heads/rows.", 0)
    clash = run("r", "git rebase origin/main", "CONFLICT (content): Merge conflict in rows.py", 1)
    assert "stale" not in said(*with_call(words, done))
    assert "stale" in said(*with_call(words, clash))


def test_a_fault_in_a_file_of_its_own_goes_with_the_edit_that_mends_it() -> None:
    made = write("m", "/work/shop/try_rows.py", "import rows\nrows.read(1)\n")
    fault = "There is an indentation error in try_rows.py."
    mended = edit("e", "/work/shop/try_rows.py", "rows.read(1)", "rows.read(2)")
    elsewhere = edit("e", ROWS, "rows.read(1)", "rows.read(2)")
    assert "indentation" not in said(*made, say("assistant", fault), *mended, *FIRST)
    assert "indentation" in said(*made, say("assistant", fault), *elsewhere, *FIRST)


def test_what_was_expected_goes_where_it_was_checked() -> None:
    expected = "With sorted rows, `apples` would come before `pears`. Let me {}:"
    order = run("c", "python order.py", "apples pears", 0)
    then = say("assistant", "Sorted rows come in the order of the list.")
    assert "would come" not in said(*with_call(expected.format("check"), order), then)
    assert "would come" in said(*with_call(expected.format("check the header"), order), then)


def test_how_far_the_reading_is_is_told_once() -> None:
    reads = [
        say("assistant", "I now have full reads for `rows.md` and `cells.md`.", id="one"),
        *run("c1", "cat heads.md", "heads", 0),
        say("assistant", "I've now read all four of the notes.", id="two"),
        *run("c2", "cat sums.md", "sums", 0),
    ]
    assert "full reads" not in said(*reads)
    assert "read all four" in said(*reads)
    assert "read all four" not in said(*reads, say("assistant", "I've drafted `sums.md`.", id="d"))
    again = [say("user", "Now read the other folder."), say("assistant", "I've read both of `b/`.", id="b")]
    assert "read all four" in said(*reads, *again)


WRONG = "I apologize for the confusion. It seems the edit was applied to the wrong file."
PLAN = "To fix this, we need to set the limit of `count_rows` in src/cells.py. Let's edit it:"


def test_an_edit_by_mistake_is_told_as_one_with_the_plan_that_it_missed() -> None:
    span = [TASK, *with_call(PLAN, FIRST), say("assistant", WRONG, id="o"), *run("l", "cat x.py", "x", 0)]
    wrong = "edited src/rows.py (in the wrong file by mistake, #3, not edited since): `a = 1` → `a = 2`"
    assert any(wrong in text.replace("/work/shop/", "") for text in texts(span))
    assert any("the limit of `count_rows`" in text for text in texts(span))


def test_a_mistake_that_was_gone_on_from_is_told_without_the_plan() -> None:
    back = edit("b", ROWS, "a = 2", "a = 3")
    span = [TASK, *with_call(PLAN, FIRST), say("assistant", WRONG, id="o"), *back, *run("l", "ls", "x", 0)]
    assert not any("the limit of `count_rows`" in text for text in texts(span))


def test_lines_named_before_a_change_go_where_others_are_named_behind_it() -> None:
    review = say("assistant", "In `src/rows.py:40-44` the loop of `read_rows` drops the head.", id="r")
    closing = "`src/rows.py:91-93` keeps the head now, as `read_rows` counts from one."
    assert "In `src/rows.py` the loop" in said(review, *FIRST, say("assistant", closing, id="c"))
    assert "In `src/rows.py:40-44`" in said(review, *FIRST, say("assistant", "It keeps the head.", id="c"))
    assert "In `src/rows.py:40-44`" in said(review, say("assistant", closing, id="c"))


LOOK = run("look", "cat src/rows.py", "rows = []", 0)
INTERIM = "The key is that `read_rows` in `rows.py` gates the empty rows on `keep_empty`, not on `strict`."
ANSWER = (
    "Empty rows are dropped. `read_rows` gates them on `keep_empty`, and `strict` has no say in it.\n\n"
    "- `rows.py` reads `keep_empty` once.\n- `strict` only counts the cells of each row.\n\n"
    "To keep the rows, pass `keep_empty=True`.\n\nThe default of it is `False`."
)


def test_what_was_found_on_the_way_to_an_answer_goes_where_the_answer_says_it_again() -> None:
    ask = say("user", "What happens to empty rows where `strict` is set?", id="ask")
    way = [ask, *with_call(INTERIM, LOOK)]
    assert "The key is" not in said(*way, say("assistant", ANSWER, id="answer"))
    assert "The key is" in said(*way, *FIRST, say("assistant", ANSWER, id="answer"))
    other = with_call("The issue is that `write_rows` in `cells.py` sorts by `column`.", LOOK)
    assert "write_rows" in said(ask, *other, say("assistant", ANSWER, id="answer"))


def test_a_need_that_the_next_call_met_is_not_told() -> None:
    need = say("assistant", "Ah, we need to give the table a name in `try_rows.py`.", id="need")
    assert "need to give" not in said(need, *FIRST, DONE)


def test_a_guess_on_the_way_that_names_nothing_is_not_told() -> None:
    made = write("m", "/work/shop/try.py", "import rows\nrows.read(1)\n")
    fails = run("f", "python try.py", "Traceback (most recent call last):\nTypeError: rows", 1)
    passes = run("p", "python try.py", "12 rows", 0)
    guess = say("assistant", "It seems that the reader is not set up for this.", id="guess")
    other = edit("b", "/work/shop/try.py", "rows.read(1)", "rows.read(2)")
    assert "set up" not in said(*FIRST, *made, *fails, guess, *other, *passes, DONE)
    assert "set up" in said(*FIRST, *made, *fails, guess)


def test_a_choice_that_failed_and_was_made_otherwise_is_not_told() -> None:
    chosen = "Instead of reading twice, let's keep the rows in a list."
    fails = run("f", "python try.py", "Traceback (most recent call last):\nMemoryError: rows", 1)
    works = run("w", "python try.py", "12 rows", 0)
    back = edit("b", ROWS, "a = 2", "a = 3")
    assert "in a list" not in said(*with_call(chosen, FIRST), *fails, *back, *works)
    assert "in a list" in said(*with_call(chosen, FIRST), *works, *back)


def test_how_checks_went_is_not_told_where_they_ran_again_after_a_change() -> None:
    spoke = say("assistant", "All tests of `src/rows.py` pass.", id="spoke")
    again = run("t", "pytest -q", "3 passed in 0.1s", 0)
    assert "All tests" not in said(*FIRST, spoke, *edit("b", ROWS, "a = 2", "a = 3"), *again, DONE)
    assert "All tests" in said(*FIRST, spoke, *again, DONE)


def test_a_fault_found_in_an_edit_that_was_edited_again_is_not_told() -> None:
    found = "The changes look good, but `read_rows` now returns twice."
    look = say("assistant", found)
    again = edit("e2", "/work/shop/src/rows.py", "return rows\n    return rows", "return rows")
    first = edit("e1", "/work/shop/src/rows.py", "return None", "return rows\n    return rows")
    assert not [s for s in texts([TASK, *first, look, *again], "said", "found", "concluded") if "twice" in s]
    assert [s for s in texts([TASK, *first, look], "said", "found", "concluded") if "twice" in s]
