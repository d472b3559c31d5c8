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
from tamis.sessions.document import Document, Record
from tamis.sessions.loose import as_dict, as_list, as_text, file_stem
from tamis.sessions.native import json_text, plain, record_of


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
class Conversation:
    """The items of one conversation; `number` is its line or position where a file holds several."""

    items: Iterable[Record]
    envelope: Envelope
    number: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """The first items of a file and the fields around them, for formats to recognise; the last may be cut."""

    items: Sequence[Mapping[str, Any]]
    fields: Mapping[str, Any] = field(default_factory=dict)


def sample(document: Document, keys: Sequence[str]) -> Sample:
    """The first items of the first conversation, however they are wrapped; no items where there are none."""
    value = document.head_records if document.kind == "jsonl" else document.head_value
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

    title: str
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

    def decode(self, items: Sequence[Mapping[str, Any]]) -> Session:
        """Items of the API, as dictionaries or as the client's own objects, into a session.

        Raises:
            InputError: an item is not an object.

        >>> from tamis.sessions import OpenAIChat
        >>> OpenAIChat().decode([{"role": "user", "content": "hi"}]).messages[0].text
        'hi'
        """
        records = [Record(n, plain(item), "") for n, item in enumerate(items, 1)]
        for record in records:
            if not isinstance(record.value, dict):
                kind = type(record.value).__name__
                raise InputError(f"item {record.line} is a {kind}; {self.title} are dictionaries")
        return self.session(Conversation(items=records, envelope=Envelope(shape="list")))


def envelope_of(session: Session, *, format: str, key: str) -> Envelope:  # noqa: A002
    """The envelope that the session came in; for one of another format an object as a request has it."""
    own = record_of(session, format)
    if isinstance(own, Envelope):
        return own
    fields = {"model": session.model, key: None, "tools": list(session.tools)}
    return Envelope(shape="object", key=key, fields={k: v for k, v in fields.items() if v or k == key})


def items_with_role(
    conversation: Conversation, roles: Collection[str], unread: list[Unread]
) -> Iterator[dict[str, Any]]:
    """The items that are objects; what is none, and what has another role, is noted as unread."""
    for item in conversation.items:
        if item.reason:
            unread.append(Unread(line=item.line, reason=item.reason))
        if item.value is None:
            continue
        if as_text(item.value.get("role")) not in roles:
            reason = f"unknown role {item.value.get('role')!r}; kept as it is"
            unread.append(Unread(line=item.line, reason=reason))
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
    lines = document.records()
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
            yield _object(item.value, keys, item.line)
        else:
            yield _lost(item.line, item.reason or f"no list of {' or '.join(keys)} in this line", "lines")


def _from_value(value: Any, keys: Sequence[str]) -> Iterator[Conversation]:
    if isinstance(value, dict):
        if _key(value, keys):
            yield _object(value, keys, None)
    elif isinstance(value, list) and value and isinstance(value[0], dict) and _key(value[0], keys):
        for n, entry in enumerate(value, 1):
            if isinstance(entry, dict) and _key(entry, keys):
                yield _object(entry, keys, n)
            else:
                yield _lost(n, f"no list of {' or '.join(keys)} in this entry", "list")
    elif isinstance(value, list):
        yield Conversation(items=_items(value), envelope=Envelope(shape="list"))


def _object(value: dict[str, Any], keys: Sequence[str], number: int | None) -> Conversation:
    key = _key(value, keys) or keys[0]
    envelope = Envelope(shape="object", key=key, fields={**value, key: None}, is_line=number is not None)
    return Conversation(items=_items(value[key]), envelope=envelope, number=number)


def _lost(number: int, reason: str, shape: Literal["list", "lines"]) -> Conversation:
    lost = Record(number, None, "", reason)
    return Conversation(items=[lost], envelope=Envelope(shape=shape), number=number)


def _items(values: Sequence[Any]) -> list[Record]:
    """The entries of a list; lists in it are taken apart, as some files pair what belongs together."""
    values = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return [
        Record(n, value, "")
        if isinstance(value, dict)
        else Record(n, None, "", f"a {type(value).__name__} where an object was expected")
        for n, value in enumerate(values, 1)
    ]


def _key(value: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if isinstance(value.get(key), list)), None)


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item.value for item in _items(as_list(value)) if item.value is not None]
