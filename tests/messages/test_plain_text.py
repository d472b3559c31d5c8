"""Values as a person reads them: short where they are looked at, whole where they are read."""

from __future__ import annotations

from tamis.messages import Message, Session, Text, ToolCall, ToolResult
from tamis.messages.plain_text import prose

LONG = "Never change prices.csv. " * 2_000


def _talk() -> tuple[Message, ...]:
    call = ToolCall(id="c1", name="Edit", arguments={"path": "a.py", "new": "x = 1\ny = 2"})
    ran = ToolCall(id="c2", name="Bash", arguments={"command": "pytest -q"})
    return (
        Message(id="m1", role="user", parts=(Text(text=LONG),)),
        Message(id="m2", role="assistant", parts=(Text(text="I change it."), call, ran)),
        Message(id="m3", role="tool", parts=(ToolResult(call_id="c2", name="Bash", text="1 passed"),)),
    )


def test_a_session_and_a_message_are_short_whatever_they_hold() -> None:
    session = Session(id="s", format="messages", messages=_talk())
    assert len(repr(session)) < 200
    assert all(len(repr(message)) < 200 for message in session.messages)
    assert "3 messages" in repr(session)
    assert "m1 user: 'Never change prices.csv." in repr(session.messages[0])


def test_a_notebook_shows_text_as_text() -> None:
    shown = Session(
        id="<b>", format="messages", messages=(Message(id="1", role="user", parts=(Text(text="<i>"),)),)
    )._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<i>" not in shown


def test_prose_has_every_text_and_who_said_it() -> None:
    text = prose(_talk())
    assert text.startswith("[user]\nNever change")
    assert "[assistant]\nI change it.\n> Edit\n    path: a.py\n    new:\n      x = 1\n      y = 2\n" in text
    assert "> Bash: pytest -q" in text
    assert text.endswith("[tool Bash]\n1 passed")


def test_a_summary_alone_is_its_text() -> None:
    summary = Message(id="b", role="user", origin="summary", parts=(Text(text="What happened."),))
    assert prose([summary]) == "What happened."
