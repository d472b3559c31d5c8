"""OpenAI Responses items: the input and output of the Responses API.

A file is a list of items, one item a line, a request (`input`) or a response object (`output`), or one of
those a line. https://platform.openai.com/docs/api-reference/responses

What the model made in one go (reasoning, text, calls) is one message, because the API refuses one without the
other. A tool that OpenAI ran itself is a call and its result in that message. A compaction item is a summary
that only OpenAI can read; it goes back as it came. Reasoning of other models is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.messages import Boundary, Message, NativeRecord, Session, Text, Unread
from tamis.sessions.document import Document
from tamis.sessions.envelope import Conversation, EnvelopedFormat, envelope_of, sample, session_of, wrap
from tamis.sessions.formats.openai_responses.reader import NAME, grouped, is_known, read_run
from tamis.sessions.formats.openai_responses.writer import is_untouched, laid_out
from tamis.sessions.loose import as_dict, as_list, as_text
from tamis.sessions.native import record_of

_KEYS = ("input", "items", "output")
_BESIDE: dict[str, Any] = {"instructions": "system", "input": "user"}
"""Fields of a request that hold one text: they are read as a message in front."""


class OpenAIResponses(EnvelopedFormat):
    """Reads and writes OpenAI Responses items."""

    name = NAME
    title = "OpenAI Responses items"
    keys = _KEYS

    def sniff(self, document: Document) -> float:
        """Sure where items or blocks are of kinds that only this API has."""
        found = sample(document, _KEYS)
        if found.fields.get("object") == "response":
            return 0.95
        known = [item for item in found.items if is_known(item)]
        if not known or len(known) * 2 < len(found.items):
            return 0.0
        own = any(as_text(item.get("type")) not in ("", "message") for item in known)
        blocks = [as_dict(block) for item in known for block in as_list(item.get("content"))]
        if own or any(block.get("type") in ("input_text", "output_text", "input_image") for block in blocks):
            return 0.85
        return 0.6 if any(key in found.fields for key in ("input", "output")) else 0.2

    def session(self, conversation: Conversation) -> Session:
        """What the items of a conversation say."""
        fields = conversation.envelope.fields
        unread: list[Unread] = []
        items: list[dict[str, Any]] = []
        for item in conversation.items:
            if item.reason:
                unread.append(Unread(line=item.line, reason=item.reason))
            if item.value is not None:
                items.append(item.value)
                if not is_known(item.value):
                    reason = f"item of type {item.value.get('type')!r}; kept as it is"
                    unread.append(Unread(line=item.line, reason=reason))
        runs = [*grouped(items)]
        if conversation.envelope.key != "output":
            runs += grouped(item for item in as_list(fields.get("output")) if isinstance(item, dict))
        messages = [
            Message(id="", role=role, parts=(Text(text=said),), native=NativeRecord(NAME, {key: said}))
            for key, role in _BESIDE.items()
            if (said := as_text(fields.get(key)))
        ]
        messages += map(read_run, runs)
        session = session_of(messages, unread, conversation.envelope, format=NAME)
        summaries = [n for n, message in enumerate(session.messages) if message.origin == "summary"]
        boundaries = (Boundary(index=n, summary_id=session.messages[n].id) for n in summaries)
        return replace(session, boundaries=tuple(boundaries))

    def write(self, session: Session) -> Iterator[str]:
        """The session in the envelope that it came in; one of another format as a request with `input`."""
        envelope = envelope_of(session, format=NAME, key="input")
        spoken, fields = _put_beside(session.messages, envelope.fields)
        if all(is_untouched(message) for message in spoken):
            items = [item for message in spoken for item in record_of(message, NAME)]
        else:
            items = laid_out(spoken, strict=False)
        made = as_list(fields.get("output")) if envelope.key != "output" else []
        if made and [id(item) for item in items[-len(made) :]] == [id(item) for item in made]:
            items = items[: -len(made)]
        elif made:  # no longer what the model answered: all that is left is input
            fields["output"] = []
        return wrap(items, replace(envelope, fields=fields))

    def encode(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """Messages as the API's `input`: system messages where they stand, each result behind its calls.

        Raises:
            InputError: a result without its call, or a call without its result that is not the very last.

        >>> from tamis.messages import Message, Text
        >>> OpenAIResponses().encode([Message(id="1", role="user", parts=(Text(text="hi"),))])
        [{'type': 'message', 'role': 'user', 'content': 'hi'}]
        """
        return laid_out(messages, strict=True)


def _put_beside(
    messages: Sequence[Message], fields: Mapping[str, Any]
) -> tuple[list[Message], dict[str, Any]]:
    """The messages that stand in the list, and the fields with those that stand beside it.

    A text beside the list that is not among the messages any more is taken out of the fields.
    """

    def is_beside(message: Message) -> bool:
        record = record_of(message, NAME)
        return isinstance(record, dict) and message.parts == tuple(Text(text=t) for t in record.values())

    beside = [message for message in messages if is_beside(message)]
    kept = {key for message in beside for key in record_of(message, NAME)}
    gone = {key for key in _BESIDE if isinstance(fields.get(key), str) and key not in kept}
    taken = {id(message) for message in beside}
    in_list = [message for message in messages if id(message) not in taken]
    return in_list, {key: value for key, value in fields.items() if key not in gone}
