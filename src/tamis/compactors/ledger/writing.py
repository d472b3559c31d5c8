"""Writing a brief: what stands already, what is chosen beside it, and how both fill the room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from tamis.compactors.ledger.continuing import Kept, Stock, fill, keep_beginning
from tamis.compactors.ledger.grouping import rows_of
from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import Row, cost_text, listed, render
from tamis.compactors.ledger.selection import Candidate, Choice, names_within
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import names_in
from tamis.messages import Counter

LEAST_LIKELY = 0.002
"""Names less likely than this to be needed are not listed bare."""

TOUCHED = 0.1
"""The worth of a name that a change touched, beside its likelihood: it says what was changed."""

ROOMY_FROM = 1_000
"""Tokens of budget from which names stand under their kind, and beside a file even if there is only one."""

TRIES = 4
"""Tokens of lines do not add up exactly, so the room is corrected by what the last text really took."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """A brief: its rows, those of them that stood before, and what was chosen beside them."""

    rows: tuple[Row, ...]
    kept: Kept
    choice: Choice


def write_brief(stock: Stock, earlier: Sequence[Row], budget: int, counter: Counter) -> Brief | None:
    """The brief that fills the budget best, on from an earlier one; None if not even its frame fits."""
    room = budget - counter.count(render([]))
    if room < 0:
        return None
    kept = keep_beginning(earlier, stock, room, counter)
    files = [c.what for c in stock.items if isinstance(c.what, Item) and c.what.section == "files"]
    standing = {id(item) for item in kept.items}
    best: Brief | None = None
    tries = TRIES
    while room >= 0 and (tries > 0 or best is None):
        tries -= 1
        choice = fill(stock, kept, room)
        said = standing | {id(item) for item in choice.items}
        trail = [item for item in files if id(item) in said]
        new = rows_of(choice, trail, stock.mentions, stock.likelihood, dense=budget < ROOMY_FROM)
        rows = (*kept.rows, *new)
        spare = budget - counter.count(render(rows))
        if spare >= 0:
            best = Brief(rows=rows, kept=kept, choice=choice)
            if spare <= budget // 100:
                break
        room += spare // 2 if spare > 0 else min(spare, -1)
    return best


def stock_of(
    items: Sequence[Item], likelihood: Mapping[str, float], mentions: Mentions, counter: Counter
) -> Stock:
    """All that can be said, with its tokens and its worth."""
    known = likelihood.__contains__

    @cache
    def read_in(name: str) -> tuple[str, ...]:
        return tuple(sorted(names_within(name, known)))

    return Stock(
        items=_item_candidates(items, read_in, counter),
        names=_name_candidates(items, likelihood, mentions, read_in, counter),
        likelihood=likelihood,
        mentions=mentions,
    )


def _item_candidates(
    items: Sequence[Item], read_in: Callable[[str], tuple[str, ...]], counter: Counter
) -> list[Candidate]:
    texts = [cost_text(item) for item in items]
    return [
        Candidate(
            what=item,
            tokens=max(tokens, 1),
            worth=item.worth,
            names=_all_read_in(item.names or (n.text for n in names_in(item.text)), read_in),
        )
        for item, tokens in zip(items, counter.count_many(texts), strict=True)
    ]


def _name_candidates(
    items: Sequence[Item],
    likelihood: Mapping[str, float],
    mentions: Mentions,
    read_in: Callable[[str], tuple[str, ...]],
    counter: Counter,
) -> list[Candidate]:
    """The names that are likely enough, and those that a change touched."""
    known = likelihood.__contains__
    touched = {
        name: TOUCHED * item.worth
        for item in reversed(items)
        for name in item.details
        if known(name) or name not in mentions.names  # what was given up is not named for having been touched
    }
    names = [*(name for name, p in likelihood.items() if p >= LEAST_LIKELY and name not in touched), *touched]
    tokens = counter.count_many([f" {listed(name)}" for name in names])
    return [
        Candidate(what=name, tokens=n, worth=touched.get(name, 0.0), names=read_in(name))
        for name, n in zip(names, tokens, strict=True)
    ]


def _all_read_in(names: Iterable[str], read_in: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted(set(chain.from_iterable(map(read_in, names)))))
