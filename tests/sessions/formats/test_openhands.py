from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tamis.messages import Session, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.openhands.reader import OpenHands

TOOL = {"type": "function", "function": {"name": "execute_bash"}}
REQUEST: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "You are OpenHands agent."}]},
        {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "I look."}],
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "execute_bash", "arguments": '{"command": "ls"}'},
                }
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "t1",
            "name": "execute_bash",
            "content": [
                {
                    "type": "text",
                    "text": "a.py\n[Current working directory: /work/repo]\n"
                    "[Command finished with exit code 3]",
                }
            ],
        },
    ],
    "response": {
        "model": "m-1",
        "choices": [{"message": {"role": "assistant", "content": "Done."}}],
        "usage": {"n": 1},
    },
    "args": [],
    "kwargs": {"tools": [TOOL], "temperature": 0},
    "timestamp": 1733339462.5,
    "cost": 0.07,
}


def response(*calls: tuple[str, str, str]) -> dict[str, Any]:
    listed = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    message = {"role": "assistant", "content": "Both.", "tool_calls": listed}
    return {"id": "r1", "model": "m-1", "choices": [{"message": message}]}


BOTH = response(("t1", "execute_bash", '{"command": "ls"}'), ("t2", "str_replace_editor", '{"path": "a.py"}'))
EVENTS: list[dict[str, Any]] = [
    {
        "id": 0,
        "source": "agent",
        "action": "system",
        "args": {"content": "You are OpenHands.", "tools": [TOOL]},
    },
    {
        "id": 1,
        "source": "user",
        "action": "message",
        "args": {"content": "Fix it.", "image_urls": []},
        "timestamp": "T",
    },
    {"id": 2, "source": "user", "action": "recall", "args": {"query": "Fix it."}},
    {
        "id": 3,
        "source": "environment",
        "cause": 2,
        "observation": "recall",
        "content": "Added",
        "extras": {"repo_instructions": "Run make test."},
    },
    {
        "id": 4,
        "source": "agent",
        "action": "run",
        "args": {"command": "ls", "thought": "Both."},
        "tool_call_metadata": {"function_name": "execute_bash", "tool_call_id": "t1", "model_response": BOTH},
    },
    {
        "id": 5,
        "source": "agent",
        "cause": 4,
        "observation": "run",
        "content": "a.py",
        "extras": {
            "command": "ls",
            "metadata": {"exit_code": 1, "working_dir": "/work/repo", "suffix": "\n[done]"},
        },
        "tool_call_metadata": {"tool_call_id": "t1"},
    },
    {
        "id": 6,
        "source": "agent",
        "action": "edit",
        "args": {"path": "a.py", "command": "create"},
        "tool_call_metadata": {
            "function_name": "str_replace_editor",
            "tool_call_id": "t2",
            "model_response": BOTH,
        },
    },
    {
        "id": 7,
        "source": "agent",
        "cause": 6,
        "observation": "error",
        "content": "exists",
        "extras": {"error_id": "E"},
        "tool_call_metadata": {"tool_call_id": "t2"},
    },
    {
        "id": 8,
        "source": "agent",
        "action": "condensation",
        "args": {"summary": "So far: a.py.", "forgotten_event_ids": [4]},
    },
    {
        "id": 9,
        "source": "agent",
        "action": "browse",
        "args": {"url": "https://a.example", "thought": "Read."},
    },
    {
        "id": 10,
        "source": "agent",
        "cause": 9,
        "observation": "browse",
        "content": "page",
        "extras": {"url": "x"},
    },
    {"id": 11, "source": "agent", "action": "finish", "args": {"final_thought": "Done.", "outputs": {}}},
    {
        "id": 12,
        "source": "environment",
        "observation": "agent_state_changed",
        "content": "",
        "extras": {"agent_state": "f"},
    },
]

SDK_EVENTS: list[dict[str, Any]] = [
    {
        "kind": "SystemPromptEvent",
        "id": "a",
        "system_prompt": {"type": "text", "text": "You are."},
        "tools": [TOOL],
    },
    {
        "kind": "MessageEvent",
        "id": "b",
        "source": "user",
        "llm_message": {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
    },
    {
        "kind": "ActionEvent",
        "id": "c",
        "source": "agent",
        "thought": [{"type": "text", "text": "Both."}],
        "reasoning_content": "Hm.",
        "action": {"kind": "ExecuteBashAction", "command": "ls"},
        "tool_name": "execute_bash",
        "tool_call_id": "t1",
        "tool_call": {
            "id": "t1",
            "name": "execute_bash",
            "arguments": '{"command": "ls"}',
            "origin": "completion",
        },
        "llm_response_id": "r1",
    },
    {
        "kind": "ActionEvent",
        "id": "d",
        "source": "agent",
        "thought": [],
        "action": {"kind": "FinishAction", "message": "x"},
        "tool_name": "finish",
        "tool_call_id": "t2",
        "llm_response_id": "r1",
    },
    {
        "kind": "ObservationEvent",
        "id": "e",
        "tool_name": "execute_bash",
        "tool_call_id": "t1",
        "action_id": "c",
        "observation": {
            "content": [{"type": "text", "text": "a.py"}],
            "is_error": False,
            "exit_code": 0,
            "metadata": {"working_dir": "/work/repo"},
        },
    },
    {
        "kind": "AgentErrorEvent",
        "id": "f",
        "source": "agent",
        "tool_name": "finish",
        "tool_call_id": "t2",
        "error": "no",
    },
    {
        "kind": "Condensation",
        "id": "g",
        "forgotten_event_ids": ["c"],
        "summary": "So far.",
        "llm_response_id": "r2",
    },
    {"kind": "ConversationStateUpdateEvent", "id": "h", "key": "x", "value": 1},
]
for event in SDK_EVENTS:
    event.setdefault("timestamp", "T")
    event.setdefault("source", "environment")


def read(tmp_path: Path, value: Any) -> Session:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(value))
    assert OpenHands().sniff(Document(path)) >= 0.9
    (session,) = OpenHands().read(Document(path))
    return session


def test_a_request_is_read_with_its_response_and_tools(tmp_path: Path) -> None:
    session = read(tmp_path, REQUEST)
    assert [m.role for m in session.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert session.tools == (TOOL,)
    assert session.model == "m-1"
    assert session.id == "run"
    assert session.meta["cost"] == 0.07
    assert session.meta["usage"] == {"n": 1}
    assert session.meta["kwargs"]["temperature"] == 0


def test_the_outcome_that_stands_below_a_commands_output_is_read(tmp_path: Path) -> None:
    message = read(tmp_path, REQUEST).messages[3]
    assert message.results[0].exit_code == 3
    assert message.cwd == "/work/repo"


def test_the_messages_with_tool_calls_are_preferred_where_both_were_logged(tmp_path: Path) -> None:
    told = [{"role": "user", "content": "Fix it. <function=execute_bash>"}]
    session = read(tmp_path, {**REQUEST, "messages": told, "fncall_messages": REQUEST["messages"]})
    assert session.messages[2].calls[0].name == "execute_bash"


def test_events_become_messages_and_whole_pairs(tmp_path: Path) -> None:
    session = read(tmp_path, EVENTS)
    assert [m.role for m in session.messages] == [
        "system",
        "user",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert pair_calls(session.messages).whole
    assert session.tools == (TOOL,)
    assert session.model == "m-1"
    assert session.cwd == "/work/repo"
    assert session.messages[1].id == "1"
    assert session.messages[2].origin == "meta"
    assert session.messages[2].text == "Run make test."
    assert session.messages[9].text == "Done."


def test_calls_of_one_response_are_one_message(tmp_path: Path) -> None:
    assert read(tmp_path, EVENTS).messages[3].parts == (
        Text(text="Both."),
        ToolCall(id="t1", name="execute_bash", arguments={"command": "ls"}),
        ToolCall(id="t2", name="str_replace_editor", arguments={"path": "a.py"}),
    )


def test_observations_carry_their_outcome(tmp_path: Path) -> None:
    messages = read(tmp_path, EVENTS).messages
    assert messages[4].parts == (
        ToolResult(call_id="t1", text="a.py\n[done]", name="execute_bash", exit_code=1),
    )
    assert messages[4].results[0].details == EVENTS[5]["extras"]
    assert messages[5].results[0].is_error is True


def test_an_action_without_the_models_call_is_a_call_by_its_own_name(tmp_path: Path) -> None:
    messages = read(tmp_path, EVENTS).messages
    call = ToolCall(id="event-9", name="browse", arguments={"url": "https://a.example"})
    assert messages[7].parts == (Text(text="Read."), call)
    assert messages[8].results[0].call_id == "event-9"


def test_a_condensation_is_a_boundary_with_its_summary(tmp_path: Path) -> None:
    session = read(tmp_path, EVENTS)
    assert [(b.index, b.summary_id) for b in session.boundaries] == [(6, "8")]
    assert session.messages[6].origin == "summary"


def test_events_that_say_nothing_are_kept_beside(tmp_path: Path) -> None:
    beside = read(tmp_path, EVENTS).meta["harness_events"]
    assert [event["id"] for event in beside] == [2, 12]


def test_what_the_user_ran_is_the_users(tmp_path: Path) -> None:
    run = {"id": 1, "source": "user", "action": "run", "args": {"command": "ls", "thought": ""}}
    seen = {
        "id": 2,
        "source": "user",
        "cause": 1,
        "observation": "run",
        "content": "a.py",
        "extras": {"exit_code": 0},
    }
    session = read(tmp_path, [run, seen])
    assert session.messages[0].role == "user"
    assert session.messages[0].calls[0].arguments == {"command": "ls"}
    assert session.messages[1].results[0].exit_code == 0


def test_the_pairs_of_older_results_are_taken_apart(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    lines = [
        {"instance_id": f"i-{n}", "history": [[EVENTS[9], EVENTS[10]]], "git_patch": "diff"} for n in (1, 2)
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    assert OpenHands().sniff(Document(path)) == 0.95
    first, second = OpenHands().read(Document(path))
    assert [m.role for m in first.messages] == ["assistant", "tool"]
    assert second.meta["instance_id"] == "i-2"
    assert [first.id, second.id] == ["output#1", "output#2"]


def test_events_of_the_sdk_are_read(tmp_path: Path) -> None:
    session = read(tmp_path, SDK_EVENTS)
    assert [m.role for m in session.messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert session.messages[2].parts == (
        Thinking(text="Hm."),
        Text(text="Both."),
        ToolCall(id="t1", name="execute_bash", arguments={"command": "ls"}),
        ToolCall(id="t2", name="finish", arguments={"message": "x"}),
    )
    assert session.messages[3].parts == (
        ToolResult(call_id="t1", text="a.py", name="execute_bash", exit_code=0),
    )
    assert session.messages[3].cwd == "/work/repo"
    assert session.messages[4].results[0].is_error is True
    assert session.boundaries[0].index == 5
    assert pair_calls(session.messages).whole


def test_one_event_a_line_is_one_session(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in EVENTS) + "broken\n")
    (session,) = OpenHands().read(Document(path))
    assert len(session) == 10
    assert [u.line for u in session.unread] == [14]
