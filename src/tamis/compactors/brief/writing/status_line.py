"""A line of the sections that say where things stand, and which deeds are runs of tests or checks."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.deeds.call_text import bare
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.shell.programs import READING

MANY_ALIKE = 5
WITH_ROOM = 9
"""The rank of a line that is only good to have."""
_NO_TRIALS = READING | {"git", "gh", "test"}
_NUMBERED_NAME = re.compile(r"\A(?P<begin>[A-Za-z]+[_-])[^.]+(?P<end>\.\w+)\Z")
_CHECKING_TOOL = re.compile(r"\A(?:run_)?(?:py)?(?:tests?|checks?|lint|build)\b")
"""A tool that is one run of tests or checks, by its name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusLine:
    """A line of a section: `rank` 0 gets room first; what is shorter where `text` has no room."""

    section: str
    rank: int
    text: str
    middle: tuple[str, ...] = ()
    short: str = ""


def is_run(s: Statement) -> bool:
    """Whether a deed ran tests or checks on the work as it stood."""
    if "aside" in s.flags:
        return False
    by_name = s.kind in ("ran", "failed") and _CHECKING_TOOL.match(s.text)
    return s.kind == "tested" or bool(by_name) or (s.kind == "failed" and "check" in s.flags)


def acts(s: Statement) -> bool:
    """Whether a command did more than read, or keep versions."""
    words = bare(s.key).split()
    acts = s.kind in ("ran", "failed") and {"reads", "refused", "installed", "seen"}.isdisjoint(s.flags)
    return acts and bool(words) and not _NO_TRIALS.intersection(words[:1])


def kinds_of(
    changes: Mapping[tuple[int, int], Statement], made: Mapping[str, tuple[int, int]]
) -> Counter[str]:
    """How often files were edited, made and restored by changes, by their place; `made` says when first."""
    return Counter(
        "restored" if "restore" in s.flags else "files made" if made.get(s.key) == at else "edited"
        for at, s in changes.items()
    )


def by_beginning(names: Sequence[str]) -> list[str]:
    """The names; of many with one beginning and one ending, how many.

    >>> by_beginning([*(f"debug_{n}.py" for n in range(6)), "fix.py"])
    ['debug_*.py (6)', 'fix.py']
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        if kind := _NUMBERED_NAME.match(name):
            groups.setdefault((kind["begin"], kind["end"]), []).append(name)
    many = {
        name: f"{begin}*{end} ({len(group)})"
        for (begin, end), group in groups.items()
        if len(group) >= MANY_ALIKE
        for name in group
    }
    return list(dict.fromkeys(many.get(name, name) for name in names))
