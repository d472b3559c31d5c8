from __future__ import annotations

from hypothesis import given

from strategies import messages, texts
from tamis.messages import Message, NativeRecord, Text, ToolCall, ToolResult
from tamis.messages.codec import digest_of, from_record, to_record


@given(messages(missing=True, open_end=True))
def test_messages_come_back_equal(conversation: tuple[Message, ...]) -> None:
    for message in conversation:
        back = from_record(to_record(message))
        assert back == message
        assert to_record(back) == to_record(message)


@given(texts(surrogates=True))
def test_half_characters_come_back_as_they_were(text: str) -> None:
    for odd in (text, text + "\ud83d", "\ud83d" + "\ude00", "\x00"):
        message = Message(id=odd, role="user", parts=(Text(text=odd),))
        assert from_record(to_record(message)) == message


def test_what_equality_does_not_see_comes_back_too() -> None:
    native = NativeRecord("openai-chat", {"b": 1, "a": [None, 1.5, "ü"]})
    result = ToolResult(call_id="c", text="ok", details={"exit": {"code": 0}}, native=native)
    message = Message(id="1", role="tool", parts=(result,), cwd="/x", native=native)
    back = from_record(to_record(message))
    assert (back.native, back.results[0].native, back.results[0].details) == (
        native,
        native,
        {"exit": {"code": 0}},
    )


def test_a_record_that_is_no_json_is_left_out() -> None:
    message = Message(id="1", role="user", parts=(), native=NativeRecord("x", {1: object()}))
    assert from_record(to_record(message)).native is None


def test_another_order_of_arguments_is_another_message() -> None:
    one, other = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    digests = {
        digest_of(
            to_record(
                Message(id="1", role="assistant", parts=(ToolCall(id="c", name="f", arguments=arguments),))
            )
        )
        for arguments in (one, other)
    }
    assert len(digests) == 2
