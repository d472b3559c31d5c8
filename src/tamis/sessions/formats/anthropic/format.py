"""Anthropic messages: what the Messages API takes.

https://docs.anthropic.com/en/api/messages

A file is a request (`{"system": ..., "messages": [...]}`), a list of messages, one message a line, or one
request a line. The system prompt has no place in the list: it is read as a `system` message in front and
written beside the list; `system_blocks` gives it for a request.

Results stand in the user message behind their calls, so one message here may be a result and something said.
Reasoning without a seal, or with that of another maker, is left out, as the API refuses it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamis.errors import InputError
from tamis.messages import Media, Message, NativeRecord, Role, Session, ToolResult, Unread
from tamis.sessions.document import Document
from tamis.sessions.envelope import (
    Conversation,
    Envelope,
    EnvelopedFormat,
    items_with_role,
    sample,
    session_of,
    wrap,
)
from tamis.sessions.formats.anthropic.blocks import LIMITS, NAME, agree, blocks_of, read_content, result_block
from tamis.sessions.loose import as_dict, as_list, as_text
from tamis.sessions.native import has_role, one_text_or_blocks, plain, record_of
from tamis.sessions.turn_layout import lay_out

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_OWN_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})
_OWN_BLOCKS |= {"document"}
_FOREIGN_BLOCKS = frozenset(["image_url", "input_audio", "input_text", "output_text"])


@dataclass(frozen=True, slots=True)
class _Beside:
    system: Any


class Anthropic(EnvelopedFormat):
    """Reads and writes Anthropic messages."""

    name = NAME
    title = "Anthropic messages"

    def sniff(self, document: Document) -> float:
        """Sure where blocks are of this API's kinds; a `system` beside plain messages speaks for it too."""
        found = sample(document, ["messages"])
        known = [item for item in found.items if as_text(item.get("role")) in _ROLES]
        if not known or len(known) != len(found.items) or any("tool_calls" in item for item in known):
            return 0.0
        blocks = [as_dict(block) for item in known for block in as_list(item.get("content"))]
        kinds = {as_text(block.get("type")) for block in blocks}
        if kinds & _FOREIGN_BLOCKS:
            return 0.0
        if kinds & _OWN_BLOCKS or any("source" in block for block in blocks):
            return 0.85
        if found.fields.get("system") and found.fields.get("messages"):
            return 0.8
        return 0.0 if any(item["role"] == "system" for item in known) else 0.4

    def session(self, conversation: Conversation) -> Session:
        """What the items of a conversation say."""
        messages: list[Message] = []
        unread: list[Unread] = []
        if system := conversation.envelope.fields.get("system"):
            beside = NativeRecord(NAME, _Beside(system))
            messages.append(Message(id="", role="system", parts=read_content(system), native=beside))
        messages += map(_message, items_with_role(conversation, _ROLES, unread))
        return session_of(messages, unread, conversation.envelope, format=NAME)

    def write(self, session: Session) -> Iterator[str]:
        """The session in the envelope that it came in, else as a request; the system prompt beside the list.

        What was read as Anthropic messages and not changed is written as it stood; anything else is laid out
        as by `encode`, but for missing halves of pairs, which stay as they are.
        """
        own = record_of(session, NAME)
        system = self.system_blocks(session.messages)
        envelope = own if isinstance(own, Envelope) else Envelope(shape="object", fields={"messages": None})
        fields = dict(envelope.fields)
        if not isinstance(own, Envelope):
            fields |= {"model": session.model} if session.model else {}
            fields |= {"tools": list(session.tools)} if session.tools else {}
        if system != blocks_of(read_content(fields.get("system")), role="system"):
            envelope = replace(envelope, shape="object")
            fields = {"system": None, "messages": None} | fields | {"system": system}
        if all(_is_untouched(message) for message in session.messages):
            items = [item for message in session.messages for item in _as_it_stood(message)]
        else:
            items = _laid_out(session.messages, strict=False)
        return wrap(items, replace(envelope, fields=fields))

    def encode(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """Messages as the API takes them: users and assistants in turn, a user first, no system messages.

        Neighbours of one role are merged. All results of parallel calls stand first in the one user message
        behind them. `system` messages, wherever they stand, are left out: send `system_blocks(messages)`
        as the request's `system`. Nothing is put in front of a conversation that an assistant begins. Records
        of an unknown role, which reading kept, are left out; `write` puts them back.

        Raises:
            InputError: a result without its call, a call without its result that is not the very last, or
                an assistant's message first, unless it begins with the API's own compaction; put the user's
                message (or the summary of what went before) in front.

        >>> from tamis.messages import Message, Text
        >>> Anthropic().encode([Message(id="1", role="user", parts=(Text(text="hi"),))])
        [{'role': 'user', 'content': 'hi'}]
        """
        known = [message for message in messages if has_role(message, NAME, _ROLES)]
        items = _laid_out(known, strict=True)
        first = next((item for item in items if item["role"] != "system"), {"role": "user"})
        opening = as_dict(next(iter(as_list(first.get("content"))), None))
        if first["role"] != "user" and opening.get("type") != "compaction":
            raise InputError(
                "the conversation begins with an assistant's message, and the Anthropic API wants a user's "
                "first; put the request, or a summary of what went before, in front as a user message"
            )
        return items

    def system_blocks(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """The text blocks of all system messages, in order, for `system` in a request."""
        prompts = (m for m in messages if m.role == "system" and not _stands_in_list(m))
        return [block for message in prompts for block in blocks_of(message.parts, role="system")]


def _message(record: dict[str, Any]) -> Message:
    role, parts = _read(record)
    return Message(
        id=as_text(record.get("id")),
        role=role,
        parts=parts,
        origin="conversation" if as_text(record.get("role")) in _ROLES else "meta",
        timestamp=as_text(record.get("timestamp")) or None,
        native=NativeRecord(NAME, record),
    )


def _read(record: Mapping[str, Any]) -> tuple[Role, tuple[Any, ...]]:
    """A message's role and parts; a user message that only carries results has the role `tool`."""
    role = _ROLES.get(as_text(record.get("role")))
    if role is None:
        return "user", (Media(kind="other", native=NativeRecord(NAME, record)),)
    parts = read_content(record.get("content"))
    only_results = role == "user" and bool(parts) and all(isinstance(part, ToolResult) for part in parts)
    return "tool" if only_results else role, parts


def _is_untouched(message: Message) -> bool:
    """Whether the message was read from this format and still says the same."""
    record = record_of(message, NAME)
    if isinstance(record, _Beside):
        return message.role == "system" and read_content(record.system) == message.parts
    return isinstance(record, dict) and _read(record) == (message.role, message.parts)


def _stands_in_list(message: Message) -> bool:
    """Whether it is a system message of the list itself, as newer models take them, and still unchanged."""
    record = record_of(message, NAME)
    return isinstance(record, dict) and _is_untouched(message)


def _as_it_stood(message: Message) -> list[dict[str, Any]]:
    if message.role == "system":
        return [plain(record_of(message, NAME))] if _stands_in_list(message) else []
    if _is_untouched(message):
        return [plain(record_of(message, NAME))]
    content = blocks_of(message.parts, role=message.role)
    return [_item(message.role, content)] if content else []


def _laid_out(messages: Sequence[Message], *, strict: bool) -> list[dict[str, Any]]:
    spoken = [message for message in messages if message.role != "system" or _stands_in_list(message)]
    items: list[dict[str, Any]] = []
    for turn in lay_out(spoken, LIMITS, strict=strict, join_calls=True, agree=agree):
        said = [item for message in turn.messages for item in _as_it_stood(message)]
        if turn.results:
            said.append(_item("tool", [result_block(result) for result in turn.results]))
        for item in said:
            if items and items[-1]["role"] == item["role"]:
                items[-1] = {**items[-1], "content": _blocks(items[-1]) + _blocks(item)}
            else:
                items.append(item)
    return items


def _item(role: Role, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    role = "assistant" if role == "assistant" else "user"
    return {"role": role, "content": one_text_or_blocks(blocks)}


def _blocks(item: Mapping[str, Any]) -> list[Any]:
    content = item.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content.strip() else []
    return as_list(content)
