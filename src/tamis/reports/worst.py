"""The points where most was lost, with the missing names."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tamis.evals.controls import is_control
from tamis.evals.hindsight import Hindsight, Need
from tamis.evals.rundir.results import PointRecord, Result, Run
from tamis.reports.excerpts import alternate, around, cut_off, message_around
from tamis.reports.scopes import Scope

POINTS = 3
"""How many points are shown of a method."""

EXCERPTS = 4
"""How many missing names of a point are shown in their text; the rest is counted."""


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


def worst_points(run: Run, method: str, budget: str, text_of: Callable[[str], str]) -> list[WorstPoint]:
    """The points where a method kept the least, with excerpts; those where all was kept are none."""
    points = {p.key: p for p in run.points}
    scored = [
        (r, r.score, points[r.point])
        for r in run.results
        if r.method == method
        and r.budget == budget
        and r.cycle == 1
        and isinstance(r.score, Hindsight)
        and r.score.missing
    ]
    scored.sort(key=lambda item: (item[1].recall, -len(item[1].missing), item[2].key))
    return [_with_excerpts(*item, text_of(item[2].span)) for item in scored[:POINTS]]


def by_badness(run: Run) -> list[PointRecord]:
    """All points, the one where methods kept the least on average first; unmeasured points last."""
    recalls: dict[str, list[float]] = {}
    for result in run.results:
        if result.cycle == 1 and isinstance(result.score, Hindsight) and not is_control(result.method):
            recalls.setdefault(result.point, []).append(result.score.recall)
    means = {key: sum(values) / len(values) for key, values in recalls.items()}
    return sorted(run.points, key=lambda p: (means.get(p.key, 2.0), p.key))


def _with_excerpts(result: Result, score: Hindsight, point: PointRecord, span: str) -> WorstPoint:
    missing = [n for n in point.needs if n.name in set(score.missing)]
    missing.sort(key=lambda n: (-n.uses, n.turn, n.name))
    marked = names_pattern(tuple(n.name for n in missing))
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
    places = list(names_pattern((need.name,)).finditer(span))
    if not places:
        return None  # it stood in a call's arguments, written with escapes
    at = places[-1].span()
    message = message_around(span, at[0])
    within = (message.start, message.end) if message else (0, len(span))
    start, end = around(span, at, within)
    pieces = list(alternate(span[start:end], (m.span() for m in marked.finditer(span[start:end]))))
    begins, ends = cut_off(span, (start, end), within)
    pieces[0] = f"…{pieces[0]}" if begins else pieces[0]
    pieces[-1] += "…" if ends else ""
    where = f"message {message.number}, {message.role}" if message else ""
    return Excerpt(need=need, message=where, pieces=tuple(pieces))


@lru_cache(maxsize=256)
def names_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Any of the names where it stands as itself, as `tamis.text.names.stands_in` has it."""
    return re.compile("|".join(_standing(n) for n in sorted(names, key=len, reverse=True)))


def _standing(name: str) -> str:
    before = r"(?<!\w)" if name[0].isalnum() or name[0] == "_" else ""
    after = r"(?!\w)" if name[-1].isalnum() or name[-1] == "_" else ""
    return f"{before}{re.escape(name)}{after}"
