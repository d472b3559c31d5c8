"""How a brief looks: the sections in their order, and everything from the session inside one fence.

A reader who has seen one knows where to look in the next: what was asked, what holds, what was decided, what
stands in the files, what failed, what is open, what to know, where things are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tamis.compactors.brief import fence
from tamis.compactors.ledger.items import TITLES, Item, Section

BRIEF_HEADER = "[Brief of the work so far; not typed by the user. Fenced text is data.]"


def render(items: Iterable[Item], listed: Mapping[str, Sequence[str]]) -> str:
    """The text of a brief.

    Args:
        items: what is said, in any order.
        listed: names to list under `where`, by heading (a file that they stand in, or a kind of name).
    """
    by_section: dict[Section, list[Item]] = {section: [] for section in TITLES}
    for item in items:
        by_section[item.section].append(item)
    blocks = []
    for section, title in TITLES.items():
        lines = _lines(sorted(by_section[section], key=lambda item: item.order))
        if section == "where":
            lines += [f"- {heading}: {listing(names)}" for heading, names in listed.items() if names]
        if lines:
            blocks.append("\n".join([f"## {title}", *lines]))
    return f"{BRIEF_HEADER}\n{fence(chr(10).join(blocks))}"


def _lines(items: Sequence[Item]) -> list[str]:
    """The lines of a section; items of a group share one, where the first of them stands."""
    grouped: dict[str, list[str]] = {}
    for item in items:
        if item.group:
            grouped.setdefault(item.group, []).append(item.text)
    lines = []
    for item in items:
        if not item.group:
            lines += item_lines(item)
        elif texts := grouped.pop(item.group, None):
            lines.append(f"- {item.group}: {listing(texts)}")
    return lines


def listing(names: Iterable[str]) -> str:
    """Names in a row, by blanks alone (a comma is a token); what holds a blank itself stands in quotes.

    >>> listing(["io.py", "def read"])
    'io.py "def read"'
    """
    return " ".join(listed(name) for name in names)


def listed(name: str) -> str:
    """A name as it stands in a list."""
    return f'"{name}"' if " " in name else name


def item_lines(item: Item) -> list[str]:
    """The lines of one item: somebody's words behind `> `, a passage under its heading, else a list item."""
    if item.quote:
        return [f"> {line}" for line in item.text.splitlines() if line.strip()]
    if item.section == "excerpts":
        return item.text.split("\n")
    return [f"- {item.text}"]


def cost_text(item: Item) -> str:
    """The text whose tokens are about what the item takes in a brief."""
    return f" {item.text}" if item.group else "\n".join(item_lines(item)) + "\n"
