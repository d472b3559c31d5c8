"""What the agent said that something said or done since makes needless or untrue."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts, use
from compactors.conversations import say
from tamis.messages import Message, Text, Thinking

FIRST = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")


def test_what_was_thought_goes_where_the_message_itself_or_one_behind_an_answer_tells_the_outcome() -> None:
    wanted = Thinking(text="The user explicitly wanted `rows.csv` to stay as it was.")
    outcome = Text(text="`rows.csv` stays, and the empty rows of it are skipped.")
    answer = use("q", "AskUserQuestion", 'User has answered your questions: "Sort?"="No".', questions=[])
    before = Message(id="t", role="assistant", parts=(wanted,))
    closing = Message(id="c", role="assistant", parts=(wanted, outcome))
    assert not texts([TASK, *FIRST, closing], "thought")
    assert not texts([TASK, before, *answer, *FIRST, say("assistant", outcome.text)], "thought")
    assert texts([TASK, before, *FIRST], "thought")
