from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from proxy.conversations import chat
from tamis.messages import count_messages, get_counter
from tamis.proxy.token_bounds import BLOCK, TokenBounds
from tamis.sessions.formats.openai_chat.format import OpenAIChat


def tokens_of(turns: int) -> int:
    return sum(count_messages(OpenAIChat().decode(chat(turns)).messages, get_counter()))


def raw_of(turns: int) -> bytes:
    return json.dumps({"model": "m", "messages": chat(turns), "tools": [{"type": "function"}] * 50}).encode()


@given(before=st.integers(0, 60), more=st.integers(0, 20))
def test_a_request_never_has_more_tokens_than_its_bound(before: int, more: int) -> None:
    bounds = TokenBounds(100)
    bounds.learn(raw_of(before), tokens_of(before))
    assert bounds.most_tokens(raw_of(before + more)) >= tokens_of(before + more)


def test_what_begins_like_something_counted_has_a_close_bound() -> None:
    bounds = TokenBounds(100)
    assert bounds.most_tokens(raw_of(60)) >= len(raw_of(60))
    bounds.learn(raw_of(60), tokens_of(60))
    assert bounds.most_tokens(raw_of(61)) < tokens_of(61) + 3 * BLOCK


def test_an_image_by_its_address_counts_as_an_image() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    raw = json.dumps({"messages": [{"role": "user", "content": [image] * 10}]}).encode()
    assert TokenBounds(1).most_tokens(raw) > 16_000
