from __future__ import annotations

from sessions.claude_lines import save, text
from tamis.messages import Thinking, ToolCall, pair_calls
from tamis.sessions import read

HEADER = {
    "type": "session",
    "id": "p-1",
    "timestamp": "2026-01-01T00:00:00Z",
    "cwd": "/repo",
    "modelId": "m-1",
}


def message(role, content, **fields):
    inner = {"role": role, "content": content, **fields}
    return {"type": "message", "timestamp": "2026-01-01T00:00:01Z", "message": inner}


def session_of(folder, *lines):
    return read(save(folder / "log.jsonl", [HEADER, *lines]))


def test_messages_calls_and_results(tmp_path):
    session = session_of(
        tmp_path,
        message("user", [text("go")]),
        message(
            "assistant",
            [
                {"type": "thinking", "thinking": "hm", "thinkingSignature": "seal"},
                {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}},
            ],
        ),
        message("toolResult", [text("a.py")], toolCallId="c1", toolName="bash", isError=False),
    )
    assert (session.format, session.id, session.cwd, session.model) == ("pi", "p-1", "/repo", "m-1")
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert [type(part) for part in session.messages[1].parts] == [Thinking, ToolCall]
    (answer,) = session.messages[2].results
    assert (answer.text, answer.name, answer.is_error) == ("a.py", "bash", False)
    assert pair_calls(session.messages).whole


def test_a_compaction_is_a_boundary_with_its_summary(tmp_path):
    entry = {
        "type": "compaction",
        "timestamp": "2026-01-01T00:00:02Z",
        "summary": "So far.",
        "tokensBefore": 9,
    }
    session = session_of(tmp_path, message("user", [text("go")]), entry, message("user", [text("on")]))
    (boundary,) = session.boundaries
    assert (boundary.index, boundary.tokens_before) == (1, 9)
    assert session.messages[1].id == boundary.summary_id
    assert [m.origin for m in session.messages] == ["conversation", "summary", "conversation"]


def test_messages_that_a_compaction_kept_stand_behind_it(tmp_path):
    entry = {"type": "compaction", "summary": "So far.", "firstKeptEntryIndex": 2}
    said = [message("user", [text(word)]) for word in ("a", "b", "c")]
    session = session_of(tmp_path, *said, entry, message("user", [text("d")]))
    (boundary,) = session.boundaries
    assert boundary.index == 1
    assert [m.text for m in session.messages] == ["a", "So far.", "b", "c", "d"]


def test_a_kept_message_is_found_by_its_id_and_compactions_keep_their_order(tmp_path):
    said = [{**message("user", [text(word)]), "id": word} for word in ("a", "b", "c")]
    first = {"type": "compaction", "id": "s1", "summary": "One.", "firstKeptEntryId": "b"}
    second = {"type": "compaction", "id": "s2", "summary": "Two.", "firstKeptEntryId": "b"}
    session = session_of(tmp_path, *said, first, second)
    assert [m.text for m in session.messages] == ["a", "One.", "Two.", "b", "c"]
    assert [(b.index, b.summary_id) for b in session.boundaries] == [(1, "s1"), (2, "s2")]


def test_a_command_of_the_users_is_read_with_its_output_and_exit_code(tmp_path):
    ran = {"role": "bashExecution", "command": "make", "output": "boom", "exitCode": 2}
    session = session_of(tmp_path, {"type": "message", "message": ran})
    assert session.messages[0].origin == "meta"
    assert session.messages[0].text == "Ran `make`\n```\nboom\n```\nCommand exited with code 2"


def test_settings_are_no_messages_and_an_unknown_entry_is_counted(tmp_path):
    session = session_of(
        tmp_path,
        {"type": "thinking_level_change", "thinkingLevel": "high"},
        {"type": "model_change", "modelId": "m-2"},
        message("user", [text("go")]),
        {"type": "hologram"},
    )
    assert (len(session), session.model) == (1, "m-2")
    assert [u.reason for u in session.unread] == ["entry of type 'hologram'"]


def test_an_aborted_reply_that_says_nothing_is_no_message(tmp_path):
    session = session_of(
        tmp_path, message("user", [text("go")]), message("assistant", [], stopReason="aborted")
    )
    assert [m.role for m in session.messages] == ["user"]
    assert session.unread == ()
