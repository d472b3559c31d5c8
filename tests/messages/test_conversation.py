"""Messages as values: ids that are derived from content, and native records that go with a change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.messages import Message, Text, ToolCall, ToolResult, identify


def said(text: str, *, id: str = "") -> Message:  # noqa: A002
    return Message(id=id, role="user", parts=(Text(text=text),))


def ids(*messages: Message) -> list[str]:
    return [m.id for m in identify(messages)]


def test_ids_of_the_source_are_kept() -> None:
    assert ids(said("a", id="m1"), said("b", id="m2")) == ["m1", "m2"]


def test_an_id_follows_from_role_and_content_alone() -> None:
    alone = ids(said("hello"))
    assert ids(said("other"), said("hello"))[1:] == alone
    assert ids(Message(id="", role="assistant", parts=(Text(text="hello"),))) != alone


def test_calls_with_the_same_arguments_and_other_ids_are_told_apart() -> None:
    one, two = (Message(id="", role="assistant", parts=(ToolCall(id=i, name="ls"),)) for i in ("c1", "c2"))
    assert len(set(ids(one, two))) == 2


def test_repeated_content_and_repeated_ids_are_numbered() -> None:
    first, second, third = ids(said("hi"), said("hi"), said("hi"))
    assert (second, third) == (f"{first}~2", f"{first}~3")
    assert ids(said("a", id="m"), said("b", id="m")) == ["m", "m~2"]


def test_an_id_that_ends_like_a_numbered_one_is_not_given_twice() -> None:
    assert ids(said("a", id="m"), said("b", id="m~2"), said("c", id="m")) == ["m", "m~2", "m~3"]
    assert ids(said("a", id="m"), said("b", id="m"), said("c", id="m~2")) == ["m", "m~2", "m~2~2"]


@given(st.lists(st.text("ab~23", max_size=5), max_size=12))
def test_no_two_messages_ever_share_an_id(given_ids: list[str]) -> None:
    named = ids(*(said("same", id=i) for i in given_ids))
    assert len(set(named)) == len(named)


@given(st.lists(st.text("ab~2", max_size=4), max_size=8))
def test_ids_once_given_stay(given_ids: list[str]) -> None:
    named = identify([said("same", id=i) for i in given_ids])
    assert identify(named) == named


def test_other_parts_take_the_native_record_away() -> None:
    message = Message(id="m", role="user", parts=(Text(text="secret"),), native={"text": "secret"})
    assert message.with_parts([Text(text="-")]).native is None


def test_calls_and_results_are_picked_out_in_order() -> None:
    call, result = ToolCall(id="c", name="ls"), ToolResult(call_id="c", text="a.py")
    message = Message(id="m", role="assistant", parts=(Text(text="a"), call, result, Text(text="b")))
    assert (message.calls, message.results, message.text) == ((call,), (result,), "a\nb")
