from __future__ import annotations

import pytest

from tamis.ledger.extract import ReadContext
from tamis.ledger.reader import LedgerReader
from tamis.ledger.speech.rule_polarity import lays_down
from tamis.ledger.speech.sentence_acts import MAX_CHARS, features, is_idle, is_talk, only_talked, sentence_act
from tamis.messages import Message, Text, ToolCall


def said(text: str, role: str = "user") -> Message:
    return Message(id="1", role=role, parts=(Text(text=text),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "Anything above 400 euros is to be approved by Renate first.",
        "Two blanks between sentences, please.",
        "The client gets nervous about red, so keep it out of the slides.",
        "Invoices go out on Fridays only.",
    ],
)
def test_a_rule_is_known_without_a_cue(text: str) -> None:
    act = sentence_act(text)
    assert act.rule > 0.5 > act.fact


@pytest.mark.parametrize(
    "text",
    [
        "The harbour office is in Rostock.",
        "fyi the licence runs out on 12 March",
        "We ended up with 48 seats for the gala.",
        "Our archive holds 3,200 maps.",
    ],
)
def test_a_fact_is_known_by_what_it_states(text: str) -> None:
    act = sentence_act(text)
    assert act.fact > 0.5 > act.rule


@pytest.mark.parametrize(
    "text",
    [
        "Why is the second chart so dark?",
        "Thanks, that was quick.",
        "In my old firm nobody could send mails after six.",
        "They say a good title has five words.",
    ],
)
def test_talk_hearsay_and_questions_are_neither(text: str) -> None:
    assert max(sentence_act(text)) < 0.5


@pytest.mark.parametrize("text", ["词 " * 3, "每次提交前都要运行测试。", "word " * MAX_CHARS])
def test_what_was_not_learned_is_not_judged(text: str) -> None:
    assert sentence_act(text) == (0.0, 0.0)
    assert not is_idle(text)


@pytest.mark.parametrize("text", ["fix tests", "List files", "merge conflicts here"])
def test_two_or_three_words_lay_down_no_rule(text: str) -> None:
    assert not lays_down(text)


def test_code_names_and_numbers_are_told_by_their_kind() -> None:
    assert features("Keep src/a.py below 40 lines.") == features("Keep lib/other_one.rs below 900 lines.")


def test_a_talk_ends_where_the_agent_calls_a_tool() -> None:
    reader = LedgerReader()
    reader.read(said("The cap is 5 MB."))
    assert reader.talks
    call = ToolCall(id="c", name="Read", arguments={"path": "a.py"})
    reader.read(Message(id="2", role="assistant", parts=(call,)))
    assert not reader.talks
    assert not LedgerReader.restore(reader.snapshot()).talks


@pytest.mark.parametrize("text", ['{"tool": "read", "path": "a.py"}', "<execute>ls</execute>"])
def test_an_agent_that_writes_its_calls_works(text: str) -> None:
    reader = LedgerReader()
    reader.read(said(text, role="assistant"))
    assert not reader.talks


@pytest.mark.parametrize("text", ["a " * 400, "Look:\n\n    x = 1\n    y = 2\n", "```\nx\n```"])
def test_what_is_brought_in_is_no_talk(text: str) -> None:
    assert not is_talk(said(text), ReadContext())


@pytest.mark.parametrize(("text", "spoken"), [("One.\n\nTwo.\n\nThree.", True), ("Look:\nx\ny", False)])
def test_paragraphs_are_spoken_and_lines_brought_in(text: str, spoken: bool) -> None:
    assert only_talked(said(text), ReadContext(turn=2)) is spoken
    assert not only_talked(said("One.\n\nTwo."), ReadContext())
