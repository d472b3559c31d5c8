"""The folder of a comparison: what is tried, and every trial that was, a line each.

ab.json        format, version, the plan without its number of runs; written first
trials.jsonl   one finished trial a line; only grows
trials/        for each trial: what it printed, its decision log, its archive

A trial counts when its line stands there, so one that was interrupted is run again when the same command is
given again. More runs may be asked for later: the order within a pair does not depend on how many there are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter, ValidationError

from tamis.ab.lines import open_lines, read_lines, read_plan
from tamis.ab.plan import TrialArm, TrialPlan
from tamis.ab.trial import Trial
from tamis.errors import UnreadableFile

FORMAT = "tamis-ab/1"
_PLAN = TypeAdapter(TrialPlan)
_TRIAL = TypeAdapter(Trial)


class ComparisonFolder:
    """A folder that is open for more trials; use it through `open_comparison`."""

    def __init__(self, folder: Path, file: IO[bytes], trials: list[Trial]) -> None:
        self.folder = folder
        self.trials = trials
        self._file = file

    def has(self, pair: int, arm: TrialArm) -> bool:
        """Whether this trial has been run."""
        return any((trial.pair, trial.arm) == (pair, arm) for trial in self.trials)

    def add(self, trial: Trial) -> None:
        """Write a finished trial down."""
        self._file.write(_TRIAL.dump_json(trial) + b"\n")
        self._file.flush()
        self.trials.append(trial)


@contextmanager
def open_comparison(folder: Path, plan: TrialPlan) -> Iterator[ComparisonFolder]:
    """Begin a record, or go on with one.

    Raises:
        NotComparable: there is a record of another plan.
        InputError: another process writes there, or the folder cannot be written.
    """
    with open_lines(folder, FORMAT, _without_runs(plan)) as file:
        yield ComparisonFolder(folder, file, read_lines(folder, _TRIAL))


def read_comparison(folder: Path) -> tuple[TrialPlan, list[Trial]]:
    """The plan and the trials of a record, as far as it got.

    Raises:
        UnreadableFile: there is none, or it is damaged.
    """
    plan, trials = read_plan(folder, FORMAT), read_lines(folder, _TRIAL)
    pairs = max((trial.pair for trial in trials), default=1)
    try:
        return _PLAN.validate_python({**plan, "runs": pairs}), trials
    except ValidationError as error:
        raise UnreadableFile(f"{folder / 'ab.json'} is damaged: {error}") from None


def _without_runs(plan: TrialPlan) -> dict[str, Any]:
    kept = asdict(plan)
    del kept["runs"]
    return kept
