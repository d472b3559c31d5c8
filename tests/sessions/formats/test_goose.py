from __future__ import annotations

import json

from tamis.messages import Text, Thinking, ToolCall
from tamis.sessions import read

HEADER = {"id": "20260101_1", "working_dir": "/repo", "description": "Fix", "message_count": 2}


def said(role, *content, **fields):
    return {"role": role, "created": 1767225600, "content": list(content), **fields}


def request(**call):
    return {"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": call}}


def response(value, status="success"):
    return {"type": "toolResponse", "id": "t1", "toolResult": {"status": status, **value}}


def session_of(folder, *entries):
    path = folder / "goose.jsonl"
    path.write_text("".join(json.dumps(e) + "\n" for e in (HEADER, *entries)), encoding="utf-8")
    return read(path)


def test_a_session_is_read_with_its_calls_and_results(tmp_path):
    session = session_of(
        tmp_path,
        said("user", {"type": "text", "text": "fix it"}),
        said(
            "assistant",
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "I look."},
            request(name="developer__shell", arguments={"command": "ls"}),
        ),
        said("user", response({"value": [{"type": "text", "text": "a.py"}]})),
    )
    assert (session.format, session.id, session.cwd) == ("goose", "20260101_1", "/repo")
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert [type(p) for p in session.messages[1].parts] == [Thinking, Text, ToolCall]
    (call,) = session.messages[1].calls
    (result,) = session.messages[2].results
    assert (call.name, call.arguments) == ("developer__shell", {"command": "ls"})
    assert (result.text, result.is_error, result.call_id) == ("a.py", False, call.id)
    assert session.messages[0].timestamp == "2026-01-01T00:00:00+00:00"
    assert not session.unread


def test_a_result_may_be_a_whole_answer_of_the_protocol(tmp_path):
    answer = {"value": {"content": [{"type": "text", "text": "no such file"}], "isError": True}}
    (message,) = session_of(tmp_path, said("user", response(answer))).messages
    assert (message.results[0].text, message.results[0].is_error) == ("no such file", True)


def test_a_call_that_failed_says_why(tmp_path):
    (message,) = session_of(tmp_path, said("user", response({"error": "timed out"}, "error"))).messages
    assert (message.results[0].text, message.results[0].is_error) == ("timed out", True)


def test_content_of_an_unknown_kind_is_counted(tmp_path):
    session = session_of(tmp_path, said("user", {"type": "text", "text": "hi"}, {"type": "hologram"}))
    assert [unread.line for unread in session.unread] == [2]
