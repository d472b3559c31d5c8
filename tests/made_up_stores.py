"""Made-up stores: a tiny session of each agent, where that agent would keep it, written by ourselves."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

RULE = "Never touch the migrations folder, ops owns it."
FINDING = "The importer drops rows 544 to 600 because the parser stops at a blank line."
WORDY = " ".join(
    f"Chapter {n} of the plan is about the weather, the garden and how the evening went." for n in range(30)
)
"""A summary needs some length, or nothing could be said in as many tokens."""

SUMMARY = f"The user wants the importer fixed. The agent looked at the code and will go on. {WORDY}"


def lines(*records: Any) -> str:
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


def _claude(kind: str, number: int, content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/repo",
        "sessionId": "s-1",
        "version": "2.1.0",
        "uuid": f"u-{number}",
        "timestamp": f"2026-01-01T00:00:{number % 60:02}.000Z",
        "type": kind,
        "message": {"role": kind, "content": content, **({"model": "m"} if kind == "assistant" else {})},
        **fields,
    }


def _said(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def _call(name: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": name, "name": "Bash", "input": arguments}]


def _result(name: str, text: str) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": name, "content": text}]


def compacted_session(summary: str = SUMMARY) -> str:
    """A Claude Code log in which the agent compacted itself once, and lost what it went back to."""
    log = "\n".join(f"row {n}: field {n * 7} checked against the sheet, nothing odd" for n in range(120))
    return lines(
        _claude("user", 1, f"Please fix the importer. {RULE}"),
        _claude("assistant", 2, _call("c1", command="cat importer/parse_rows.py")),
        _claude("user", 3, _result("c1", log)),
        _claude("assistant", 4, _said(f"I see it now. {FINDING} I will look at the tests first.")),
        _claude("user", 5, summary, isCompactSummary=True),
        _claude("assistant", 6, _call("c2", command="sed -i s/a/b/ importer/parse_rows.py")),
        _claude("user", 7, _result("c2", "done")),
        _claude("assistant", 8, _said(f"Summary of the work:\n\n- {FINDING}\n- The fix is complete now.")),
    )


CLAUDE = lines(_claude("user", 1, "hello there"), _claude("assistant", 2, _said("hello to you")))
CODEX = lines(
    {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "x", "cwd": "/repo"}},
    {
        "timestamp": "2026-01-01T00:00:01Z",
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
    },
)
GEMINI = json.dumps(
    {
        "sessionId": "g",
        "projectHash": "abc",
        "messages": [
            {"id": "1", "type": "user", "content": "hi"},
            {"id": "2", "type": "gemini", "content": "hello"},
        ],
    }
)
COPILOT = lines(
    {"type": "session.start", "data": {"sessionId": "c"}, "id": "1"},
    {"type": "user.message", "data": {"content": "hi"}, "id": "2"},
    {"type": "assistant.message", "data": {"content": "hello"}, "id": "3"},
)
ANTHROPIC = json.dumps(
    [
        {"role": "user", "content": _said("<task>\nhi\n</task>")},
        {"role": "assistant", "content": _said("hello")},
    ]
)
PI = lines(
    {"type": "session", "id": "p", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/repo"},
    {"type": "message", "id": "1", "message": {"role": "user", "content": _said("hi")}},
)
AIDER = "\n# aider chat started at 2026-01-01 10:00:00\n\n#### fix the parser\n\nI will.\n"
GOOSE = lines(
    {"working_dir": "/repo", "description": "Fix", "message_count": 1},
    {"role": "user", "created": 1767225600, "content": _said("hi")},
)

FILES = {
    "Claude Code": (".claude/projects/-repo/1.jsonl", CLAUDE),
    "Codex": (".codex/sessions/2026/01/01/rollout-2026-01-01-x.jsonl", CODEX),
    "Gemini CLI": (".gemini/tmp/abc/chats/session-1.json", GEMINI),
    "Copilot CLI": (".copilot/session-state/c/events.jsonl", COPILOT),
    "Cline": (
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
        ANTHROPIC,
    ),
    "Roo Code": (
        ".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/"
        "api_conversation_history.json",
        ANTHROPIC,
    ),
    "pi": (".pi/agent/sessions/--repo--/1.jsonl", PI),
    "aider": ("code/app/.aider.chat.history.md", AIDER),
    "Goose": (".local/share/goose/sessions/20260101.jsonl", GOOSE),
}
"""Of each agent that keeps files: where, and what."""


def put(home: Path, place: str, text: str) -> Path:
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def opencode_storage(home: Path) -> Path:
    storage = home / ".local/share/opencode/storage"
    first = put(storage, "session/proj/ses_1.json", json.dumps({"id": "ses_1", "directory": "/repo"}))
    for number, (role, text) in enumerate([("user", "hi"), ("assistant", "hello")], 1):
        info = {"id": f"msg_{number}", "role": role, "time": {"created": number}}
        put(storage, f"message/ses_1/msg_{number}.json", json.dumps(info))
        put(storage, f"part/msg_{number}/prt_1.json", json.dumps({"type": "text", "text": text}))
    return first


def opencode_database(home: Path) -> Path:
    def fill(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE session (id TEXT, title TEXT, directory TEXT, time_updated INTEGER)")
        database.execute("CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)")
        database.execute("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)")
        database.execute("INSERT INTO session VALUES ('ses_9', 'Fix', '/repo', 1767225600000)")
        for number, (role, text) in enumerate([("user", "hi"), ("assistant", "hello")], 1):
            row = (f"msg_{number}", "ses_9", number, json.dumps({"role": role}))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            part = (f"prt_{number}", f"msg_{number}", "ses_9", json.dumps({"type": "text", "text": text}))
            database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", part)

    return _database(home / ".local/share/opencode/opencode.db", fill)


def goose_database(home: Path) -> Path:
    def fill(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE sessions (id TEXT, working_dir TEXT, updated_at TIMESTAMP)")
        database.execute(
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, "
            "content_json TEXT, created_timestamp INTEGER)"
        )
        database.execute("INSERT INTO sessions VALUES ('20260101_1', '/repo', '2026-01-01 00:00:00')")
        row = ("20260101_1", "user", json.dumps(_said("hi")), 1767225600)
        database.execute(
            "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?)",
            row,
        )

    return _database(home / ".local/share/goose/sessions/sessions.db", fill)


def _database(path: Path, fill: Callable[[sqlite3.Connection], None]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    fill(database)
    database.commit()
    database.close()
    return path
