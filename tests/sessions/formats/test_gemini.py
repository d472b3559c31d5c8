from __future__ import annotations

import json

import pytest

from sessions.claude_lines import save
from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read

HEADER = {"sessionId": "g-1", "projectHash": "abc", "startTime": "2026-01-01T00:00:00Z"}
ASKED = {"id": "1", "timestamp": "2026-01-01T00:00:01Z", "type": "user", "content": "go"}
REPLY = {
    "id": "2",
    "timestamp": "2026-01-01T00:00:02Z",
    "type": "gemini",
    "content": "I look.",
    "thoughts": [{"subject": "Plan", "description": "look first"}],
    "model": "gemini-x",
    "toolCalls": [
        {
            "id": "c1",
            "name": "run_shell_command",
            "args": {"command": "ls"},
            "result": [
                {
                    "functionResponse": {
                        "id": "c1",
                        "name": "run_shell_command",
                        "response": {"output": "a.py"},
                    }
                }
            ],
            "status": "success",
        }
    ],
}


def chat(folder, *, lines):
    if lines:
        return read(save(folder / "chat.jsonl", [HEADER, ASKED, {"$set": {"lastUpdated": "x"}}, REPLY]))
    path = folder / "chat.json"
    path.write_text(json.dumps({**HEADER, "messages": [ASKED, REPLY]}, indent=2), encoding="utf-8")
    return read(path)


@pytest.mark.parametrize("lines", [False, True])
def test_a_chat_is_read_with_its_calls_and_results(tmp_path, lines):
    session = chat(tmp_path, lines=lines)
    assert (session.format, session.id, session.model, session.unread) == ("gemini", "g-1", "gemini-x", ())
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text, ToolCall]
    (answer,) = session.messages[2].results
    assert (answer.text, answer.is_error) == ("a.py", False)
    assert pair_calls(session.messages).whole


def test_a_message_that_is_written_again_replaces_the_first(tmp_path):
    early = {**REPLY, "content": "I", "toolCalls": []}
    session = read(save(tmp_path / "chat.jsonl", [HEADER, ASKED, early, REPLY]))
    assert [m.text for m in session.messages if m.role == "assistant"] == ["I look."]


def test_a_saved_checkpoint_is_read(tmp_path):
    contents = [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {"path": "."}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "ls", "response": {"output": "a.py"}}}]},
    ]
    path = tmp_path / "checkpoint.json"
    path.write_text(json.dumps(contents), encoding="utf-8")
    session = read(path)
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert pair_calls(session.messages).whole


def test_qwen_lines_are_read(tmp_path):
    common = {"sessionId": "q-1", "cwd": "/repo"}
    session = read(
        save(
            tmp_path / "log.jsonl",
            [
                {
                    **common,
                    "uuid": "1",
                    "type": "user",
                    "message": {"role": "user", "parts": [{"text": "go"}]},
                },
                {
                    **common,
                    "uuid": "2",
                    "type": "assistant",
                    "model": "qwen-x",
                    "message": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "ok"}]},
                },
                {**common, "uuid": "3", "type": "system", "subtype": "ui_telemetry", "systemPayload": {}},
            ],
        )
    )
    assert (session.format, session.id, session.cwd, session.unread) == ("gemini", "q-1", "/repo", ())
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text]
