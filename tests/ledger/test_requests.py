"""Requests: whole where somebody typed, the asking parts of what was pasted, nothing of what only steers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.events import Request
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.requests import MAX_ASKED_CHARS, MAX_WHOLE_CHARS, extract_requests, is_steering
from tamis.messages import Message, Text, ToolResult, part_text

LOG = "\n".join(f"2024-05-01 10:00:{n:02} ERROR worker {n} must be restarted" for n in range(60))


def drafts(text: str, *, context: ReadContext | None = None, **fields: object) -> list[EventDraft]:
    message = Message(id="m", role="user", parts=(Text(text=text),), **fields)  # type: ignore[arg-type]
    found = list(extract_requests(message, context or ReadContext()))
    for draft in found:
        place = draft.source
        assert isinstance(draft.value, Request)
        assert part_text(message.parts[place.part])[place.start : place.end] == draft.value.text
    return found


def asked(text: str, *, context: ReadContext | None = None, **fields: object) -> list[str]:
    return [
        draft.value.text
        for draft in drafts(text, context=context, **fields)
        if isinstance(draft.value, Request)
    ]


def context_after(assistant: str) -> ReadContext:
    context = ReadContext()
    message = Message(id="a", role="assistant", parts=(Text(text=assistant),))
    assert list(extract_requests(message, context)) == []
    return context


@pytest.mark.parametrize(
    "text",
    [
        "add a licence file",
        "Can you fix the parser?\n\nIt fails on empty lines.",
        "no, use the other one",
        "yes, but keep the old name",
        "the button does not work",
        "why is it so slow",
        "请修复登录页面",
        "这个测试为什么失败",
        "implement 1, 2 and 3",
    ],
)
def test_what_somebody_typed_is_the_request_as_it_stands(text: str) -> None:
    assert asked(f"  {text}\n") == [text]


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes, please.",
        "ok, go ahead",
        "continue",
        "1",
        "A.",
        "lgtm, thanks!",
        "好的",
        "继续",
        "👍",
        "go on",
        "stop",
        "Thank you for your help!",
        "That's all, have a good day.",
        "Great, thanks so much!",
        "谢谢，再见",
    ],
)
def test_steering_and_thanks_ask_for_nothing(text: str) -> None:
    assert asked(text) == []


def test_steering_is_only_steering_when_nothing_else_is_said() -> None:
    assert is_steering("ok, go ahead")
    assert not is_steering("ok, go ahead and delete the branch")


def test_an_answer_to_a_question_is_no_request() -> None:
    assert (
        asked("Ana Ruiz, born on June 8, 1990.", context=context_after("What is the passenger's name?")) == []
    )


def test_an_answer_that_asks_for_more_is_one() -> None:
    text = "Ana Ruiz. Please also add a bag."
    assert asked(text, context=context_after("What is the passenger's name?")) == [text]


def test_a_log_under_the_question_is_left_out() -> None:
    assert asked(f"Why does this fail?\n\n{LOG}") == ["Why does this fail?"]


def test_code_under_the_question_is_left_out() -> None:
    code = "```py\n" + "x = 1  # please fix me\n" * 100 + "```"
    assert asked(f"Fix this:\n{code}\nand add a test.") == ["Fix this:", "and add a test."]


def test_nothing_but_a_paste_is_known_by_its_beginning() -> None:
    [only] = asked(LOG)
    assert LOG.startswith(only)
    assert len(only) < 300


def test_a_long_text_gives_its_asking_parts_within_bounds() -> None:
    filler = "\n\n".join(f"Background number {n} tells how things came to be." for n in range(200))
    text = f"Please rewrite the importer.\n\n{filler}\n\nKeep the command line as it is."
    assert len(text) > MAX_WHOLE_CHARS
    found = asked(text)
    assert found[0].startswith("Please rewrite the importer.")
    assert found[-1].endswith("Keep the command line as it is.")
    assert sum(map(len, found)) <= MAX_ASKED_CHARS


def test_what_the_harness_put_in_is_left_out() -> None:
    text = "<system-reminder>Please be nice. Fix all.</system-reminder>\nfix the parser"
    assert asked(text) == ["fix the parser"]
    assert asked("[Request interrupted by user]") == []
    assert asked("<local-command-stdout>fix it</local-command-stdout>") == []


def test_the_words_behind_a_command_are_the_users() -> None:
    text = "<command-name>/review</command-name>\n<command-args>check the parser</command-args>"
    assert asked(text) == ["check the parser"]


@pytest.mark.parametrize("origin", ["meta", "summary"])
def test_harness_messages_ask_for_nothing(origin: str) -> None:
    assert asked("fix the parser", origin=origin) == []


def test_only_the_user_asks() -> None:
    assistant = Message(id="a", role="assistant", parts=(Text(text="Please run the tests."),))
    tool = Message(id="t", role="tool", parts=(ToolResult(call_id="c", text="Please run the tests."),))
    assert list(extract_requests(assistant, ReadContext())) == []
    assert list(extract_requests(tool, ReadContext())) == []


def test_the_same_words_are_the_same_request() -> None:
    [one], [again], [other] = drafts("Run the tests"), drafts("run  the tests"), drafts("run the linter")
    assert one.subject == again.subject != other.subject


@given(st.text(max_size=300))
def test_any_text_is_quoted_exactly(text: str) -> None:
    drafts(text)


@given(
    st.lists(
        st.sampled_from(["fix it. ", "<task>", "</task>\n", "\n\n", LOG[:90], "```\n", "> x\n", "请改 "]),
        max_size=12,
    )
)
def test_mixed_text_is_quoted_exactly(pieces: list[str]) -> None:
    drafts("".join(pieces))


def test_code_behind_a_colon_belongs_to_what_asks_for_it() -> None:
    pasted = "\n".join(f"{n} | row" for n in range(400))
    text = (
        f"Mend the parser.\n\n```\n{pasted}\n```\n\nSubmit with exactly this:\n\n```bash\nmake hand-in\n```"
    )
    message = Message(id="1", role="user", parts=(Text(text=text),))
    asked = [draft.value for draft in extract_requests(message, ReadContext())]
    assert any("make hand-in" in getattr(value, "text", "") for value in asked)
    assert not any("399 | row" in getattr(value, "text", "") for value in asked)


def test_a_long_paragraph_without_a_blank_line_is_asked() -> None:
    text = "Please rewrite the importer. " + "It reads each row and then it looks at the totals. " * 52
    [first, *_] = drafts(text)
    assert len(text) > MAX_ASKED_CHARS
    assert isinstance(first.value, Request)
    assert first.value.text.startswith("Please rewrite the importer.")


def test_one_sentence_longer_than_what_is_quoted_is_asked_from_its_beginning() -> None:
    [draft] = drafts("please rewrite the importer and " * 120)
    assert isinstance(draft.value, Request)
    assert draft.value.text.startswith("please rewrite")
    assert len(draft.value.text) <= MAX_ASKED_CHARS
