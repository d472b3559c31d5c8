from __future__ import annotations

import pytest
from hypothesis import given

from strategies import messages as conversations
from tamis.errors import InputError
from tamis.messages import Message, Role, Text, ToolCall, ToolResult, pair_calls
from tamis.messages.pairing import cut_messages


def test_system_messages_at_the_beginning_stay_and_later_ones_do_not() -> None:
    talk = [_said("1", "system"), _said("2", "user"), _said("3", "system")]
    cut = cut_messages(talk)
    assert (cut.system, cut.span, cut.tail) == ((talk[0],), tuple(talk[1:]), ())


def test_a_call_at_the_very_end_waits_for_its_result() -> None:
    call = Message(id="3", role="assistant", parts=(ToolCall(id="c", name="ls"),))
    talk = [_said("1", "user"), _said("2", "assistant"), call]
    assert cut_messages(talk).tail == (call,)


def test_parallel_calls_wait_together_with_the_results_that_came() -> None:
    calls = Message(
        id="2", role="assistant", parts=(ToolCall(id="c", name="ls"), ToolCall(id="d", name="cat"))
    )
    result = Message(id="3", role="tool", parts=(ToolResult(call_id="c", text="a.py"),))
    assert cut_messages([_said("1", "user"), calls, result]).tail == (calls, result)


def test_a_pair_is_not_torn_by_the_number_of_messages_to_keep() -> None:
    call = Message(id="2", role="assistant", parts=(ToolCall(id="c", name="ls"),))
    result = Message(id="3", role="tool", parts=(ToolResult(call_id="c", text="a.py"),))
    assert cut_messages([_said("1", "user"), call, result], keep_last=1).tail == (call, result)


@given(conversations())
def test_a_cut_loses_nothing_and_tears_no_pair(messages: tuple[Message, ...]) -> None:
    for keep_last in range(len(messages) + 1):
        cut = cut_messages(messages, keep_last=keep_last)
        assert (*cut.system, *cut.span, *cut.tail) == tuple(messages)
        assert len(cut.tail) >= min(keep_last, len(messages) - len(cut.system))
        apart = len(pair_calls(cut.span).result_of) + len(pair_calls(cut.tail).result_of)
        assert apart == len(pair_calls((*cut.span, *cut.tail)).result_of)


def test_keeping_less_than_nothing_is_refused() -> None:
    with pytest.raises(InputError):
        cut_messages([], keep_last=-1)


def _said(message_id: str, role: Role) -> Message:
    return Message(id=message_id, role=role, parts=(Text(text="hello"),))
