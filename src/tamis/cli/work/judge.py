"""The work of `tamis judge`: what a judge makes of answers whose worth is known."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
from rich.table import Table

from tamis.cli.work.output import number, print_json, print_tables, progress, table
from tamis.errors import InputError
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.agreement import Agreement, measure_agreement
from tamis.evals.judging.calibration import Calibration, answers_for, between, read_calibration
from tamis.evals.judging.calibration_set import CalibrationSet, load_calibration_set
from tamis.evals.judging.judge import Judge
from tamis.evals.judging.judge_runs import Judgements, get_judge, judge_cases
from tamis.evals.judging.rubric import load_rubric, shipped_rubric


@dataclass(frozen=True, kw_only=True)
class JudgeJson:
    """What `tamis judge --json` prints; `agreement` is that of several judges with each other."""

    calibrations: tuple[Calibration, ...]
    agreement: Agreement | NotMeasured


def run(
    names: tuple[str, ...],
    *,
    rubric_file: str | None,
    cases_file: str | None,
    most: int | Literal["all"] | None,
    repeats: int,
    seed: int,
    show_rubric: bool,
    as_json: bool,
) -> None:
    if show_rubric:
        click.echo(shipped_rubric(), nl=False)
        return
    if not names:
        raise InputError("no judge was named; write `tamis judge offline`, or name a model")
    rubric = load_rubric(Path(rubric_file) if rubric_file else None)
    known = load_calibration_set(Path(cases_file) if cases_file else None)
    if isinstance(most, int):
        known = known.smaller(most)
    else:  # as few as is sound for the slowest, and the same for all, so that they can be compared
        known = min((answers_for(name, most, known) for name in names), key=lambda few: len(few.cases))
    judges = [get_judge(name, rubric) for name in names]
    said = [_ask(judge, known, repeats=repeats, seed=seed) for judge in judges]
    heard = zip(judges, said, strict=True)
    calibrations = tuple(read_calibration(judge, known, rounds, seed=seed) for judge, rounds in heard)
    between = measure_agreement([rounds[0] for rounds in said])
    if as_json:
        print_json(JudgeJson(calibrations=calibrations, agreement=between))
    else:
        for calibration in calibrations:
            _print(calibration, repeats=repeats)
        if len(judges) > 1:
            click.echo(f"\nbetween the judges: {_agreement(between)}")
    if not all(calibration.reliable for calibration in calibrations):
        click.get_current_context().exit(1)


def _ask(judge: Judge, known: CalibrationSet, *, repeats: int, seed: int) -> tuple[Judgements, ...]:
    cases = [known_case.case for known_case in known.cases]
    with progress(f"asking {judge.name}", total=repeats * len(cases)) as done:
        return asyncio.run(judge_cases(judge, cases, repeats=repeats, seed=seed, done=done))


def _print(calibration: Calibration, *, repeats: int) -> None:
    print_tables(_labels(calibration))
    above = calibration.separation
    if isinstance(above, NotMeasured):
        click.echo(f"right above wrong: not measured ({above.reason})")
    else:
        within = "" if above.low is None else f", 95 % interval {above.low:.2f} to {above.high:.2f}"
        click.echo(f"right above wrong: {above.mean:.2f} points{within}")
    if repeats > 1:
        click.echo(f"with itself: {_agreement(calibration.agreement)}")
    for reason, times in calibration.not_measured.items():
        click.echo(f"not measured, {number(times)} times: {reason}")
    click.echo(calibration.verdict)


def _labels(calibration: Calibration) -> Table:
    rows = [
        (
            figures.label,
            number(figures.cases),
            number(figures.judged),
            "-" if figures.mean is None else f"{figures.mean:.2f}{between(figures.mean_within, '{:.2f}')}",
            f"{number(figures.taken_for_right)}{between(figures.taken_within, '{:.0%}')}",
            number(figures.in_range),
        )
        for figures in calibration.labels
    ]
    title = f"{calibration.judge} (version {calibration.version}), {calibration.rubric}, {calibration.set}"
    columns = ["answers", ">asked", ">judged", ">mean (95 %)", ">taken for right (95 %)", ">as they should"]
    return table(title, columns, rows)


def _agreement(agreement: Agreement | NotMeasured) -> str:
    if isinstance(agreement, NotMeasured):
        return f"not measured ({agreement.reason})"
    alpha = agreement.alpha
    told = f"alpha not measured ({alpha.reason})" if isinstance(alpha, NotMeasured) else f"alpha {alpha:.2f}"
    return (
        f"{told}; {agreement.same:.0%} the same, {agreement.mean_difference:.2f} points apart on average, "
        f"over {number(agreement.units)} scores"
    )
