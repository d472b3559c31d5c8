"""mini-swe-agent trajectories (`.traj.json`): one JSON object with `info` and `messages`.

Version 1 asks for a command in a fenced block of the reply's text, version 2 in a tool call; both get it back
as `<returncode>0</returncode><output>...</output>`. Messages of the role `exit` are the program's own note of
how it ended; what they hold stands in `Session.meta`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tamis.messages import Message, Origin, Part, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.loose import as_dict, as_list, as_text, content_text, iso_time, tool_call

_FENCE = re.compile(r"^```[ \t]*+(\w*+)[ \t]*+$\n?", re.MULTILINE)
_RESULTS = ("Observation:", "<exception>", "<output>", "<warning>", "The last command <command>")
"""How version 1's templates begin without an exit status: it failed, ran too long, printed too much."""
_SHELLS = frozenset({"bash", "sh", "mswea_bash_command"})
_RETURN_CODE = re.compile(r"\A\s*<returncode>\s*(-?\d+)\s*</returncode>\s*")
_OUTPUT = re.compile(r"\A<output>\n?(.*)</output>\s*", re.DOTALL)


class MiniSweAgent:
    """Reads mini-swe-agent trajectories, versions 1 and 2."""

    name = "mini-swe-agent"
    title = "mini-swe-agent .traj.json"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Certain where the head names the program's version or format, likely by the keys of `info`."""
        head = document.head
        if document.kind != "json" or not head.lstrip().startswith("{"):
            return 0.0
        if '"mini_version"' in head or '"mini-swe-agent-' in head:
            return 0.97
        opens = re.match(r'\s*\{\s*"info"\s*:\s*\{', head)
        return 0.6 if opens and '"model_stats"' in head and '"trajectory"' not in head else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        data = as_dict(document.data)
        info = as_dict(data.get("info"))
        config = as_dict(info.get("config"))
        items = as_list(data.get("messages"))
        last = as_dict(as_dict(items[-1]).get("extra")) if items else {}
        builder = SessionBuilder(
            format=self.name,
            first_cwd=as_text(as_dict(config.get("environment")).get("cwd")) or None,
            model=as_text(as_dict(config.get("model")).get("model_name")) or _model(items),
            meta={
                "instance_id": data.get("instance_id"),
                "final_diff": as_text(info.get("submission")) or None,
                "exit_status": info.get("exit_status") or last.get("exit_status"),
                "error": info.get("exception_str"),
                "mini_version": info.get("mini_version"),
                "trajectory_format": data.get("trajectory_format"),
                "model_stats": info.get("model_stats"),
            },
        )
        _converse(builder, items)
        yield builder.session(document)


def _converse(builder: SessionBuilder, items: Sequence[Any]) -> None:
    waiting: list[ToolCall] = []
    for number, raw in enumerate(items, 1):
        item = as_dict(raw)
        role = item.get("role")
        when = iso_time(as_dict(item.get("extra")).get("timestamp"))
        if role == "system":
            builder.add("system", [Text(text=content_text(item.get("content")))], timestamp=when)
        elif role == "assistant" or item.get("object") == "response":
            parts = _said(item, number)
            waiting = [part for part in parts if isinstance(part, ToolCall)]
            builder.messages.append(Message(id="", role="assistant", parts=parts, timestamp=when))
        elif role == "tool" or item.get("type") == "function_call_output":
            call_id = as_text(item.get("tool_call_id") or item.get("call_id"))
            name = next((call.name for call in waiting if call.id == call_id), None)
            result = _result(content_text(item.get("content") or item.get("output")), call_id, name)
            builder.add("tool", [result], timestamp=when)
        elif role == "user":  # version 1's observation where a command waits for one, else what was said
            text = content_text(item.get("content"))
            if waiting and (_RETURN_CODE.match(text) or text.startswith(_RESULTS)):
                builder.add("tool", [_result(text, call.id, call.name) for call in waiting], timestamp=when)
            else:
                by_program = "interrupt_type" in as_dict(item.get("extra"))
                origin: Origin = "meta" if by_program else "conversation"
                builder.add("user", [Text(text=text)], origin=origin, timestamp=when)
            waiting = []
        elif role != "exit":  # an exit message repeats `info`
            builder.miss(number, f"message with the role {role!r}")


def _said(item: dict[str, Any], number: int) -> tuple[Part, ...]:
    if item.get("object") == "response":
        return _said_in_response(item)
    reasoning, text = as_text(item.get("reasoning_content")), content_text(item.get("content"))
    calls = [_call(as_dict(call)) for call in as_list(item.get("tool_calls"))]
    said = [Text(text=text)] if text else []
    thought = [Thinking(text=reasoning)] if reasoning else []
    return (*thought, *([*said, *calls] if calls else _fenced_calls(text, number)))


def _fenced_calls(text: str, number: int) -> Iterator[Part]:
    """Version 1: the prose, and each fenced command as a call in its place."""
    at = count = 0
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
            continue
        if fence.group(1):  # a fence inside of a fence is content
            continue
        if opening.group(1) in _SHELLS:
            if before := text[at : opening.start()].strip("\n"):
                yield Text(text=before)
            count += 1
            command = text[opening.end() : fence.start()].removesuffix("\n")
            call_id = f"message-{number}" if count == 1 else f"message-{number}-{count}"
            yield ToolCall(id=call_id, name="bash", arguments={"command": command})
            at = fence.end()
        opening = None
    if rest := text[at:].strip("\n"):
        yield Text(text=rest)


def _said_in_response(item: dict[str, Any]) -> tuple[Part, ...]:
    """A reply of OpenAI's Responses API, kept whole: `output` items instead of content."""
    parts: list[Part] = []
    for raw in as_list(item.get("output")):
        output = as_dict(raw)
        if output.get("type") == "function_call":
            parts.append(_call({"id": output.get("call_id"), "function": output}))
        elif output.get("type") == "reasoning":
            if summary := content_text(output.get("summary")):
                parts.append(Thinking(text=summary))
        elif text := content_text(output.get("content")):
            parts.append(Text(text=text))
    return tuple(parts)


def _call(call: dict[str, Any]) -> ToolCall:
    function = as_dict(call.get("function"))
    return tool_call(as_text(call.get("id")), as_text(function.get("name")), function.get("arguments"))


def _result(text: str, call_id: str, name: str | None) -> ToolResult:
    """What a command gave back; the marks around code and output are taken off, any other wording is kept."""
    code = _RETURN_CODE.match(text)
    if code is None:
        failed = True if text.startswith("<exception>") else None
        return ToolResult(call_id=call_id, name=name, text=text, is_error=failed)
    rest = text[code.end() :]
    whole = _OUTPUT.fullmatch(rest)
    return ToolResult(call_id=call_id, name=name, text=whole[1] if whole else rest, exit_code=int(code[1]))


def _model(items: Sequence[Any]) -> str | None:
    responses = (as_dict(as_dict(as_dict(item).get("extra")).get("response")) for item in items)
    return next((as_text(r.get("model")) for r in responses if as_text(r.get("model"))), None)
