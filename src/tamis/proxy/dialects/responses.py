"""OpenAI Responses."""

from collections.abc import Sequence
from typing import Any

from tamis.proxy.dialects.dialect import Body, Dialect, Items, RecallCall, UnsupportedRequest, objects
from tamis.proxy.dialects.responses_stream import (
    ResponsesSplicer,
    call_item,
    call_of,
    is_recall,
    only_recalls,
)

_SEALED = frozenset({"compaction", "compaction_summary", "item_reference"})


class OpenAIResponsesDialect(Dialect):
    """`POST .../responses`, where the whole conversation comes in `input`."""

    name = "openai-responses"
    path = "/responses"
    field = "input"
    beside_it = ("instructions", "tools", "text")
    tools_shape = "openai-responses"
    splicer = ResponsesSplicer

    def items(self, body: Body) -> Items:
        """The `input`; not where a part of the conversation is at the provider, or sealed by it."""
        given = body.get("input")
        if body.get("previous_response_id") or body.get("conversation") or body.get("prompt"):
            raise UnsupportedRequest("kept-upstream")
        if isinstance(given, str):
            return [{"role": "user", "content": given}]
        found = super().items(body)
        if any(item.get("type") in _SEALED for item in found):
            raise UnsupportedRequest("sealed-items")
        return found

    def with_recall(self, body: Body) -> dict[str, Any] | None:
        """Not where the provider goes on by itself in the background."""
        return None if body.get("background") else super().with_recall(body)

    def recall_calls(self, reply: Body) -> list[RecallCall]:
        """The `function_call` items of that name."""
        return [call_of(item) for item in objects(reply.get("output")) if is_recall(item)]

    def turn(self, reply: Body) -> Items:
        """All items but other calls: reasoning must come back in front of what it led to."""
        return only_recalls(objects(reply.get("output")))

    def recall_only(self, calls: Sequence[RecallCall]) -> Items:
        """Nothing but the calls."""
        return [call_item(call) for call in calls]

    def results(self, answers: Sequence[tuple[RecallCall, str]]) -> Items:
        """One item for each."""
        return [{"type": "function_call_output", "call_id": c.id, "output": text} for c, text in answers]

    def without_recalls(self, reply: Body) -> dict[str, Any]:
        """What else was put out."""
        return {**reply, "output": [item for item in objects(reply.get("output")) if not is_recall(item)]}
