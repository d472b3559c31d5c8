"""Edits whose session does not say what they changed, and the end of a message that only opens something."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, texts, use
from compactors.conversations import say
from tamis.messages import Message

ROWS = "/work/shop/src/rows.go"
SAID = "Now replace the loop over pages with one over `rows`:"


def unseen(name: str) -> tuple[Message, Message]:
    """An edit of which the log keeps nothing but the file."""
    return use(name, "Edit", "", file_path=ROWS)


def test_an_edit_that_is_not_shown_is_told_in_the_words_that_announced_it() -> None:
    told = texts([TASK, say("assistant", SAID), *unseen("a")], "changed")
    assert told == [
        f'edited {ROWS}: "replace the loop over pages with one over `rows`" (in the agent\'s words)'
    ]


def test_words_tell_of_one_edit_only_and_only_of_the_next() -> None:
    looked = use("r", "Read", "package rows", file_path=ROWS)
    for span in (
        [say("assistant", SAID), *looked, *use("t", "Bash", "ok", command="make till"), *unseen("a")],
        [say("assistant", "Now the rows:"), *unseen("a")],
        [say("assistant", "Now add it right behind the loop over pages:"), *unseen("a")],
    ):
        assert not any("agent's words" in text for text in texts([TASK, *span], "changed"))
    two = texts([TASK, say("assistant", SAID), *unseen("a"), *unseen("b")], "changed")
    assert sum("agent's words" in text for text in two) == 1


def test_a_message_that_ends_by_opening_something_is_no_answer() -> None:
    text = brief(
        [TASK, say("assistant", SAID), *unseen("a"), say("assistant", "Now the test of `rows`:")], 300
    )
    assert "has answered" not in text
    assert "is not answered" in text


def test_of_many_lines_that_were_removed_it_is_told_how_many() -> None:
    gone = "\n".join(f"row_{n} = read({n})" for n in range(9))
    [told] = texts([TASK, *edit("a", "/work/shop/src/rows.py", f"{gone}\nlast = 1", "last = 1")], "changed")
    assert told.endswith("(9 lines)")
