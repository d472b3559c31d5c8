"""OpenHands: the requests to the model that it logs, and its event streams (trajectories).

A logged request holds the whole history as OpenAI chat messages, with the response. A trajectory is a list of
events, by itself, one a line, or as `history` in the results of an evaluation (one run a line).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.messages import Message, Part, Session, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.envelope import Conversation, conversations, label, sample
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openhands.events import EventReading, is_event
from tamis.sessions.loose import as_dict, as_list, as_text, content_text, file_stem, iso_time

_EVENT_KEYS = ("history", "trajectory", "events")
_EXIT_CODE = re.compile(r"\[(?:The c|C)ommand (?:-?\d+ )?(?:finished|completed) with exit code (-?\d+)")
_FOLDER = re.compile(
    r"^\[Current working directory: (.+?)\]\s*$|^\w+@openhands-workspace:(.+?) [#$]\s*$", re.MULTILINE
)


class OpenHands:
    """Reads logged requests and event streams of OpenHands."""

    name = "openhands"
    title = "OpenHands requests and events"
    streams = True
    many = True

    def sniff(self, document: Document) -> float:
        """Certain where a request stands beside its response, or where the entries are events."""
        request = document.head_value
        if isinstance(request, dict) and isinstance(request.get("messages"), list):
            if "fncall_messages" in request or {"response", "kwargs", "args"} <= request.keys():
                return 0.95
            opening = [content_text(as_dict(message).get("content")) for message in request["messages"][:1]]
            return 0.9 if opening and opening[0].startswith("You are OpenHands agent") else 0.0
        items = sample(document, _EVENT_KEYS).items
        events = sum(is_event(item) for item in items)
        return 0.95 if events and events * 2 >= len(items) else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The session of a logged request, or one for each event stream."""
        if isinstance(document.head_value, dict) and "messages" in document.head_value:
            yield _request(document)
            return
        for found in conversations(document, _EVENT_KEYS):
            yield _stream(document, found)


def _request(document: Document) -> Session:
    data = as_dict(document.data)
    messages = as_list(data.get("fncall_messages")) or as_list(data.get("messages"))
    response = as_dict(data.get("fncall_response")) or as_dict(data.get("response"))
    answers = [as_dict(choice).get("message") for choice in as_list(response.get("choices"))[:1]]
    listed = [message for message in [*messages, *answers] if isinstance(message, dict)]
    session = OpenAIChat().decode(listed)
    kwargs = as_dict(data.get("kwargs"))
    apart = {"messages", "fncall_messages", "response"}
    beside = {key: value for key, value in data.items() if key not in apart}
    return replace(
        session,
        id=file_stem(document.path.name),
        format=OpenHands.name,
        messages=tuple(_with_outcome(message) for message in session.messages),
        model=as_text(response.get("model")) or as_text(kwargs.get("model")) or None,
        tools=tuple(as_dict(tool) for tool in as_list(kwargs.get("tools"))),
        source=str(document.path),
        meta={**beside, "usage": response.get("usage"), "recorded": iso_time(data.get("timestamp"))},
        native=None,
    )


def _with_outcome(message: Message) -> Message:
    """The exit code and folder that OpenHands writes below the output of a command."""

    def outcome(part: Part) -> Part:
        if not isinstance(part, ToolResult):
            return part
        code = _EXIT_CODE.search(part.text[-200:])
        known = int(code[1]) if code and int(code[1]) >= 0 else None
        return replace(part, exit_code=known, is_error=part.text.startswith("ERROR:\n") or None)

    parts = tuple(map(outcome, message.parts))
    found = [match for part in message.results for match in _FOLDER.finditer(part.text)]
    folders = [match[1] or match[2] for match in found]
    if parts == message.parts and not folders:
        return message
    return replace(message, parts=parts, cwd=folders[-1] if folders else None)


def _stream(document: Document, found: Conversation) -> Session:
    builder = SessionBuilder(format=OpenHands.name, id=label(document, found))
    reading = EventReading(builder)
    for number, event in builder.values(found.items):
        reading.take(number, event)
    builder.meta = {key: value for key, value in found.envelope.fields.items() if key != found.envelope.key}
    config = as_dict(as_dict(builder.meta.get("metadata")).get("llm_config"))
    builder.model = builder.model or as_text(config.get("model")) or None
    builder.meta |= {"harness_events": reading.beside} if reading.beside else {}
    return builder.session(document)
