from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.messages import Media, Message, Session, Text, Thinking, ToolCall, ToolResult, pair_calls
from tamis.sessions import Document
from tamis.sessions.formats.gptme.calls import WrittenToolCall, written_parts
from tamis.sessions.formats.gptme.reader import Gptme

TIME = "2026-01-02T03:04:05"


def line(role: str, content: str, **more: object) -> dict[str, object]:
    return {"role": role, "content": content, "timestamp": TIME, **more}


def read(tmp_path: Path, *lines: dict[str, object]) -> Session:
    path = tmp_path / "conversation.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    (session,) = Gptme().read(Document(path))
    return session


def test_a_block_that_was_answered_is_a_call_and_its_result(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        line("system", "You are gptme.", pinned=True),
        line("user", "list the files"),
        line("assistant", "I look:\n\n```shell\nls -la\n```", metadata={"model": "m-1"}),
        line("system", "Ran command: `ls -la`\n\n```stdout\na.py\n```\nReturn code: 2"),
    )
    assert [m.role for m in session.messages] == ["system", "user", "assistant", "tool"]
    call = session.messages[2].calls[0]
    assert session.messages[2].parts == (
        Text(text="I look:\n\n"),
        ToolCall(id="call-1", name="shell", arguments={"command": "ls -la"}),
    )
    result = session.messages[3].results[0]
    assert (result.call_id, result.name, result.exit_code) == (call.id, "shell", 2)
    assert session.model == "m-1"
    assert session.id == tmp_path.name
    assert session.messages[0].timestamp == TIME


@pytest.mark.parametrize(
    ("block", "name", "arguments"),
    [
        ("```save src/a.py\nx = 1\n```", "save", {"path": "src/a.py", "content": "x = 1"}),
        ("```append my notes.md\nmore\n```", "append", {"path": "my notes.md", "content": "more"}),
        ("```patch a.py\n<<<<<<< ORIGINAL\n```", "patch", {"path": "a.py", "patch": "<<<<<<< ORIGINAL"}),
        ("```ipython\n1 + 1\n```", "ipython", {"code": "1 + 1"}),
        ("```bash\nls\n```", "bash", {"command": "ls"}),
        ("```hello.py\nprint()\n```", "save", {"path": "hello.py", "content": "print()"}),
        (
            '<tool-use>\n<save args="a b.py">\nx &lt; 1\n</save>\n</tool-use>',
            "save",
            {"path": "a b.py", "content": "x < 1"},
        ),
        (
            "```save doc.md\n# A\n```python\nx\n```\n\nend\n```",
            "save",
            {"path": "doc.md", "content": "# A\n```python\nx\n```\n\nend"},
        ),
    ],
)
def test_the_ways_to_write_a_call(tmp_path: Path, block: str, name: str, arguments: dict[str, str]) -> None:
    session = read(tmp_path, line("assistant", block), line("system", "Saved to `a`"))
    assert session.messages[0].parts == (ToolCall(id="call-1", name=name, arguments=arguments),)
    assert session.messages[1].results[0].call_id == "call-1"


def test_a_call_line_keeps_its_id_and_its_json(tmp_path: Path) -> None:
    said = 'Two at once:\n@shell(call-a-0): {"command": "echo \\"}\\""}\n@read(call-b-1): {"path": "a.py"}'
    session = read(
        tmp_path,
        line("assistant", said),
        line("system", "x = 1", call_id="call-b-1"),
        line("system", "}", call_id="call-a-0"),
    )
    calls = session.messages[0].calls
    assert [(c.id, c.arguments) for c in calls] == [
        ("call-a-0", {"command": 'echo "}"'}),
        ("call-b-1", {"path": "a.py"}),
    ]
    assert [m.results[0].call_id for m in session.messages[1:]] == ["call-b-1", "call-a-0"]
    assert pair_calls(session.messages).whole


def test_a_call_line_that_was_cut_off_is_kept_as_it_came(tmp_path: Path) -> None:
    session = read(tmp_path, line("assistant", '@shell(c-1): {"command": "ls'))
    assert session.messages[0].calls == (ToolCall(id="c-1", name="shell", raw_arguments='{"command": "ls'),)


def test_a_block_that_nothing_followed_is_text(tmp_path: Path) -> None:
    said = "Try this:\n```shell\nls\n```"
    session = read(tmp_path, line("assistant", said), line("user", "thanks"))
    assert session.messages[0].parts == (Text(text=said),)


def test_a_block_of_another_language_is_text_though_a_note_follows(tmp_path: Path) -> None:
    session = read(
        tmp_path, line("assistant", "```python\nx = 1\n```"), line("system", "<budget>90%</budget>")
    )
    assert session.messages[0].calls == ()
    assert session.messages[1].role == "system"


def test_a_call_may_wait_at_the_end(tmp_path: Path) -> None:
    session = read(tmp_path, line("assistant", "```shell\nls\n```"))
    assert session.messages[0].calls[0].name == "shell"


def test_notes_behind_the_answers_are_not_results(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        line("assistant", "```shell\nls\n```"),
        line("system", "Ran command: `ls`"),
        line("system", "pre-commit passed"),
    )
    assert [m.role for m in session.messages] == ["assistant", "tool", "system"]


def test_a_failed_call_is_marked(tmp_path: Path) -> None:
    session = read(
        tmp_path, line("assistant", "```shell\nx\n```"), line("system", "Error during execution: no")
    )
    assert session.messages[1].results[0] == ToolResult(
        call_id="call-1", text="Error during execution: no", name="shell", is_error=True
    )


def test_reasoning_and_its_seal_are_read(tmp_path: Path) -> None:
    session = read(tmp_path, line("assistant", "<think>\nhm\n<!-- think-sig: abc -->\n</think>\n\nhello"))
    assert session.messages[0].parts == (Thinking(text="hm\n", signature="abc"), Text(text="hello"))


def test_attached_files_are_media(tmp_path: Path) -> None:
    session = read(tmp_path, line("user", "look", files=["/tmp/a.png", "/tmp/b.md"]))
    assert session.messages[0].parts[1:] == (
        Media(kind="image", mime="image/png", url="/tmp/a.png"),
        Media(kind="document", url="/tmp/b.md"),
    )


def test_lines_that_are_no_messages_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "conversation.jsonl"
    path.write_text(json.dumps(line("user", "hi")) + "\nbroken\n" + json.dumps(line("ghost", "boo")) + "\n")
    (session,) = Gptme().read(Document(path))
    assert [u.line for u in session.unread] == [2, 3]


def test_it_knows_its_files(tmp_path: Path) -> None:
    path = tmp_path / "conversation.jsonl"
    path.write_text(
        json.dumps(line("user", "hi")) + "\n" + json.dumps(line("assistant", "```shell\nls\n```"))
    )
    assert Gptme().sniff(Document(path)) == 0.9
    path.write_text('{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "hi"}\n')
    assert Gptme().sniff(Document(path)) == 0.0


@given(
    st.lists(
        st.sampled_from(["a", "\n", "```", "```shell\n", "@ls(1): {", '"}', "<tool-use>", "<x>", "</x>"])
    )
)
def test_no_text_is_lost_whatever_was_written(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = list(written_parts(text))
    kept = "".join(
        p.source if isinstance(p, WrittenToolCall) else p.text
        for p in found
        if isinstance(p, WrittenToolCall | Text)
    )
    assert "".join(kept.split()) == "".join(text.split())


@given(st.lists(st.sampled_from(["assistant", "system", "user"]), max_size=8), st.data())
def test_calls_and_results_always_pair(roles: list[str], data: st.DataObject) -> None:
    from tamis.sessions.formats.gptme.reader import _Reading

    reading = _Reading()
    texts = st.sampled_from(
        ["hi", "```shell\nls\n```", "```bash\nls\n```\n```save a.py\nx\n```", "Ran command: `ls`"]
    )
    for n, role in enumerate(roles, 1):
        reading.take(n, dict(line(role, data.draw(texts))))
    reading.close()
    made: list[Message] = reading.builder.messages
    pairing = pair_calls(made)
    assert pairing.orphan_results == ()
    assert {place.message for place in pairing.open_calls} <= {len(made) - 1}
