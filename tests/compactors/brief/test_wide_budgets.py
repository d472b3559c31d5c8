"""A budget of a large part of the session is used: what was read stands word for word, the newest first."""

from __future__ import annotations

import tamis
from compactors.brief.talk import TASK, edit, use
from compactors.conversations import say
from tamis.messages import Message, part_text

ROWS = "\n".join(f"{n}: def row_{n}(table): return table[{n}] or keep(table, {n * 7})" for n in range(1, 90))
SPAN = (
    TASK,
    *use("read", "Read", ROWS, file_path="src/rows.py"),
    *edit("edit", "src/rows.py", "return table[3]", "return table[3] if table else None"),
    say("assistant", "An empty row is skipped now."),
)


def told(span: tuple[Message, ...], budget: str) -> str:
    made = tamis.compact(span, budget=budget, keep_last=0)
    assert made.tokens_after <= made.tokens_before * int(budget[:-1]) / 100
    return "\n".join(part_text(part) for message in made.messages for part in message.parts)


def test_what_a_file_was_before_its_edit_takes_the_room_that_is_left_and_says_so() -> None:
    text = told(SPAN, "80%")
    assert "as it was then" in text
    assert "def row_1(table)" in text


def test_a_small_budget_does_not_copy_what_is_no_more() -> None:
    assert "as it was then" not in told(SPAN, "15%")
