# ruff: noqa: E501 (the logs are read best with one line an event)
from __future__ import annotations

import pytest

from sessions.claude_lines import save, text
from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read

LOGS = {
    "cursor": [
        {"role": "user", "message": {"content": [text("go")]}},
        {"role": "assistant", "message": {"content": [text("I look."), {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}},
        {"role": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": [text("a.py")]}]}},
    ],
    "droid": [
        {"type": "system", "session_id": "d-1", "cwd": "/repo", "model": "droid"},
        {"type": "message", "session_id": "d-1", "role": "user", "text": "go"},
        {"type": "message", "session_id": "d-1", "role": "assistant", "text": "I look."},
        {"type": "tool_call", "toolCallId": "c1", "toolName": "Bash", "parameters": {"command": "ls"}, "id": "x"},
        {"type": "tool_result", "toolCallId": "c1", "value": {"stdout": "a.py", "exitCode": 0}, "id": "y"},
    ],
    "kimi": [
        {"type": "context.append_message", "message": {"role": "user", "content": [text("go")]}, "time": 1785612812820},
        {"type": "context.append_loop_event", "event": {"type": "content.part", "part": text("I look.")}, "time": 1},
        {
            "type": "context.append_loop_event",
            "event": {"type": "tool.call", "toolCallId": "c1", "name": "Bash", "args": {"command": "ls"}},
            "time": 2,
        },
        {"type": "context.append_loop_event", "event": {"type": "tool.result", "toolCallId": "c1", "result": {"output": "a.py"}}, "time": 3},
    ],
    "antigravity": [
        {"step_index": 0, "source": "USER_EXPLICIT", "type": "USER_INPUT", "content": "<USER_REQUEST>\ngo\n</USER_REQUEST>"},
        {
            "step_index": 1,
            "source": "MODEL",
            "type": "PLANNER_RESPONSE",
            "content": "I look.",
            "tool_calls": [{"name": "Bash", "args": {"command": "ls"}}],
        },
        {"step_index": 2, "source": "MODEL", "type": "RUN_COMMAND", "content": "a.py"},
    ],
    "grok": [
        {"type": "user", "content": [text("go")]},
        {
            "type": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "c1", "name": "Bash", "arguments": '{"command": "ls"}'}],
        },
        {"type": "tool_result", "tool_call_id": "c1", "content": "a.py"},
    ],
    "workbuddy": [
        {"kind": "message", "author": {"role": "human"}, "content": {"text": "go"}},
        {"kind": "message", "author": {"role": "assistant"}, "message": {"content": [{"text": "I look."}]}},
        {"kind": "tool-call", "function": {"name": "Bash"}, "parameters": {"command": "ls"}},
        {"kind": "tool-result", "functionName": "Bash", "message": {"content": "a.py"}},
    ],
    "home-made": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "I look."},
        {"type": "tool_call", "function": {"name": "Bash"}, "arguments": '{"command": "ls"}'},
        {"type": "tool_result", "name": "Bash", "result": "a.py"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("agent", LOGS)
def test_the_same_story_is_read_from_every_agents_log(tmp_path, agent):
    session = read(save(tmp_path / "log.jsonl", LOGS[agent]), "agent-events")
    assert [message.role for message in session.messages] == ["user", "assistant", "tool"]
    asked, looked, answered = session.messages
    assert (asked.text, looked.text, answered.results[0].text) == ("go", "I look.", "a.py")
    assert (looked.calls[0].name, dict(looked.calls[0].arguments)) == ("Bash", {"command": "ls"})
    assert pair_calls(session.messages).whole
    assert session.unread == ()


@pytest.mark.parametrize("agent", LOGS)
def test_a_log_is_recognised_by_what_it_holds(tmp_path, agent):
    path = save(tmp_path / "log.txt", LOGS[agent])
    assert [message.role for message in read(path).messages][:2] == ["user", "assistant"]


def test_thinking_and_what_is_said_next_are_one_message(tmp_path):
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
    session = read(
        save(tmp_path / "log.jsonl", [LOGS["grok"][0], thought, *LOGS["grok"][1:]]), "agent-events"
    )
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text, ToolCall]


def test_exit_codes_are_kept(tmp_path):
    droid = read(save(tmp_path / "log.jsonl", LOGS["droid"]), "agent-events")
    assert droid.messages[-1].results[0].exit_code == 0


def test_times_since_1970_become_iso_times(tmp_path):
    session = read(save(tmp_path / "log.jsonl", LOGS["kimi"]), "agent-events")
    assert session.messages[0].timestamp.startswith("2026-08-01T19:33:32")


def test_a_compaction_is_a_boundary(tmp_path):
    entry = {"type": "context.apply_compaction", "summary": "So far.", "tokensBefore": 9, "time": 4}
    session = read(save(tmp_path / "log.jsonl", [*LOGS["kimi"], entry]), "agent-events")
    assert [(b.index, b.tokens_before) for b in session.boundaries] == [(3, 9)]
    assert session.messages[3].origin == "summary"


def test_an_event_that_cannot_be_placed_is_counted(tmp_path):
    session = read(save(tmp_path / "log.jsonl", [*LOGS["grok"], {"type": "hologram"}]), "agent-events")
    assert [(u.line, u.reason) for u in session.unread] == [(4, "event of type 'hologram'")]
