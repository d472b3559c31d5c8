"""Stage 3: every level down to its range: waste goes, what is essential stays, and the best of the rest.

L1 and L3 sections have a range each, the sections of L2 have their parts of one, by what they stand for. Within
it a section aims at the target share, what worked at half: it was short to begin with. Bare names come last and
may fill what room the block has left.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.memory.classification import Classified, JudgedSection
from tamis.memory.sections import Judged, Section
from tamis.memory.settings import MemorySettings


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


WORKED_SHARE = 0.5
"""The published share that is left of success patterns."""

EVEN = 100
"""Tokens added to each section of L2 before they share its range, so that none is left without a part."""


def compress(
    classified: Classified, settings: MemorySettings, *, room_tokens: int | None = None
) -> Compressed:
    """Select the lines of every level; `room_tokens` is that of the block, the published size unless told."""
    block = room_tokens or settings.thresholds.max_compressed_size
    kept: set[tuple[str, int]] = set()
    left_out: list[LeftOut] = []
    for judged in classified.sections:
        chosen, gone = _select(judged, _room(judged.section, classified, settings, block))
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


def _room(section: Section, classified: Classified, settings: MemorySettings, block: int) -> int | None:
    levels, share = settings.levels, settings.thresholds.target_compression_ratio
    if section.level == "L0":
        return None
    if section.source == "names":
        return max(levels.session.most, block if block > settings.thresholds.max_compressed_size else 0)
    bounds = {"L1": levels.iteration, "L2": levels.session, "L3": levels.skillbook}[section.level]
    part = 1.0
    if section.level == "L2":
        level = [s.section.tokens_before + EVEN for s in classified.sections if _shares_l2(s.section)]
        part = (section.tokens_before + EVEN) / sum(level)
    aim = section.tokens_before * (WORKED_SHARE if section.source == "worked" else share)
    return int(min(max(aim, bounds.least * part), bounds.most * part))


def _shares_l2(section: Section) -> bool:
    return section.level == "L2" and section.source != "names"


def _select(judged: JudgedSection, room: int | None) -> tuple[set[tuple[str, int]], list[LeftOut]]:
    """The places of the lines that stay, and those that go; no room means no limit."""
    source = judged.section.source
    order = sorted(
        enumerate(judged.lines), key=lambda entry: (entry[1].priority, -entry[1].line.rank, entry[0])
    )
    kept: set[tuple[str, int]] = set()
    left_out: list[LeftOut] = []
    taken = 0
    for i, line in order:
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
