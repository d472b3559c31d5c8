"""Small conversations and requests for the tests of the methods."""

from __future__ import annotations

from collections.abc import Sequence

from tamis.compactors import Compaction, CompactionRequest, Compactor, get_method, run_compactor
from tamis.messages import (
    ExactCounter,
    Message,
    Text,
    ToolCall,
    ToolResult,
    count_messages,
    identify,
)
from tamis.messages.conversation import Origin, Role

COUNTER = ExactCounter()


def say(role: Role, text: str, *, id: str = "", origin: Origin = "conversation") -> Message:  # noqa: A002
    return Message(id=id, role=role, parts=(Text(text=text),), origin=origin)


def run(call_id: str, command: str, output: str, exit_code: int | None = None) -> tuple[Message, Message]:
    call = ToolCall(id=call_id, name="bash", arguments={"command": command})
    result = ToolResult(call_id=call_id, text=output, exit_code=exit_code)
    return (
        Message(id=f"{call_id}-call", role="assistant", parts=(call,)),
        Message(id=f"{call_id}-result", role="tool", parts=(result,)),
    )


def lines(name: str, many: int) -> str:
    return "".join(f"{name} line {n}\n" for n in range(many))


def tokens(messages: Sequence[Message]) -> int:
    return sum(count_messages(messages, COUNTER))


def request(
    span: Sequence[Message], budget: int, previous: Compaction | None = None, recorded: Message | None = None
) -> CompactionRequest:
    return CompactionRequest(
        span=identify(span), budget_tokens=budget, counter=COUNTER, previous=previous, recorded=recorded
    )


def compact(
    method: str | Compactor, span: Sequence[Message], budget: int, previous: Compaction | None = None
) -> Compaction:
    compactor = get_method(method) if isinstance(method, str) else method
    return run_compactor(compactor, request(span, budget, previous))


def ids(made: Compaction) -> list[str]:
    return [m.id for m in made.messages]


def fates(made: Compaction) -> list[str]:
    return [f.fate for f in made.account]
