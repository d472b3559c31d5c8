"""Messages as JSON values and as bytes, and back without a loss.

Fields stand in their order, so that equal messages give equal bytes and the digest over the bytes is an
address. Nothing is rounded, sorted or escaped: lone surrogates, as cut logs hold them, come back as they
were. A native record that is no JSON is left out, as it takes no part in what the message says.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tamis.messages.conversation import (
    Media,
    Message,
    NativeRecord,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

_KINDS: dict[str, type[Any]] = {
    "text": Text,
    "thinking": Thinking,
    "tool_call": ToolCall,
    "tool_result": ToolResult,
    "media": Media,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_FIELDS = {kind: tuple(f for f in kind.__dataclass_fields__ if f != "native") for kind in _KINDS.values()}
_MESSAGE_FIELDS = ("id", "role", "origin", "timestamp", "sidechain", "cwd", "author")


def digest_of(record: bytes) -> str:
    """The address of a record: SHA-256 over its bytes, in hex."""
    return hashlib.sha256(record).hexdigest()


def to_record(message: Message) -> bytes:
    """The message as bytes.

    >>> hello = Message(id="1", role="user", parts=(Text(text="hi"),))
    >>> from_record(to_record(hello)) == hello
    True
    """
    data = message_to_json(message)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def from_record(record: bytes) -> Message:
    """The message that `to_record` wrote.

    Raises:
        ValueError: not such bytes.
    """
    return message_from_json(json.loads(record.decode("utf-8", "surrogatepass")))


def message_to_json(message: Message) -> dict[str, Any]:
    """The message as plain JSON values; fields that say nothing are left out."""
    data = {name: value for name in _MESSAGE_FIELDS if (value := getattr(message, name)) is not None}
    return data | {"parts": [_part_to_json(part) for part in message.parts]} | _native_to_json(message)


def message_from_json(data: Mapping[str, Any]) -> Message:
    """The message that `message_to_json` wrote.

    Raises:
        ValueError: a field is missing or of a kind that is not known.
    """
    try:
        fields = {name: data[name] for name in _MESSAGE_FIELDS if name in data}
        parts = tuple(_part_from_json(part) for part in data["parts"])
        return Message(**fields, parts=parts, native=_native_from_json(data))
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a message: {error!r}") from None


def _part_to_json(part: Part) -> dict[str, Any]:
    data: dict[str, Any] = {"type": _NAMES[type(part)]}
    for name in _FIELDS[type(part)]:
        value = getattr(part, name)
        if name == "media":
            value = [_part_to_json(item) for item in value] or None
        elif name in ("arguments", "details") and value is not None:
            value = json.loads(json.dumps(dict(value), ensure_ascii=False, default=str))
        if value is not None:
            data[name] = value
    return data | _native_to_json(part)


def _part_from_json(data: Mapping[str, Any]) -> Part:
    kind = _KINDS[data["type"]]
    fields = {name: data[name] for name in _FIELDS[kind] if name in data}
    if "media" in fields:
        fields["media"] = tuple(_part_from_json(item) for item in fields["media"])
    part: Part = kind(**fields, native=_native_from_json(data))
    return part


def _native_to_json(value: Message | Part) -> dict[str, Any]:
    if not isinstance(value.native, NativeRecord):
        return {}
    try:
        record = json.loads(json.dumps(value.native.record, ensure_ascii=False))
    except (TypeError, ValueError):
        return {}
    if record != value.native.record:
        return {}
    return {"native": {"format": value.native.format, "record": record}}


def _native_from_json(data: Mapping[str, Any]) -> NativeRecord | None:
    native = data.get("native")
    return NativeRecord(native["format"], native["record"]) if native else None
