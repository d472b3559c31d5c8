"""What an agent found lacking in its own work, and then changed; what it thought, and then told."""

from __future__ import annotations

from compactors.brief.talk import edit, told
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
