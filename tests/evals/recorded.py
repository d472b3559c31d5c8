"""A session recorded by hand, in which it can be worked out on paper what was needed, and sessions to cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals import Point
from tamis.messages import Boundary, Message, Session, Text, Thinking, ToolCall, ToolResult
from tamis.messages.conversation import Origin, Role


def say(role: Role, text: str, *, id: str, origin: Origin = "conversation") -> Message:  # noqa: A002
    return Message(id=id, role=role, parts=(Text(text=text),), origin=origin)


SYSTEM = say("system", "Always pass --quiet.", id="s")
SPAN = (
    say("user", "Fix parse_args and keep port 8080.", id="0"),
    Message(
        id="1", role="assistant", parts=(ToolCall(id="c", name="bash", arguments={"command": "ls --quiet"}),)
    ),
    Message(
        id="2",
        role="tool",
        parts=(ToolResult(call_id="c", text="/etc/app.conf load_config E501 parse_args"),),
    ),
)
TAIL = (
    Message(  # turn 0: uses parse_args; what it only thinks of is no use
        id="3",
        role="assistant",
        parts=(
            Thinking(text="E501 perhaps"),
            Text(text="I look at parse_args and at brand_new."),
            ToolCall(id="d", name="bash", arguments={"command": "cat x"}),
        ),
    ),
    Message(id="4", role="tool", parts=(ToolResult(call_id="d", text="load_config is here"),)),
    say("assistant", "So load_config reads /etc/app.conf for parse_args.", id="5"),  # turn 1
    say("user", "Go on.", id="6"),
    say("assistant", "Run it with --quiet on 8080; parse_args is done.", id="7"),  # turn 2
)
POINT = Point(
    session_id="hand",
    cluster="hand",
    label="50%",
    cut=4,
    system=(SYSTEM,),
    span=SPAN,
    tail=TAIL,
    span_tokens=80,
)
"""Needed: parse_args (first in turn 0, used in three turns), /etc/app.conf (turn 1), 8080 (turn 2)."""


@dataclass(frozen=True)
class Flat:
    """A counter to which every text is as long as any other."""

    each: int = 1_000
    name: str = "flat (estimate)"
    exact: bool = False

    def count(self, text: str) -> int:
        return self.each

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.each] * len(texts)


def talk(many: int, *, id: str = "talk") -> Session:  # noqa: A002
    """User and assistant in turn; the assistant speaks of the file that the user named two turns ago."""
    messages = []
    for n in range(many):
        filler = f"Step {n} goes on with the work as it was planned. " * 30
        if n % 2 == 0:
            messages.append(say("user", f"{filler}Look at src/file_{n}.py too.", id=f"m{n}"))
        else:
            messages.append(say("assistant", f"{filler}Done with src/file_{max(n - 5, 0)}.py.", id=f"m{n}"))
    return Session(id=id, format="messages", messages=tuple(messages))


def compacted_by_itself() -> Session:
    """A session that compacted itself before its messages 8 and 16; the first time it kept a summary."""
    session = talk(24, id="own")
    messages = list(session.messages)
    messages[8] = say("user", "Summary: src/file_2.py is done.", id="sum", origin="summary")
    return Session(
        id="own",
        format="messages",
        messages=tuple(messages),
        boundaries=(Boundary(index=8, summary_id="sum"), Boundary(index=16)),
    )
