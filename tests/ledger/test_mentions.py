"""Mentions: who spoke of which name, how often and when."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import messages
from tamis.ledger.mentions import COOLING, VOICES, Mention, Mentions
from tamis.ledger.names import message_names
from tamis.messages import Message, Part, Text, Thinking, ToolCall, ToolResult
from tamis.messages.model import Origin, Role


def message(role: Role, *parts: Part, origin: Origin = "conversation") -> Message:
    return Message(id="m", role=role, parts=parts, origin=origin)


def said(role: Role, text: str, origin: Origin = "conversation") -> Message:
    return message(role, Text(text=text), origin=origin)


def bash(command: str) -> Message:
    return message("assistant", ToolCall(id="c", name="bash", arguments={"command": command}))


def read(*given_messages: Message) -> Mentions:
    mentions = Mentions()
    for one in given_messages:
        mentions.read(one)
    return mentions


def voices(mention: Mention) -> set[str]:
    return {voice for voice, count in zip(VOICES, mention.counts, strict=True) if count}


@pytest.mark.parametrize(
    ("spoken", "voice"),
    [
        (said("user", "src/a.py"), "user"),
        (said("assistant", "src/a.py"), "said"),
        (message("assistant", Thinking(text="src/a.py")), "thought"),
        (bash("cat src/a.py"), "call"),
        (bash("sed -i s/x/y/ src/a.py"), "change"),
        (bash("echo x > src/a.py"), "change"),
        (bash("ls src/a.py > /dev/null"), "call"),
        (
            message(
                "assistant",
                ToolCall(id="c", name="Write", arguments={"file_path": "src/a.py", "content": "x"}),
            ),
            "change",
        ),
        (message("tool", ToolResult(call_id="c", text="src/a.py")), "result"),
        (message("tool", ToolResult(call_id="c", text="src/a.py", is_error=True)), "error"),
        (message("tool", ToolResult(call_id="c", text="src/a.py", exit_code=1)), "error"),
        (said("user", "src/a.py", origin="meta"), "harness"),
        (said("user", "src/a.py", origin="summary"), "harness"),
        (said("system", "src/a.py"), "harness"),
    ],
)
def test_each_voice_is_told_from_the_others(spoken: Message, voice: str) -> None:
    assert voices(read(said("user", "Hello there."), spoken).names["src/a.py"]) == {voice}


def test_the_first_thing_that_the_user_asks_is_the_request() -> None:
    mentions = read(
        said("user", "src/a.py", origin="meta"), said("user", "src/b.py"), said("user", "src/b.py")
    )
    assert voices(mentions.names["src/a.py"]) == {"harness"}
    assert voices(mentions.names["src/b.py"]) == {"request", "user"}


def test_a_part_counts_a_name_once() -> None:
    assert read(said("user", "src/a.py src/a.py src/a.py")).names["src/a.py"].total == 1


def test_positions_are_those_of_messages() -> None:
    mention = read(said("user", "src/a.py"), said("assistant", "none"), said("assistant", "src/a.py")).names[
        "src/a.py"
    ]
    assert (mention.first, mention.last, mention.total) == (0, 2, 2)


def test_the_crowd_is_the_smallest_number_of_names_that_it_stood_among() -> None:
    mention = read(said("user", "src/a.py src/b.py src/c.py"), said("user", "src/a.py src/b.py")).names
    assert (mention["src/a.py"].crowd, mention["src/c.py"].crowd) == (2, 3)


def test_heat_halves_in_eight_messages() -> None:
    silence = [said("assistant", "nothing")] * 7
    mention = read(said("user", "src/a.py"), *silence, said("user", "src/a.py")).names["src/a.py"]
    assert mention.heat == pytest.approx(1.5)
    assert mention.heat == pytest.approx(1 + COOLING**8)


def test_own_heat_is_of_what_the_agent_used_itself() -> None:
    mentions = read(said("user", "src/a.py"), said("assistant", "src/b.py"))
    assert (mentions.names["src/a.py"].own_heat, mentions.names["src/b.py"].own_heat) == (0.0, 1.0)


def test_a_result_is_at_home_in_the_file_that_it_shows() -> None:
    mentions = Mentions()
    mentions.read(message("tool", ToolResult(call_id="c", text="def parse_args():")), home="src/cli.py")
    mentions.read(said("assistant", "load_config"), home="src/cli.py")
    assert (mentions.names["parse_args"].home, mentions.names["load_config"].home) == ("src/cli.py", None)


@pytest.mark.parametrize("text", ['src1 is in "src1"', "`x1-y` lies in x1-y/"])
def test_a_name_of_two_kinds_is_of_the_same_kind_in_every_process(text: str) -> None:
    [(name, mention)] = read(said("user", text)).names.items()
    kinds = {found.kind for found in message_names(said("user", text)) if found.text == name}
    assert mention.kind == min(kinds)


@given(messages(missing=True))
def test_every_name_is_counted_and_no_other(spoken: tuple[Message, ...]) -> None:
    mentions = read(*spoken)
    assert set(mentions.names) == {n.text for m in spoken for n in message_names(m)}
    assert mentions.messages == len(spoken)
    for mention in mentions.names.values():
        assert mention.total == sum(mention.counts) > 0
        assert max(mention.lasts) == mention.last


@given(messages(missing=True), st.integers(0, 10))
def test_reading_on_from_json_is_reading_at_once(spoken: tuple[Message, ...], cut: int) -> None:
    first = read(*spoken[:cut])
    resumed = Mentions.from_json(json.loads(json.dumps(first.to_json())))
    for one in spoken[cut:]:
        resumed.read(one)
    assert resumed == read(*spoken)
    assert list(resumed.names) == list(read(*spoken).names)
