"""Stage 3: every level cut down to its range.

L1 and L3 sections have a range each, the sections of L2 have their parts of one, by what they stand for.
Within it a section aims at the target share, what worked at half: it was short to begin with. What the others
leave of the target goes to the iterations and to what worked. Bare names come last and may fill what room the
block has left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tamis.memory.classification import JudgedSection
from tamis.memory.sections import JudgedLine, MemorySection
from tamis.memory.settings import MemorySettings


@dataclass(frozen=True, kw_only=True, slots=True)
class DroppedLine:
    """A line that does not go in: where it stood, what it was worth, and why it goes."""

    source: str
    line: JudgedLine
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CompressionResult:
    """What stage 3 gives: sections with the lines that are left, in their order."""

    sections: tuple[JudgedSection, ...]
    left_out: tuple[DroppedLine, ...]


WORKED_SHARE = 0.5
"""The published share that is left of success patterns."""

EVEN = 100
"""Tokens added to each section of L2 before they share its range, so that none is left without a part."""


def compress(
    classified: Sequence[JudgedSection], settings: MemorySettings, *, room_tokens: int | None = None
) -> CompressionResult:
    """Select the lines of every level; `room_tokens` is that of the block, the published size unless told."""
    block = room_tokens or settings.thresholds.max_compressed_size
    share = settings.thresholds.target_compression_ratio
    rooms = [_room(judged.section, classified, settings, block) for judged in classified]
    chosen = [_select(judged, aim) for judged, (aim, _) in zip(classified, rooms, strict=True)]
    past = [i for i, one in enumerate(classified) if one.section.level != "L0" and not _is_names(one)]
    spare = int(share * sum(classified[i].section.tokens_before for i in past))
    spare -= sum(chosen[i].section.tokens for i in past)
    for i in sorted(past, key=lambda i: classified[i].section.level != "L1"):
        aim, most = rooms[i]
        if spare > 0 and _takes_more(classified[i]) and aim is not None:
            had = chosen[i].section.tokens
            chosen[i] = _select(classified[i], min(most, aim + spare))
            spare -= chosen[i].section.tokens - had
    return CompressionResult(
        sections=tuple(selected.section for selected in chosen),
        left_out=tuple(gone for selected in chosen for gone in selected.left_out),
    )


class _Selected(NamedTuple):
    section: JudgedSection
    left_out: tuple[DroppedLine, ...]


def _room(
    section: MemorySection, classified: Sequence[JudgedSection], settings: MemorySettings, block: int
) -> tuple[int | None, int]:
    """What a section aims at (None: it has no limit), and the most that it may take."""
    levels, share = settings.levels, settings.thresholds.target_compression_ratio
    if section.level == "L0":
        return None, 0
    if section.source == "names":
        is_wide = block > settings.thresholds.max_compressed_size
        return (max(levels.session.most, block if is_wide else 0),) * 2
    bounds = {"L1": levels.iteration, "L2": levels.session, "L3": levels.skillbook}[section.level]
    part = 1.0
    if section.level == "L2":
        level = [one.section for one in classified if one.section.level == "L2" and not _is_names(one)]
        part = (section.tokens_before + EVEN) / sum(one.tokens_before + EVEN for one in level)
    aim = section.tokens_before * (WORKED_SHARE if section.source == "worked" else share)
    most = int(bounds.most * part)
    return min(int(max(aim, bounds.least * part)), most), most


def _is_names(judged: JudgedSection) -> bool:
    return judged.section.source == "names"


def _takes_more(judged: JudgedSection) -> bool:
    """Whether it is worth more than the target share where others leave some: traces of errors are not."""
    return judged.section.level == "L1" or judged.section.source == "worked"


def _select(judged: JudgedSection, room: int | None) -> _Selected:
    """The section with the lines that stay, and those that go; no room means no limit."""
    lines = judged.lines
    kept: set[int] = set()
    left_out: list[DroppedLine] = []
    taken = 0
    for i in sorted(range(len(lines)), key=lambda i: (lines[i].priority, -lines[i].line.rank, i)):
        line = lines[i]
        fits = room is None or taken + line.tokens <= room
        if line.worth != "wasteful" and (line.worth == "essential" or fits):
            kept.add(i)
            taken += line.tokens
            continue
        why = line.reason if line.worth == "wasteful" else f"no room in the {room} tokens of its level"
        left_out.append(DroppedLine(source=judged.section.source, line=line, reason=why))
    stay = tuple(line for i, line in enumerate(lines) if i in kept)
    return _Selected(JudgedSection(section=judged.section, lines=stay), tuple(left_out))
