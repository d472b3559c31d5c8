"""OpenAI chat completions."""

from collections.abc import Sequence
from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.chat_stream import ChatSplicer, call_entry
from tamis.proxy.dialects.dialect import Body, Dialect, Items, RecallCall, objects


class OpenAIChatDialect(Dialect):
    """`POST .../chat/completions`."""

    name = "openai-chat"
    path = "/chat/completions"
    beside_it = ("tools", "functions", "response_format")
    tools_shape = "openai"
    splicer = ChatSplicer

    def with_recall(self, body: Body) -> dict[str, Any] | None:
        """Not beside the older `functions`, and not where several answers are asked for at once."""
        return None if body.get("functions") or body.get("n", 1) != 1 else super().with_recall(body)

    def recall_calls(self, reply: Body) -> list[RecallCall]:
        """Those of the one choice."""
        return [
            RecallCall(id=str(call.get("id")), arguments=str(call["function"].get("arguments") or ""))
            for call in objects(_message(reply).get("tool_calls"))
            if _is_recall(call)
        ]

    def turn(self, reply: Body) -> Items:
        """The message as it came, but for other calls."""
        message = _message(reply)
        calls = [call for call in objects(message.get("tool_calls")) if _is_recall(call)]
        return [{"role": "assistant", "content": message.get("content"), "tool_calls": calls}]

    def recall_only(self, calls: Sequence[RecallCall]) -> Items:
        """An assistant's message without a text."""
        return [{"role": "assistant", "content": None, "tool_calls": [call_entry(call) for call in calls]}]

    def results(self, answers: Sequence[tuple[RecallCall, str]]) -> Items:
        """One message of the tool for each."""
        return [{"role": "tool", "tool_call_id": call.id, "content": text} for call, text in answers]

    def without_recalls(self, reply: Body) -> dict[str, Any]:
        """The choice with what other calls it has; it has stopped where there are none."""
        message = dict(_message(reply))
        calls = [call for call in objects(message.pop("tool_calls", None)) if not _is_recall(call)]
        choice = dict(reply["choices"][0])
        if calls:
            message["tool_calls"] = calls
        else:
            choice["finish_reason"] = "stop"
        return {**reply, "choices": [{**choice, "message": message}]}


def _message(reply: Body) -> dict[str, Any]:
    choices = objects(reply.get("choices"))
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, dict) else {}


def _is_recall(call: dict[str, Any]) -> bool:
    function = call.get("function")
    return isinstance(function, dict) and function.get("name") == TOOL_NAME
