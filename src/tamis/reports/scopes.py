"""Scopes of a report: methods down, budgets across, for all sets and for each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tamis.compactors.budget import parse_budget
from tamis.errors import BadBudget
from tamis.evals.controls import is_control
from tamis.evals.figures.summary import Cell, KindCell, kinds_kept, sets_of, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.rundir.results import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """The points that are averaged together: one set, or all (`name` is None).

    `cells` and `kinds` are looked up by method and budget, both as the run names them.
    """

    name: str | None
    points: int
    clusters: int
    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell] = field(repr=False)
    kinds: Mapping[tuple[str, str], tuple[KindCell, ...]] = field(repr=False)

    def cell(self, method: str, budget: str) -> Cell | None:
        """The averages of a method at a budget, where it ran at all."""
        return self.cells.get((method, budget))

    def is_partial(self, estimate: Estimate) -> bool:
        """Whether an average covers fewer points than the scope has."""
        return estimate.points < self.points

    def best(self, budget: str, figure: Literal["recall", "statements"] = "recall") -> Cell | None:
        """The method with the highest figure at a budget, controls aside.

        A method that was measured at less than half of the points takes no part: an average over a few easy
        points is no win.
        """
        cells = [
            (e.mean, c)
            for m in self.methods
            if not is_control(m) and (c := self.cell(m, budget)) and (e := getattr(c, figure))
            if e.points * 2 >= self.points
        ]
        return max(cells, key=lambda pair: pair[0])[1] if cells else None


def scopes_of(run: Run) -> tuple[Scope, ...]:
    """All points together; then, where there are several sets, each set."""
    names = sets_of(run)
    return (_scope(run, None), *(_scope(run, name) for name in names if len(names) > 1))


def budget_label(budget: str) -> str:
    """A budget as people read it, from the way it was given.

    >>> budget_label("0.05"), budget_label("1.4%"), budget_label("4000"), budget_label("own")
    ('5 %', '1.4 %', '4,000 tokens', 'own')
    """
    try:
        parsed = parse_budget(budget)
    except BadBudget:
        return budget
    return f"{parsed.tokens:,} tokens" if parsed.share is None else str(parsed).replace("%", " %")


def _scope(run: Run, name: str | None) -> Scope:
    cells = {(c.method, c.budget): c for c in summarise(run, set_name=name)}
    kinds: dict[tuple[str, str], list[KindCell]] = {}
    for kind in kinds_kept(run, set_name=name):
        kinds.setdefault((kind.method, kind.budget), []).append(kind)
    points = [p for p in run.points if name is None or p.set == name]
    return Scope(
        name=name,
        points=len(points),
        clusters=len({p.cluster for p in points}),
        methods=tuple(dict.fromkeys(method for method, _ in cells)),
        budgets=tuple(dict.fromkeys(budget for _, budget in cells)),
        cells=cells,
        kinds={key: tuple(found) for key, found in kinds.items()},
    )
