"""The report of a comparison: each arm, the differences in pairs, and the published criteria, and its tables.

The terminal and Markdown show the same cells.
"""

from collections import Counter as Count
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tamis.ab.criteria import SuccessCriterion, TrialPair, judge
from tamis.ab.trial import ARMS, Trial, TrialArm
from tamis.evals.inference.comparison import Comparison, compare, paired_share_difference, share_interval


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmFigures:
    """What the trials of one arm gave. A mean is over the trials that have the figure; None where none has.

    `started` trials have a success or not; a trial that timed out has none, and no iterations or tokens.
    `tokens_per_success` are all input tokens over all successes. `turns_behind` came behind a compaction,
    `regret_turns` of them needed what was gone, `recalls` by the recall tool; None where nothing was
    taken out.
    """

    arm: TrialArm
    trials: int
    started: int
    timed_out: int
    succeeded: int
    success_rate: float | None
    success_low: float | None
    success_high: float | None
    iterations: float | None
    input_tokens: float | None
    output_tokens: float | None
    cached_tokens: float | None
    counted: bool
    tokens_per_success: float | None
    duration_s: float | None
    decisions: Mapping[str, int]
    turns_behind: int | None
    regret_turns: int | None
    recalls: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One figure with compression less the same without, over the pairs where both have it.

    `least_p` is the smallest p value that so many pairs can give: above 0.05 they cannot show anything.
    """

    figure: str
    comparison: Comparison
    least_p: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ABReport:
    """A comparison as far as it was run: of `pairs`, `whole_pairs` have both trials started.

    `not_measured` says of each trial what is not known of it, and why.
    """

    command: tuple[str, ...]
    pairs: int
    whole_pairs: int
    arms: tuple[ArmFigures, ...]
    differences: tuple[Difference, ...]
    criteria: tuple[SuccessCriterion, ...]
    not_measured: tuple[str, ...]


def compare_trials(command: Sequence[str], trials: Sequence[Trial]) -> ABReport:
    """Everything that may be said of these trials."""
    started = {(trial.pair, trial.arm): trial for trial in trials if trial.status != "not-started"}
    numbers = sorted({trial.pair for trial in trials})
    pairs = [
        TrialPair(name=str(n), off=started[n, "off"], on=started[n, "on"])
        for n in numbers
        if (n, "off") in started and (n, "on") in started
    ]
    differences = (_success(pairs), *(_difference(name, pairs, figure) for name, figure in _FIGURES.items()))
    compressed = [trial for (_, arm), trial in started.items() if arm == "on"]
    return ABReport(
        command=tuple(command),
        pairs=len(numbers),
        whole_pairs=len(pairs),
        arms=tuple(_arm(arm, [trial for trial in trials if trial.arm == arm]) for arm in ARMS),
        differences=tuple(made for made in differences if made is not None),
        criteria=judge(pairs, compressed),
        not_measured=tuple(f"{trial.name}: {note}" for trial in trials for note in trial.notes),
    )


def _arm(arm: TrialArm, trials: Sequence[Trial]) -> ArmFigures:
    started = [trial for trial in trials if trial.status != "not-started"]
    ended = [trial for trial in started if trial.status == "ended"]
    asked = [trial.requests for trial in ended if trial.requests is not None]
    needs = [trial.needs for trial in started if trial.needs is not None]
    succeeded = sum(bool(trial.success) for trial in started)
    within = share_interval(succeeded, len(started)) if started else None
    known = [trial.input_tokens for trial in ended if trial.input_tokens is not None]
    decisions = sum((Count(requests.decisions) for requests in asked), Count())
    return ArmFigures(
        arm=arm,
        trials=len(trials),
        started=len(started),
        timed_out=len(started) - len(ended),
        succeeded=succeeded,
        success_rate=succeeded / len(started) if started else None,
        success_low=within.low if within else None,
        success_high=within.high if within else None,
        iterations=_mean(trial.iterations for trial in ended),
        input_tokens=_mean(known),
        output_tokens=_mean(requests.output_tokens for requests in asked),
        cached_tokens=_mean(requests.cached_tokens for requests in asked),
        counted=any(requests.counted for requests in asked),
        tokens_per_success=sum(known) / succeeded if succeeded and len(known) == len(started) else None,
        duration_s=_mean(trial.duration_s for trial in ended),
        decisions=dict(sorted(decisions.items())),
        turns_behind=sum(need.turns for need in needs) if needs else None,
        regret_turns=sum(need.regret_turns for need in needs) if needs else None,
        recalls=sum(need.kinds.get("recall", 0) for need in needs) if needs else None,
    )


_FIGURES: Mapping[str, Callable[[Trial], float | None]] = {
    "iterations": lambda trial: trial.iterations,
    "input tokens": lambda trial: trial.input_tokens,
    "seconds": lambda trial: trial.duration_s if trial.status == "ended" else None,
}


def _success(pairs: Sequence[TrialPair]) -> Difference | None:
    """The difference in success, with an interval that has a width where all pairs agree."""
    made = _difference("success", pairs, lambda trial: float(bool(trial.success)))
    if made is None:
        return None
    within = paired_share_difference([(bool(pair.on.success), bool(pair.off.success)) for pair in pairs])
    return replace(made, comparison=replace(made.comparison, low=within.low, high=within.high))


def _difference(
    name: str, pairs: Sequence[TrialPair], figure: Callable[[Trial], float | None]
) -> Difference | None:
    on = {pair.name: value for pair in pairs if (value := figure(pair.on)) is not None}
    off = {pair.name: value for pair in pairs if (value := figure(pair.off)) is not None}
    made = compare(on, off, {name: name for name in on})
    if made is None:
        return None
    return Difference(figure=name, comparison=made, least_p=min(1.0, 2 / 2**made.clusters))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


NONE = "not measured"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a column whose name begins with `>` is set to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def tables_of(report: ABReport) -> tuple[Table, ...]:
    """The arms, the differences, the criteria."""
    return _arms(report.arms), _differences(report.differences), _criteria(report.criteria)


def markdown_of(report: ABReport) -> str:
    """The whole comparison as a Markdown page."""
    parts = [f"# With and without compression: `{' '.join(report.command)}`", told(report)]
    for table in tables_of(report):
        names = [name.removeprefix(">") for name in table.columns]
        aligned = ["--:" if name.startswith(">") else "---" for name in table.columns]
        rows = [[cell.replace("|", "\\|") for cell in row] for row in (names, aligned, *table.rows)]
        parts.append(f"## {table.title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows))
    if report.not_measured:
        parts.append("## Not measured\n\n" + "\n".join(f"- {note}" for note in report.not_measured))
    return "\n\n".join(parts) + "\n"


def told(report: ABReport) -> str:
    """How many pairs there are, and what so many could have shown."""
    said = f"{report.whole_pairs} of {report.pairs} pairs ran whole."
    least = max((made.least_p for made in report.differences), default=1.0)
    if report.whole_pairs and least > 0.05:
        said += f" No p value of so few can be below {least:.2g}: whatever differs, it is not shown at 5 %."
    return said


def _arms(arms: Sequence[ArmFigures]) -> Table:
    cells: dict[str, Callable[[ArmFigures], str]] = {
        "trials": lambda arm: str(arm.trials),
        "started": lambda arm: str(arm.started),
        "timed out": lambda arm: str(arm.timed_out),
        "succeeded": lambda arm: (
            f"{arm.succeeded} ({_interval(arm.success_low, arm.success_high)})" if arm.started else NONE
        ),
        "iterations": lambda arm: _number(arm.iterations, ",.1f"),
        "input tokens": lambda arm: _number(arm.input_tokens) + " (counted)" * arm.counted,
        "of them cached": lambda arm: _number(arm.cached_tokens),
        "output tokens": lambda arm: _number(arm.output_tokens),
        "input tokens per success": lambda arm: _number(arm.tokens_per_success),
        "seconds": lambda arm: _number(arm.duration_s, ",.1f"),
        "decisions, in all": lambda arm: (
            ", ".join(f"{n} {name}" for name, n in arm.decisions.items()) or NONE
        ),
        "turns behind a compaction, in all": lambda arm: _number(arm.turns_behind),
        "of them with a regret": lambda arm: _number(arm.regret_turns),
        "recalls, in all": lambda arm: _number(arm.recalls),
    }
    rows = [(name, *map(cell, arms)) for name, cell in cells.items()]
    return Table("Per trial, on average", ["figure", ">without", ">with"], rows)


def _differences(differences: Sequence[Difference]) -> Table:
    rows = []
    for made in differences:
        found = made.comparison
        p, shown = _number(found.p_value, ".3f", "–"), _number(found.smallest_detectable, ",.4g", "–")
        within = _interval(found.low, found.high)
        rows.append((made.figure, f"{found.difference:+,.4g}", within, p, str(found.pairs), shown))
    columns = ["figure", ">difference", ">95 % interval", ">p", ">pairs", ">could have shown"]
    return Table("Differences, with less without", columns, rows)


def _criteria(criteria: Sequence[SuccessCriterion]) -> Table:
    columns = ["criterion", "threshold", ">measured", ">95 % interval", "over", "verdict", "note"]
    rows = [
        (
            c.criterion,
            c.threshold,
            _number(c.value, ".3g"),
            _interval(c.low, c.high),
            c.over,
            c.verdict,
            c.note,
        )
        for c in criteria
    ]
    return Table("Published criteria", columns, rows)


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:,.3g} to {high:,.3g}"


def _number(value: float | None, form: str = ",.0f", missing: str = NONE) -> str:
    return missing if value is None else format(value, form)
