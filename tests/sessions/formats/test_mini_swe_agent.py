from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tamis.messages import Session, Text, Thinking, ToolCall, pair_calls
from tamis.sessions.document import Document
from tamis.sessions.formats.mini_swe_agent import MiniSweAgent

OUTPUT = "<returncode>1</returncode>\n<output>\n1 failed\n</output>"


def read(tmp_path: Path, messages: list[Any], **info: Any) -> Session:
    path = tmp_path / "acme__shop-12.traj.json"
    data = {
        "info": {"mini_version": "2.2.7", **info},
        "messages": messages,
        "trajectory_format": "mini-swe-agent-1.1",
        "instance_id": "acme__shop-12",
    }
    path.write_text(json.dumps(data, indent=2))
    assert MiniSweAgent().sniff(Document(path)) > 0.9
    (session,) = MiniSweAgent().read(Document(path))
    return session


ASKS = [{"role": "system", "content": "You work in a shell."}, {"role": "user", "content": "Fix the shop."}]


def test_version_1_finds_the_command_in_the_text(tmp_path: Path) -> None:
    reply = "THOUGHT: run the tests.\n\n```bash\npython -m pytest -q\n```\n"
    session = read(
        tmp_path, [*ASKS, {"role": "assistant", "content": reply}, {"role": "user", "content": OUTPUT}]
    )
    text, call = session.messages[2].parts
    assert text == Text(text="THOUGHT: run the tests.")
    assert isinstance(call, ToolCall)
    assert call.arguments == {"command": "python -m pytest -q"}
    assert pair_calls(session.messages).whole


def test_a_fence_of_another_language_is_no_command(tmp_path: Path) -> None:
    reply = "See:\n```python\nx = 1\n```\nNow:\n```bash\nls\n```"
    session = read(tmp_path, [*ASKS, {"role": "assistant", "content": reply}])
    assert session.messages[2].text == "See:\n```python\nx = 1\n```\nNow:"
    assert [c.arguments for c in session.messages[2].calls] == [{"command": "ls"}]


def test_the_marks_around_a_result_are_taken_off(tmp_path: Path) -> None:
    reply = {"role": "assistant", "content": "```bash\nls\n```"}
    session = read(tmp_path, [*ASKS, reply, {"role": "user", "content": OUTPUT}])
    (result,) = session.messages[-1].results
    assert (result.text, result.exit_code) == ("1 failed\n", 1)


def test_an_elided_output_keeps_its_wording(tmp_path: Path) -> None:
    body = "<output_head>\na\n</output_head>\n<elided_chars>\n9 characters elided\n</elided_chars>"
    reply = {"role": "assistant", "content": "```bash\nls\n```"}
    heard = {"role": "user", "content": f"<returncode>0</returncode>\n{body}"}
    assert read(tmp_path, [*ASKS, reply, heard]).messages[-1].results[0].text == body


def test_version_2_takes_the_tool_calls_as_they_are(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    session = read(
        tmp_path,
        [
            *ASKS,
            {"role": "assistant", "content": "Look.", "reasoning_content": "Hm.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": OUTPUT, "extra": {"timestamp": 0}},
        ],
    )
    assert session.messages[2].parts == (
        Thinking(text="Hm."),
        Text(text="Look."),
        ToolCall(id="c1", name="bash", arguments={"command": "ls"}),
    )
    assert session.messages[3].results[0].name == "bash"
    assert session.messages[3].timestamp == "1970-01-01T00:00:00+00:00"


def test_replies_of_the_responses_api_are_read(tmp_path: Path) -> None:
    reply = {
        "object": "response",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
            {"type": "message", "content": [{"type": "output_text", "text": "Look."}]},
            {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
        ],
    }
    answer = {"type": "function_call_output", "call_id": "c1", "output": OUTPUT}
    session = read(tmp_path, [*ASKS, reply, answer])
    assert [type(p) for p in session.messages[2].parts] == [Thinking, Text, ToolCall]
    assert pair_calls(session.messages).whole


def test_a_command_that_could_not_run_is_an_error(tmp_path: Path) -> None:
    reply = {"role": "assistant", "content": "```bash\nls\n```"}
    heard = {"role": "user", "content": "<exception>An error occurred: timed out</exception>"}
    (result,) = read(tmp_path, [*ASKS, reply, heard]).messages[-1].results
    assert (result.is_error, result.exit_code) == (True, None)


def test_what_the_program_says_is_told_from_what_the_user_says(tmp_path: Path) -> None:
    note = {"role": "user", "content": "No command found.", "extra": {"interrupt_type": "FormatError"}}
    session = read(tmp_path, [*ASKS, {"role": "assistant", "content": "Hello"}, note])
    assert [m.origin for m in session.messages] == ["conversation"] * 3 + ["meta"]


def test_how_it_ended_stands_in_meta(tmp_path: Path) -> None:
    config = {"model": {"model_name": "acme/one"}, "environment": {"cwd": "/testbed"}}
    session = read(
        tmp_path,
        [*ASKS, {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}}],
        submission="diff",
        config=config,
    )
    assert [session.meta[k] for k in ("final_diff", "exit_status", "instance_id")] == [
        "diff",
        "Submitted",
        "acme__shop-12",
    ]
    assert (session.model, session.cwd, len(session), session.unread) == ("acme/one", "/testbed", 2, ())


@pytest.mark.parametrize("odd", [None, [], {}, [1, "x", None], "text", 1e300, True])
def test_odd_shapes_do_not_break_the_reader(tmp_path: Path, odd: Any) -> None:
    path = tmp_path / "odd.traj.json"
    entry = {"role": "assistant", "content": odd, "tool_calls": [odd], "extra": {"timestamp": odd}}
    for data in (
        odd,
        {"info": odd, "messages": odd},
        {"info": {}, "messages": [entry, odd]},
    ):
        path.write_text(json.dumps(data))
        assert len(list(MiniSweAgent().read(Document(path)))) == 1


def test_real_trajectories_are_understood(real_sessions: Path) -> None:
    files = sorted((real_sessions / "mini-swe-agent-deepseek" / "raw").glob("*.traj.json.gz"))
    assert files
    for file in files[::6]:
        document = Document(file)
        (session,) = MiniSweAgent().read(document)
        assert MiniSweAgent().sniff(document) > 0.9
        assert session.meta["final_diff"] == (document.data["info"].get("submission") or None)
        assert not session.unread
        assert not pair_calls(session.messages).orphan_results
        shown = sum(len(r.text) for m in session.messages for r in m.results)
        held = sum(len(m["content"]) for m in document.data["messages"] if m["role"] == "tool")
        marks = len("<returncode>255</returncode>\n<output>\n</output>")
        assert held - shown <= marks * len(session)
