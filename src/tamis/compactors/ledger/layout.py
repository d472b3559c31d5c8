"""How a brief looks: rows under the headings of their sections, everything from the session inside one fence.

A reader who has seen one knows where to look in the next: what was asked, what holds, what was decided, what
stands in the files, where things are, what to know, what failed, what is open. A brief that goes on from an
earlier one begins with the earlier one's rows; what came later stands behind them, in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.compactors.brief import BRIEF_HEADER, fence
from tamis.compactors.ledger.items import TITLES, Item, Section

SINCE = "# Since then"
"""Stands before rows that go back to an earlier section: they are newer than all that stands above."""

MORE = ">  "
"""Stands before the second and later lines of a quotation, so that it can be told from the next one."""

STRUCTURE = re.compile(
    rf"(?P<indent> *)(?:## (?:{'|'.join(map(re.escape, TITLES.values()))})|{SINCE}|### #\d+ \w+)"
)
"""What only the layout writes at the beginning of a line. The same line in a passage stands indented."""

PLACE = {section: place for place, section in enumerate(TITLES)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What stands together in a brief: words, a list under a heading of its own, or a passage.

    `text` is what is said, or what heads the list of `names`; `grouped` says that the names are items of
    their own, which share the row. `worth` and `turn` are kept of passages only, which no later ledger gives
    again.
    """

    section: Section
    text: str
    names: tuple[str, ...] = ()
    quote: bool = False
    grouped: bool = False
    worth: float = 0.0
    turn: int = 0

    @property
    def lines(self) -> list[str]:
        """The row as lines: somebody's words behind `> `, a passage as it was, else a list item."""
        if self.quote:
            first, *more = [line for line in self.text.splitlines() if line.strip()] or [""]
            return [f"> {first.lstrip()}", *(f"{MORE}{line}" for line in more)]
        if self.section == "excerpts":
            return list(_passage(self.text))
        return [f"- {self.text}: {listing(self.names)}" if self.names else f"- {self.text}"]

    def to_json(self) -> list[Any]:
        """The row as JSON values; `from_json` gives the same back."""
        return [self.section, self.text, list(self.names), self.quote, self.grouped, self.worth, self.turn]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Row:
        """What `to_json` gave."""
        section, text, names, quote, grouped, worth, turn = data
        return cls(
            section=section,
            text=text,
            names=tuple(names),
            quote=quote,
            grouped=grouped,
            worth=worth,
            turn=turn,
        )


def render(rows: Iterable[Row]) -> str:
    """The text of a brief: a heading where the section changes, and a larger one where it goes back.

    What stands first in `rows` stands first in the text, so that the same beginning gives the same bytes.
    """
    lines: list[str] = []
    section: Section | None = None
    for row in rows:
        if section is not None and PLACE[row.section] < PLACE[section]:
            lines.append(SINCE)
        if row.section != section:
            lines.append(f"## {TITLES[row.section]}")
            section = row.section
        lines += row.lines
    return f"{BRIEF_HEADER}\n{fence(chr(10).join(lines))}"


def _passage(text: str) -> Iterator[str]:
    """The lines of a passage: its heading, and what was said, which no reader may take for a heading."""
    heading, *lines = text.split("\n")
    yield heading
    for line in lines:
        yield f" {line}" if STRUCTURE.fullmatch(line) else line


def row_of(item: Item, *, detail: bool = False) -> Row:
    """The row of an item that shares one with nothing; words that were not required stand as `detail`."""
    passage = item.section == "excerpts"
    return Row(
        section="detail" if detail and item.section in ("asked", "rules") else item.section,
        text=item.text,
        quote=item.quote,
        worth=item.worth if passage else 0.0,
        turn=max(item.turns, default=0) if passage else 0,
    )


def listing(names: Iterable[str]) -> str:
    """Names in a row, by blanks alone (a comma is a token); what holds a blank itself stands in quotes.

    >>> listing(["io.py", "def read"])
    'io.py "def read"'
    """
    return " ".join(listed(name) for name in names)


def listed(name: str) -> str:
    """A name as it stands in a list."""
    return f'"{name}"' if " " in name else name


def cost_text(item: Item) -> str:
    """The text whose tokens are about what the item takes in a brief."""
    return f" {item.text}" if item.group else "\n".join(row_of(item).lines) + "\n"
