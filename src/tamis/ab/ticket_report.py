"""What ticket trials say together: each method with intervals, and the first against the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tamis.ab.ab_report import Table
from tamis.ab.ticket_run import SCRIPTED, TicketPlan, TicketTrial
from tamis.errors import InputError
from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.comparison import (
    ALPHA,
    Comparison,
    compare,
    fewest_clusters,
    holm_of,
    sessions_needed,
)
from tamis.evals.inference.intervals import SHARE, Bounds, Interval, bootstrap_t

DIFFERENCE: Bounds = (-1.0, 1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """The mean of a figure over tasks, with its 95 % interval; None for fewer than two tasks."""

    mean: float
    interval: Interval | None


@dataclass(frozen=True, kw_only=True, slots=True)
class MethodScores:
    """What the tasks of one method gave. Shares are means over tasks; the rest is per task, on average.

    `overflowed` tasks ended early, the context being larger than the window; the rest of them is not done.
    """

    method: str
    tasks: int
    fixed: Measured
    kept: Measured
    right: Measured
    score: Measured
    calls: float
    input_tokens: float
    summary_tokens: float
    files_read_again: float
    forged: float
    overflowed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Against:
    """The score of the first method less that of another, over the tasks that both have.

    `p_value` is corrected for so many comparisons (Holm); `tasks_needed` show a difference of this size,
    among as many, in 8 of 10 cases, None where that cannot be told.
    """

    other: str
    comparison: Comparison
    p_value: float | None
    tasks_needed: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketReport:
    """All of a run."""

    model: str
    is_hostile: bool
    window_tokens: int
    budget_tokens: int
    methods: tuple[MethodScores, ...]
    against: tuple[Against, ...]


def report_tickets(plan: TicketPlan, trials: Sequence[TicketTrial]) -> TicketReport:
    """Everything that may be said of these trials; the plan's first method is compared with the others."""
    by_method = {method: [t for t in trials if t.method == method] for method in plan.compared}
    known = {method: found for method, found in by_method.items() if found}
    scores = {m: {str(t.task): t.outcome.score for t in found} for m, found in known.items()}
    return TicketReport(
        model=plan.model,
        is_hostile=plan.is_hostile,
        window_tokens=plan.window.tokens,
        budget_tokens=plan.window.budget,
        methods=tuple(_figures(method, found) for method, found in known.items()),
        against=hold_against(scores, {task: task for each in scores.values() for task in each}),
    )


def _figures(method: str, trials: Sequence[TicketTrial]) -> MethodScores:
    def mean(figure: Callable[[TicketTrial], float]) -> float:
        return sum(map(figure, trials)) / len(trials)

    def measured(figure: Callable[[TicketTrial], float]) -> Measured:
        sample = by_cluster([figure(trial) for trial in trials], [str(trial.task) for trial in trials])
        within = bootstrap_t(sample, within=SHARE)
        differs = within is not None and within.low < within.high
        return Measured(mean=sample.mean, interval=within if differs else None)

    return MethodScores(
        method=method,
        tasks=len(trials),
        fixed=measured(lambda trial: trial.outcome.fixed),
        kept=measured(lambda trial: trial.outcome.kept),
        right=measured(lambda trial: trial.outcome.right),
        score=measured(lambda trial: trial.outcome.score),
        calls=mean(lambda trial: trial.effort.calls),
        input_tokens=mean(lambda trial: trial.effort.input_tokens),
        summary_tokens=mean(lambda trial: trial.effort.summary_tokens),
        files_read_again=mean(lambda trial: trial.files_read_again),
        forged=mean(lambda trial: trial.outcome.forged),
        overflowed=sum(trial.effort.overflowed for trial in trials),
    )


def hold_against(
    scores: Mapping[str, Mapping[str, float]], clusters: Mapping[str, str]
) -> tuple[Against, ...]:
    """The first method of `scores` against the others, each with a score of 0 to 1 by task.

    `clusters` names what each task's result hangs together with.
    """
    first, *others = scores.values() or [{}]
    made = [compare(first, other, clusters, within=DIFFERENCE) for other in others]
    return tuple(
        Against(
            other=other,
            comparison=comparison,
            p_value=p,
            tasks_needed=_needed(comparison, alpha=ALPHA / len(made)),
        )
        for other, comparison, p in zip(list(scores)[1:], made, holm_of(made), strict=True)
        if comparison is not None
    )


def _needed(comparison: Comparison, *, alpha: float) -> int | None:
    if comparison.deviation is None:
        return None
    try:
        return sessions_needed(comparison.difference, comparison.deviation, alpha=alpha)
    except InputError:  # no difference at all, or one that a million tasks would not show
        return None


def ticket_tables(report: TicketReport) -> tuple[Table, Table]:
    """The methods, and the first against the others."""
    first = report.methods[0].method if report.methods else "-"
    shares = ("tasks", "bugs fixed", "rules kept", "questions right", "score")
    counts = ("calls", "tokens read", "of summaries", "files read again", "forged", "overflowed")
    columns = ["method", *(f">{name}" for name in (*shares, *counts))]
    rows = [
        (
            row.method,
            str(row.tasks),
            *map(_share, (row.fixed, row.kept, row.right, row.score)),
            f"{row.calls:.1f}",
            f"{row.input_tokens:,.0f}",
            f"{row.summary_tokens:,.0f}",
            f"{row.files_read_again:.1f}",
            f"{row.forged:.1f}" if report.is_hostile else "–",
            str(row.overflowed),
        )
        for row in report.methods
    ]
    against = against_table(f"Score of {first}, less that of", report.against)
    return Table("Tickets, per task", columns, rows), against


def against_table(title: str, against: Sequence[Against]) -> Table:
    """The first method against the others; no p where so few tasks cannot show anything at 5 %."""
    fewest = fewest_clusters(ALPHA / max(len(against), 1))
    rows = []
    for row in against:
        made = row.comparison
        p = "too few" if made.clusters < fewest else f"{row.p_value:.4f}"
        needed = "–" if row.tasks_needed is None else f"{row.tasks_needed:,} tasks"
        within = _between(made.low, made.high)
        rows.append((row.other, f"{made.difference:+.2f}", within, p, str(made.pairs), needed))
    columns = ["method", ">difference", ">95 % interval", ">p, Holm", ">tasks", ">would take"]
    return Table(title, columns, rows)


def told_of(report: TicketReport) -> str:
    """What kind of run it was."""
    script = "a script without a model: it acts on what stands in its context, and on nothing else"
    hostile = " Files and test output held forged notices." if report.is_hostile else ""
    return (
        f"The agent is {script if report.model == SCRIPTED else report.model}. Its window is "
        f"{report.window_tokens:,} tokens, {report.budget_tokens:,} of them for what stands for the rest; "
        f"`full` has no window.{hostile}"
    )


def _share(measured: Measured) -> str:
    within = measured.interval
    return f"{measured.mean:.2f}" + (f" ({_between(within.low, within.high)})" if within else "")


def _between(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.2f} to {high:.2f}"
