"""What has to hold of the requests that an adapter let through, told as OpenAI chat items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tamis.archive import Archive
from tamis.messages import count_messages, get_counter, pair_calls
from tamis.sessions.formats.openai_chat.format import OpenAIChat

Items = Sequence[Mapping[str, Any]]


def check_requests(requests: Sequence[Items], *, window: int) -> None:
    """Pairs are whole, nothing is over the window, and the conversation did outgrow it on the way."""
    sent = [OpenAIChat().decode(list(items)).messages for items in requests]
    assert all(pair_calls(messages).whole for messages in sent)
    tokens = [sum(count_messages(messages, get_counter())) for messages in sent]
    assert max(tokens) < window
    shrunk = [after < before for before, after in pairwise(tokens)]
    assert sum(shrunk) >= 2, "a compaction has to follow on a compaction"


def check_archive(archive: Archive, text: str) -> None:
    """What was taken out is there word for word."""
    found = [archive.get(hit.id) for hit in archive.search(text.splitlines()[0])]
    said = [part for m in found for part in (m.text, *(result.text for result in m.results))]
    assert any(text in part for part in said)
