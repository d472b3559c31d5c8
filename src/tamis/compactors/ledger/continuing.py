"""Going on from an earlier brief: as much of its beginning as may stand stands again, to the byte.

A provider's cache serves the common beginning of two prompts, so a brief that is written anew each time costs
its full price each time. A row may stand again if the ledger would still say it to the letter. How many do is
decided by what they are worth: the longest beginning is taken with which the whole brief, filled up with what
is new, is worth nearly as much as one written afresh. What no longer pays its room is so given up from the
end, and the brief is written anew from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.compactors.ledger.grouping import change_heading
from tamis.compactors.ledger.items import READ, Item
from tamis.compactors.ledger.layout import Row, render
from tamis.compactors.ledger.passages import HALF_LIFE
from tamis.compactors.ledger.selection import Candidate, Choice, choose, names_within
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import names_in
from tamis.messages import Counter

SLACK = 0.015
"""The share of what a brief is worth that may be given for a beginning that stays."""

HALVINGS = 6
"""How finely the end of the beginning is looked for."""

HEADING_TOKENS = 4
"""About what a heading takes; behind a beginning, those of its earlier sections may have to stand again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stock:
    """All that can be said: the items and the bare names, and what is known of each name."""

    items: Sequence[Candidate]
    names: Sequence[Candidate]
    likelihood: Mapping[str, float]
    mentions: Mentions

    def without(self, kept: Kept) -> Stock:
        """What is left to be said beside what was kept."""
        said = {id(c.what) for c in kept.candidates}
        listed = {c.what for c in kept.candidates if isinstance(c.what, str)}
        return replace(
            self,
            items=[c for c in self.items if id(c.what) not in said],
            names=[c for c in self.names if c.what not in listed],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A beginning that stands again: its rows, what they say, and their tokens beyond the frame."""

    rows: tuple[Row, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    tokens: int = 0

    @property
    def items(self) -> list[Item]:
        """The items that it says."""
        return [c.what for c in self.candidates if isinstance(c.what, Item)]


@dataclass(frozen=True, slots=True)
class _Unit:
    """The least that can be kept: a row, or the next name of a row that lists names."""

    row: Row
    candidates: tuple[Candidate, ...]


def keep_beginning(rows: Sequence[Row], stock: Stock, room: int, counter: Counter) -> Kept:
    """The longest beginning of an earlier brief's rows that costs no more than `SLACK` of the worth.

    `room` are the tokens beyond the frame.
    """
    units = list(_holding(rows, stock))
    if not units:
        return Kept()
    frame = counter.count(render([]))
    least = (1 - SLACK) * fill(stock, Kept(), room).value

    def beginning(many: int) -> Kept:
        kept = _joined(units[:many])
        again = len({row.section for row in kept}) - 1
        tokens = counter.count(render(kept)) - frame + HEADING_TOKENS * again
        said = tuple(c for unit in units[:many] for c in unit.candidates)
        return Kept(rows=kept, candidates=said, tokens=tokens)

    best, low, high = Kept(), 0, len(units)
    for _ in range(HALVINGS):
        if low >= high:
            break
        middle = (low + high + 1) // 2
        tried = beginning(middle)
        if tried.tokens <= room and fill(stock, tried, room).value >= least:
            best, low = tried, middle
        else:
            high = middle - 1
    return best


def fill(stock: Stock, kept: Kept, room: int) -> Choice:
    """What to say in `room` tokens beside what was kept."""
    left = stock.without(kept)
    return choose(
        left.items, left.names, stock.likelihood, room, kept=kept.candidates, kept_tokens=kept.tokens
    )


def _holding(rows: Sequence[Row], stock: Stock) -> Iterator[_Unit]:
    """The rows up to the first thing in them that the ledger would not say again to the letter."""
    said = {key: c for c in stock.items if isinstance(c.what, Item) for key in _keys(c.what)}
    worth = {c.what: c.worth for c in stock.names if isinstance(c.what, str)}
    known = stock.likelihood.__contains__
    for row in rows:
        about = _about(row, said, stock, known)
        if about is None:
            return
        if not row.names:
            yield _Unit(row, about)
        for at, name in enumerate(row.names):
            if row.grouped:
                member = said.get((row.section, name, row.text))
                if member is None:
                    return
                found = (member,)
            elif known(name) or name in worth:
                listed = Candidate(
                    what=name,
                    tokens=0,
                    worth=worth.get(name, 0.0),
                    names=tuple(sorted(names_within(name, known))),
                )
                found = (listed,)
            else:
                return
            yield _Unit(replace(row, names=row.names[: at + 1]), (*about, *found) if at == 0 else found)


def _about(
    row: Row, said: Mapping[tuple[str, str, str], Candidate], stock: Stock, known: Callable[[str], bool]
) -> tuple[Candidate, ...] | None:
    """What the words of a row say, apart from the names listed; None where they hold no more."""
    if row.names and (row.grouped or row.section == "where"):
        return ()
    if row.section == "excerpts":
        if again := said.get((row.section, row.text, "")):
            return (again,)
        names = tuple(sorted({n.text for n in names_in(row.text)}))
        if not all(map(known, names)):
            return None
        worth = row.worth * 0.5 ** ((stock.mentions.messages - 1 - row.turn) / HALF_LIFE)
        item = Item(section="excerpts", text=row.text, order=(row.turn,), worth=worth, turns=(row.turn,))
        return (Candidate(what=item, tokens=0, worth=worth, names=names),)
    if row.section == "files":
        return () if (row.section, row.text, "") in said else None
    item_said = said.get((row.section, row.text, ""))
    return None if item_said is None else (item_said,)


def _keys(item: Item) -> Iterator[tuple[str, str, str]]:
    """By which a row finds its item."""
    yield item.section, item.text, item.group
    if item.section in ("asked", "rules"):
        yield "detail", item.text, item.group
    if item.group.endswith(READ):
        yield "known", item.text, item.group
    elif item.section == "files":
        yield "files", change_heading(item), ""


def _joined(units: Sequence[_Unit]) -> tuple[Row, ...]:
    """The rows of the units: of those that list more and more of the same names, the last."""
    rows: list[Row] = []
    for unit in units:
        if rows and len(unit.row.names) > 1 and rows[-1].names == unit.row.names[:-1]:
            rows[-1] = unit.row
        else:
            rows.append(unit.row)
    return tuple(rows)
