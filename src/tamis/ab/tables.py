"""A comparison as tables of text: the terminal and Markdown show the same cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.ab.ab_report import ABReport, ArmFigures, Difference
from tamis.ab.criteria import SuccessCriterion

NONE = "not measured"


@dataclass(frozen=True, kw_only=True, slots=True)
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
        aligned = ["--:" if name.startswith(">") else "---" for name in table.columns]
        lines = [[name.removeprefix(">") for name in table.columns], aligned, *table.rows]
        body = "\n".join(
            f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines
        )
        parts.append(f"## {table.title}\n\n{body}")
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
    rows = [
        ("trials", [str(arm.trials) for arm in arms]),
        ("started", [str(arm.started) for arm in arms]),
        ("timed out", [str(arm.timed_out) for arm in arms]),
        ("succeeded", [_share(arm) for arm in arms]),
        ("iterations", [_number(arm.iterations, 1) for arm in arms]),
        ("input tokens", [_number(arm.input_tokens) + " (counted)" * arm.counted for arm in arms]),
        ("of them cached", [_number(arm.cached_tokens) for arm in arms]),
        ("output tokens", [_number(arm.output_tokens) for arm in arms]),
        ("input tokens per success", [_number(arm.tokens_per_success) for arm in arms]),
        ("seconds", [_number(arm.duration_s, 1) for arm in arms]),
        (
            "decisions, in all",
            [", ".join(f"{n} {name}" for name, n in arm.decisions.items()) or NONE for arm in arms],
        ),
        ("turns behind a compaction, in all", [_number(arm.turns_behind) for arm in arms]),
        ("of them with a regret", [_number(arm.regret_turns) for arm in arms]),
        ("recalls, in all", [_number(arm.recalls) for arm in arms]),
    ]
    return Table(
        title="Per trial, on average",
        columns=["figure", ">without", ">with"],
        rows=[(name, *cells) for name, cells in rows],
    )


def _differences(differences: Sequence[Difference]) -> Table:
    return Table(
        title="Differences, with less without",
        columns=["figure", ">difference", ">95 % interval", ">p", ">pairs", ">could have shown"],
        rows=[
            (
                made.figure,
                f"{made.comparison.difference:+,.4g}",
                _interval(made.comparison.low, made.comparison.high),
                "–" if made.comparison.p_value is None else f"{made.comparison.p_value:.3f}",
                str(made.comparison.pairs),
                "–"
                if made.comparison.smallest_detectable is None
                else f"{made.comparison.smallest_detectable:,.4g}",
            )
            for made in differences
        ],
    )


def _criteria(criteria: Sequence[SuccessCriterion]) -> Table:
    return Table(
        title="Published criteria",
        columns=["criterion", "threshold", ">measured", ">95 % interval", "over", "verdict", "note"],
        rows=[
            (
                made.criterion,
                made.threshold,
                NONE if made.value is None else f"{made.value:.3g}",
                _interval(made.low, made.high),
                made.over,
                made.verdict,
                made.note,
            )
            for made in criteria
        ],
    )


def _share(arm: ArmFigures) -> str:
    if arm.success_rate is None:
        return NONE
    return f"{arm.succeeded} ({_interval(arm.success_low, arm.success_high)})"


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:,.3g} to {high:,.3g}"


def _number(value: float | None, digits: int = 0) -> str:
    return NONE if value is None else f"{value:,.{digits}f}"
