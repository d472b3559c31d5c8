"""OpenAI chat messages: what the Chat Completions API takes, and what fine-tuning files and many logs hold.

A file is a list of messages, an object with `messages` (a request), one message a line, or one conversation a
line. https://platform.openai.com/docs/api-reference/chat

Not everything can be said in this format: reasoning of other models is left out, media where only text may
stand are named, not shown, and whether a result was an error is not marked.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tamis.messages import Message, NativeRecord, Session, Unread
from tamis.sessions.document import Document
from tamis.sessions.envelope import (
    Conversation,
    EnvelopedFormat,
    envelope_of,
    items_with_role,
    sample,
    session_of,
    wrap,
)
from tamis.sessions.formats.openai_chat.reader import NAME, ROLES, MissingIds, read_parts
from tamis.sessions.formats.openai_chat.writer import is_untouched, items_of, laid_out
from tamis.sessions.loose import as_dict, as_list, as_text
from tamis.sessions.native import has_role

_FOREIGN_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "input_text"})
_FOREIGN_BLOCKS |= {"output_text"}


class OpenAIChat(EnvelopedFormat):
    """Reads and writes OpenAI chat messages."""

    name = NAME
    title = "OpenAI chat messages"

    def sniff(self, document: Document) -> float:
        """Surer where tools are used in this API's way; plain roles and texts are shared with others."""
        items = sample(document, ["messages"]).items
        known = [item for item in items if as_text(item.get("role")) in ROLES and "parts" not in item]
        if not known or len(known) * 2 < len(items):
            return 0.0
        if len(known) < len(items):
            return 0.15  # some other program's log, in which messages are one kind of record among others
        blocks = [block for item in known for block in as_list(item.get("content"))]
        if any(as_text(as_dict(block).get("type")) in _FOREIGN_BLOCKS for block in blocks):
            return 0.0
        asked = any({"tool_calls", "function_call"} & item.keys() for item in known)
        tools = asked or any(ROLES[item["role"]] == "tool" for item in known)
        return 0.85 if tools or any("image_url" in as_dict(block) for block in blocks) else 0.5

    def session(self, conversation: Conversation) -> Session:
        """What the items of a conversation say."""
        unread: list[Unread] = []
        missing = MissingIds()
        messages = [_message(item, missing) for item in items_with_role(conversation, ROLES, unread)]
        return session_of(messages, unread, conversation.envelope, format=NAME)

    def write(self, session: Session) -> Iterator[str]:
        """The session in the envelope that it came in; one of another format as an object with `messages`."""
        if all(is_untouched(message) for message in session.messages):
            items = [item for message in session.messages for item in items_of(message)]
        else:
            items = laid_out(session.messages, strict=False)
        return wrap(items, envelope_of(session, format=NAME, key="messages"))

    def encode(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """Messages as the API takes them: system messages where they stand, each result behind its calls.

        Records of an unknown role, which reading kept, are left out; `write` puts them back.

        Raises:
            InputError: a result without its call, or a call without its result that is not the very last.

        >>> from tamis.messages import Message, Text
        >>> OpenAIChat().encode([Message(id="1", role="user", parts=(Text(text="hi"),))])
        [{'role': 'user', 'content': 'hi'}]
        """
        return laid_out([m for m in messages if has_role(m, NAME, ROLES)], strict=True)


def _message(record: dict[str, Any], missing: MissingIds) -> Message:
    role = ROLES.get(as_text(record.get("role")))
    return Message(
        id=as_text(record.get("id")),
        role=role or "user",
        parts=read_parts(record, missing.id_for(record)),
        origin="conversation" if role else "meta",
        timestamp=as_text(record.get("timestamp")) or None,
        author=(as_text(record.get("name")) or None) if role != "tool" else None,
        native=NativeRecord(NAME, record),
    )
