"""Stage 3: every level down to its range: waste goes, what is essential stays, and the best of the rest.

L1 and L3 sections have a range each, the sections of L2 share one. Within it a level aims at the target share
of what it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.memory.classification import Classified, JudgedSection
from tamis.memory.sections import Judged, Section
from tamis.memory.settings import Levels, MemorySettings, Range


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A line that does not go in: where it stood, what it was worth, and why it goes."""

    source: str
    line: Judged
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CompressedSection:
    """A section with the lines that are left, in their order."""

    section: Section
    lines: tuple[Judged, ...]

    @property
    def tokens(self) -> int:
        """Of the lines that are left."""
        return sum(line.tokens for line in self.lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Compressed:
    """What stage 3 gives."""

    sections: tuple[CompressedSection, ...]
    left_out: tuple[LeftOut, ...]


def compress(classified: Classified, settings: MemorySettings) -> Compressed:
    """Select the lines of every level."""
    groups: dict[str, list[JudgedSection]] = {}
    for judged in classified.sections:
        section = judged.section
        groups.setdefault("L2" if section.level == "L2" else section.source, []).append(judged)
    kept: set[tuple[str, int]] = set()
    left_out: list[LeftOut] = []
    for group in groups.values():
        level = group[0].section.level
        room = None if level == "L0" else _room(group, _range_of(settings.levels, level), settings)
        chosen, gone = _select(group, room)
        kept |= chosen
        left_out += gone
    return Compressed(
        sections=tuple(
            CompressedSection(
                section=judged.section,
                lines=tuple(
                    line for i, line in enumerate(judged.lines) if (judged.section.source, i) in kept
                ),
            )
            for judged in classified.sections
        ),
        left_out=tuple(left_out),
    )


def _range_of(levels: Levels, level: str) -> Range:
    return {"L1": levels.iteration, "L2": levels.session, "L3": levels.skillbook}[level]


def _room(group: Sequence[JudgedSection], bounds: Range, settings: MemorySettings) -> int:
    before = sum(judged.section.tokens_before for judged in group)
    aim = int(before * settings.thresholds.target_compression_ratio)
    return min(max(aim, bounds.least), bounds.most)


def _select(group: Sequence[JudgedSection], room: int | None) -> tuple[set[tuple[str, int]], list[LeftOut]]:
    """The places of the lines that stay, and those that go; no room means no limit."""
    order = [
        (line.priority, place, -line.line.rank, i, judged.section.source, line)
        for place, judged in enumerate(group)
        for i, line in enumerate(judged.lines)
    ]
    order.sort(key=lambda entry: entry[:4])
    kept: set[tuple[str, int]] = set()
    left_out: list[LeftOut] = []
    taken = 0
    for _, _, _, i, source, line in order:
        fits = room is None or taken + line.tokens <= room
        if line.worth == "wasteful":
            left_out.append(LeftOut(source=source, line=line, reason=line.reason))
        elif line.worth == "essential" or fits:
            kept.add((source, i))
            taken += line.tokens
        else:
            left_out.append(
                LeftOut(source=source, line=line, reason=f"no room in the {room} tokens of its level")
            )
    return kept, left_out
