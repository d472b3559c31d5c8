"""Texts that a measure of compaction must not reward, and whole messages at random to be better than."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tamis.evals.statements.places import texts_said
from tamis.messages import Counter, Message

Control = Callable[[Sequence[Message], int, Counter, int], str]
"""From a span, a budget in tokens, a counter and a seed, a text of so many tokens."""


def shuffled_words(span: Sequence[Message], budget: int, counter: Counter, seed: int) -> str:
    """Words of the span, drawn from all of it, in no order."""
    words = [word for message in span for text in texts_said(message) for word in text.split()]
    random.Random(seed).shuffle(words)
    return clipped(" ".join(words[: 2 * budget]), budget, counter)


def shuffled_messages(span: Sequence[Message], budget: int, counter: Counter, seed: int) -> str:
    """Whole messages drawn at random, the words of each line of them in no order."""
    rng = random.Random(seed)
    lines = []
    for line in random_messages(span, budget, counter, seed).split("\n"):
        words = line.split()
        rng.shuffle(words)
        lines.append(" ".join(words))
    return "\n".join(lines)


def random_messages(span: Sequence[Message], budget: int, counter: Counter, seed: int) -> str:
    """Whole messages drawn at random until no other fits, in the order of the session."""
    order = list(range(len(span)))
    random.Random(seed).shuffle(order)
    kept: dict[int, str] = {}
    left = budget
    for i in order:
        text = "\n".join(texts_said(span[i]))
        if len(text) > 40 * left:  # never fits; not worth counting
            continue
        tokens = counter.count(text)
        if tokens <= left:
            kept[i] = text
            left -= tokens
    return "\n\n".join(kept[i] for i in sorted(kept))


def newest_text(span: Sequence[Message], budget: int, counter: Counter, _seed: int) -> str:
    """The end of the span, cut wherever the budget is full."""
    parts: list[str] = []
    left = budget
    for message in reversed(span):
        text = "\n".join(texts_said(message))
        tokens = counter.count(text)
        if tokens > left:
            parts.append(text[len(text) - int(len(text) * left / max(tokens, 1)) :])
            break
        parts.append(text)
        left -= tokens
    text = "\n\n".join(reversed(parts))
    while (tokens := counter.count(text)) > budget:
        text = text[int(len(text) * (1 - budget / tokens * 0.99)) :]
    return text


def clipped(text: str, budget: int, counter: Counter) -> str:
    """The beginning of a text, in at most so many tokens."""
    while (tokens := counter.count(text)) > budget:
        text = text[: int(len(text) * budget / tokens * 0.99)]
    return text


CONTROLS: dict[str, Control] = {
    "random": random_messages,
    "newest": newest_text,
    "shuffled": shuffled_words,
    "shuffled-lines": shuffled_messages,
}
"""`random` is the mean of several draws, as are the two that shuffle."""
