"""One log in the format of three agents: Claude Code JSONL, OpenAI chat messages, Codex rollout JSONL."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from desk import Call, Turn, changed_lines

Record = dict[str, Any]


def _clock() -> Iterator[str]:
    """Timestamps, seven seconds apart."""
    start = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
    for step in itertools.count():
        yield (start + timedelta(seconds=7 * step)).isoformat().replace("+00:00", ".000Z")


def claude_code(log: list[Turn], folder: str, name: str) -> str:
    """The log as Claude Code writes it: one JSON record a line, each naming the one before it."""
    clock, parent = _clock(), None
    lines = []
    messages = itertools.count(1)

    def line(kind: str, message: Record, **more: Any) -> None:
        nonlocal parent
        uuid = f"00000000-0000-4000-8000-{len(lines) + 1:012}"
        lines.append(
            {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": folder,
                "sessionId": name,
                "version": "1.0.60",
                "gitBranch": "main",
                "type": kind,
                "message": message,
                "uuid": uuid,
                "timestamp": next(clock),
                **more,
            }
        )
        parent = uuid

    def reply(blocks: list[Record]) -> None:
        message_id = f"msg_{next(messages):04}"
        for block in blocks:  # Claude Code writes each block of a reply on a line of its own
            message = {"id": message_id, "type": "message", "role": "assistant", "model": "example-model"}
            line("assistant", {**message, "content": [block], "stop_reason": None})

    for turn in log:
        if turn.speaker == "user":
            line("user", {"role": "user", "content": turn.text})
            continue
        blocks: list[Record] = [{"type": "text", "text": turn.text}] if turn.text else []
        results = []
        for i, call in enumerate(turn.calls, 1):
            call_id = f"toolu_{len(lines) + 1:04}_{i}"
            tool, arguments, output, details = _claude_call(call, folder)
            blocks.append({"type": "tool_use", "id": call_id, "name": tool, "input": arguments})
            result = {"type": "tool_result", "tool_use_id": call_id, "content": output}
            results.append((result | ({"is_error": True} if call.exit_code else {}), details))
        reply(blocks)
        for result, details in results:
            line("user", {"role": "user", "content": [result]}, toolUseResult=details)
    return _json_lines(lines)


def _claude_call(call: Call, folder: str) -> tuple[str, Record, str, Any]:
    """The tool's name, its input, its text, and Claude Code's own record of the result."""
    path = f"{folder}/{call.arguments.get('path')}"
    if call.kind == "run":
        error = f"Exit code {call.exit_code}\n{call.output}" if call.exit_code else call.output
        details: Any = {"stdout": call.output.rstrip("\n"), "stderr": "", "interrupted": False}
        return "Bash", {"command": call.arguments["command"]}, error.rstrip("\n"), details
    if call.kind == "read":
        numbered = "\n".join(f"{n:6}→{text}" for n, text in enumerate(call.output.splitlines(), 1))
        return "Read", {"file_path": path}, numbered, {"type": "text", "file": {"filePath": path}}
    if call.kind == "todo":
        todos = [t | {"activeForm": t["content"]} for t in _todos(call)]
        return "TodoWrite", {"todos": todos}, "Todos have been modified successfully.", {"newTodos": todos}
    after = _after(call)
    details = {"filePath": path, "structuredPatch": _hunks(call.before or "", after)}
    if call.kind == "write":
        verb = "created" if call.before is None else "updated"
        text = f"File {verb} successfully at: {path}"
        return (
            "Write",
            {"file_path": path, "content": after},
            text,
            {"type": verb.removesuffix("d"), **details},
        )
    arguments = {"file_path": path, "old_string": call.arguments["old"], "new_string": call.arguments["new"]}
    return "Edit", arguments, f"The file {path} has been updated.", details


def openai_chat(log: list[Turn], folder: str, name: str) -> str:
    """The log as a request to a chat completions API holds it: one JSON object with `messages`."""
    system = f"You are a careful programmer. You work in {folder} with the tools that you are given."
    messages: list[Record] = [{"role": "system", "content": system}]
    tools = {
        "run": "bash",
        "read": "read_file",
        "write": "write_file",
        "edit": "edit_file",
        "todo": "update_todos",
    }
    ids = itertools.count(1)
    for turn in log:
        if turn.speaker == "user":
            messages.append({"role": "user", "content": turn.text})
            continue
        calls, results = [], []
        for call in turn.calls:
            call_id = f"call_{next(ids):04}"
            arguments = json.dumps(call.arguments, ensure_ascii=False)
            function = {"name": tools[call.kind], "arguments": arguments}
            calls.append({"id": call_id, "type": "function", "function": function})
            results.append({"role": "tool", "tool_call_id": call_id, "content": _plain_output(call)})
        reply: Record = {"role": "assistant", "content": turn.text or None}
        messages += [reply | ({"tool_calls": calls} if calls else {}), *results]
    return json.dumps({"id": name, "messages": messages}, ensure_ascii=False, indent=1) + "\n"


def codex(log: list[Turn], folder: str, name: str) -> str:
    """The log as a Codex rollout: session_meta, then response items, with event messages beside them."""
    clock = _clock()
    ids = itertools.count(1)
    meta = {"id": name, "timestamp": "2025-03-03T09:00:00.000Z", "cwd": folder, "originator": "codex_cli_rs"}
    records: list[tuple[str, Record]] = [
        ("session_meta", meta | {"cli_version": "0.42.0", "instructions": None})
    ]
    for turn in log:
        role, kind = ("user", "input_text") if turn.speaker == "user" else ("assistant", "output_text")
        if turn.speaker == "user":
            context = {"cwd": folder, "approval_policy": "on-request", "model": "example-model"}
            records.append(("turn_context", context))
        if turn.text:
            content = [{"type": kind, "text": turn.text}]
            records.append(("response_item", {"type": "message", "role": role, "content": content}))
            event = "user_message" if role == "user" else "agent_message"
            records.append(("event_msg", {"type": event, "message": turn.text}))
        for call in turn.calls:
            call_id = f"call_{next(ids):04}"
            records += [("response_item", item) for item in _codex_call(call, call_id, folder)]
    return _json_lines([{"timestamp": next(clock), "type": kind, "payload": item} for kind, item in records])


def _codex_call(call: Call, call_id: str, folder: str) -> tuple[Record, Record]:
    if call.kind in ("write", "edit"):
        patch = _codex_patch(call)
        asked = {"type": "custom_tool_call", "status": "completed", "call_id": call_id, "name": "apply_patch"}
        letter = "A" if call.before is None else "M"
        text = f"Success. Updated the following files:\n{letter} {call.arguments['path']}\n"
        answer = {"type": "custom_tool_call_output", "call_id": call_id, "output": _codex_output(text, 0)}
        return asked | {"input": patch}, answer
    if call.kind == "todo":
        plan = [{"step": t["content"], "status": t["status"]} for t in _todos(call)]
        arguments: Record = {"plan": plan}
        tool, output = "update_plan", "Plan updated"
    else:
        path = call.arguments.get("path")
        command = f"cat {path}" if path else call.arguments["command"]
        arguments = {"command": ["bash", "-lc", command], "workdir": folder}
        tool, output = "shell", _codex_output(call.output, call.exit_code)
    text = json.dumps(arguments, ensure_ascii=False)
    asked = {"type": "function_call", "name": tool, "arguments": text, "call_id": call_id}
    return asked, {"type": "function_call_output", "call_id": call_id, "output": output}


def _codex_output(text: str, exit_code: int) -> str:
    metadata = {"exit_code": exit_code, "duration_seconds": 0.1}
    return json.dumps({"output": text, "metadata": metadata}, ensure_ascii=False)


def _codex_patch(call: Call) -> str:
    path, after = call.arguments["path"], _after(call)
    if call.before is None:
        body = [f"*** Add File: {path}", *(f"+{text}" for text in after.splitlines())]
    else:
        hunks = ["@@" if text.startswith("@@") else text for text in changed_lines(call.before, after)]
        body = [f"*** Update File: {path}", *hunks]
    return "\n".join(["*** Begin Patch", *body, "*** End Patch"])


def _plain_output(call: Call) -> str:
    if call.kind == "run":
        return f"{call.output}[exit code {call.exit_code}]"
    done = {"write": f"wrote {call.arguments.get('path')}", "edit": f"edited {call.arguments.get('path')}"}
    return call.output if call.kind == "read" else done.get(call.kind, "ok")


def _after(call: Call) -> str:
    """What the file holds after the call."""
    if call.kind == "write":
        return str(call.arguments["content"])
    return (call.before or "").replace(str(call.arguments["old"]), str(call.arguments["new"]))


def _hunks(before: str, after: str) -> list[Record]:
    """The change as Claude Code's structured patch."""
    hunks: list[Record] = []
    for text in changed_lines(before, after) if before else []:
        if match := re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", text):
            keys = ("oldStart", "oldLines", "newStart", "newLines")
            numbers = [int(number) if number else 1 for number in match.groups()]
            hunks.append(dict(zip(keys, numbers, strict=True)) | {"lines": []})
        else:
            hunks[-1]["lines"].append(text)
    return hunks


def _todos(call: Call) -> list[Record]:
    todos = call.arguments["todos"]
    assert isinstance(todos, list)
    return todos


def _json_lines(records: list[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)
