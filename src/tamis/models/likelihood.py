"""How little a text surprises a model: the bits that a continuation costs behind a prefix.

- `gguf:FILE`: a model file, run in this process
- `http://host:port[/v1][#model]`: a server that gives log-probabilities of its prompt
- `unigram`: words counted in the prefix; no model, for tests and dry runs
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tamis.errors import UnknownModel

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


FORMS = "gguf:FILE, http://host:port[/v1][#model], or unigram"


def get_likelihoods(name: str) -> Likelihoods:
    """The model of this name; nothing is sent or loaded before it is asked.

    Raises:
        UnknownModel: the name has no known form, or there is nothing behind it.
        MissingExtra: what runs such a model is not installed.
    """
    scheme, colon, rest = name.partition(":")
    if name == UNIGRAM:
        return Unigram()
    if scheme == "gguf" and rest:
        from tamis.models.likelihood_local import LocalLikelihoods  # needs no network library

        return LocalLikelihoods(rest)
    if scheme in ("http", "https") and colon:
        from tamis.models.likelihood_served import ServedLikelihoods

        return ServedLikelihoods(name)
    raise UnknownModel(f"the likelihoods of {name!r} cannot be read; write {FORMS}")
