"""Anthropic messages."""

import json
from collections.abc import Sequence
from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.anthropic_stream import AnthropicSplicer
from tamis.proxy.dialects.dialect import Body, Dialect, Items, RecallCall, UnsupportedRequest, objects
from tamis.proxy.sse import json_object


class AnthropicDialect(Dialect):
    """`POST .../v1/messages`."""

    name = "anthropic"
    path = "/v1/messages"
    leading = ("system",)
    beside_it = ("system", "tools")
    tools_shape = "anthropic"
    splicer = AnthropicSplicer

    def items(self, body: Body) -> Items:
        """The `messages`; not where the provider's own compaction is in them."""
        found = super().items(body)
        if any(block.get("type") == "compaction" for item in found for block in objects(item.get("content"))):
            raise UnsupportedRequest("sealed-items")
        return found

    def joined(self, brief: Items, rest: Items) -> Items:
        """Users and assistants in turn: two neighbours of one role become one message."""
        if not brief or not rest or brief[-1].get("role") != rest[0].get("role"):
            return [*brief, *rest]
        content = [*_blocks(brief[-1].get("content")), *_blocks(rest[0].get("content"))]
        content.sort(key=lambda block: block.get("type") != "tool_result")
        return [*brief[:-1], {**rest[0], "content": content}, *rest[1:]]

    def recall_calls(self, reply: Body) -> list[RecallCall]:
        """The `tool_use` blocks of that name."""
        return [
            RecallCall(id=str(block.get("id")), arguments=json.dumps(block.get("input")))
            for block in objects(reply.get("content"))
            if _is_recall(block)
        ]

    def turn(self, reply: Body) -> Items:
        """All blocks but other calls: reasoning must come back as it was sealed."""
        content = [b for b in objects(reply.get("content")) if b.get("type") != "tool_use" or _is_recall(b)]
        return [{"role": "assistant", "content": content}]

    def recall_only(self, calls: Sequence[RecallCall]) -> Items:
        """An assistant's message of nothing but calls."""
        content = [
            {"type": "tool_use", "id": c.id, "name": TOOL_NAME, "input": json_object(c.arguments) or {}}
            for c in calls
        ]
        return [{"role": "assistant", "content": content}]

    def results(self, answers: Sequence[tuple[RecallCall, str]]) -> Items:
        """One user message with a block for each."""
        content = [
            {"type": "tool_result", "tool_use_id": call.id, "content": text or "(empty)"}
            for call, text in answers
        ]
        return [{"role": "user", "content": content}]

    def without_recalls(self, reply: Body) -> dict[str, Any]:
        """The turn has ended where no other call is left."""
        content = [block for block in objects(reply.get("content")) if not _is_recall(block)]
        calls = any(block.get("type") == "tool_use" for block in content)
        return {**reply, "content": content} | ({} if calls else {"stop_reason": "end_turn"})


def _is_recall(block: Body) -> bool:
    return block.get("type") == "tool_use" and block.get("name") == TOOL_NAME


def _blocks(content: Any) -> Items:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content.strip() else []
    return objects(content)
