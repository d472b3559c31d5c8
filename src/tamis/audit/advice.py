"""What to type next, after an audit."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tamis.audit.scan import ScanResult
from tamis.audit.totals import AuditFigures

_WRAPPED = ("claude-code", "opencode", "pi", "codex", "gemini-cli")


@dataclass(frozen=True, kw_only=True, slots=True)
class SuggestedCommand:
    """A command line, and what it does."""

    line: str
    does: str


def advise(figures: AuditFigures, audited: ScanResult, *, page: Path | None) -> Iterator[SuggestedCommand]:
    """The commands that are worth typing next, the most useful first.

    Args:
        figures: what was found.
        audited: where.
        page: the page that was written, if one was.
    """
    if path := figures.examples[0].path if figures.examples else _largest(audited):
        which = "the session of the first example" if figures.examples else "the largest of these sessions"
        line = f"tamis compact {shlex.quote(path)} -b 2% --as text"
        yield SuggestedCommand(line=line, does=f"what tamis makes of {which}")
    names = [a.name for a in sorted(figures.agents, key=lambda a: (-a.measured, -a.compactions))]
    if ours := next((name for name in names if name in _WRAPPED), None):
        yield SuggestedCommand(
            line=f"tamis wrap {ours}", does="let tamis compact in this folder; --user: in all of them"
        )
    if figures.unreached:
        yield SuggestedCommand(line="tamis audit --all", does="measure every compaction; it takes minutes")
    if page is None:
        yield SuggestedCommand(line="tamis audit -o audit.html", does="all of this as a page to keep")


def _largest(audited: ScanResult) -> str | None:
    """The session with the most tokens that is a file of its own."""
    files = [one for one in audited.looked if one.sessions == 1 and one.stored.inside is None]
    best = max(files, key=lambda one: one.tokens.total if one.tokens else 0, default=None)
    return str(best.stored.path) if best else None
