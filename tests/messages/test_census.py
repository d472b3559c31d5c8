from __future__ import annotations

from hypothesis import given

from strategies import messages as conversations
from tamis.messages import Message, Text, ToolCall, ToolResult, count_messages, get_counter
from tamis.messages.census import ToolShare, take_census

COUNTER = get_counter()


@given(conversations())
def test_the_divisions_add_up_to_what_is_counted(messages: tuple[Message, ...]) -> None:
    census = take_census(messages, COUNTER)
    assert census.tokens == sum(count_messages(messages, COUNTER))
    assert sum(census.by_role.values()) == sum(census.by_kind.values()) == census.tokens


def test_a_result_counts_for_the_tool_that_was_called() -> None:
    call = Message(id="1", role="assistant", parts=(ToolCall(id="c", name="ls", arguments={"path": "src"}),))
    result = Message(id="2", role="tool", parts=(ToolResult(call_id="c", text="a.py b.py"),))
    orphan = Message(id="3", role="tool", parts=(ToolResult(call_id="x", text="lost"),))
    shares = take_census([call, result, orphan], COUNTER).by_tool
    assert shares["ls"] == ToolShare(
        calls=1, call_tokens=COUNTER.count('ls {"path": "src"}'), result_tokens=COUNTER.count("a.py b.py")
    )
    assert shares["unknown"] == ToolShare(calls=0, call_tokens=0, result_tokens=1)


def test_the_most_comes_first() -> None:
    talk = [
        Message(id="1", role="user", parts=(Text(text="hi"),)),
        Message(id="2", role="assistant", parts=(Text(text="many words " * 20),)),
    ]
    assert list(take_census(talk, COUNTER).by_role) == ["assistant", "user"]


def test_no_messages_are_no_tokens() -> None:
    census = take_census([], COUNTER)
    assert (census.tokens, census.by_role, census.by_kind, census.by_tool) == (0, {}, {}, {})
