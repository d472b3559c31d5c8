from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions.claude_lines import call, line, reply, result, session_of, text, user
from tamis.messages import Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import read


def roles(session):
    return [message.role for message in session.messages]


def test_lines_of_one_reply_are_one_message(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        reply({"type": "thinking", "thinking": "hm", "signature": "s"}, reply_id="m1"),
        reply(text("I will look."), reply_id="m1"),
        reply(call("c1", command="ls"), reply_id="m1"),
        result("c1", "a.py"),
        reply(text("Done."), reply_id="m2"),
    )
    assert roles(session) == ["user", "assistant", "tool", "assistant"]
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text, ToolCall]


def test_a_reply_goes_on_behind_the_result_of_its_first_call(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        reply(call("c1"), reply_id="m1"),
        result("c1"),
        reply(call("c2"), reply_id="m1"),
        result("c2"),
    )
    assert roles(session) == ["user", "assistant", "tool", "tool"]
    assert [part.id for part in session.messages[1].calls] == ["c1", "c2"]
    assert pair_calls(session.messages).whole


def test_replies_without_an_id_are_not_merged(tmp_path):
    lines = [reply(text("a")), reply(text("b"))]
    for item in lines:
        del item["message"]["id"]
    assert len(session_of(tmp_path, *lines)) == 2


def test_a_repeated_uuid_is_read_once(tmp_path):
    asked, said = user("go"), reply(text("ok"))
    assert len(session_of(tmp_path, asked, said, asked, said, user("more"))) == 3


def test_a_broken_line_does_not_hide_the_whole_one_with_its_uuid(tmp_path):
    good = user("go")
    session = session_of(tmp_path, {**good, "message": "?"}, good)
    assert [message.text for message in session.messages] == ["go"]
    assert [unread.line for unread in session.unread] == [1]


def test_sidechains_stand_apart_by_agent(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        user("search", isSidechain=True, agentId="a1"),
        reply(text("found"), isSidechain=True, agentId="a1"),
        reply(text("done")),
    )
    assert roles(session) == ["user", "assistant"]
    assert [message.text for message in session.sidechains["a1"]] == ["search", "found"]
    assert {message.sidechain for message in session.sidechains["a1"]} == {"a1"}


def test_old_sidechains_without_agent_id_are_told_apart_by_their_parents(tmp_path):
    one, two = user("one", isSidechain=True), user("two", isSidechain=True)
    session = session_of(
        tmp_path,
        user("go"),
        one,
        two,
        reply(text("1"), isSidechain=True, parentUuid=one["uuid"]),
        reply(text("2"), isSidechain=True, parentUuid=two["uuid"]),
    )
    said = [[message.text for message in chain] for chain in session.sidechains.values()]
    assert said == [["one", "1"], ["two", "2"]]


def test_a_subagent_in_progress_lines_is_a_sidechain(tmp_path):
    inner = {"type": "user", "uuid": "i-1", "message": {"role": "user", "content": "search"}}
    progress = line("progress", data={"type": "agent_progress", "agentId": "a1", "message": inner})
    session = session_of(tmp_path, user("go"), progress, progress | {"uuid": "other"})
    assert [message.text for message in session.sidechains["a1"]] == ["search"]
    assert roles(session) == ["user"]


def test_a_file_of_one_subagent_alone_is_read_as_that_run(tmp_path):
    session = session_of(tmp_path, user("search", isSidechain=True, agentId="a1"))
    assert roles(session) == ["user"]
    assert session.sidechains == {}
    assert session.meta["sidechain"] == "a1"


@pytest.mark.parametrize(
    ("said", "fields", "origin"),
    [
        ("fix it", {}, "conversation"),
        ("reminder", {"isMeta": True}, "meta"),
        ("<local-command-stdout>ok</local-command-stdout>", {}, "meta"),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", {}, "meta"),
        ("<command-name>/fix</command-name>\n<command-args>the build</command-args>", {}, "conversation"),
        ("<system-reminder>be brief</system-reminder>\nfix it", {}, "conversation"),
        ([text("[Request interrupted by user]")], {}, "meta"),
        ("Summary of it", {"isCompactSummary": True}, "summary"),
    ],
)
def test_who_put_a_user_message_there(tmp_path, said, fields, origin):
    assert session_of(tmp_path, user(said, **fields)).messages[0].origin == origin


def test_an_api_error_is_the_programs_word_not_the_models(tmp_path):
    failed = reply(text("API Error: 529"), isApiErrorMessage=True)
    session = session_of(tmp_path, user("go"), reply(text("ok")), failed)
    assert [m.origin for m in session.messages] == ["conversation", "conversation", "meta"]
    assert session.model == "claude-x"


def test_a_compaction_is_a_boundary_with_its_summary(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        reply(text("ok")),
        line("system", subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 1234}),
        user("This session is being continued ...", isCompactSummary=True),
        reply(text("on we go")),
    )
    (boundary,) = session.boundaries
    assert (boundary.index, boundary.trigger, boundary.tokens_before) == (2, "auto", 1234)
    assert session.messages[boundary.index].id == boundary.summary_id
    assert session.messages[boundary.index].origin == "summary"


def test_a_summary_without_an_announced_boundary_is_one(tmp_path):
    session = session_of(tmp_path, user("go"), user("Summary", isCompactSummary=True))
    assert [(b.index, b.summary_id) for b in session.boundaries] == [(1, session.messages[1].id)]


def test_a_microcompaction_is_counted_and_is_no_boundary(tmp_path):
    session = session_of(tmp_path, user("go"), line("system", subtype="microcompact_boundary"))
    assert session.boundaries == ()
    assert session.meta["microcompactions"] == 1


@pytest.mark.parametrize(
    ("content", "fields", "record", "code"),
    [
        ("ok", {"is_error": False}, {"stdout": "ok", "interrupted": False}, 0),
        ("Exit code 2\nno such file", {"is_error": True}, "Error: Exit code 2\nno such file", 2),
        ("denied", {"is_error": True}, "Error: denied", None),
        ("", {"is_error": False}, {"stdout": "", "interrupted": True}, None),
        ("", {"is_error": False}, {"stdout": "", "returnCodeInterpretation": "No matches found"}, None),
        ("text of a file", {}, {"type": "text", "file": {}}, None),
    ],
)
def test_exit_codes_are_told_only_where_the_log_tells(tmp_path, content, fields, record, code):
    session = session_of(tmp_path, reply(call("c1")), result("c1", content, record=record, **fields))
    assert session.messages[1].results[0].exit_code == code


def test_the_agents_own_record_of_a_result_is_kept(tmp_path):
    patch = {"filePath": "a.py", "structuredPatch": [{"oldStart": 1, "lines": ["-a", "+b"]}]}
    session = session_of(tmp_path, reply(call("c1", "Edit")), result("c1", "updated", record=patch))
    assert session.messages[1].results[0].details == patch


def test_images_in_results_are_media(tmp_path):
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    session = session_of(tmp_path, reply(call("c1", "Read")), result("c1", [text("a picture"), image]))
    answer = session.messages[1].results[0]
    assert (answer.text, answer.media[0].mime, answer.media[0].data) == ("a picture", "image/png", "AAAA")


def test_what_was_typed_ahead_and_handed_over_in_mid_turn_is_a_user_message(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        reply(call("c1"), reply_id="m1"),
        {"type": "queue-operation", "operation": "enqueue", "content": "and add a test", "sessionId": "s-1"},
        {"type": "queue-operation", "operation": "remove", "sessionId": "s-1"},
        result("c1"),
        reply(text("will do"), reply_id="m2"),
    )
    assert roles(session) == ["user", "assistant", "tool", "user", "assistant"]
    assert session.messages[3].text == "and add a test"


@pytest.mark.parametrize("fate", ["dequeue", "popAll"])
def test_what_was_typed_ahead_and_sent_or_taken_back_is_not_read_twice(tmp_path, fate):
    session = session_of(
        tmp_path,
        user("go"),
        {"type": "queue-operation", "operation": "enqueue", "content": "add a test", "sessionId": "s-1"},
        {"type": "queue-operation", "operation": fate, "sessionId": "s-1"},
        user("add a test"),
    )
    assert [message.text for message in session.messages] == ["go", "add a test"]


def test_a_queued_command_attachment_is_a_user_message(tmp_path):
    attached = line("attachment", attachment={"type": "queued_command", "prompt": "add a test"})
    session = session_of(tmp_path, user("go"), attached, reply(text("ok")))
    assert [message.text for message in session.messages] == ["go", "add a test", "ok"]


def test_a_rewind_is_noted_and_both_branches_stay(tmp_path):
    said = reply(text("ok"))
    one = user("this way", parentUuid=said["uuid"])
    two = user("no, that way", parentUuid=said["uuid"])
    session = session_of(tmp_path, user("go"), said, one, two)
    assert len(session) == 4
    assert session.meta["branches"] == (two["uuid"],)


def test_calls_and_results_without_ids_are_paired(tmp_path):
    asked, answered = reply(call("", "Bash")), result("")
    del asked["message"]["content"][0]["id"]
    del answered["message"]["content"][0]["tool_use_id"]
    assert pair_calls(session_of(tmp_path, asked, answered).messages).whole


def test_where_the_agent_works_is_told_for_each_message(tmp_path):
    session = session_of(tmp_path, user("go", cwd="/a"), reply(text("ok"), cwd="/b"))
    assert (session.cwd, [message.cwd for message in session.messages]) == ("/a", ["/a", "/b"])


def test_titles_and_bookkeeping_are_no_messages_and_not_unread(tmp_path):
    session = session_of(
        tmp_path,
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        user("go"),
        {"type": "summary", "summary": "Fix the build", "leafUuid": "x"},
    )
    assert (len(session), session.unread, session.meta["title"]) == (1, (), "Fix the build")


def test_a_line_of_an_unknown_type_is_counted(tmp_path):
    session = session_of(tmp_path, user("go"), {"type": "hologram", "x": 1})
    assert [(u.line, u.reason) for u in session.unread] == [(2, "line of type 'hologram'")]


def test_half_a_last_line_is_counted(tmp_path):
    session = session_of(tmp_path, user("go"), reply(text("ok")), json.dumps(user("more"))[:60])
    assert len(session) == 2
    assert [unread.line for unread in session.unread] == [3]


def test_two_records_on_one_line_are_both_read(tmp_path):
    session = session_of(tmp_path, json.dumps(user("go")) + json.dumps(reply(text("ok"))))
    assert [message.text for message in session.messages] == ["go", "ok"]
    assert session.unread == ()


def test_the_web_export_is_read(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"loglines": [user("go"), reply(text("ok"))]}, indent=2), encoding="utf-8")
    session = read(path)
    assert (session.format, [message.text for message in session.messages]) == ("claude-code", ["go", "ok"])


def test_a_log_that_begins_with_a_very_long_line_is_recognised(tmp_path):
    session = session_of(tmp_path, user("x" * 200_000), reply(text("ok")))
    assert (session.format, len(session)) == ("claude-code", 2)


def test_a_log_of_which_only_the_end_is_left_is_recognised(tmp_path):
    half = json.dumps(user("lost"))[30:]
    session = session_of(tmp_path, half, reply(text("ok")), user("go"))
    assert (session.format, len(session), len(session.unread)) == ("claude-code", 2, 1)


def test_a_result_of_an_unknown_block_keeps_what_it_says(tmp_path):
    session = session_of(
        tmp_path, reply(call("c1")), result("c1", [{"type": "tool_reference", "tool_name": "Grep"}])
    )
    assert "Grep" in session.messages[1].results[0].text


def test_a_user_message_with_a_result_and_text_is_the_users(tmp_path):
    block = {"type": "tool_result", "tool_use_id": "c1", "content": "rejected"}
    session = session_of(tmp_path, reply(call("c1")), user([block, text("do it otherwise")]))
    assert session.messages[1].role == "user"
    assert [type(part) for part in session.messages[1].parts] == [ToolResult, Text]


def test_real_sessions_pair_but_for_where_they_are_cut(real_sessions: Path) -> None:
    """Results without a call stand only at the beginning of a file whose beginning is lost."""
    for path in sorted(real_sessions.glob("entire-claude-code/raw/*.xz"))[:25]:
        session = read(path)
        for chain in (session.messages, *session.sidechains.values()):
            assert all(place.message == 0 for place in pair_calls(chain).orphan_results), path.name
