"""State, events and the reader's context as JSON, and back.

The layout is that of the dataclasses in `events.py` and `state.py`, field for field, with a format tag; the
JSON schema can be had from `state_schema`. What comes in is checked: it may be anybody's.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tamis.errors import InputError
from tamis.ledger.events import (
    CommandRun,
    Constraint,
    Correction,
    Decision,
    Entity,
    ErrorMessage,
    Event,
    EventKind,
    Fact,
    FileChange,
    NextStep,
    Request,
    Source,
    Task,
    TestRun,
)
from tamis.ledger.extract import OpenCall, ReadContext
from tamis.ledger.state import State
from tamis.messages import ToolCall

STATE_FORMAT = "tamis-state/1"
"""Changes when a state that was written before can no longer be read."""

VALUES: Mapping[EventKind, type[Any]] = {
    "request": Request,
    "constraint": Constraint,
    "decision": Decision,
    "file": FileChange,
    "command": CommandRun,
    "test": TestRun,
    "error": ErrorMessage,
    "task": Task,
    "fact": Fact,
    "entity": Entity,
    "next_step": NextStep,
    "correction": Correction,
}
"""Which value an event of each kind holds."""


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Built when first needed: that takes longer than importing this module."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def state_to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON values; equal states give equal bytes.

    >>> state_to_json(State(turns=3))["turns"]
    3
    """
    return {"format": STATE_FORMAT, **_adapter(State).dump_python(state, mode="json")}


def state_from_json(data: Mapping[str, Any]) -> State:
    """The state that `state_to_json` wrote.

    Raises:
        InputError: another format or version, or a field that does not fit.
    """
    if data.get("format") != STATE_FORMAT:
        raise InputError(
            f"state has the format {data.get('format')!r}, this version reads {STATE_FORMAT!r}; "
            "compact from the start"
        )
    fields = {key: value for key, value in data.items() if key != "format"}
    state: State = _validated(State, fields, "state")
    return state


def state_schema() -> dict[str, Any]:
    """The JSON schema of what `state_to_json` writes, but for the format tag."""
    return _adapter(State).json_schema()


def events_to_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The events as plain JSON values."""
    return [
        _adapter(Event).dump_python(event, mode="json", exclude={"value"})
        | {"value": _adapter(type(event.value)).dump_python(event.value, mode="json")}
        for event in events
    ]


def events_from_json(data: Iterable[Mapping[str, Any]]) -> list[Event]:
    """The events that `events_to_json` wrote.

    Raises:
        InputError: an unknown kind, or a field that does not fit.
    """
    events = []
    for item in data:
        kind = VALUES.get(item.get("kind", ""))
        if kind is None:
            raise InputError(f"event has the kind {item.get('kind')!r}; known are {', '.join(VALUES)}")
        value = _validated(kind, item.get("value"), f"value of {item.get('id')}")
        source = _validated(Source, item.get("source"), f"source of {item.get('id')}")
        events.append(
            _validated(Event, {**item, "value": value, "source": source}, f"event {item.get('id')}")
        )
    return events


def context_to_json(context: ReadContext) -> dict[str, Any]:
    """What the extractors know between messages, as plain JSON values."""
    return {
        "cwd": context.cwd,
        "turn": context.turn,
        "calls": [
            {
                "id": opened.call.id,
                "name": opened.call.name,
                "arguments": dict(opened.call.arguments),
                "raw_arguments": opened.call.raw_arguments,
                "source": _adapter(Source).dump_python(opened.source, mode="json"),
            }
            for opened in context.calls.values()
        ],
        "memory": context.memory,
        "works": context.works,
    }


def context_from_json(data: Mapping[str, Any]) -> ReadContext:
    """The context that `context_to_json` wrote.

    Raises:
        InputError: a field that does not fit.
    """
    try:
        calls = [
            OpenCall(
                call=ToolCall(
                    id=call["id"],
                    name=call["name"],
                    arguments=call["arguments"],
                    raw_arguments=call["raw_arguments"],
                ),
                source=_validated(Source, call["source"], "open call"),
            )
            for call in data["calls"]
        ]
        return ReadContext(
            cwd=data["cwd"],
            turn=int(data["turn"]),
            calls={opened.call.id: opened for opened in calls},
            memory={_extractor(key): value for key, value in data["memory"].items()},
            works=bool(data.get("works")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"cannot read the ledger reader's context ({error!r}); compact from the start"
        ) from None


def _extractor(key: str) -> str:
    """An extractor's name; earlier snapshots have the name of its module."""
    return key.rpartition(".")[2]


def _validated(kind: type[Any], data: Any, what: str) -> Any:
    try:
        return _adapter(kind).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{what}: {first['msg']} at {where!r}; compact from the start") from None
