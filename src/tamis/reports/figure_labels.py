"""Figures in words for people: the same in a terminal, in Markdown and in the page."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tamis.compactors.budget import parse_budget
from tamis.errors import BadBudget
from tamis.evals.controls import is_control
from tamis.evals.figures.prices import Price
from tamis.evals.figures.summary import Cell, KindCell, kinds_kept, sets_of, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.rundir.results import LEXICAL, OFFLINE, Run, Settings


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

    def best(self, budget: str, figure: Literal["recall", "statements"] = "recall") -> frozenset[str]:
        """The methods with the highest figure at a budget, controls aside.

        A method that was measured at less than half of the points takes no part: an average over a few easy
        points is no win.
        """
        return highest(
            {
                m: e.mean
                for m in self.methods
                if not is_control(m) and (c := self.cell(m, budget)) and (e := getattr(c, figure))
                if e.points * 2 >= self.points
            }
        )


def highest(means: Mapping[str, float]) -> frozenset[str]:
    """Those with the highest mean as it is shown, in two digits; none where all have the same.

    >>> sorted(highest({"a": 0.501, "b": 0.499, "c": 0.2})), highest({"a": 0.0, "b": 0.0})
    (['a', 'b'], frozenset())
    """
    shown = {name: round(mean, 2) for name, mean in means.items()}
    found = frozenset(name for name, mean in shown.items() if mean == max(shown.values()))
    return found if len(found) < len(shown) or len(shown) == 1 else frozenset()


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


MISSING = "–"
"""Stands where nothing was measured. Never a zero."""

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")

FigureUnit = Literal["share", "tokens", "ratio", "usd"]


@dataclass(frozen=True, slots=True)
class FigureLabel:
    """A figure of a `Cell`: its name there, what to call it, how it reads, and what it means."""

    figure: str
    title: str
    unit: FigureUnit
    means: str

    def of(self, cell: Cell | None) -> Estimate | None:
        """The estimate in a cell, where there is one."""
        found: Estimate | None = getattr(cell, self.figure) if cell else None
        return found

    def text(self, value: float) -> str:
        """One value, without its interval."""
        if self.unit == "tokens":
            return f"{round(value):,}"
        if self.unit == "usd":
            return f"{value:.4f}"
        return f"{value * 100:.1f} %" if self.unit == "share" else f"{value:.2f}"


RECALL = FigureLabel(
    "recall", "recall", "ratio", "the share of the needed names that can be read in the compacted context"
)
REGRET = FigureLabel(
    "regret_rate", "regret", "ratio", "the share of the agent's later turns that needed a name that was gone"
)
STATEMENTS = FigureLabel(
    "statements", "statement recall", "ratio",
    "the share of what later recaps say of the span that one place of the compacted context says",
)  # fmt: skip
WEIGHTED = FigureLabel(
    "weighted_recall", "weighted", "ratio", "recall, each name counted once for every turn that used it"
)
KEPT = FigureLabel("kept_share", "kept", "share", "the share of the span's tokens that was really taken")
REFETCH = FigureLabel(
    "refetch_tokens", "refetch", "tokens", "what would have to be read again to get the missing names back"
)
PER_TASK = FigureLabel(
    "tokens_per_task", "tokens per task", "tokens",
    "the context in every turn of the rest of the task, and what fetching what it lacks costs",
)  # fmt: skip
CACHED = FigureLabel(
    "cached_share", "from cache", "share", "the share of the tokens per task that a prompt cache would serve"
)
COST = FigureLabel(
    "cost_usd", "USD per task", "usd", "what the tokens per task cost where a prompt cache serves what it can"
)
COST_UNCACHED = FigureLabel(
    "cost_without_cache_usd", "USD without cache", "usd", "what they cost without a prompt cache"
)
MEASURES = (RECALL, STATEMENTS, WEIGHTED, REGRET, KEPT, REFETCH, PER_TASK, CACHED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Absence:
    """Points without a figure: of which method and budgets, how many at each budget, and why."""

    method: str
    budgets: str
    points: int
    reason: str
    failed: bool


def interval(estimate: Estimate | None, measure: FigureLabel = RECALL) -> str:
    """The 95 % interval, or a dash where one session cannot give any."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return MISSING
    return f"{measure.text(estimate.low)}–{measure.text(estimate.high)}"


def mean(estimate: Estimate | None, measure: FigureLabel = RECALL) -> str:
    """The mean, or a dash."""
    return MISSING if estimate is None else measure.text(estimate.mean)


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "session"), counted(1200, "session")
    ('1 session', '1,200 sessions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def coverage(scope: Scope) -> str:
    """How many points and sessions a scope's averages go over, at most."""
    return f"{counted(scope.points, 'point')} in {counted(scope.clusters, 'session')}"


def stated_points(scope: Scope) -> int:
    """At how many points of a scope statement recall could be told."""
    return max((c.statements.points for c in scope.cells.values() if c.statements), default=0)


def stated(scope: Scope) -> str:
    """The same in words: where nothing behind a cut sums up what the span tells, there is no such figure."""
    points = stated_points(scope)
    if not points:
        return "statement recall not measured: no recap behind a cut says what only the span tells"
    return f"statement recall at the {points:,} of {counted(scope.points, 'point')} with a later recap"


def tokenizer(run: Run) -> str:
    """What counted the tokens, and whether it counts or estimates."""
    return f"{run.settings.tokenizer}, {'exact' if run.exact_tokens else 'estimated'}"


def absences(scope: Scope) -> list[Absence]:
    """Everything in a scope that has no figure, failures first; budgets that fare alike stand together."""
    budgets: dict[tuple[bool, str, str, int], list[str]] = {}
    for cell in scope.cells.values():
        for failed, reasons in ((True, cell.failed), (False, cell.not_measured)):
            for reason, points in alike(reasons).items():
                budgets.setdefault((failed, cell.method, reason, points), []).append(cell.budget)
    found = []
    for (failed, method, reason, points), of in budgets.items():
        named = ", ".join(map(budget_label, of))
        found.append(Absence(method=method, budgets=named, points=points, reason=reason, failed=failed))
    return sorted(found, key=lambda absence: not absence.failed)


def alike(reasons: Mapping[str, int]) -> dict[str, int]:
    """Reasons that differ in their numbers only as one, the most frequent first.

    >>> alike({"takes 2823 tokens": 1, "takes 90 tokens": 2, "5 of 7 turns": 1})
    {'takes … tokens': 3, '5 of 7 turns': 1}
    """
    groups: dict[str, list[str]] = {}
    for reason in reasons:
        groups.setdefault(_NUMBER.sub("…", reason), []).append(reason)
    counts = Counter[str]()
    for pattern, those in groups.items():
        counts[pattern if len(those) > 1 else those[0]] = sum(reasons[reason] for reason in those)
    return dict(counts.most_common())


def skipped_reasons(run: Run) -> Mapping[str, int]:
    """Why files, sessions and points were passed over, the most frequent reason first."""
    return alike(Counter(skipped.reason for skipped in run.skipped))


def measures_of(run: Run) -> tuple[FigureLabel, ...]:
    """What is shown of a run: the costs where they were asked for."""
    return (*MEASURES, COST, COST_UNCACHED) if run.settings.price else MEASURES


def pricing(run: Run) -> str:
    """What the tokens were priced at, or why they could not be; empty where nobody asked."""
    match run.settings.price:
        case None:
            return ""
        case Price() as price:
            cached = MISSING if price.cached_input_usd is None else f"{price.cached_input_usd:g}"
            written = f", written to the cache {price.cache_write_usd:g}" if price.cache_write_usd else ""
            rates = f"input {price.input_usd:g}, from the cache {cached}{written} USD per million tokens"
            return f"priced as {price.model} on {price.as_of} ({price.source}): {rates}"
        case unknown:
            return f"no cost: {unknown.reason}"


def command_of(run: Run) -> str:
    """The command that measures the same again."""
    settings = run.settings
    options = [f"-m {m}" for m in settings.methods] + [f"-b {b}" for b in settings.budgets]
    options += [f"--at {a}" for a in settings.at]
    options += _probing_options(settings)
    if settings.tokenizer != "o200k_base":
        options.append(f"--tokenizer {settings.tokenizer}")
    if isinstance(settings.price, Price):
        options.append(f"--price-model {settings.price.model}")
    return " ".join(["tamis eval PATH...", *options])


def _probing_options(settings: Settings) -> Iterator[str]:
    """The options about cycles, readers and judges, where they are not the ones that hold unless told."""
    if settings.cycles > 1:
        yield f"--cycles {settings.cycles}"
    if not settings.readers:
        yield "--no-probes"
        return
    if settings.readers != (LEXICAL,):
        yield from (f"--reader {reader}" for reader in settings.readers)
    if settings.judges != (OFFLINE,):
        yield from (f"--judge {judge}" for judge in settings.judges)
    if settings.repeats > 1:
        yield f"--repeats {settings.repeats}"
    for option in ("rubric", "probes", "probe_model"):
        if value := getattr(settings, option):
            yield f"--{option.replace('_', '-')} {value}"
