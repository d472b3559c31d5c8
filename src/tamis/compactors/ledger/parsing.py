"""Reading a brief: the inverse of `layout.render`.

What a brief says is told by where it stands. Nothing from a session can stand as a heading, as the layout
indents what looks like one; what does not look like a brief in every line is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tamis.compactors.brief import BRIEF_HEADER, NOTE
from tamis.compactors.ledger.items import READ, TITLES, Section
from tamis.compactors.ledger.layout import MORE, SINCE, STRUCTURE, Row

_SECTIONS: dict[str, Section] = {f"## {title}": section for section, title in TITLES.items()}
_FENCE = re.compile(r"`{3,}")
_NAME = re.compile(r'"([^"]* [^"]*)"(?!\S)|(\S+)')
_DEED = re.compile(rf"(?:perhaps )?(?:created|modified|deleted|reverted|renamed(?: from .+)?|{READ})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A row, and the range of its lines in the text of the brief."""

    row: Row
    start: int
    end: int


def parse_brief(text: str) -> tuple[Placed, ...] | None:
    r"""The rows that a brief says; None for what is no brief.

    >>> parse_brief("hello") is None
    True
    >>> brief = f"{BRIEF_HEADER}\n```\n## Rules\n> never x\n```"
    >>> [(placed.row.section, placed.row.text) for placed in parse_brief(brief)]
    [('rules', 'never x')]
    """
    lines = text.split("\n")
    if lines[0] != BRIEF_HEADER:
        return None
    rows: list[Placed] = []
    at, offset = 1, len(lines[0]) + 1
    while at < len(lines):
        if rows and lines[at] == NOTE:  # what the gate found missing
            offset += len(NOTE) + 1
            at += 1
        if at >= len(lines) or not _FENCE.fullmatch(lines[at]) or lines[at] not in lines[at + 1 :]:
            return None
        closing = lines.index(lines[at], at + 1)
        offset += len(lines[at]) + 1
        found = _rows(lines[at + 1 : closing], offset)
        if found is None:
            return None
        rows += found
        offset += sum(len(line) + 1 for line in lines[at + 1 : closing + 1])
        at = closing + 1
    return tuple(rows)


def _rows(lines: list[str], offset: int) -> list[Placed] | None:
    """The rows of what stands inside a fence; None where a line stands under no heading or has no mark."""
    section: Section | None = None
    rows: list[Placed] = []
    for line in lines:
        start, end = offset, offset + len(line)
        offset = end + 1
        if line == SINCE:
            continue
        if line in _SECTIONS:
            section, fresh = _SECTIONS[line], True
            continue
        if section is None:
            return None
        more = _continued(line, section)
        if more is not None and not fresh:
            last = rows[-1]
            rows[-1] = replace(last, row=replace(last.row, text=f"{last.row.text}\n{more}"), end=end)
            continue
        row = _row(line, section)
        if row is None:
            return None
        rows.append(Placed(row=row, start=start, end=end))
        fresh = False
    return rows


def _continued(line: str, section: Section) -> str | None:
    """The rest of a row's text where a line goes on with it."""
    if section == "excerpts":
        found = STRUCTURE.fullmatch(line)
        if found is None:
            return line
        return line[1:] if found["indent"] else None
    return line.removeprefix(MORE) if line.startswith(MORE) else None


def _row(line: str, section: Section) -> Row | None:
    """The row that a line begins."""
    if section == "excerpts":
        return Row(section=section, text=line) if STRUCTURE.fullmatch(line) else None
    mark, text = line[:2], line[2:]
    if mark == "> ":
        return Row(section=section, text=text, quote=True)
    if mark != "- ":
        return None
    head, colon, rest = text.partition(": ")
    if section == "files" and not _DEED.fullmatch(head) and _DEED.fullmatch(rest):
        return Row(section=section, text=rest, names=(head,), grouped=True)  # as the gate adds it
    if colon and (section in ("files", "where") or head.endswith(READ)):
        return Row(section=section, text=head, names=tuple(_names(rest)), grouped=bool(_DEED.fullmatch(head)))
    return Row(section=section, text=text)


def _names(listed: str) -> Iterator[str]:
    for match in _NAME.finditer(listed):
        yield match[1] or match[2]
