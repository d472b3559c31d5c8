"""Running all trials of a plan, each pair's arms in random order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tamis.ab.comparison_folder import ComparisonFolder, open_comparison
from tamis.ab.execution import run_trial
from tamis.ab.plan import TrialArm, TrialPlan, order_of
from tamis.ab.trial import Trial


def run_plan(
    plan: TrialPlan,
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    on_trial: Callable[[Trial], None] | None = None,
) -> list[Trial]:
    """Every trial that the record does not hold yet; gives all that it holds then.

    A pair is run whole before the next begins, so whatever is interrupted leaves at most one trial alone.

    Args:
        plan: what is tried.
        folder: the record's.
        environment: the variables that the command finds; this process's unless told.
        on_trial: told of each trial that was run.

    Raises:
        NotComparable: the folder holds another plan's trials.
        InputError: the folder cannot be written, or the proxy cannot be set up as the plan says.
    """
    with open_comparison(folder, plan) as record:
        for pair, arm, first in _left(plan, record):
            trial = run_trial(plan, folder, pair=pair, arm=arm, first=first, environment=environment)
            record.add(trial)
            if on_trial is not None:
                on_trial(trial)
        return list(record.trials)


def _left(plan: TrialPlan, record: ComparisonFolder) -> Iterator[tuple[int, TrialArm, bool]]:
    for pair in range(1, plan.runs + 1):
        for place, arm in enumerate(order_of(pair, plan.seed)):
            if not record.has(pair, arm):
                yield pair, arm, place == 0
