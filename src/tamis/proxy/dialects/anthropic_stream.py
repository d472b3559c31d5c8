"""The events of Anthropic messages, with recalls taken out."""

import json
from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.dialect import Items, RecallCall, Splicer
from tamis.proxy.sse import ServerSentEvent, json_object, make_event

_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


class AnthropicSplicer(Splicer):
    """See `Splicer`. The blocks of all rounds are numbered on, as those of one message."""

    def __init__(self) -> None:
        self._count = 0
        super().__init__()

    def begin_round(self, *, is_last: bool) -> None:
        """Forget the last answer, but not how many blocks the client has seen."""
        super().begin_round(is_last=is_last)
        self._blocks: dict[int, dict[str, Any]] = {}
        self._numbers: dict[int, int] = {}
        self._recalled: set[int] = set()

    @property
    def late_calls(self) -> list[RecallCall]:
        """Those behind another tool's call, unless there is sealed reasoning, which may not be moved."""
        sealed = any("thinking" in str(block.get("type")) for block in self._blocks.values())
        return self._recalls() if self._has_other_calls and not sealed else []

    def turn(self) -> Items:
        """An assistant's message of the blocks as they came."""
        kept = [
            _block_as_input(block)
            for index, block in sorted(self._blocks.items())
            if (index in self._recalled or block.get("type") != "tool_use")
            and (block.get("type") != "text" or block.get("text"))
        ]
        return [{"role": "assistant", "content": kept}]

    def unseen_turn(self) -> Items:
        """The same without its text; reasoning stays in front of its call."""
        blocks = [block for block in self.turn()[0]["content"] if block.get("type") != "text"]
        return [{"role": "assistant", "content": blocks}]

    def failure(self, error: Any) -> ServerSentEvent:
        """As Anthropic says it in a stream."""
        told = error if isinstance(error, dict) and error.get("type") == "error" else None
        return make_event(told or {"type": "error", "error": error}, "error")

    def feed(self, event: ServerSentEvent) -> list[ServerSentEvent]:
        """Blocks of recalls go, and the end and the beginning between two answers."""
        data = event.data
        if data is None:
            return [event]
        match data.get("type"):
            case "message_start":
                return [event] if self._rounds == 1 else []
            case "content_block_start" | "content_block_delta" | "content_block_stop":
                return self._block_event(event, data)
            case "message_delta":
                self.is_finished = True
                return [] if self._goes_on() else [self._ended(event, data)]
            case "message_stop":
                return [] if self._goes_on() else [event]
        return [event]

    def _block_event(self, event: ServerSentEvent, data: dict[str, Any]) -> list[ServerSentEvent]:
        index = data.get("index")
        if not isinstance(index, int):
            return [event]
        if data["type"] == "content_block_start":
            self._begin_block(index, dict(data.get("content_block") or {}))
        elif data["type"] == "content_block_delta" and index in self._blocks:
            _add(self._blocks[index], data.get("delta") or {})
        number = self._numbers.get(index)
        if number is None:  # hidden; but what never began is not ours to hide
            return [] if index in self._blocks else [event]
        return [event] if number == index else [make_event({**data, "index": number}, event.name)]

    def _begin_block(self, index: int, block: dict[str, Any]) -> None:
        self._blocks[index] = block
        is_call = block.get("type") == "tool_use"
        if is_call and block.get("name") == TOOL_NAME:
            self._recalled.add(index)
            return
        if is_call and self._recalled and not self._has_other_calls and not self._is_last:
            return  # the model will call it again when it has its answer
        self._has_other_calls |= is_call
        self._numbers[index] = self._count
        self._count += 1

    def _ended(self, event: ServerSentEvent, data: dict[str, Any]) -> ServerSentEvent:
        delta = data.get("delta") or {}
        if self._recalled and not self._has_other_calls and delta.get("stop_reason") == "tool_use":
            return make_event({**data, "delta": {**delta, "stop_reason": "end_turn"}}, event.name)
        return event

    def _recalls(self) -> list[RecallCall]:
        blocks = [self._blocks[index] for index in sorted(self._recalled)]
        return [
            RecallCall(id=str(b.get("id")), arguments=b.get("partial_json") or json.dumps(b.get("input")))
            for b in blocks
        ]


def _add(block: dict[str, Any], delta: dict[str, Any]) -> None:
    field = _PIECES.get(str(delta.get("type")))
    if field is not None:
        block[field] = (block.get(field) or "") + str(delta.get(field) or "")
    elif delta.get("type") == "citations_delta":
        block["citations"] = [*(block.get("citations") or []), delta.get("citation")]


def _block_as_input(block: dict[str, Any]) -> dict[str, Any]:
    """The block as the next request takes it: a call's pieces put together."""
    block = dict(block)
    if pieces := block.pop("partial_json", ""):
        block["input"] = json_object(pieces) or {}
    return block
