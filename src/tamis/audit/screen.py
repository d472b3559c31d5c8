"""An audit on one screen."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tamis.audit import narrative as wording
from tamis.audit.narrative import SuggestedCommand
from tamis.audit.totals import AuditFigures

EXAMPLES = 3
MAX_WIDTH = 120


def screen(
    figures: AuditFigures, commands: Sequence[SuggestedCommand], *, width: int, home: Path
) -> Iterator[str]:
    """The lines of the screen, none wider than `width` unless a command is: those are to be copied."""
    width = min(width, MAX_WIDTH)
    yield from _filled(f"{wording.headline(figures)} {wording.coverage(figures)}", width)
    yield ""
    yield from _table(_agent_rows(figures))
    yield ""
    yield from _compactions(figures, width)
    yield from _examples(figures, width, home)
    yield from _tokens(figures)
    for line in wording.troubles(figures):
        yield from _filled(f"! {line}", width, indent="  ")
    yield ""
    yield "Next"
    yield from _next(commands, width)


def _agent_rows(figures: AuditFigures) -> Iterator[tuple[str, ...]]:
    yield ("", "sessions", "size", "read", "tokens read", "compacted")
    for agent in figures.agents:
        found = agent.sessions + agent.sub_agents
        yield (
            agent.agent,
            f"{found:,}",
            wording.size(agent.bytes),
            "all" if agent.read == found else f"{agent.read:,}",
            wording.amount(agent.tokens) if agent.tokens else "-",
            f"{agent.compactions:,}×" if agent.compactions else "-",
        )


def _compactions(figures: AuditFigures, width: int) -> Iterator[str]:
    yield from _filled(wording.compacting(figures), width)
    if not figures.compactions:
        yield ""
        return
    if figures.measured:
        yield from _filled(wording.shrinking(figures), width)
    if why := "; ".join(wording.unmeasured(figures)):
        yield from _filled(f"Not measured: {why}.", width)
    rows = [
        (what, f"{kept.needed:,}", wording.share(kept.theirs), wording.share(kept.tamis))
        for what, kept in wording.needed(figures)
    ]
    if rows:
        yield ""
        yield from _table([("Needed afterwards", "needed", "its summary", "tamis"), *rows])
        yield from _filled(wording.averaged(figures), width)
    yield ""


def _examples(figures: AuditFigures, width: int, home: Path) -> Iterator[str]:
    if not figures.examples:
        return
    yield "Lost, for example (what tamis keeps comes first)"
    for number, example in enumerate(figures.examples[:EXAMPLES], 1):
        yield from _filled(f"{number} {wording.lost(example)}", width, indent="  ")
        yield from _filled(wording.where(example, home), width, indent="  ", first="  ")
    yield ""


def _tokens(figures: AuditFigures) -> Iterator[str]:
    use = figures.tokens
    if not use.total:
        return
    made = [(name, wording.amount(n), f"{n / use.total:.0%}") for name, n in wording.token_rows(use)]
    yield from _table([("What the tokens went to", "tokens", "share"), *made])


def _next(commands: Sequence[SuggestedCommand], width: int) -> Iterator[str]:
    for command in commands:
        aside = f"  # {command.does}"
        if len(command.line) + len(aside) + 2 <= width:
            yield f"  {command.line}{aside}"
        else:
            yield f"  # {command.does}"
            yield f"  {command.line}"


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Columns under each other, the first to the left, the others to the right."""
    lines = list(rows)
    first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    for name, *cells in lines:
        right = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join([name.ljust(first), *right]).rstrip()


def _filled(text: str, width: int, *, indent: str = "", first: str = "") -> list[str]:
    """The text in lines, without what a terminal would obey."""
    line = " ".join(text.split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return textwrap.wrap(
        shown,
        width,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
