"""Mentions: which names stand in a session, how often and when last."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from strategies import messages
from tamis.ledger.mentions import Mention, Mentions
from tamis.messages import Message, Text
from tamis.text.names import message_names


def said(text: str) -> Message:
    return Message(id="m", role="user", parts=(Text(text=text),))


def read(*given_messages: Message) -> Mentions:
    mentions = Mentions()
    for one in given_messages:
        mentions.read(one)
    return mentions


def test_a_part_counts_a_name_once_and_a_message_is_where_it_stood_last() -> None:
    mentions = read(said("src/a.py src/a.py"), said("none"), said("src/a.py"), said("nothing"))
    assert mentions.names["src/a.py"] == Mention(total=2, last=2)
    assert mentions.messages == 4


@given(messages(missing=True))
def test_every_name_is_counted_and_no_other(spoken: tuple[Message, ...]) -> None:
    mentions = read(*spoken)
    assert set(mentions.names) == {n.text for m in spoken for n in message_names(m)}
    assert all(mention.total > 0 for mention in mentions.names.values())


@given(messages(missing=True), st.integers(0, 10))
def test_reading_on_from_json_is_reading_at_once(spoken: tuple[Message, ...], cut: int) -> None:
    first = read(*spoken[:cut])
    resumed = Mentions.from_json(json.loads(json.dumps(first.to_json())))
    for one in spoken[cut:]:
        resumed.read(one)
    assert resumed == read(*spoken)
    assert list(resumed.names) == list(read(*spoken).names)
