"""Records as they were read, kept beside what was understood.

A record is only trusted while it still reads as the part or message that carries it: whoever shortens a text
with `dataclasses.replace` leaves the old record in place, and a writer must not bring the old text back.
Writers therefore read the record again and compare.
"""

import json
from collections.abc import Container, Iterable
from typing import Any

from pydantic import BaseModel

from tamis.messages import Message, NativeRecord


def record_of(value: object, format: str) -> Any:  # noqa: A002
    """The record that a message, part or session carries for this format, or None."""
    native = getattr(value, "native", None)
    return native.record if isinstance(native, NativeRecord) and native.format == format else None


def plain(value: Any) -> Any:
    """A copy in plain JSON types; the model objects of API clients become dictionaries.

    Copying keeps a session from changing when the list that it was read from, or that was made of it, does.
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return value


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON as tamis writes it: Unicode as it is, on one line unless it is indented."""
    return json.dumps(value, ensure_ascii=False, default=str, indent=indent)


def one_text_or_blocks(blocks: Iterable[dict[str, Any] | None]) -> str | list[dict[str, Any]]:
    """A message's content as APIs take it: one string where it is one plain text, else the blocks."""
    given = [block for block in blocks if block is not None]
    if len(given) == 1 and set(given[0]) == {"type", "text"}:
        return str(given[0]["text"])
    return given


def has_role(message: Message, format: str, roles: Container[str]) -> bool:  # noqa: A002
    """Whether the record that the message carries for this format, if it does, has one of the roles."""
    record = record_of(message, format)
    return not isinstance(record, dict) or str(record.get("role")) in roles
