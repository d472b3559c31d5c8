from __future__ import annotations

import json

import pytest

from tamis.messages import Media, Text, Thinking, ToolCall, pair_calls
from tamis.sessions import read

INFO = {"id": "ses_1", "slug": "quiet-hill", "projectID": "p", "directory": "/repo", "version": "1.2"}


def user(*parts, **info):
    return {"info": {"id": "u1", "role": "user", "time": {"created": 1767225600000}, **info}, "parts": parts}


def reply(*parts, agent="build", **info):
    about = {"role": "assistant", "agent": agent, "modelID": "m-1", "path": {"cwd": "/repo"}}
    return {"info": {"id": "a1", **about, **info}, "parts": parts}


def text(said, **fields):
    return {"type": "text", "text": said, **fields}


def tool(name="bash", call_id="c1", **state):
    given = {"status": "completed", "input": {"command": "ls"}, "output": "a.py", **state}
    return {"type": "tool", "tool": name, "callID": call_id, "state": given}


def session_of(folder, *messages, info=INFO):
    path = folder / "export.json"
    path.write_text(json.dumps({"info": info, "messages": list(messages)}), encoding="utf-8")
    return read(path)


def test_a_call_and_its_result_are_taken_apart(tmp_path):
    session = session_of(
        tmp_path,
        user(text("go")),
        reply({"type": "reasoning", "text": "hm"}, text("I look."), tool(metadata={"exit": 0, "diff": ""})),
    )
    assert (session.format, session.id, session.cwd, session.model) == ("opencode", "ses_1", "/repo", "m-1")
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert [type(part) for part in session.messages[1].parts] == [Thinking, Text, ToolCall]
    (result,) = session.messages[2].results
    assert (result.text, result.exit_code, result.is_error) == ("a.py", 0, False)
    assert result.details == {"exit": 0}
    assert session.messages[0].timestamp == "2026-01-01T00:00:00+00:00"
    assert pair_calls(session.messages).whole


def test_the_steps_of_one_reply_stand_in_their_order(tmp_path):
    session = session_of(tmp_path, user(text("go")), reply(tool(), text("Done."), id="a1"))
    assert [m.role for m in session.messages] == ["user", "assistant", "tool", "assistant"]
    assert session.messages[3].text == "Done."


def test_a_failed_call_and_one_that_still_ran(tmp_path):
    failed = tool(status="error", output=None, error="no such file")
    running = tool(call_id="c2", status="running", output=None)
    session = session_of(tmp_path, user(text("go")), reply(failed, running))
    (result,) = session.messages[2].results
    assert (result.text, result.is_error) == ("no such file", True)
    assert len(pair_calls(session.messages).open_calls) == 1


def test_what_was_put_in_is_told_from_what_was_typed(tmp_path):
    file = {"type": "file", "mime": "text/plain", "url": "file:///repo/a.py"}
    session = session_of(
        tmp_path, user(text("see @a.py"), text("Called the Read tool", synthetic=True), file)
    )
    assert [(m.origin, m.text) for m in session.messages] == [
        ("conversation", "see @a.py"),
        ("meta", "Called the Read tool"),
    ]
    assert session.messages[0].parts[1] == Media(kind="document", mime="text/plain", url="file:///repo/a.py")


def test_a_compaction_is_a_boundary_with_its_summary(tmp_path):
    session = session_of(
        tmp_path,
        user(text("go")),
        user({"type": "compaction", "auto": True}, id="u2"),
        reply(text("So far."), summary=True, id="a2"),
        user(text("on"), id="u3"),
    )
    (boundary,) = session.boundaries
    assert (boundary.index, boundary.summary_id, boundary.trigger) == (1, "a2", "auto")
    assert [m.origin for m in session.messages] == ["conversation", "summary", "conversation"]


def test_a_compaction_that_was_not_finished_is_counted_and_none(tmp_path):
    session = session_of(tmp_path, user(text("go")), reply(summary=True))
    assert session.boundaries == ()
    assert [u.reason for u in session.unread] == ["a compaction that was not finished"]


def test_agents_are_named_only_where_there_are_several(tmp_path):
    one = session_of(tmp_path, user(text("go")), reply(text("a")), reply(text("b"), id="a2"))
    assert {m.author for m in one.messages} == {None}
    two = session_of(tmp_path, reply(text("a"), agent="explore"), reply(text("b"), id="a2"))
    assert [m.author for m in two.messages] == ["explore", None]


def test_planning_and_building_are_one_agent(tmp_path):
    session = session_of(tmp_path, reply(text("a"), agent="plan"), reply(text("b"), id="a2"))
    assert {m.author for m in session.messages} == {None}


def test_a_part_of_an_unknown_type_is_counted(tmp_path):
    session = session_of(tmp_path, user(text("go"), {"type": "hologram"}))
    assert [(u.line, u.reason) for u in session.unread] == [(1, "part of type 'hologram'")]


def test_it_is_known_by_its_beginning_however_long_the_first_message_is(tmp_path):
    diffs = [{"file": "a", "before": "x" * 200_000}]
    session = session_of(tmp_path, user(text("go"), summary={"diffs": diffs}), reply(text("ok")))
    assert session.format == "opencode"
    assert len(session) == 2


def stored(folder, *, old=False):
    """A session in OpenCode's own storage; returns its first file."""

    def put(place, value):
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    parts = "session/part/ses_1/{}" if old else "part/{}"
    for number, said in enumerate(["go", "gone"], 1):
        info = {"id": f"msg_{number}", "role": ("user", "assistant")[number - 1], "time": {"created": number}}
        put(f"{'session/' if old else ''}message/ses_1/msg_{number}.json", info)
        put(f"{parts.format(f'msg_{number}')}/prt_1.json", text(said))
    return put(f"session/{'info' if old else 'proj'}/ses_1.json", INFO)


@pytest.mark.parametrize("old", [False, True])
def test_a_session_in_opencodes_own_storage_is_put_together(tmp_path, old):
    session = read(stored(tmp_path / "storage", old=old))
    assert (session.format, session.id, session.cwd) == ("opencode", "ses_1", "/repo")
    assert [m.text for m in session.messages] == ["go", "gone"]


def test_a_part_that_is_not_whole_yet_is_as_good_as_missing(tmp_path):
    first = stored(tmp_path / "storage")
    (tmp_path / "storage/part/msg_2/prt_1.json").write_text('{"type": "te', encoding="utf-8")
    assert [m.text for m in read(first).messages] == ["go"]
