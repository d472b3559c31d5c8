"""What somebody else's summary of a conversation leaves out: the ledger's brief, less what it says already.

The names that can be read in the summary count as known, and what the summary tells with all its names is
not told again. What the user asked and forbade is left away only where the summary has it in the user's
words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamis.compactors.importance import default_importance
from tamis.compactors.ledger.from_state import items_of
from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import render
from tamis.compactors.ledger.reading import Reading
from tamis.compactors.ledger.writing import stock_of, write_brief
from tamis.ledger.names import names_in, stands_in
from tamis.messages import Counter, Message

_WORD = re.compile(r"\w+")
LEAST_LETTERS = 4
"""Shorter words say little of whether something is told."""


def brief_beside(
    summary: str, messages: Sequence[Message], *, budget_tokens: int, counter: Counter
) -> str | None:
    """A brief of the messages for somebody who has the summary; None where there is nothing to add.

    Args:
        summary: what is known already; empty where nothing is.
        messages: the conversation that it stands for.
        budget_tokens: the most that the brief may take.
        counter: the tokenizer.
    """
    reading = Reading.begin()
    reading.read([message for message in messages if message.origin != "summary"])
    likelihood = default_importance().probabilities(reading.mentions)
    for name in reading.given_up():
        likelihood.pop(name, None)
    known = {name.text for name in names_in(summary)}
    missing = {
        name: chance
        for name, chance in likelihood.items()
        if name not in known and not _is_named(name, summary)
    }
    told = _Told(summary)
    items = [item for item in items_of(reading.state, likelihood) if item not in told]
    stock = stock_of(items, missing, reading.mentions, counter)
    brief = write_brief(stock, (), budget_tokens, counter)
    return render(brief.rows) if brief is not None and brief.rows else None


class _Told:
    """Whether a summary tells an item."""

    def __init__(self, summary: str) -> None:
        self._summary = summary
        self._run = _run_of(summary)
        self._words = set(self._run.split())

    def __contains__(self, item: Item) -> bool:
        run = _run_of(item.text)
        if f" {run} " in f" {self._run} ":
            return True
        if item.quote or item.section in ("asked", "rules"):
            return False
        names = item.names or {name.text for name in names_in(item.text)}
        plain = _run_of(" ".join(part for part in item.text.split() if "/" not in part))
        words = {word for word in plain.split() if len(word) >= LEAST_LETTERS}
        return words <= self._words and all(_is_named(name, self._summary) for name in names)


def _is_named(name: str, summary: str) -> bool:
    """Whether the name stands there; of a path, its end with one folder will do."""
    return stands_in(name, summary) or (
        name.count("/") > 1 and stands_in("/".join(name.split("/")[-2:]), summary)
    )


def _run_of(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
