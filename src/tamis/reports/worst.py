"""Where most was lost: the points in the order of their badness, and the missing names in their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tamis.evals.hindsight import Hindsight, Need
from tamis.evals.results import PointRecord, Result, Run
from tamis.reports.scopes import Scope, is_control

EXCERPT_CHARS = 240
"""How much of the text is shown on each side of a name, at most."""

EXCERPT_LINES = 2
"""How many lines are shown above and below it, at most."""

EXCERPTS = 4
"""How many missing names of a point are shown in their text; the rest is counted."""

_HEADING = re.compile(r"(?m)^### (\d+) (system|user|assistant|tool) \S+$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Excerpt:
    """A missing name in the text that it stood in. `pieces` alternate: text, marked, text, marked ..."""

    need: Need
    message: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorstPoint:
    """One method's result at one point, with what it lost."""

    point: PointRecord
    result: Result
    score: Hindsight
    excerpts: tuple[Excerpt, ...]
    unseen: tuple[Need, ...]

    @property
    def needed(self) -> int:
        """How many names were needed."""
        return len(self.point.needs)


def reference_budget(scope: Scope) -> str:
    """The budget in the middle of those asked for: neither a trifle nor plenty."""
    return scope.budgets[(len(scope.budgets) - 1) // 2] if scope.budgets else ""


def worst_points(
    run: Run, method: str, budget: str, text_of: Callable[[str], str], *, most: int = 3
) -> list[WorstPoint]:
    """The points where a method kept the least, with excerpts; those where all was kept are none."""
    points = {p.key: p for p in run.points}
    scored = [
        (r, r.score, points[r.point])
        for r in run.results
        if r.method == method and r.budget == budget and isinstance(r.score, Hindsight) and r.score.missing
    ]
    scored.sort(key=lambda item: (item[1].recall, -len(item[1].missing), item[2].key))
    return [_with_excerpts(*item, text_of(item[2].span)) for item in scored[:most]]


def by_badness(run: Run) -> list[PointRecord]:
    """All points, the one where methods kept the least on average first; unmeasured points last."""
    recalls: dict[str, list[float]] = {}
    for result in run.results:
        if isinstance(result.score, Hindsight) and not is_control(result.method):
            recalls.setdefault(result.point, []).append(result.score.recall)
    means = {key: sum(values) / len(values) for key, values in recalls.items()}
    return sorted(run.points, key=lambda p: (means.get(p.key, 2.0), p.key))


def _with_excerpts(result: Result, score: Hindsight, point: PointRecord, span: str) -> WorstPoint:
    missing = [n for n in point.needs if n.name in set(score.missing)]
    missing.sort(key=lambda n: (-n.uses, n.turn, n.name))
    marked = _pattern(tuple(n.name for n in missing))
    shown: list[Excerpt] = []
    told: set[str] = set()
    for need in missing:
        if len(shown) == EXCERPTS:
            break
        if need.name not in told and (excerpt := _excerpt(need, span, marked)):
            shown.append(excerpt)
            told.update(excerpt.pieces[1::2])
    unseen = tuple(n for n in missing if n.name not in told)
    return WorstPoint(point=point, result=result, score=score, excerpts=tuple(shown), unseen=unseen)


def _excerpt(need: Need, span: str, marked: re.Pattern[str]) -> Excerpt | None:
    """The place where the name stood last, since that is where the agent had it from."""
    places = list(_pattern((need.name,)).finditer(span))
    if not places:
        return None  # it stood in a call's arguments, written with escapes
    at = places[-1]
    headings = list(_HEADING.finditer(span, 0, at.start()))
    after = _HEADING.search(span, at.end())
    start = _lines_before(span, at.start(), headings[-1].end() + 1 if headings else 0)
    limit = after.start() if after else len(span)
    end = _lines_after(span, at.end(), limit)
    end = start + len(span[start:end].rstrip())
    pieces = list(_alternate(span[start:end], marked))
    if start and span[start - 1] != "\n":
        pieces[0] = f"…{pieces[0]}"
    if span[end:limit].partition("\n")[0].strip():
        pieces[-1] += "…"
    message = f"message {headings[-1][1]}, {headings[-1][2]}" if headings else ""
    return Excerpt(need=need, message=message, pieces=tuple(pieces))


def _lines_before(text: str, at: int, limit: int) -> int:
    """Where an excerpt begins: some lines further up, or in a long line some characters."""
    start = at
    for _ in range(EXCERPT_LINES + 1):
        line = text.rfind("\n", limit, max(limit, start - 1)) + 1 or limit
        if at - line > EXCERPT_CHARS:
            return start if start < at else max(limit, at - EXCERPT_CHARS)
        start = line
    return start


def _lines_after(text: str, at: int, limit: int) -> int:
    end = at
    for _ in range(EXCERPT_LINES + 1):
        line = text.find("\n", end + 1, limit)
        line = limit if line < 0 else line
        if line - at > EXCERPT_CHARS:
            return end if end > at else min(limit, at + EXCERPT_CHARS)
        end = line
    return end


def _alternate(text: str, marked: re.Pattern[str]) -> Iterable[str]:
    at = 0
    for match in marked.finditer(text):
        yield text[at : match.start()]
        yield match.group()
        at = match.end()
    yield text[at:]


@lru_cache(maxsize=256)
def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Any of the names where it stands as itself, as `tamis.ledger.names.stands_in` has it."""
    return re.compile("|".join(_standing(n) for n in sorted(names, key=len, reverse=True)))


def _standing(name: str) -> str:
    before = r"(?<!\w)" if name[0].isalnum() or name[0] == "_" else ""
    after = r"(?!\w)" if name[-1].isalnum() or name[-1] == "_" else ""
    return f"{before}{re.escape(name)}{after}"
