"""The figures of a run: what the table and the report show, each with its interval and its count."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tamis.evals.figures.prices import Price
from tamis.evals.hindsight import Hindsight, NotMeasured
from tamis.evals.inference.intervals import AMOUNT, SHARE, Estimate, estimate_pairs
from tamis.evals.rundir.results import Failure, PointRecord, Result, Run
from tamis.evals.statements.keypoints import StatementRecall
from tamis.text.names import KINDS, NameKind


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskTokens:
    """The tokens that the rest of a task reads because of a context: anew, and from a prompt cache.

    After a compaction the first turn reads the new context for the first time, and every later turn finds it
    in the cache; a span that stood as it was, was there before. What has to be read again comes on top, as
    new. What a provider's cache keeps, how long, and what stands around the span are not taken into account.
    """

    new: int
    cached: int

    @property
    def cached_share(self) -> float | None:
        """The share that the cache serves; None where nothing is read."""
        total = self.new + self.cached
        return self.cached / total if total else None


def task_tokens(result: Result, score: Hindsight) -> TaskTokens:
    """How the tokens per task divide: `Hindsight.tokens_per_task` is their sum."""
    cached = score.cached_tokens
    if result.outcome == "unchanged":
        cached = score.carried_tokens + (score.regained_tokens or 0) - score.fetched_tokens
    return TaskTokens(new=score.tokens_per_task - cached, cached=cached)


def task_cost(result: Result, score: Hindsight, price: Price, *, cache: bool) -> float | None:
    """What the rest of the task costs because of the context, in US dollars; None where unknown."""
    if price.tier_from is not None and result.tokens_after >= price.tier_from:
        return None
    tokens = task_tokens(result, score)
    return price.cost(new_tokens=tokens.new, cached_tokens=tokens.cached, cache=cache)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One method at one budget, averaged over points.

    Every estimate says over how many points and clusters it goes. `not_measured` counts the points without a
    figure, by reason; `failed` those where the method failed. `cached_share` is the share of the tokens per
    task that a prompt cache would serve. The two costs are US dollars per task, with such a cache and
    without; None where no price was asked for, or known. `statements` is the share of key points that are
    covered, `statement_coverage` how far they are said; `statements_not_measured` counts the points without.
    """

    method: str
    budget: str
    recall: Estimate | None
    weighted_recall: Estimate | None
    regret_rate: Estimate | None
    kept_share: Estimate | None
    refetch_tokens: Estimate | None
    tokens_per_task: Estimate | None
    cached_share: Estimate | None
    cost_usd: Estimate | None
    cost_without_cache_usd: Estimate | None
    latency_ms: Estimate | None
    not_measured: dict[str, int]
    failed: dict[str, int]
    statements: Estimate | None = None
    statement_coverage: Estimate | None = None
    statements_not_measured: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class KindCell:
    """Needed names of one kind that a method kept at a budget, summed over points."""

    method: str
    budget: str
    kind: NameKind
    needed: int
    found: int


CellFigure = Callable[[Result, Hindsight], float | None]

_FIGURES: dict[str, CellFigure] = {
    "recall": lambda _, s: s.recall,
    "weighted_recall": lambda _, s: s.weighted_recall,
    "regret_rate": lambda _, s: s.regret_rate,
    "kept_share": lambda r, _: r.tokens_after / r.tokens_before,
    "refetch_tokens": lambda _, s: s.refetch_tokens,
    "tokens_per_task": lambda _, s: s.tokens_per_task,
    "cached_share": lambda r, s: task_tokens(r, s).cached_share,
    "latency_ms": lambda r, _: r.latency_ms,
}
_SHARES = frozenset({"recall", "weighted_recall", "regret_rate", "cached_share"})


def _figures(run: Run) -> dict[str, CellFigure]:
    """All figures; those of cost are nobody's where there is no price."""
    price = run.settings.price

    def cost(cache: bool) -> CellFigure:
        if not isinstance(price, Price):
            return lambda _, __: None
        return lambda r, s: task_cost(r, s, price, cache=cache)

    return {**_FIGURES, "cost_usd": cost(True), "cost_without_cache_usd": cost(False)}


def summarise(run: Run, *, set_name: str | None = None, cycle: int = 1) -> list[Cell]:
    """One cell per method and budget, in the order in which they were asked for; of one set or of all.

    `cycle` says after how many compactions.
    """
    points = {p.key: p for p in run.points if set_name is None or p.set == set_name}
    grouped = _group(run, points, cycle)
    figures = _figures(run)
    return [_cell((method, budget), rows, points, figures) for (method, budget), rows in grouped.items()]


def sets_of(run: Run) -> list[str]:
    """The names of the sets that have points, sorted."""
    return sorted({p.set for p in run.points})


def kinds_kept(run: Run, *, set_name: str | None = None) -> list[KindCell]:
    """How many needed names of each kind survived, per method and budget."""
    points = {p.key: p for p in run.points if set_name is None or p.set == set_name}
    cells = []
    for (method, budget), rows in _group(run, points, 1).items():
        scores = [r.score for r in rows if isinstance(r.score, Hindsight)]
        for kind in KINDS:
            counted = [s.by_kind[kind] for s in scores if kind in s.by_kind]
            if counted:
                needed, found = sum(c.needed for c in counted), sum(c.found for c in counted)
                cells.append(KindCell(method=method, budget=budget, kind=kind, needed=needed, found=found))
    return cells


@lru_cache(maxsize=1)
def _light_results(run: Run) -> tuple[Result, ...]:
    """The results without what averages do not need: they are gone through once for each set."""
    return tuple(
        replace(
            result,
            warnings=(),
            score=replace(result.score, missing=()) if isinstance(result.score, Hindsight) else result.score,
            statements=replace(result.statements, missing=())
            if isinstance(result.statements, StatementRecall)
            else result.statements,
        )
        for result in run.results
    )


def _group(run: Run, points: Mapping[str, PointRecord], cycle: int) -> dict[tuple[str, str], list[Result]]:
    wanted: dict[tuple[str, str], list[Result]] = {}
    for result in _light_results(run):
        if result.point in points and result.cycle == cycle:
            wanted.setdefault((result.method, result.budget), []).append(result)
    order = {budget: i for i, budget in enumerate(run.settings.budgets)}
    return dict(sorted(wanted.items(), key=lambda item: order.get(item[0][1], len(order))))


def _cell(
    key: tuple[str, str],
    rows: Sequence[Result],
    points: Mapping[str, PointRecord],
    figures: Mapping[str, CellFigure],
) -> Cell:
    measured = [(r, r.score) for r in rows if isinstance(r.score, Hindsight)]

    def averaged(name: str, figure: CellFigure) -> Estimate | None:
        found = ((value, points[r.point].cluster) for r, s in measured if (value := figure(r, s)) is not None)
        return estimate_pairs(found, within=SHARE if name in _SHARES else AMOUNT)

    stated = [
        (r.statements, points[r.point].cluster) for r in rows if isinstance(r.statements, StatementRecall)
    ]
    return Cell(
        statements=estimate_pairs(((s.recall, cluster) for s, cluster in stated), within=SHARE),
        statement_coverage=estimate_pairs(((s.coverage, cluster) for s, cluster in stated), within=SHARE),
        statements_not_measured=Counter(
            r.statements.reason for r in rows if isinstance(r.statements, NotMeasured)
        ),
        method=key[0],
        budget=key[1],
        not_measured=Counter(r.score.reason for r in rows if not isinstance(r.score, Hindsight | Failure)),
        failed=Counter(r.score.reason for r in rows if isinstance(r.score, Failure)),
        **{name: averaged(name, figure) for name, figure in figures.items()},
    )
