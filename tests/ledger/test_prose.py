"""Prose: what people said, apart from what machines printed, every character in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.speech.prose import looks_pasted, passages, said, without_harness
from tamis.messages import Message, Text


@pytest.mark.parametrize(
    "line",
    [
        "2024-05-01T10:00:00Z INFO started",
        "[INFO] started",
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "    at Foo.bar(Foo.java:10)",
        "src/a.py:12: error",
        "ValueError: must not be null",
        "const x = 1;",
        "def f(x):",
        "12 | never do this",
        "$ make test",
        "+++ b/a.py",
        "@@ -1,2 +1,3 @@",
        '"key": "value",',
        "====== 3 failed ======",
    ],
)
def test_what_a_program_printed_is_told_by_its_shape(line: str) -> None:
    assert looks_pasted(line)


@pytest.mark.parametrize(
    "line",
    [
        "Never touch `src/a.py`!",
        "For this one, use the other: it is faster.",
        "The error is gone.",
        "If it fails, try again (twice at most).",
        "Import the data first.",
        "**Only** edit docs/ and README.md.",
        "请不要修改 config.json 文件。",
        "Let me know when it's done :)",
    ],
)
def test_words_are_words(line: str) -> None:
    assert not looks_pasted(line)


def test_harness_text_leaves_blanks_behind() -> None:
    text = "one <system-reminder>two\nthree</system-reminder> four"
    assert without_harness(text).split() == ["one", "four"]


def test_a_placeholder_in_angle_brackets_is_no_tag() -> None:
    text = "run it with --id <session-id> please"
    assert without_harness(text) == text


@given(
    st.lists(
        st.sampled_from(
            ["<task>", "</task>\n", "<a-b>", "x. ", "\n", "<system-reminder>", "</system-reminder>"]
        )
    )
)
def test_every_character_keeps_its_place(pieces: list[str]) -> None:
    text = "".join(pieces)
    blanked = without_harness(text)
    assert len(blanked) == len(text)
    assert all(new == old or new.isspace() for new, old in zip(blanked, text, strict=True))


def test_a_tool_report_in_the_users_mouth_is_not_what_the_user_says() -> None:
    parts = (
        Text(text="[read_file for 'a.py'] Result:"),
        Text(text="never do this"),
        Text(text="<feedback>ok, go</feedback>"),
    )
    found = list(passages(Message(id="m", role="user", parts=parts)))
    assert [passage.part for passage in found] == [2]


def test_only_ones_own_words_are_said() -> None:
    text = "Mine.\n> quoted\n```\ncode\n```\n| a | b |\n$ make\n- item"
    [passage] = passages(Message(id="m", role="user", parts=(Text(text=text),)))
    assert [text[s.body : s.end] for s in said(passage)] == ["Mine.", "item"]


def test_what_a_terminal_printed_below_a_command_nobody_said() -> None:
    text = "Here:\n❯ cat lamp.txt\nThe lamp in quay.json must fire at 9:39.\n\nWhy so late?"
    [passage] = passages(Message(id="m", role="user", parts=(Text(text=text),)))
    assert [text[s.body : s.end] for s in said(passage)] == ["Here:", "Why so late?"]


def test_what_a_program_tells_of_its_surroundings_is_no_prose() -> None:
    dump = (
        "INSTALLED\ncommit: None\npython: 3.9.1 | a build (first)\n[CLANG 9]\nmachine: arm\nrows: 1.2.3\n"
        "tills: None\nos: any\n"
    )
    message = Message(id="m", role="user", parts=(Text(text=f"Mend it.\n\n{dump}"),))
    [passage] = passages(message)
    assert [passage.text[s.body : s.end] for s in said(passage)] == ["Mend it.", "INSTALLED"]


def test_a_form_that_somebody_filled_in_is_prose() -> None:
    form = "from: Porto\nto: Lyon\nday: 3 May\nseat: window\nmeal: none, please\nbags: 2"
    message = Message(id="m", role="user", parts=(Text(text=form),))
    [passage] = passages(message)
    assert "code" not in {s.kind for s in passage.sentences}


def test_what_stands_between_printed_lines_is_nobodys_words() -> None:
    pasted = "hint: If you added one, run it again.\n- To be quiet, use `Q=1`\n"
    pasted += "error: not pushed"
    message = Message(id="m", role="user", parts=(Text(text=f"{pasted}\n\nplease mend it"),))
    [passage] = passages(message)
    assert [passage.text[s.body : s.end] for s in said(passage)] == ["please mend it"]


def test_what_was_typed_between_printed_lines_is_said() -> None:
    text = "error: not pushed\nwhy do I see this\nerror: no such row"
    [passage] = passages(Message(id="m", role="user", parts=(Text(text=text),)))
    assert any(s.kind == "prose" for s in passage.sentences)


def test_an_error_of_the_service_in_place_of_an_answer_is_nobodys_words() -> None:
    error = 'API Error: 529 {"type":"error","error":{"type":"overloaded"}}'
    answers = [
        Message(id="a", role="assistant", parts=(Text(text=text),)) for text in (error, "API Error: 3.")
    ]
    assert [[p.text for p in passages(m)] for m in answers] == [[], ["API Error: 3."]]
