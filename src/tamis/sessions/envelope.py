"""How files wrap the items of an API: a list, an object with a list, one item or one conversation a line.

Formats of APIs say what an item is; this module finds the items in a file and puts them back.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from tamis.errors import InputError
from tamis.messages import Message, NativeRecord, Session, Unread, identify
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, file_stem
from tamis.sessions.native import json_text, plain


@dataclass(frozen=True, kw_only=True, slots=True)
class Envelope:
    """What stood around the items: the shape, the key of the list in an object, and the object's own keys.

    `fields` holds every key in its order, the list's own with None. `is_line` says of an object that it was
    one of several in its file: it stays on one line, and any other is laid out to be read.
    """

    shape: Literal["list", "object", "lines"]
    key: str = "messages"
    fields: Mapping[str, Any] = field(default_factory=dict)
    is_line: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """An item and where it stood: its 1-based line, or its position in the list. None where there is none."""

    at: int
    value: Any
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """The items of one conversation. `number` is its line or position where a file holds several."""

    items: Iterable[Item]
    envelope: Envelope
    number: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """The first items of a file and the fields around them, for formats to recognise; the last may be cut."""

    items: Sequence[Mapping[str, Any]]
    fields: Mapping[str, Any] = field(default_factory=dict)


def sample(document: Document, keys: Sequence[str]) -> Sample:
    """The first items of the first conversation, however they are wrapped; no items where there are none."""
    if document.kind == "jsonl":
        records = document.head_records
        first = records[0] if records else {}
        key = _key(first, keys)
        return Sample(items=_objects(first[key]), fields=first) if key else Sample(items=records)
    value = document.head_value
    if isinstance(value, list) and value and isinstance(value[0], dict) and _key(value[0], keys):
        value = value[0]
    if isinstance(value, dict):
        key = _key(value, keys)
        return Sample(items=_objects(value[key]) if key else (), fields=value)
    return Sample(items=_objects(value))


def conversations(document: Document, keys: Sequence[str]) -> Iterator[Conversation]:
    """The conversations of a file, in order; JSON lines are read one by one.

    Args:
        document: the file.
        keys: what the list of items may be called in an object, best first.
    """
    if document.kind == "jsonl":
        yield from _from_lines(document, keys)
    else:
        yield from _from_value(document.data, keys)


class EnvelopedFormat(ABC):
    """What the formats of APIs share: a file may wrap their items in any of these ways."""

    streams = True
    many = True
    keys: Sequence[str] = ("messages",)

    @abstractmethod
    def session(self, conversation: Conversation) -> Session:
        """What the items of a conversation say."""

    def read(self, document: Document) -> Iterator[Session]:
        """The conversations of the file, one session each."""
        for found in conversations(document, self.keys):
            yield replace(self.session(found), id=label(document, found), source=str(document.path))


def items_with_role(
    conversation: Conversation, roles: Collection[str], unread: list[Unread]
) -> Iterator[dict[str, Any]]:
    """The items that are objects; what is none, and what has another role, is noted as unread."""
    for item in conversation.items:
        if item.reason:
            unread.append(Unread(line=item.at, reason=item.reason))
        if item.value is None:
            continue
        if as_text(item.value.get("role")) not in roles:
            reason = f"unknown role {item.value.get('role')!r}; kept as it is"
            unread.append(Unread(line=item.at, reason=reason))
        yield item.value


def wrap(items: Sequence[Any], envelope: Envelope) -> Iterator[str]:
    """The items as text, wrapped as they were."""
    if envelope.shape == "lines":
        yield from (json_text(item) + "\n" for item in items)
    elif envelope.shape == "object":
        indent = None if envelope.is_line else 2
        yield json_text({**envelope.fields, envelope.key: items}, indent=indent) + "\n"
    else:
        yield json_text(items, indent=2) + "\n"


def listed(items: Sequence[Any], what: str) -> Conversation:
    """The conversation of a list that a program hands over; client objects become dictionaries.

    Raises:
        InputError: an item is not an object.
    """
    values = [plain(item) for item in items]
    for n, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise InputError(f"item {n} is a {type(value).__name__}; {what} are dictionaries")
    return Conversation(
        items=[Item(at=n, value=value) for n, value in enumerate(values, 1)], envelope=Envelope(shape="list")
    )


def label(document: Document, conversation: Conversation) -> str:
    """A name for the session: the file's, and the line or position where a file holds several."""
    stem = file_stem(document.path.name)
    return stem if conversation.number is None else f"{stem}#{conversation.number}"


def session_of(
    messages: Sequence[Message],
    unread: Sequence[Unread],
    envelope: Envelope,
    *,
    format: str,  # noqa: A002
) -> Session:
    """A session of these messages, called by its first user message; model and tools from the envelope."""
    named = identify(messages)
    return Session(
        id=next((message.id for message in named if message.role == "user"), "empty"),
        format=format,
        messages=named,
        unread=tuple(unread),
        model=as_text(envelope.fields.get("model")) or None,
        tools=tuple(as_dict(tool) for tool in as_list(envelope.fields.get("tools"))),
        native=NativeRecord(format, envelope),
    )


def _from_lines(document: Document, keys: Sequence[str]) -> Iterator[Conversation]:
    lines = (Item(at=r.line, value=r.value, reason=r.reason) for r in document.records())
    opening = []
    for item in lines:
        opening.append(item)
        if item.value is not None:
            break
    if not opening or not _key(opening[-1].value or {}, keys):
        yield Conversation(items=chain(opening, lines), envelope=Envelope(shape="lines"))
        return
    for item in chain(opening, lines):
        if item.value is not None and _key(item.value, keys):
            yield _object(item.value, keys, item.at)
        else:
            reason = item.reason or f"no list of {' or '.join(keys)} in this line"
            lost = Item(at=item.at, value=None, reason=reason)
            yield Conversation(items=[lost], envelope=Envelope(shape="lines"), number=item.at)


def _from_value(value: Any, keys: Sequence[str]) -> Iterator[Conversation]:
    if isinstance(value, dict):
        if _key(value, keys):
            yield _object(value, keys, None)
    elif isinstance(value, list) and value and isinstance(value[0], dict) and _key(value[0], keys):
        for n, entry in enumerate(value, 1):
            if isinstance(entry, dict) and _key(entry, keys):
                yield _object(entry, keys, n)
            else:
                lost = Item(at=n, value=None, reason=f"no list of {' or '.join(keys)} in this entry")
                yield Conversation(items=[lost], envelope=Envelope(shape="list"), number=n)
    elif isinstance(value, list):
        yield Conversation(items=_items(value), envelope=Envelope(shape="list"))


def _object(value: dict[str, Any], keys: Sequence[str], number: int | None) -> Conversation:
    key = _key(value, keys) or keys[0]
    envelope = Envelope(shape="object", key=key, fields={**value, key: None}, is_line=number is not None)
    return Conversation(items=_items(value[key]), envelope=envelope, number=number)


def _items(values: Sequence[Any]) -> list[Item]:
    """The entries of a list; lists in it are taken apart, as some files pair what belongs together."""
    values = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return [
        Item(at=n, value=value)
        if isinstance(value, dict)
        else Item(at=n, value=None, reason=f"a {type(value).__name__} where an object was expected")
        for n, value in enumerate(values, 1)
    ]


def _key(value: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if isinstance(value.get(key), list)), None)


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item.value for item in _items(as_list(value)) if item.value is not None]
