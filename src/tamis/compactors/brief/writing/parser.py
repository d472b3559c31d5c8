"""Reading a brief back: the inverse of `layout.render`.

Every line of a brief begins with a mark that only the layout writes, so what it says can be told from what it
quotes. What does not read as a brief in every line is none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import StatementKind
from tamis.compactors.brief.writing.frame import BRIEF_HEADER, NOTE, SMALL_BRIEF_HEADER
from tamis.compactors.brief.writing.layout import KEY, MARKS, TITLES

_FENCE = re.compile(r"`{3,}")
_EPISODE = re.compile(r"### #(\d+)(?:-(\d+))?(?: \(edited later, (?:from|deleted at) #\d+: [^()]+\))?")
_HEAD = re.compile(r"### [A-Z][a-z]{1,20}")
"""Over each part of a model's summary."""

LINE_MARKS = ("> ", "= ", "- ", "| ")
_SECTIONS = {f"## {title}": name for name, title in TITLES.items()}
_DEEDS: tuple[tuple[str, StatementKind], ...] = (
    ("committed ", "committed"),
    ("edited ", "changed"),
    ("wrote ", "changed"),
    ("replied ", "posted"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class BriefLine:
    """A line of a brief: its section, its words without their mark, its episode and its range in the text."""

    section: str
    kind: StatementKind
    text: str
    start: int
    end: int
    turns: tuple[int, int] = (0, 0)


def parse_brief(text: str) -> tuple[BriefLine, ...] | None:
    r"""The lines that a brief says; None for what is no brief.

    >>> parse_brief("hello") is None
    True
    >>> from tamis.compactors.brief.writing.layout import LEGEND
    >>> brief = "\n".join([BRIEF_HEADER, "```", LEGEND, "## Rules", "> never x", "```"])
    >>> [(line.section, line.text) for line in parse_brief(brief)]
    [('rules', 'never x')]
    """
    lines = text.split("\n")
    if lines[0] not in (BRIEF_HEADER, SMALL_BRIEF_HEADER):
        return None
    found: list[BriefLine] = []
    at, offset = 1, len(lines[0]) + 1
    while at < len(lines):
        if found and lines[at] == NOTE:  # what the gate found missing
            offset += len(NOTE) + 1
            at += 1
        if at >= len(lines) or not _FENCE.fullmatch(lines[at]) or lines[at] not in lines[at + 1 :]:
            return None
        closing = lines.index(lines[at], at + 1)
        offset += len(lines[at]) + 1
        try:
            found += _lines(lines[at + 1 : closing], offset)
        except ValueError:
            return None
        offset += sum(len(line) + 1 for line in lines[at + 1 : closing + 1])
        at = closing + 1
    return tuple(found)


def _lines(lines: list[str], offset: int) -> Iterator[BriefLine]:
    section = ""
    turns = (0, 0)
    for line in lines:
        start, end = offset, offset + len(line)
        offset = end + 1
        if (line == KEY or MARKS in line) and not line.startswith(LINE_MARKS):
            continue
        if line in _SECTIONS:
            section = _SECTIONS[line]
            continue
        if section == "summary" and _HEAD.fullmatch(line):
            continue
        if episode := _EPISODE.fullmatch(line):
            turns = (int(episode[1]), int(episode[2] or episode[1]))
            continue
        mark, words = line[:2], line[2:]
        if not section or mark not in LINE_MARKS:
            raise ValueError(line)
        yield BriefLine(
            section=section,
            kind="noted" if section == "summary" else _kind(mark, words),
            text=words,
            start=start,
            end=end,
            turns=turns,
        )


def _kind(mark: str, words: str) -> StatementKind:
    if mark == "> ":
        return "asked"
    if mark == "= ":
        return "concluded"
    if mark == "| ":
        return "passage"
    return next((kind for opening, kind in _DEEDS if words.startswith(opening)), "ran")
