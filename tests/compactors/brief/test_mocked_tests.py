"""Runs of tests that mock what was asked for, and the edits that tell what was done."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts, told, write
from compactors.conversations import run, say
from tamis.compactors.brief.choice.stock import _ranks
from tamis.compactors.brief.reading.edits.code_lines import is_slight
from tamis.messages import Message

TEST = "/work/shop/tests/test_rows.py"
ROWS = "/work/shop/src/rows.py"
ASK = say("user", "Make `read_rows` in src/rows.py skip rows that are empty or hold no price.", id="task")


def span(
    test: str, *, words: str = "All 3 tests are passing, so `read_rows` works correctly."
) -> list[Message]:
    """An edit of the work, a test file of the agent's, and a run of it that passes."""
    change = edit("e", ROWS, "return rows", "return [row for row in rows if row.price]")
    passed = run("t", "python runtests.py tests.test_rows", "Ran 3 tests in 0.1s\n\nOK", 0)
    return [ASK, *change, *write("w", TEST, test), *passed, say("assistant", words)]


MOCKS = "@patch('shop.rows.{}')\ndef test_skips(read):\n    assert read() == []\n"


def test_a_run_whose_tests_mock_what_was_asked_says_so() -> None:
    [ran] = texts(span(MOCKS.format("read_rows")), "tested")
    assert ran.endswith("(its tests mock `read_rows`)")
    [ran] = texts(span(MOCKS.format("send_mail")), "tested")
    assert "mock" not in ran


def test_what_is_claimed_of_such_a_run_is_marked() -> None:
    marked = "(claimed; its tests mock `read_rows`)"
    assert any(marked in text for text in texts(span(MOCKS.format("read_rows"))))
    assert not any(
        "claimed" in text for text in texts(span("def test_skips():\n    assert read_rows() == []\n"))
    )


def test_an_older_edit_that_is_what_was_asked_is_told_before_a_later_one() -> None:
    first = edit(
        "a", ROWS, "return rows", "return [row for row in read_rows(file) if row.price or row.empty]"
    )
    later = edit("b", ROWS, "total = 1", "count = 2")
    statements = told([ASK, *first, *later])
    required = _ranks(statements)
    assert [id(s) in required for s in statements if s.kind == "changed"] == [True, False]


def test_names_that_are_brought_in_are_a_slight_edit() -> None:
    assert is_slight("`router, transaction,` → `router, transaction, models,`")
    assert not is_slight("`rows, limit` → `rows, limit = read()`")


def test_a_confirmed_issue_is_no_claim_that_it_works() -> None:
    made = write("w", "/work/shop/try_rows.py", "from shop import read_rows\nassert read_rows() == []\n")
    ran = run("t", "python try_rows.py", "AssertionError: 3 rows", 1)
    words = say("assistant", "We've confirmed the issue in `read_rows`. It keeps rows without a price.")
    assert not any("claimed" in text for text in texts([TASK, *made, *ran, words]))


def test_of_many_failing_tests_the_rest_is_counted() -> None:
    failing = "\n".join(f"FAILED tests/test_rows.py::test_{name}" for name in "abcdef")
    output = f"{failing}\n====== 6 failed, 2 passed in 0.1s ======"
    [ran] = texts([TASK, *run("t", "pytest tests/test_rows.py", output, 1)], "tested", "failed")
    assert "and 2 more" in ran
