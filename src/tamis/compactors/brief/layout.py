"""How a brief looks: the rules, the story in episodes, where things stand, what is next; all inside one fence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tamis.compactors.brief.episodes import Episode
from tamis.compactors.brief.frame import BRIEF_HEADER, fence
from tamis.compactors.brief.statement import WORDS, Statement

LEGEND = "In order, by message number. > the user; = the agent's words; - what was done; | copied text."

MARKS = {"asked": "> ", "passage": "| "}


def mark_of(statement: Statement) -> str:
    """What stands before each line of a statement."""
    if statement.kind in WORDS:
        return "= "
    return MARKS.get(statement.kind, "- ")


def lines_of(statement: Statement) -> list[str]:
    """The statement as lines, each with its mark."""
    mark = mark_of(statement)
    return [f"{mark}{line.rstrip()}" for line in statement.text.splitlines() if line.strip()]


def story(chosen: Iterable[Statement], episodes: Sequence[Episode]) -> list[str]:
    """The lines of the story: episodes in order, in each what was chosen, in order."""
    lines: list[str] = []
    waiting = sorted(chosen, key=lambda s: (s.turn, s.place))
    at = 0
    for episode in episodes:
        own = []
        while at < len(waiting) and waiting[at].turn < episode.end:
            own.append(waiting[at])
            at += 1
        if not own:
            continue
        last = episode.end - 1
        lines.append(f"### #{episode.start}" + (f"-{last}" if last > episode.start else ""))
        lines += _joined(own)
    return lines


def _joined(statements: Sequence[Statement]) -> list[str]:
    lines: list[str] = []
    before: Statement | None = None
    for statement in statements:
        runs_on = (
            before is not None
            and before.kind in WORDS
            and statement.kind in WORDS
            and before.turn == statement.turn
            and "prose" in before.features
            and "prose" in statement.features
            and "\n" not in statement.text
        )
        if runs_on and lines:
            lines[-1] += f" {statement.text.strip()}"
        else:
            lines += lines_of(statement)
        before = statement
    return lines


def render(sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """The text of a brief."""
    lines = [LEGEND]
    for title, body in sections:
        if body:
            lines += [f"## {title}", *body]
    return f"{BRIEF_HEADER}\n{fence(chr(10).join(lines))}"
