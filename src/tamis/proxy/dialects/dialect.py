"""The dialect of an API, as the proxy needs it: the contract on one page."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.archive.recall_tool import TOOL_NAME, ToolFormat, tool_definitions
from tamis.proxy.sse import ServerSentEvent

Body = Mapping[str, Any]
Items = list[dict[str, Any]]


class UnsupportedRequest(Exception):
    """The request is not one that can be compacted; `reason` is a short word for a header and a counter."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallCall:
    """The model asks for what was taken out. `arguments` is the JSON text as it came."""

    id: str
    arguments: str


class Splicer(ABC):
    """Makes one stream for the client out of those of several rounds.

    For every round: `begin_round`, then `feed` each event and hand on what it gives; then `calls` are the
    recalls that are to be answered before another round, none where the answer is complete. `is_finished`
    says whether the model has ended its answer; what comes after it is book-keeping.
    """

    def __init__(self) -> None:
        self._rounds = 0
        self.begin_round(is_last=False)

    def begin_round(self, *, is_last: bool) -> None:
        """The next events are those of another answer; after the last, no other follows whatever it asks."""
        self._rounds += 1
        self._is_last = is_last
        self._has_other_calls = False
        self.is_finished = False

    @abstractmethod
    def feed(self, event: ServerSentEvent) -> list[ServerSentEvent]:
        """The events that the client may see: not recalls, nor the end and the beginning between answers."""

    @property
    def calls(self) -> list[RecallCall]:
        """What the proxy is to answer now: recalls of a finished answer without other calls before them."""
        return self._recalls() if self._goes_on() else []

    @property
    def late_calls(self) -> list[RecallCall]:
        """What was asked for behind another tool's call that the client has seen and will answer itself."""
        return self._recalls() if self._has_other_calls else []

    @abstractmethod
    def turn(self) -> Items:
        """The answer of this round as the next round's items, recalls its only calls."""

    @abstractmethod
    def unseen_turn(self) -> Items:
        """Of that, what the client has not seen and will not send back itself."""

    @abstractmethod
    def failure(self, error: Any) -> ServerSentEvent:
        """The event that tells the client that the stream ends here: what the upstream said, or why."""

    @abstractmethod
    def _recalls(self) -> list[RecallCall]: ...

    def _goes_on(self) -> bool:
        can = self.is_finished and not self._has_other_calls and not self._is_last
        return can and bool(self._recalls())


class Dialect(ABC):
    """One API.

    The conversation stands in the `field` of a request; instructions in front of it are those of the
    `leading` roles, and what else takes up the window stands `beside_it`. Tools are defined as `tools_shape`
    says, and for each streamed answer there is one `splicer`.
    """

    name: str
    path: str
    field = "messages"
    leading: tuple[str, ...] = ("system", "developer")
    beside_it: tuple[str, ...]
    tools_shape: ToolFormat
    splicer: type[Splicer]

    def items(self, body: Body) -> Items:
        """The conversation; raises UnsupportedRequest where there is none that could be compacted."""
        given = body.get(self.field)
        if not isinstance(given, list) or not given:
            raise UnsupportedRequest("no-messages")
        if len(found := objects(given)) != len(given):
            raise UnsupportedRequest("odd-messages")
        return found

    def with_items(self, body: Body, items: Items) -> dict[str, Any]:
        """The request with another conversation."""
        return {**body, self.field: items}

    def beside(self, body: Body) -> Sequence[Any]:
        """What else takes up the window: instructions, tools, the schema of the answer."""
        return [body[key] for key in self.beside_it if body.get(key)]

    def lead(self, items: Items) -> int:
        """How many items in front are instructions, which stay."""
        return next((n for n, item in enumerate(items) if item.get("role") not in self.leading), len(items))

    def joined(self, brief: Items, rest: Items) -> Items:
        """A brief and what stays behind it, as the API takes them."""
        return [*brief, *rest]

    def with_recall(self, body: Body) -> dict[str, Any] | None:
        """The request with the recall tool behind its own; None where it cannot be offered."""
        if TOOL_NAME in _tool_names(body.get("tools")):
            return None
        return {**body, "tools": [*(body.get("tools") or []), *tool_definitions(self.tools_shape)]}

    @abstractmethod
    def recall_calls(self, reply: Body) -> list[RecallCall]:
        """The recalls in an answer."""

    @abstractmethod
    def turn(self, reply: Body) -> Items:
        """The answer as items of the next request, recalls its only calls."""

    @abstractmethod
    def recall_only(self, calls: Sequence[RecallCall]) -> Items:
        """The model's turn with these calls and nothing else."""

    @abstractmethod
    def results(self, answers: Sequence[tuple[RecallCall, str]]) -> Items:
        """What was recalled, as items behind that turn."""

    @abstractmethod
    def without_recalls(self, reply: Body) -> dict[str, Any]:
        """The answer without recalls."""


def _tool_names(tools: Any) -> set[str]:
    found = objects(tools)
    named = [*found, *(tool["function"] for tool in found if isinstance(tool.get("function"), dict))]
    return {str(tool["name"]) for tool in named if "name" in tool}


def objects(value: Any) -> Items:
    """The objects of a list, wherever one is expected."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
