"""Chat with calls and results in its text, between tags.

    <think>...</think> <tool_call>{"name": "search", "arguments": {...}}</tool_call>
    <tool_response>...</tool_response>

So Qwen, Hermes and what is trained on their template (WebDancer and other research agents) keep their
trajectories: `{role, content}` or, as ShareGPT has it, `{from, value}`. Where the first message of the user
explains the tools and only its last paragraph, after `User:`, asks for something, the explanation is read as
a system message.
"""

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from tamis.messages import Part, Role, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.envelope import Conversation, conversations, label, sample
from tamis.sessions.loose import as_list, as_text, content_text, parse_arguments, tool_call

_KEYS = ("messages", "conversations")
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "human": "user", "assistant": "assistant"}
_ROLES |= {"gpt": "assistant", "tool": "tool", "function": "tool", "observation": "tool"}
_TAGS = re.compile(r"<(think|tool_call|answer)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_ANSWERS = re.compile(r"\A\s*<tool_response>")
_RESPONSES = re.compile(r"<tool_response>(.*?)(?:</tool_response>|\Z)\s*", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"]+)"')
_TOOLS = re.compile(r"\A(?>.*?<tools>)(.*?)</tools>", re.DOTALL)
_ASKED = re.compile(r"\A(.*)\nUser:[ \n]*+(?=\S)", re.DOTALL)


class TaggedCalls:
    """Chats with `<tool_call>` and `<tool_response>` in the text: read only."""

    name = "tagged-calls"
    title = "Chat with <tool_call> in its text (WebDancer, Qwen, Hermes)"
    streams = True
    many = True

    def sniff(self, document: Document) -> float:
        """Sure by a reply that begins or ends a call, or by a message that is nothing but a response."""
        said = [_said(item) for item in sample(document, _KEYS).items]
        calls = any(role == "assistant" and re.search(r"<tool_call>\s*\{", text) for role, text in said)
        answers = any(role in ("user", "tool") and _ANSWERS.match(text) for role, text in said)
        return 0.9 if calls or answers else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The conversations of the file, one session each."""
        for found in conversations(document, _KEYS):
            yield _builder(found, label(document, found)).session(document)


def _said(item: Mapping[str, Any]) -> tuple[Role | None, str]:
    role = _ROLES.get(as_text(item.get("role")) or as_text(item.get("from")))
    return role, content_text(item.get("content") if "content" in item else item.get("value"))


def _builder(found: Conversation, name: str) -> SessionBuilder:
    builder = SessionBuilder(format=TaggedCalls.name, id=name)
    waiting: deque[ToolCall] = deque()
    fields = found.envelope.fields
    for number, item in builder.values(found.items):
        role, text = _said(item)
        if role is None:
            builder.miss(number, f"unknown role {item.get('role')!r}")
        elif role == "assistant":
            parts = list(_reply(text, number))
            waiting = deque(part for part in parts if isinstance(part, ToolCall))
            builder.add("assistant", parts)
        elif role == "tool" or _ANSWERS.match(text):
            builder.add("tool", list(_results(text, waiting)))
        elif role == "user" and not builder.messages[1:] and (asked := _asked(text)):
            builder.add("system", asked[1])
            builder.add("user", text[asked.end() :])
        else:
            builder.add(role, text)
    builder.meta |= {key: fields[key] for key in ("task", "tag", "answer") if fields.get(key)}
    builder.tools = _tools(fields, builder)
    return builder


def _asked(text: str) -> re.Match[str] | None:
    """The tools and what is asked behind them, where both stand in one message."""
    found = _ASKED.match(text) if "</tools>" in text else None
    return found if found and "</tools>" in found[1] else None


def _reply(text: str, position: int) -> Iterator[Part]:
    """The thinking, calls and prose of the reply at this position; the tags of an answer are taken off."""
    at = 0
    for n, tag in enumerate(_TAGS.finditer(text), 1):
        if prose := text[at : tag.start()].strip():
            yield Text(text=prose)
        at = tag.end()
        inner = tag[2].strip()
        if tag[1] == "tool_call":
            yield _call(inner, f"call-{position}-{n}")
        elif inner:
            yield Thinking(text=inner) if tag[1] == "think" else Text(text=inner)
    if prose := text[at:].strip():
        yield Text(text=prose)


def _call(written: str, call_id: str) -> ToolCall:
    """A call as the model wrote it; what is no JSON is kept as it stands."""
    parsed, _ = parse_arguments(written)
    if name := as_text(parsed.get("name")):
        return tool_call(call_id, name, parsed.get("arguments", parsed.get("parameters")))
    named = _NAME.search(written)
    return ToolCall(id=call_id, name=named[1] if named else "unknown", raw_arguments=written)


def _results(text: str, waiting: deque[ToolCall]) -> Iterator[ToolResult]:
    """The responses in a message, each to the oldest call that waits for one; text beside them is kept."""
    found = [match[1] for match in _RESPONSES.finditer(text)]
    beside = _RESPONSES.sub("", text).strip()
    for n, response in enumerate(found or [text]):
        call = waiting.popleft() if waiting else None
        more = f"\n{beside}" if found and beside and n == len(found) - 1 else ""
        text = response.removeprefix("\n").removesuffix("\n") + more
        yield ToolResult(call_id=call.id if call else "", text=text, name=call.name if call else None)


def _tools(fields: Mapping[str, Any], builder: SessionBuilder) -> tuple[Mapping[str, Any], ...]:
    """The tools' definitions: beside the messages, or between `<tools>` tags where they are JSON."""
    given = as_list(fields.get("tools")) or as_list(fields.get("functions"))
    written = _TOOLS.search("\n".join(m.text for m in builder.messages[:2] if m.role == "system"))
    if not given and written:
        try:
            given = as_list(json.loads(f"[{written[1].strip().rstrip(',')}]"))
        except (ValueError, RecursionError):
            given = []
    return tuple(tool for tool in given if isinstance(tool, dict))
