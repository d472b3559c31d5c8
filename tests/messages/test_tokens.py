"""Token counts: equal to another implementation's, whole for odd text, and honest about estimates."""

from __future__ import annotations

from functools import cache

import bpe_openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import PHRASES, PNG
from tamis.errors import InputError
from tamis.messages import (
    BytesEstimate,
    ExactCounter,
    Media,
    Message,
    Text,
    ToolCall,
    ToolResult,
    count_messages,
    get_counter,
)
from tamis.messages.tokens import MEDIA_TOKENS, MESSAGE_OVERHEAD_TOKENS

ENCODINGS = ("cl100k_base", "o200k_base")


@cache
def _encoding(name: str) -> bpe_openai.Encoding:
    return bpe_openai.get_encoding(name)


def other_count(encoding: str, text: str) -> int:
    return len(_encoding(encoding).encode_ordinary(text))


MIXED = st.lists(
    st.one_of(
        st.sampled_from(PHRASES),
        st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=40),  # by Unicode tables of any age
        st.sampled_from(["    ", "\n\n\n", "\t", "1234567", "don't", "<|endoftext|>", "{}()[];", "  \n  x"]),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=MIXED)
def test_counts_equal_those_of_another_implementation(encoding: str, text: str) -> None:
    assert get_counter(encoding).count(text) == other_count(encoding, text)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_long_mixed_text_counts_the_same(encoding: str) -> None:
    text = (
        "def 计算(值: int) -> int:\n    return 值 * 2  # doubles it\n\n"
        "The café's menu — naïve, isn't it? 请不要修改端口 8080。👩‍💻\n"
    ) * 500
    assert get_counter(encoding).count(text) == other_count(encoding, text)


@given(st.lists(MIXED, max_size=5))
def test_counting_many_is_counting_each(many: list[str]) -> None:
    counter = ExactCounter()
    assert counter.count_many(many) == [counter.count(text) for text in many]


def test_a_cut_emoji_counts_as_the_replacement_character() -> None:
    counter = ExactCounter()
    assert counter.count("a \ud83d b") == counter.count("a ? b")


def test_an_estimate_says_that_it_is_one() -> None:
    counter = get_counter("estimate")
    assert (counter.exact, "estimate" in counter.name) == (False, True)
    assert counter.count_many(["", "abcd", "abcde", "端口"]) == [0, 1, 2, 2]
    assert BytesEstimate().count("\ud83d") == 1


def test_an_unknown_tokenizer_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="'p50k'; choose cl100k_base, o200k_base or estimate"):
        get_counter("p50k")


def test_a_message_is_its_parts_its_media_and_what_an_api_adds() -> None:
    counter = ExactCounter()
    image = Media(kind="image", mime="image/png", data=PNG)
    call = ToolCall(id="c", name="bash", arguments={"command": "ls"})
    messages = [
        Message(id="0", role="user", parts=()),
        Message(id="1", role="user", parts=(Text(text="hello world"), image)),
        Message(id="2", role="assistant", parts=(call,)),
        Message(id="3", role="tool", parts=(ToolResult(call_id="c", text="a.py", media=(image, image)),)),
    ]
    assert count_messages(messages, counter) == [
        MESSAGE_OVERHEAD_TOKENS,
        MESSAGE_OVERHEAD_TOKENS + 2 + MEDIA_TOKENS,
        MESSAGE_OVERHEAD_TOKENS + counter.count('bash {"command": "ls"}'),
        MESSAGE_OVERHEAD_TOKENS + counter.count("a.py") + 2 * MEDIA_TOKENS,
    ]


def test_many_long_texts_are_counted_like_each_alone() -> None:
    texts = ["naïve 你好 \ud83d " * 9_000, "", "plain words " * 30_000, "short", "é" * 250_000, "end"]
    counter = get_counter()
    assert counter.count_many(texts) == [counter.count(text) for text in texts]
