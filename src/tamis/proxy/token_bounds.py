"""Bounds on a request's tokens without reading it: its beginning was counted before, and little is new.

No tokenizer makes more tokens of a text than it has bytes. A request that begins with the same bytes as one
of so many tokens therefore has no more than those and its other bytes.
"""

import hashlib
from collections.abc import Iterator

from tamis.messages.tokens import MEDIA_TOKENS
from tamis.proxy.states import LRUCache

BLOCK = 8 * 1024
_MEDIA_MARKS = (b'url"', b'"file_id"')
SEAM_TOKENS = 1_000
"""For the message that the cut goes through: its beginning may make a few tokens more than it made whole."""


class TokenBounds:
    """How many tokens a request can have at most."""

    def __init__(self, size: int) -> None:
        self._tokens: LRUCache[int] = LRUCache(size)

    def most_tokens(self, raw: bytes) -> int:
        """A number that the request's tokens do not exceed."""
        known = 0
        rest = raw
        for end, digest in reversed(list(_beginnings(raw))):
            if digest in self._tokens and (tokens := self._tokens.get(digest)) is not None:
                known, rest = tokens + SEAM_TOKENS, raw[end:]
                break
        return known + len(rest) + MEDIA_TOKENS * sum(rest.count(mark) for mark in _MEDIA_MARKS)

    def learn(self, raw: bytes, tokens: int) -> None:
        """A request was counted: those that go on from its end, or from a little before it, are known.

        What stands behind the conversation in the request (tools, parameters) moves on as it grows, so
        several places before the end are kept.
        """
        for _, digest in list(_beginnings(raw))[-8:]:
            self._tokens.put(digest, tokens)


def _beginnings(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Each beginning of so many whole blocks, by its end and its digest."""
    rolling = hashlib.sha256()
    for end in range(BLOCK, len(raw) + 1, BLOCK):
        rolling.update(raw[end - BLOCK : end])
        yield end, rolling.digest()
