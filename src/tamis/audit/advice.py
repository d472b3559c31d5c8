"""What to type next, after an audit."""

import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tamis.audit.scan import ScanResult
from tamis.audit.totals import AuditFigures

_HOOKED = ("claude-code", "codex", "gemini-cli")
_PLUGGED = ("claude-code", "opencode", "pi", "codex", "gemini-cli")


@dataclass(frozen=True, kw_only=True, slots=True)
class SuggestedCommand:
    """A command line, and what it does."""

    line: str
    does: str


def advise(
    figures: AuditFigures, audited: ScanResult, *, commands: Collection[str], page: Path | None
) -> Iterator[SuggestedCommand]:
    """The commands that are worth typing next, the most useful first.

    Args:
        figures: what was found.
        audited: where.
        commands: the commands that this tamis has.
        page: the page that was written, if one was.
    """
    verb = "wrap" if "wrap" in commands else "install"
    names = [a.name for a in sorted(figures.agents, key=lambda a: (-a.measured, -a.compactions))]
    ours = next((n for n in names if n in (_PLUGGED if verb == "wrap" else _HOOKED)), None)
    if ours:
        does = (
            "let tamis compact there" if verb == "wrap" else "keep what it compacts, and tell what was lost"
        )
        yield SuggestedCommand(line=f"tamis {verb} {ours}", does=does)
    if figures.examples:
        does = "what the session of the first example holds"
        yield SuggestedCommand(line=f"tamis show {shlex.quote(figures.examples[0].path)}", does=does)
    elif path := _largest(audited):
        yield SuggestedCommand(
            line=f"tamis show {shlex.quote(path)}", does="what the largest of these sessions holds"
        )
    if page is None:
        yield SuggestedCommand(line="tamis audit -o audit.html", does="all of this as a page to keep")


def _largest(audited: ScanResult) -> str | None:
    """The session with the most tokens that is a file of its own."""
    files = [one for one in audited.looked if one.tokens and one.stored.inside is None]
    best = max(files, key=lambda one: one.tokens.total if one.tokens else 0, default=None)
    return str(best.stored.path) if best else None
