"""A line of the sections that say where things stand, and which deeds are runs of tests or checks."""

import re
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement

_CHECKING_TOOL = re.compile(r"\A(?:run_)?(?:py)?(?:tests?|checks?|lint|build)\b")
"""A tool that is one run of tests or checks, by its name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusLine:
    """A line of a section: `rank` 0 gets room first; `short` is said where `text` has no room."""

    section: str
    rank: int
    text: str
    short: str = ""


def is_run(s: Statement) -> bool:
    """Whether a deed ran tests or checks on the work as it stood."""
    if "aside" in s.flags:
        return False
    by_name = s.kind in ("ran", "failed") and _CHECKING_TOOL.match(s.text)
    return s.kind == "tested" or bool(by_name) or (s.kind == "failed" and "check" in s.flags)
