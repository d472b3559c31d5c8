"""Counting tokens, exactly and without a network.

The exact counters are byte-pair encodings compiled into a wheel (`toktok-rs`), equal to the published
`cl100k_base` and `o200k_base`. An estimate says so in its name and in `exact`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import toktok

from tamis.errors import InputError
from tamis.messages.conversation import Media, Message, ToolResult, part_text

MESSAGE_OVERHEAD_TOKENS = 4
"""What an API adds around each message (role and separators); OpenAI's cookbook counts 3 to 4."""

MEDIA_TOKENS = 1600
"""What one image or page takes at most after a provider has scaled it down; an estimate: providers differ."""

BATCH_CHARS = 200_000

Encoding = Literal["cl100k_base", "o200k_base"]


class Counter(Protocol):
    """Counts tokens. Hand many texts over at once where there are many: it is much faster."""

    @property
    def name(self) -> str:
        """The encoding, or a name that says it is an estimate."""

    @property
    def exact(self) -> bool:
        """Whether the count is the tokenizer's own, not an estimate."""

    def count(self, text: str) -> int:
        """The number of tokens in `text`; special-token strings count as ordinary text."""

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """One count per text, in order."""


@dataclass(frozen=True, slots=True)
class ExactCounter:
    """An exact counter for an encoding that ships in the wheel.

    >>> ExactCounter("o200k_base").count("hello world")
    2
    """

    name: Encoding = "o200k_base"
    exact: bool = True

    def count(self, text: str) -> int:
        """The number of tokens in `text`."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """One count per text, in order, on one thread."""
        counts: list[int] = []
        for batch in _batches(texts):
            counts += toktok.batch_count([_encodable(text) for text in batch], self.name, threads=1)
        return counts


@dataclass(frozen=True, slots=True)
class BytesEstimate:
    """One token per four bytes of UTF-8, rounded up: for models whose tokenizer is not at hand.

    >>> BytesEstimate().name, BytesEstimate().count("hello world")
    ('bytes/4 (estimate)', 3)
    """

    name: str = "bytes/4 (estimate)"
    exact: bool = False

    def count(self, text: str) -> int:
        """A quarter of the bytes, rounded up."""
        return -(-len(text.encode("utf-8", "surrogatepass")) // 4)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """One estimate per text, in order."""
        return [self.count(t) for t in texts]


def get_counter(name: str | Counter = "o200k_base") -> Counter:
    """The counter for `cl100k_base`, `o200k_base` or `estimate`; one that is a counter already as it is.

    Raises:
        InputError: no counter has this name.
    """
    if not isinstance(name, str):
        return name
    if name in ("cl100k_base", "o200k_base"):
        return ExactCounter(name)  # type: ignore[arg-type]
    if name == "estimate":
        return BytesEstimate()
    raise InputError(f"unknown tokenizer {name!r}; choose cl100k_base, o200k_base or estimate")


def count_messages(messages: Sequence[Message], counter: Counter) -> list[int]:
    """The tokens of each message: its parts' text, its media, and what an API adds around it."""
    texts: list[str] = []
    owners: list[int] = []
    totals = [MESSAGE_OVERHEAD_TOKENS] * len(messages)
    for i, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, Media):
                totals[i] += MEDIA_TOKENS
                continue
            if isinstance(part, ToolResult):
                totals[i] += MEDIA_TOKENS * len(part.media)
            texts.append(part_text(part))
            owners.append(i)
    for i, n in zip(owners, counter.count_many(texts), strict=True):
        totals[i] += n
    return totals


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts, not too much at once: the tokenizer's memory grows with what it is handed."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size > BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _encodable(text: str) -> str:
    """The text without lone surrogates: real logs hold cut emoji, tokenizers see U+FFFD.

    What is not ASCII is copied, because a string remembers its UTF-8 form for as long as it lives.
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
