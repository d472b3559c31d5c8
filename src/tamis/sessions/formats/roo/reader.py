"""Roo Code's and Cline's `api_conversation_history.json`: Anthropic messages with the tools written as text.

The model writes a call as XML in its reply; the answer is user text under `[read_file for 'a.py'] Result:`.
Newer versions use native tool calls, and both may stand in one file. What the extension adds of its own
(`<environment_details>`, reminders, task resumption) has the origin `meta`; a summary that replaced older
messages has the origin `summary` and a `Boundary`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.messages import Media, Origin, Part, Role, Session, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.blocks import tool_result
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.document import Document
from tamis.sessions.formats.roo.tool_results import (
    PendingResult,
    answered_tool,
    read_answer,
    split_environment,
    tools_named,
)
from tamis.sessions.loose import as_dict, as_list, as_text, content_text, first_text, iso_time, tool_call
from tamis.sessions.xml_calls import find_elements, split_calls

TOOLS = frozenset(
    {"access_mcp_resource", "act_mode_respond", "apply_diff", "apply_patch", "ask_followup_question"}
    | {"attempt_completion", "browser_action", "codebase_search", "condense", "delete_file", "edit_file"}
    | {"execute_command", "fetch_instructions", "focus_chain", "generate_image", "insert_content"}
    | {"list_code_definition_names", "list_files", "load_mcp_documentation", "new_rule", "new_task"}
    | {"plan_mode_respond", "read_file", "replace_in_file", "report_bug", "run_slash_command"}
    | {"search_and_replace", "search_files", "search_replace", "skill", "switch_mode", "update_todo_list"}
    | {"use_mcp_tool", "web_fetch", "web_search", "write_to_file"}
)
"""The tools of Roo Code, Cline and Kilo Code. A tool that a result names is known as well."""


_INTERRUPTED = re.compile(r"(?<!\n)\n*+\[Response interrupted by [^\[\]\n]*\]\s*$")
_BY_EXTENSION = ("[ERROR] ", "[TASK RESUMPTION]", "<environment_details>", "<system-reminder>")
_CONTINUED = "This session is being continued from a previous conversation"
_CWD = re.compile(r"^# Current Work(?:space|ing) Directory \((.+?)\) Files", re.MULTILINE)
_MODEL = re.compile(r"<model>([^<\n]+)</model>")


class Roo:
    """Reads the conversation files of Roo Code, Cline and Kilo Code."""

    name = "roo"
    title = "Roo Code / Cline api_conversation_history.json"
    streams = False
    many = False

    def sniff(self, document: Document) -> float:
        """Certain where messages carry what the extension adds to every user turn."""
        head = document.head
        opens = re.match(r'\s*(?:\[\s*\{|\{\s*"version"\s*:)', head)
        if document.kind != "json" or '"role"' not in head or not opens:
            return 0.0
        if "<environment_details>" in head or "] Result:" in head:
            return 0.95
        return 0.8 if "<task>" in head and '"ts"' in head else 0.0

    def read(self, document: Document) -> Iterator[Session]:
        """The one session of the file."""
        data = document.data
        items = as_list(data if isinstance(data, list) else as_dict(data).get("messages"))
        reading = _Reading(tools=TOOLS | tools_named(items))
        for number, item in enumerate(items, 1):
            reading.take(number, as_dict(item))
        builder = reading.builder
        surroundings = "\n".join(m.text for m in builder.messages if m.origin == "meta")
        builder.first_cwd, builder.model = _first(_CWD, surroundings), _first(_MODEL, surroundings)
        yield builder.session(document)


@dataclass(slots=True)
class _Reading:
    tools: frozenset[str]
    builder: SessionBuilder = field(default_factory=lambda: SessionBuilder(format=Roo.name))
    waiting: list[ToolCall] = field(default_factory=list)

    def take(self, number: int, item: dict[str, Any]) -> None:
        role, content, ts = item.get("role"), item.get("content"), item.get("ts")
        when = iso_time(ts / 1000 if isinstance(ts, int) else None)
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)
        if item.get("type") == "reasoning" and role is None:
            role, blocks = "assistant", [item]
        if item.get("isSummary") or item.get("isTruncationMarker"):
            summary = bool(item.get("isSummary"))
            self.builder.cut(None if summary else "truncation")
            said = [Text(text=content_text(blocks))]
            speaker: Role = "assistant" if role == "assistant" else "user"
            self.builder.add(speaker, said, timestamp=when, origin="summary" if summary else "meta")
        elif role == "assistant":
            self._assistant(number, item, blocks, when)
        elif role in ("user", "tool"):
            self._user(number, blocks, when)
        elif role == "system":
            self.builder.add("system", [Text(text=content_text(content))], timestamp=when)
        else:
            self.builder.miss(number, f"message with the role {role!r}")

    def _assistant(self, number: int, item: dict[str, Any], blocks: list[Any], when: str | None) -> None:
        parts: list[Part] = []
        if reasoning := as_text(item.get("reasoning_content")):
            parts.append(Thinking(text=reasoning))
        for block in map(as_dict, blocks):
            kind = block.get("type")
            if kind == "text":
                parts += self._written(as_text(block.get("text")), number, len(parts))
            elif kind in ("tool_use", "tool-call"):
                call_id, name = first_text(block, "id", "toolCallId"), first_text(block, "name", "toolName")
                parts.append(tool_call(call_id or "", name or "", block.get("input")))
            elif kind in ("thinking", "reasoning"):
                said = first_text(block, "thinking", "text") or content_text(block.get("summary"))
                parts.append(Thinking(text=said, signature=block.get("signature")))
            else:
                self.builder.miss(number, f"assistant block of type {kind!r}")
        self.waiting = [part for part in parts if isinstance(part, ToolCall)]
        self.builder.add("assistant", parts, timestamp=when)

    def _written(self, text: str, number: int, before: int) -> Iterator[Part]:
        """The parts of a reply's text: thoughts, prose, calls, and the note of an interruption."""
        cut = _INTERRUPTED.search(text)
        body = text[: cut.start()] if cut else text
        at = count = 0
        for thought in [*find_elements(body, {"thinking"}), None]:
            for piece in split_calls(body[at : thought.start if thought else None], self.tools):
                if isinstance(piece, str):
                    yield Text(text=piece)
                else:
                    count += 1
                    call_id = f"message-{number}-{before + count}"
                    yield ToolCall(id=call_id, name=piece.name, arguments=piece.arguments)
            if thought:
                yield Thinking(text=thought.inner)
                at = thought.end
        if cut:
            yield Text(text=cut.group().strip())

    def _user(self, number: int, blocks: list[Any], when: str | None) -> None:
        results: list[ToolResult] = []
        said: list[Part] = []
        around: list[Part] = []
        answering: PendingResult | None = None
        for block in map(as_dict, blocks):
            kind = block.get("type")
            if kind == "text":
                text, environment = split_environment(as_text(block.get("text")))
                around += [Text(text=environment)] if environment else []
                if opened := self._answer_opened(text):
                    answering = opened
                    results.append(ToolResult(call_id=opened.call.id, text="", name=opened.call.name))
                    text = opened.rest
                if answering and (text.strip() or opened):
                    results[-1], spoken = read_answer(answering.call, text)
                    said += spoken
                    answering = None if text.strip() else answering
                elif text:
                    (around if text.startswith(_BY_EXTENSION) else said).append(Text(text=text))
            elif kind in ("tool_result", "tool-result"):
                results.append(self._native_result(block))
            elif kind in ("image", "document", "file"):
                said.append(_media(block))
            else:
                self.builder.miss(number, f"user block of type {kind!r}")
        self.builder.add("tool", results, timestamp=when)
        first = said[0].text if said and isinstance(said[0], Text) else ""
        origin: Origin = "conversation"
        if first.startswith(_CONTINUED):
            self.builder.cut()
            origin = "summary"
        self.builder.add("user", said, timestamp=when, origin=origin)
        self.builder.add("user", around, timestamp=when, origin="meta")

    def _answer_opened(self, text: str) -> PendingResult | None:
        tool, rest = answered_tool(text)
        call = next((call for call in self.waiting if call.name == tool), None)
        if call is None:
            return None
        self.waiting.remove(call)
        return PendingResult(call, rest)

    def _native_result(self, block: dict[str, Any]) -> ToolResult:
        call_id = first_text(block, "tool_use_id", "toolCallId") or ""
        name = next((c.name for c in self.waiting if c.id == call_id), first_text(block, "toolName"))
        output = as_dict(block.get("output"))
        content = block.get("content") if "content" in block else output.get("value", block.get("output"))
        media = tuple(_media(b) for b in map(as_dict, as_list(content)) if b.get("type") == "image")
        result = tool_result(call_id, content_text(content), name=name, failed=block.get("is_error"))
        return replace(result, media=media)


def _media(block: dict[str, Any]) -> Media:
    source = as_dict(block.get("source"))
    return Media(
        kind="image" if block.get("type") == "image" else "document",
        mime=first_text(source, "media_type") or first_text(block, "mediaType"),
        data=first_text(source, "data") or first_text(block, "image", "data"),
        url=first_text(source, "url"),
    )


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None
