from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.claude_lines import call, line, reply, result, save, session_of, text, user
from strategies import json_values, messages, sessions
from tamis.messages import Boundary, Message, Session, Text
from tamis.sessions import Document, get_format, read


def written(session: Session) -> str:
    return "".join(get_format("claude-code").write(session))  # type: ignore[attr-defined]


def records(text: str) -> list[dict]:
    return [json.loads(item) for item in text.splitlines()]


def read_back(text: str) -> Session:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_text(text, encoding="utf-8")
        return read(path)


def without_source(session: Session) -> Session:
    return replace(session, source=None)


@settings(max_examples=60, deadline=None)
@given(sessions(missing=True))
def test_read_write_read_is_the_identity(session):
    once = read_back(written(session))
    twice = read_back(written(once))
    assert without_source(once) == without_source(twice)


@settings(max_examples=60, deadline=None)
@given(sessions())
def test_what_is_written_says_the_same(session):
    again = read_back(written(session))
    assert [(m.id, m.role, m.parts) for m in again.messages] == [
        (m.id, m.role, m.parts) for m in session.messages
    ]


@settings(max_examples=40, deadline=None)
@given(
    messages(),
    st.dictionaries(st.text("abcxyz_", min_size=3, max_size=8), json_values(), max_size=3),
    st.data(),
)
def test_unknown_fields_and_lines_survive(listed, extra, data):
    strange = {f"x{key}": value for key, value in extra.items()}
    lines = records(written(Session(id="s", format="made-up", messages=listed)))
    decorated = []
    for item in lines:
        decorated.append({**item, **strange})
        if data.draw(st.booleans()):
            decorated.append({"type": "hologram", **strange})
    source = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in decorated)
    assert records(written(read_back(source))) == decorated


@settings(max_examples=40, deadline=None)
@given(messages(max_turns=6), st.data())
def test_what_is_left_out_is_gone_and_the_thread_holds(listed, data):
    marked = [
        m.with_parts([*m.parts, Text(text=f"mark-{i}!")]) if m.role != "tool" else m
        for i, m in enumerate(listed)
    ]
    session = read_back(written(Session(id="s", format="made-up", messages=tuple(marked))))
    kept = [i for i in range(len(session)) if data.draw(st.booleans())]
    shorter = written(replace(session, messages=tuple(session.messages[i] for i in kept)))
    present = {i for i in range(len(session)) if f"mark-{i}!" in shorter}
    assert present == {i for i in kept if session.messages[i].role != "tool"}
    lines = records(shorter)
    assert {item["parentUuid"] for item in lines if item.get("parentUuid")} <= {
        item["uuid"] for item in lines
    }


def test_unchanged_lines_come_out_as_they_were(tmp_path):
    lines = [
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"a": [1.5, None]}},
        user("go", permissionMode="ask"),
        reply(text("hm"), reply_id="m1", requestId="r-1"),
        {"type": "queue-operation", "operation": "enqueue", "content": "add a test", "sessionId": "s-1"},
        reply(call("c1"), reply_id="m1"),
        {"type": "queue-operation", "operation": "remove", "sessionId": "s-1"},
        line("progress", data={"type": "bash_progress", "output": "…"}),
        result("c1", record={"stdout": "ok"}),
        user("look", isSidechain=True, agentId="a1"),
        line("system", subtype="compact_boundary", compactMetadata={"trigger": "auto"}),
        user("Summary", isCompactSummary=True),
        {"type": "hologram"},
    ]
    assert records(written(session_of(tmp_path, *lines))) == lines


def test_a_line_that_is_no_json_comes_out_as_it_was(tmp_path):
    path = save(tmp_path / "log.jsonl", [user("go"), "{half", reply(text("ok"))])
    assert written(read(path)).splitlines()[1] == "{half"


def test_a_changed_message_takes_its_progress_lines_with_it(tmp_path):
    session = session_of(
        tmp_path,
        user("go"),
        reply(call("c1")),
        line("progress", data={"type": "bash_progress", "output": "secret output"}),
        result("c1", "secret output", record={"stdout": "secret output"}),
    )
    first, second, third = session.messages
    (answer,) = third.results
    shorter = (first, second.with_parts(second.parts), third.with_parts([replace(answer, text="left out")]))
    assert "secret" not in written(replace(session, messages=shorter))


def test_a_new_summary_in_front_is_a_compaction_that_is_read_again(tmp_path):
    session = session_of(tmp_path, user("go"), reply(text("ok")), user("more"), reply(text("yes")))
    summary = Message(id="sum-1", role="user", parts=(Text(text="So far: ok."),), origin="summary")
    opened = Boundary(index=0, summary_id="sum-1", trigger="manual", tokens_before=99)
    shorter = replace(session, messages=(summary, *session.messages[2:]), boundaries=(opened,))
    lines = records(written(shorter))
    assert lines[2]["parentUuid"] == session.messages[2].native.own[0][1]["parentUuid"]
    again = read_back(written(shorter))
    assert again.boundaries == (opened,)
    assert [message.text for message in again.messages] == ["So far: ok.", "more", "yes"]


def test_messages_of_another_session_keep_their_lines(tmp_path):
    one = session_of(tmp_path, user("one", custom=1))
    two = read(save(tmp_path / "two.jsonl", [user("two", custom=2)]))
    both = records(written(replace(one, messages=(*one.messages, *two.messages))))
    assert [item["custom"] for item in both] == [1, 2]


def test_a_session_of_another_format_can_be_written(tmp_path):
    system = Message(id="a", role="system", parts=(Text(text="Be brief."),))
    asked = Message(id="b", role="user", parts=(Text(text="hi"),))
    again = read_back(written(Session(id="s", format="openai-chat", messages=(system, asked))))
    assert [(m.role, m.text) for m in again.messages] == [("system", "Be brief."), ("user", "hi")]


def test_real_sessions_come_out_as_they_were(real_sessions):
    paths = sorted(real_sessions.glob("entire-claude-code/raw/*.xz"), key=lambda path: path.stat().st_size)
    for path in paths[:12]:
        session = read(path)
        assert records(written(session)) == [record.value for record in Document(path).records()]
