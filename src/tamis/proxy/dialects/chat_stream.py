"""The chunks of OpenAI chat completions, with recalls taken out."""

from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.dialect import Items, RecallCall, Splicer, objects
from tamis.proxy.sse import ServerSentEvent, make_event


def call_entry(call: RecallCall) -> dict[str, Any]:
    """A call as it stands in `tool_calls`."""
    function = {"name": TOOL_NAME, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


class ChatSplicer(Splicer):
    """See `Splicer`."""

    def __init__(self) -> None:
        self._id: Any = None
        super().__init__()

    def begin_round(self, *, is_last: bool) -> None:
        """Forget the last answer, but not its id, which the client goes on with."""
        super().begin_round(is_last=is_last)
        self._hidden: dict[int, dict[str, str]] = {}
        self._shown: dict[int, int] = {}
        self._dropped: set[int] = set()
        self._texts: list[str] = []

    def turn(self) -> Items:
        """An assistant's message."""
        calls = [call_entry(call) for call in self._recalls()]
        return [{"role": "assistant", "content": "".join(self._texts) or None, "tool_calls": calls}]

    def unseen_turn(self) -> Items:
        """The same without its text."""
        return [{**message, "content": None} for message in self.turn()]

    def failure(self, error: Any) -> ServerSentEvent:
        """As OpenAI says it in a stream."""
        return make_event(error if isinstance(error, dict) and "error" in error else {"error": error})

    def feed(self, event: ServerSentEvent) -> list[ServerSentEvent]:
        """Chunks of recalls go, and the end of an answer behind which another comes."""
        chunk = event.data
        if chunk is None:
            return [] if event.text == "[DONE]" and self._goes_on() else [event]
        choices = objects(chunk.get("choices"))
        if "error" in chunk:
            return [event]
        if not choices:  # the usage of an answer, behind its end
            return [] if self._goes_on() else self._signed(event, chunk, changed=False)
        choice = choices[0]
        delta: dict[str, Any] = choice.get("delta") or {}
        self._texts.append(str(delta.get("content") or ""))
        calls = objects(delta.get("tool_calls"))
        kept = [shown for call in calls if (shown := self._visible(call)) is not None]
        changed = kept != calls
        if choice.get("finish_reason"):
            self.is_finished = True
            if self._goes_on():
                return []
            if self._hidden and not self._shown and choice["finish_reason"] == "tool_calls":
                choice, changed = {**choice, "finish_reason": "stop"}, True
        if changed:
            delta = {key: value for key, value in delta.items() if key != "tool_calls"}
            delta |= {"tool_calls": kept} if kept else {}
            says_nothing = not any(delta.get(key) for key in delta if key != "role")
            if says_nothing and not choice.get("finish_reason") and self._rounds > 1:
                return []
            chunk = {**chunk, "choices": [{**choice, "delta": delta}]}
        return self._signed(event, chunk, changed=changed)

    def _recalls(self) -> list[RecallCall]:
        return [RecallCall(id=call["id"], arguments=call["arguments"]) for call in self._hidden.values()]

    def _visible(self, call: dict[str, Any]) -> dict[str, Any] | None:
        """The piece of a call that the client sees, by its new number; None where it is a recall's."""
        index = int(call.get("index") or 0)
        function: dict[str, Any] = call.get("function") or {}
        if function.get("name") == TOOL_NAME and index not in self._shown:
            self._hidden.setdefault(index, {"id": str(call.get("id")), "arguments": ""})
        if index in self._hidden:
            self._hidden[index]["arguments"] += function.get("arguments") or ""
            return None
        if index not in self._shown:
            if self._hidden and not self._shown and not self._is_last:
                self._dropped.add(index)  # the model will call it again when it has its answer
            if index in self._dropped:
                return None
            self._shown[index] = len(self._shown)
            self._has_other_calls = True
        return call if self._shown[index] == index else {**call, "index": self._shown[index]}

    def _signed(
        self, event: ServerSentEvent, chunk: dict[str, Any], *, changed: bool
    ) -> list[ServerSentEvent]:
        """The chunk under the id of the first answer."""
        if self._id is None:
            self._id = chunk.get("id")
        if self._rounds > 1 and self._id is not None and chunk.get("id") != self._id:
            chunk, changed = {**chunk, "id": self._id}, True
        return [make_event(chunk, event.name)] if changed else [event]
