"""How little a text surprises a model: the bits that a continuation costs behind a prefix."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

UNIGRAM = "unigram"

_WORD = re.compile(r"\w+|[^\w\s]|\s+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What a continuation costs: bits in all, over so many of the model's own tokens."""

    bits: float
    tokens: int
    prefix_tokens: int


@runtime_checkable
class Likelihoods(Protocol):
    """A model whose likelihoods can be read."""

    @property
    def name(self) -> str:
        """Which model."""

    async def bits(self, prefix: str, continuation: str) -> Cost:
        """The bits of the continuation, given the prefix; the prefix itself costs nothing.

        Raises:
            PromptTooLong: both do not fit the model's window; nothing is cut off.
            ModelError: one of its kinds.
        """


class Unigram:
    """Words are as likely as they are frequent in the prefix, with one count for every word of the language.

    >>> import asyncio
    >>> known, new = (asyncio.run(Unigram().bits(p, "port 8080")).bits for p in ("port 8080 is it", "hello"))
    >>> known < new
    True
    """

    name = UNIGRAM
    LANGUAGE = 50_000

    async def bits(self, prefix: str, continuation: str) -> Cost:
        """By the counts of the prefix, and of the continuation as far as it was read."""
        words = _WORD.findall(prefix)
        counts, seen = Counter(words), len(words)
        cost, said = 0.0, _WORD.findall(continuation)
        for word in said:
            cost -= math.log2((counts[word] + 1) / (seen + self.LANGUAGE))
            counts[word] += 1
            seen += 1
        return Cost(bits=cost, tokens=len(said), prefix_tokens=len(words))
