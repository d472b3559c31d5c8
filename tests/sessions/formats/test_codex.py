from __future__ import annotations

import json

import pytest

from sessions.claude_lines import save
from tamis.messages import Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read
from tamis.sessions.formats.codex import read_output


def wrapped(kind, **payload):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def item(kind, **fields):
    return wrapped("response_item", type=kind, **fields)


def said(role, text):
    block = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return item("message", role=role, content=[block])


META = wrapped("session_meta", id="r-1", cwd="/repo", cli_version="1.0")
CALL = item("function_call", name="shell", arguments='{"command": ["ls"]}', call_id="c1")
OUTPUT = item("function_call_output", call_id="c1", output='{"output": "a.py", "metadata": {"exit_code": 0}}')


def session_of(folder, *lines):
    return read(save(folder / "rollout.jsonl", list(lines)))


def test_the_items_of_a_reply_are_one_message(tmp_path):
    thought = item("reasoning", summary=[{"type": "summary_text", "text": "hm"}], encrypted_content="seal")
    session = session_of(
        tmp_path, META, said("user", "go"), thought, said("assistant", "I look."), CALL, OUTPUT
    )
    assert (session.format, session.id, session.cwd) == ("codex", "r-1", "/repo")
    assert [message.role for message in session.messages] == ["user", "assistant", "tool"]
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text, ToolCall]
    assert session.messages[1].parts[0].signature == "seal"
    assert pair_calls(session.messages).whole


def test_an_older_rollout_of_bare_items_is_read(tmp_path):
    header = {"id": "r-0", "timestamp": "2025-01-01T00:00:00Z", "instructions": None, "git": {}}
    where = "<environment_context>\nCurrent working directory: /old\n</environment_context>"
    lines = [header, {"record_type": "state"}]
    lines += [line["payload"] for line in (said("user", where), said("user", "go"), CALL, OUTPUT)]
    session = session_of(tmp_path, *lines)
    assert (session.format, session.id, session.unread) == ("codex", "r-0", ())
    assert [(m.role, m.origin) for m in session.messages] == [
        ("user", "meta"),
        ("user", "conversation"),
        ("assistant", "conversation"),
        ("tool", "conversation"),
    ]
    assert session.messages[1].cwd == "/old"


def test_the_working_directory_follows_the_turns(tmp_path):
    session = session_of(
        tmp_path, META, said("user", "a"), wrapped("turn_context", cwd="/b", model="gpt-x"), said("user", "b")
    )
    assert [message.cwd for message in session.messages] == ["/repo", "/b"]
    assert session.model == "gpt-x"


def test_a_patch_is_a_call_with_its_text_as_it_came(tmp_path):
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"
    session = session_of(
        tmp_path,
        META,
        item("custom_tool_call", name="apply_patch", input=patch, call_id="c2"),
        item("custom_tool_call_output", call_id="c2", output="Success"),
    )
    (call,) = session.messages[0].calls
    assert (call.name, call.raw_arguments, dict(call.arguments)) == ("apply_patch", patch, {})
    assert pair_calls(session.messages).whole


def test_a_local_shell_call_has_its_command(tmp_path):
    action = {"type": "exec", "command": ["ls"], "working_directory": "/repo"}
    session = session_of(tmp_path, META, item("local_shell_call", call_id="c3", action=action))
    (call,) = session.messages[0].calls
    assert (call.id, call.name, call.arguments["command"]) == ("c3", "local_shell", ["ls"])


def test_a_compaction_is_a_boundary_with_its_summary(tmp_path):
    session = session_of(
        tmp_path, META, said("user", "go"), wrapped("compacted", message="So far."), said("user", "on")
    )
    (boundary,) = session.boundaries
    assert boundary.index == 1
    assert (session.messages[1].id, session.messages[1].origin) == (boundary.summary_id, "summary")


def test_a_compaction_without_a_recorded_summary_is_a_boundary_alone(tmp_path):
    session = session_of(tmp_path, META, said("user", "go"), wrapped("compacted", message=""))
    assert [(b.index, b.summary_id) for b in session.boundaries] == [(1, None)]
    assert len(session) == 1


def test_what_the_screen_shows_is_read_only_where_there_is_nothing_else(tmp_path):
    shown = wrapped("event_msg", type="user_message", message="go")
    answered = wrapped("event_msg", type="agent_message", message="ok")
    alone = session_of(tmp_path, META, shown, answered)
    assert [(m.role, m.text) for m in alone.messages] == [("user", "go"), ("assistant", "ok")]
    both = session_of(tmp_path, META, shown, said("user", "go"))
    assert [message.text for message in both.messages] == ["go"]


def test_an_unknown_item_is_counted(tmp_path):
    session = session_of(tmp_path, META, said("user", "go"), item("hologram"))
    assert [(u.line, u.reason) for u in session.unread] == [(3, "item of type 'hologram'")]


@pytest.mark.parametrize(
    ("output", "text", "code", "failed"),
    [
        (json.dumps({"output": "no", "metadata": {"exit_code": 1}}), "no", 1, None),
        ("Exit code: 2\nWall time: 1 seconds\nOutput:\nno", "no", 2, None),
        ("Chunk ID: a1\nWall time: 0.1\nProcess exited with code 0\nOutput:\nok", "ok", 0, None),
        ("Wall time: 0.1 seconds\nOutput:\n", "", None, None),
        ("Output:\nhere", "Output:\nhere", None, None),
        ("the log says Exit code: 3", "the log says Exit code: 3", None, None),
        ({"content": "done", "success": True}, "done", None, False),
        ({"stdout": "a", "stderr": "b", "exitCode": 5}, "a\nb", 5, None),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb", None, None),
        ('{"price": 3}', '{"price": 3}', None, None),
        (None, "", None, None),
    ],
)
def test_outputs_of_every_shape(output, text, code, failed):
    read_out = read_output(output)
    assert (read_out.exit_code, read_out.is_error) == (code, failed)
    assert read_out.text == text


def test_what_stands_above_an_output_is_kept_apart_from_its_text(tmp_path):
    header = "Chunk ID: a1b2c3\nWall time: 0.5 seconds\nProcess exited with code 0\n"
    header += "Original token count: 9\nOutput:\n"
    output = item("function_call_output", call_id="c1", output=header + "Total output lines: 2\n\na.py\nb.py")
    (result,) = session_of(tmp_path, META, CALL, output).messages[-1].results
    assert (result.text, result.exit_code) == ("a.py\nb.py", 0)
    assert result.details == {
        "chunk_id": "a1b2c3",
        "wall_time_seconds": 0.5,
        "original_token_count": 9,
        "total_lines": 2,
    }


def test_a_process_that_still_runs_says_so_in_its_text():
    read_out = read_output(
        "Chunk ID: a\nWall time: 30.0 seconds\nProcess running with session ID 7\nOutput:\nbuilding"
    )
    assert read_out.text == "Process running with session ID 7\nbuilding"
    assert (read_out.exit_code, read_out.details["session_id"]) == (None, "7")


def test_a_summary_in_the_new_history_is_found_and_the_tokens_are_those_of_before(tmp_path):
    counted = wrapped("event_msg", type="token_count", info={"last_token_usage": {"total_tokens": 900}})
    told = "Another language model started to solve this problem and produced a summary of it: so far."
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": t}]}
        for t in ("go", told)
    ]
    line = wrapped("compacted", message="", replacement_history=history)
    session = session_of(tmp_path, META, said("user", "go"), counted, line)
    (boundary,) = session.boundaries
    assert boundary.tokens_before == 900
    assert [(m.id, m.text) for m in session.messages[1:]] == [(boundary.summary_id, told)]


def test_a_word_from_one_agent_to_another_keeps_both_names(tmp_path):
    block = {"type": "input_text", "text": "done"}
    line = item("agent_message", author="worker", recipient="lead", content=[block])
    (message,) = session_of(tmp_path, META, line).messages
    assert (message.author, message.text) == ("worker -> lead", "done")
