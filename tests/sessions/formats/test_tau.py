from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tamis.messages import Session, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.tau import Tau2Bench, TauBench

RUN = {
    "task_id": 3,
    "trial": 1,
    "reward": 1.0,
    "info": {"task": {"instruction": "Cancel it."}},
    "traj": [
        {"role": "system", "content": "# Policy"},
        {"role": "user", "content": "Cancel #W1."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "cancel", "arguments": '{"id": "#W1"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "name": "cancel", "content": "cancelled"},
    ],
}

SIMULATION: dict[str, Any] = {
    "id": "s-1",
    "task_id": "t-9",
    "trial": 0,
    "reward_info": {"reward": 0.5},
    "messages": [
        {"role": "assistant", "content": "Hi!", "turn_idx": 0, "timestamp": "2026-01-01T00:00:00"},
        {
            "role": "user",
            "content": None,
            "tool_calls": [{"id": "u1", "name": "toggle", "arguments": {"on": True}, "requestor": "user"}],
        },
        {"id": "u1", "role": "tool", "content": "on", "requestor": "user", "error": False},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "a1", "name": "look", "arguments": {"q": 1}, "requestor": "assistant"},
                {"id": "a2", "name": "look", "arguments": "{bad", "requestor": "assistant"},
            ],
            "raw_data": {"message": {"role": "assistant", "reasoning_content": "Look twice."}},
        },
        {
            "role": "tool",
            "tool_messages": [
                {"id": "a1", "role": "tool", "content": "one", "requestor": "assistant", "error": False},
                {"id": "a2", "role": "tool", "content": "no", "requestor": "assistant", "error": True},
            ],
        },
    ],
}
RESULTS = {
    "info": {
        "user_info": {},
        "agent_info": {"llm": "m-1"},
        "environment_info": {"domain_name": "telecom", "policy": "# Policy"},
    },
    "tasks": [{"id": "t-9", "ticket": "It does not work."}],
    "simulations": [SIMULATION, {**SIMULATION, "trial": 1, "messages": [{"role": "ghost"}]}],
}


def read_tau2(tmp_path: Path) -> list[Session]:
    path = tmp_path / "results.json.gz"
    path.write_bytes(gzip.compress(json.dumps(RESULTS).encode()))
    assert Tau2Bench().sniff(Document(path)) == 0.95
    return list(Tau2Bench().read(Document(path)))


def test_a_run_is_a_session_with_its_task(tmp_path: Path) -> None:
    path = tmp_path / "gpt.json"
    path.write_text(json.dumps([RUN, {**RUN, "task_id": 4}], indent=2))
    assert TauBench().sniff(Document(path)) == 0.95
    first, second = TauBench().read(Document(path))
    assert [first.id, second.id] == ["gpt#3.1", "gpt#4.1"]
    assert first.meta["reward"] == 1.0
    assert [m.role for m in first.messages] == ["system", "user", "assistant", "tool"]
    assert pair_calls(first.messages).whole


def test_a_transcript_has_calls_that_were_not_written_down(tmp_path: Path) -> None:
    path = tmp_path / "few_shot.jsonl"
    shown = "user: Hi,\nuser name is x\nassistant: None\ntool: found\nassistant: Done."
    path.write_text(json.dumps({"messages_display": shown}) + "\n" + json.dumps({"other": 1}) + "\n")
    first, second = TauBench().read(Document(path))
    assert [m.role for m in first.messages] == ["user", "assistant", "tool", "assistant"]
    assert first.messages[0].text == "Hi,\nuser name is x"
    assert first.messages[1].parts == (ToolCall(id="call-1", name="unknown"),)
    assert first.messages[2].parts == (ToolResult(call_id="call-1", text="found"),)
    assert second.unread[0].line == 2


def test_every_simulation_is_a_session(tmp_path: Path) -> None:
    first, second = read_tau2(tmp_path)
    assert [first.id, second.id] == ["results#t-9.0", "results#t-9.1"]
    assert first.model == "m-1"
    assert first.meta["task"]["ticket"] == "It does not work."
    assert first.meta["reward_info"] == {"reward": 0.5}
    assert second.unread[0].reason == "message with the role 'ghost'"


def test_the_policy_is_the_system_prompt(tmp_path: Path) -> None:
    message = read_tau2(tmp_path)[0].messages[0]
    assert (message.role, message.text) == ("system", "# Policy")


def test_calls_of_the_user_stay_the_users(tmp_path: Path) -> None:
    messages = read_tau2(tmp_path)[0].messages
    assert messages[2].role == "user"
    assert messages[2].parts == (ToolCall(id="u1", name="toggle", arguments={"on": True}),)
    assert messages[3].parts == (ToolResult(call_id="u1", text="on", is_error=False),)
    assert messages[3].results[0].details == {"requestor": "user"}
    assert pair_calls(messages).whole


def test_parallel_calls_bad_arguments_reasoning_and_errors_are_read(tmp_path: Path) -> None:
    messages = read_tau2(tmp_path)[0].messages
    assert messages[4].parts == (
        Thinking(text="Look twice."),
        ToolCall(id="a1", name="look", arguments={"q": 1}),
        ToolCall(id="a2", name="look", raw_arguments="{bad"),
    )
    assert [m.results[0].is_error for m in messages[5:]] == [False, True]
    assert messages[1].parts == (Text(text="Hi!"),)


def test_other_files_are_left_to_others(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in ('[{"role": "user", "content": "x"}]', '{"messages": []}', '{"info": 1}', "[]", "1"):
        path.write_text(text)
        assert Tau2Bench().sniff(Document(path)) == 0.0
        assert TauBench().sniff(Document(path)) == 0.0
