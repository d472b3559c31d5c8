from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tamis.messages import Session, Text, Thinking, ToolCall, pair_calls
from tamis.sessions.document import Document
from tamis.sessions.formats.sweagent import SweAgent

DIFF = "\ndiff --git a/src/shop.py b/src/shop.py\n--- a/src/shop.py\n+++ b/src/shop.py\n@@ -1 +1 @@\n-a\n+b\n"


def step(action: str, observation: str, open_file: str, *, old: bool = True) -> dict[str, Any]:
    state = {"open_file": open_file, "working_dir": "/repo"}
    return {
        "action": action,
        "observation": observation,
        "response": f"I will {action}",
        "thought": f"I will {action}",
        "state": json.dumps(state) if old else state,
    }


def said(action: str) -> dict[str, Any]:
    text = f"I will {action}"
    return {"role": "assistant", "content": text, "thought": text, "action": action, "agent": "primary"}


def heard(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, "agent": "primary", **more}


OLD: dict[str, Any] = {
    "environment": "swe_main",
    "trajectory": [
        step("open src/shop.py 3", "[File: /repo/src/shop.py (9 lines total)]", "n/a"),
        step("python -m pytest -q", "1 failed", "/repo/src/shop.py"),
        step("edit 1:1\nb\nend_of_edit", "File updated.", "/repo/src/shop.py"),
        step("submit", DIFF, "/repo/src/shop.py"),
    ],
    "history": [
        {"role": "system", "content": "You work in a shell.", "agent": "primary"},
        heard("A demonstration", is_demo=True),
        {**said("ls"), "is_demo": True},
        heard("Fix the shop."),
        said("open src/shop.py 3"),
        heard("[File: /repo/src/shop.py (9 lines total)]\n(Open file: /repo/src/shop.py)\nbash-$"),
        said("python -m pytest -q"),
        heard("1 failed\n(Open file: /repo/src/shop.py)\nbash-$"),
        said("edit 1:1\nb\nend_of_edit"),
        heard("File updated.\n(Open file: /repo/src/shop.py)\nbash-$"),
        said("submit"),
    ],
    "info": {"exit_status": "submitted", "submission": DIFF, "model_stats": {"api_calls": 4}},
}


def read(tmp_path: Path, data: Any) -> Session:
    path = tmp_path / "acme__shop-12.traj"
    path.write_text(json.dumps(data))
    assert SweAgent().sniff(Document(path)) > 0.8
    (session,) = SweAgent().read(Document(path))
    return session


def test_demonstrations_are_left_out(tmp_path: Path) -> None:
    texts = [m.text for m in read(tmp_path, OLD).messages]
    assert texts[:2] == ["You work in a shell.", "Fix the shop."]
    assert "A demonstration" not in texts


def test_an_action_is_a_call_named_after_its_command(tmp_path: Path) -> None:
    calls = [c for m in read(tmp_path, OLD).messages for c in m.calls]
    assert [c.name for c in calls] == ["open", "bash", "edit", "submit"]
    assert calls[2].arguments == {"command": "edit 1:1\nb\nend_of_edit"}


def test_every_action_has_its_observation_as_the_model_saw_it(tmp_path: Path) -> None:
    session = read(tmp_path, OLD)
    results = [r for m in session.messages for r in m.results]
    assert pair_calls(session.messages).whole
    assert results[1].text == "1 failed\n(Open file: /repo/src/shop.py)\nbash-$"


def test_the_last_observation_comes_from_the_trajectory(tmp_path: Path) -> None:
    assert read(tmp_path, OLD).messages[-1].results[0].text == DIFF


def test_ground_truth_stands_in_meta(tmp_path: Path) -> None:
    session = read(tmp_path, OLD)
    assert session.meta["final_diff"] == DIFF
    assert session.meta["open_files"] == (None, *["/repo/src/shop.py"] * 3)
    assert session.cwd == "/repo"
    assert session.id == "acme__shop-12"


def test_what_swe_agent_says_in_the_models_place_is_no_call(tmp_path: Path) -> None:
    data = {
        "trajectory": [step("exit_cost", "Exited (autosubmitted)", "n/a")],
        "history": [heard("Fix it."), said("exit_cost")],
        "info": {},
    }
    messages = read(tmp_path, data).messages
    assert [(m.role, m.origin) for m in messages] == [
        ("user", "conversation"),
        ("assistant", "meta"),
        ("user", "meta"),
    ]
    assert not messages[1].calls


NEW: dict[str, Any] = {
    "trajectory": [
        step("str_replace_editor view /repo/a.py", "1 x", "/repo/a.py", old=False),
        step("cd /tmp", "", "/repo/a.py", old=False) | {"state": {"working_dir": "/tmp"}},
        step("ls", "b.py", "/repo/a.py", old=False) | {"state": {"working_dir": "/tmp"}},
    ],
    "history": [
        {"role": "system", "content": "Tools.", "message_type": "system_prompt"},
        {"role": "user", "content": [{"type": "text", "text": "Fix a.py"}], "message_type": "observation"},
        {
            **said("str_replace_editor view /repo/a.py"),
            "message_type": "action",
            "thinking_blocks": [{"type": "thinking", "thinking": "Look first.", "signature": "s1"}],
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {
                        "name": "str_replace_editor",
                        "arguments": json.dumps({"command": "view", "path": "/repo/a.py"}),
                    },
                }
            ],
        },
        {"role": "tool", "content": "OBSERVATION:\n1 x", "tool_call_ids": ["call_1"]},
        {**said("cd /tmp"), "tool_calls": None},
        {"role": "user", "content": "OBSERVATION:\n"},
        {**said("ls"), "tool_calls": None},
        {"role": "user", "content": "OBSERVATION:\nb.py"},
    ],
    "info": {"submission": None, "swe_agent_version": "1.1.0"},
}


def test_tool_calls_of_version_1_are_taken_as_they_are(tmp_path: Path) -> None:
    first = read(tmp_path, NEW).messages[2]
    assert first.parts == (
        Thinking(text="Look first.", signature="s1"),
        Text(text="I will str_replace_editor view /repo/a.py"),
        ToolCall(id="call_1", name="str_replace_editor", arguments={"command": "view", "path": "/repo/a.py"}),
    )


def test_version_1_records_the_folder_that_a_step_left(tmp_path: Path) -> None:
    session = read(tmp_path, NEW)
    assert [m.cwd for m in session.messages if m.role == "assistant"] == ["/repo", "/repo", "/tmp"]
    assert session.meta["final_diff"] is None


def test_a_trajectory_without_history_is_read_from_its_steps(tmp_path: Path) -> None:
    session = read(tmp_path, {"trajectory": OLD["trajectory"], "info": {}})
    assert [m.role for m in session.messages] == ["assistant", "tool"] * 4
    assert pair_calls(session.messages).whole


def test_an_entry_of_unknown_role_is_counted(tmp_path: Path) -> None:
    data = {**OLD, "history": [*OLD["history"], {"role": "moderator", "content": "?"}]}
    assert [u.line for u in read(tmp_path, data).unread] == [11 - 2 + 1]


@pytest.mark.parametrize("odd", [None, [], {}, [1, "x", None], "text"])
def test_odd_shapes_do_not_break_the_reader(tmp_path: Path, odd: Any) -> None:
    path = tmp_path / "odd.traj"
    entry = {"role": "assistant", "content": odd, "tool_calls": odd, "thinking_blocks": odd, "action": odd}
    for data in (
        odd,
        {"trajectory": odd, "history": odd, "info": odd},
        {"trajectory": [odd], "history": [entry]},
    ):
        path.write_text(json.dumps(data))
        assert len(list(SweAgent().read(Document(path)))) == 1


def test_real_trajectories_keep_their_final_diff(real_sessions: Path) -> None:
    files = sorted((real_sessions / "sweagent-claude35-swebench-verified" / "raw").glob("*.traj.gz"))
    assert files
    for file in files[::5]:
        document = Document(file)
        (session,) = SweAgent().read(document)
        assert SweAgent().sniff(document) > 0.9
        assert session.meta["final_diff"] == (document.data["info"].get("submission") or None)
        steps = len(document.data["trajectory"])
        assert (
            len(session.meta["open_files"]) == steps == sum(m.role == "assistant" for m in session.messages)
        )
        assert not session.unread
        assert not pair_calls(session.messages).orphan_results
