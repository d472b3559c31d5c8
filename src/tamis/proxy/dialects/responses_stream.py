"""The events of OpenAI Responses, with recalls taken out."""

from typing import Any

from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.dialects.dialect import Body, Items, RecallCall, Splicer
from tamis.proxy.sse import ServerSentEvent, make_event

_BEGINNINGS = frozenset({"response.created", "response.in_progress", "response.queued"})
_ENDINGS = frozenset({"response.completed", "response.incomplete"})
_CALLS = ("function_call", "custom_tool_call")


def is_recall(item: Body) -> bool:
    """Whether an item of the output is a recall."""
    return item.get("type") == "function_call" and item.get("name") == TOOL_NAME


def is_call(item: Body) -> bool:
    """Whether an item waits for an answer of the agent."""
    kind = str(item.get("type"))
    return kind in _CALLS or (kind.endswith("_call") and bool(item.get("call_id")))


def call_of(item: Body) -> RecallCall:
    """The recall that an item is."""
    return RecallCall(id=str(item.get("call_id")), arguments=str(item.get("arguments") or ""))


def only_recalls(items: Items) -> Items:
    """The items without the calls that the agent would have to answer."""
    return [item for item in items if is_recall(item) or not is_call(item)]


def call_item(call: RecallCall) -> dict[str, Any]:
    """The recall as an item without an id: the API would look for the reasoning that an id belongs to."""
    return {"type": "function_call", "call_id": call.id, "name": TOOL_NAME, "arguments": call.arguments}


class ResponsesSplicer(Splicer):
    """See `Splicer`. Items and events of all rounds are numbered on, as those of one response."""

    def __init__(self) -> None:
        self._count = 0
        self._sequence = 0
        self._id: Any = None
        self._seen: Items = []
        super().__init__()

    def begin_round(self, *, is_last: bool) -> None:
        """Forget the last answer, but not the items that the client has seen."""
        super().begin_round(is_last=is_last)
        self._numbers: dict[int, int] = {}
        self._recalled: set[int] = set()
        self._done: dict[int, dict[str, Any]] = {}

    def turn(self) -> Items:
        """The items as they came."""
        return only_recalls([item for _, item in sorted(self._done.items())])

    def unseen_turn(self) -> Items:
        """The calls, without the ids that tie them to reasoning: the client sends that back itself."""
        if any(item.get("type") == "reasoning" for item in self._done.values()):
            return [call_item(call) for call in self._recalls()]
        return [item for item in self.turn() if is_recall(item)]

    def failure(self, error: Any) -> ServerSentEvent:
        """As OpenAI says it in a stream."""
        told = error.get("error", error) if isinstance(error, dict) else {"message": str(error)}
        said = {"code": None, "message": "", "param": None} | (told if isinstance(told, dict) else {})
        event = {**said, "type": "error", "sequence_number": self._sequence}
        return make_event(event, "error")

    def feed(self, event: ServerSentEvent) -> list[ServerSentEvent]:
        """Items of recalls go, and the end and the beginning between two answers."""
        data = event.data
        if data is None:
            return [event]
        kind = str(data.get("type"))
        if kind in _BEGINNINGS:
            if self._rounds > 1:
                return []
            self._id = (data.get("response") or {}).get("id")
        if kind in _ENDINGS:
            self.is_finished = True
            if self._goes_on():
                return []
            return self._numbered(event, self._ended(data))
        index = data.get("output_index")
        if isinstance(index, int):
            self._note(kind, index, data.get("item"))
            if index not in self._numbers:
                return []
            if self._numbers[index] != index:
                data = {**data, "output_index": self._numbers[index]}
        return self._numbered(event, data)

    def _note(self, kind: str, index: int, item: Any) -> None:
        """What an item is, when it begins; what it has become, when it is done."""
        item = item if isinstance(item, dict) else {}
        if kind == "response.output_item.added":
            if is_recall(item):
                self._recalled.add(index)
            elif not (is_call(item) and self._recalled and not self._has_other_calls and not self._is_last):
                self._has_other_calls |= is_call(item)
                self._numbers[index] = self._count
                self._count += 1
        elif kind == "response.output_item.done":
            self._done[index] = item
            if index in self._numbers:
                self._seen.append(item)

    def _ended(self, data: dict[str, Any]) -> dict[str, Any]:
        """The end with the whole output, as the client has seen it come."""
        response = data.get("response")
        if not isinstance(response, dict) or (self._rounds == 1 and not self._recalled):
            return data
        return {**data, "response": {**response, "id": self._id, "output": list(self._seen)}}

    def _numbered(self, event: ServerSentEvent, data: dict[str, Any]) -> list[ServerSentEvent]:
        if isinstance(data.get("sequence_number"), int):
            if data["sequence_number"] != self._sequence and (self._rounds > 1 or self._recalled):
                data = {**data, "sequence_number": self._sequence}
            else:
                self._sequence = data["sequence_number"]
            self._sequence += 1
        return [event] if data is event.data else [make_event(data, event.name)]

    def _recalls(self) -> list[RecallCall]:
        return [call_of(self._done[index]) for index in sorted(self._recalled) if index in self._done]
