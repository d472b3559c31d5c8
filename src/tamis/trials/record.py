"""The folder of a comparison: what is tried, and every trial that was, a line each.

ab.json        format, version, the plan without its number of runs; written first
trials.jsonl   one finished trial a line; only grows
trials/        for each trial: what it printed, its decision log, its archive

A trial counts when its line stands there, so one that was interrupted is run again when the same command is
given again. More runs may be asked for later: the order within a pair does not depend on how many there are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter, ValidationError

from tamis._version import __version__
from tamis.errors import NotComparable, UnreadableFile
from tamis.trials.lines import open_lines
from tamis.trials.plan import Arm, TrialPlan
from tamis.trials.trial import Trial

FORMAT = "tamis-ab/1"
_PLAN = TypeAdapter(TrialPlan)
_TRIAL = TypeAdapter(Trial)


class Record:
    """A folder that is open for more trials; use it through `open_record`."""

    def __init__(self, folder: Path, file: IO[bytes], trials: list[Trial]) -> None:
        self.folder = folder
        self.trials = trials
        self._file = file

    def has(self, pair: int, arm: Arm) -> bool:
        """Whether this trial has been run."""
        return any((trial.pair, trial.arm) == (pair, arm) for trial in self.trials)

    def add(self, trial: Trial) -> None:
        """Write a finished trial down."""
        self._file.write(_TRIAL.dump_json(trial) + b"\n")
        self._file.flush()
        self.trials.append(trial)


@contextmanager
def open_record(folder: Path, plan: TrialPlan) -> Iterator[Record]:
    """Begin a record, or go on with one.

    Raises:
        NotComparable: there is a record of another plan.
        InputError: another process writes there, or the folder cannot be written.
    """
    with open_lines(folder / "trials.jsonl", begin=partial(_begin, folder, plan)) as (file, whole):
        yield Record(folder, file, _trials(folder, whole))


def read_record(folder: Path) -> tuple[TrialPlan, list[Trial]]:
    """The plan and the trials of a record, as far as it got.

    Raises:
        UnreadableFile: there is none, or it is damaged.
    """
    try:
        about = json.loads((folder / "ab.json").read_bytes())
        content = (folder / "trials.jsonl").read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{folder} holds no comparison ({error}); run tamis ab -o {folder}") from None
    if about.get("format") != FORMAT:
        raise UnreadableFile(f"{folder} is of the format {about.get('format')!r}; {FORMAT} can be read")
    trials = _trials(folder, content[: content.rfind(b"\n") + 1])
    pairs = max((trial.pair for trial in trials), default=1)
    try:
        return _PLAN.validate_python({**about["plan"], "runs": pairs}), trials
    except (KeyError, ValidationError) as error:
        raise UnreadableFile(f"{folder / 'ab.json'} is damaged: {error}") from None


def _begin(folder: Path, plan: TrialPlan) -> None:
    path = folder / "ab.json"
    wanted = _without_runs(plan)
    if not path.exists():
        about = {"format": FORMAT, "version": __version__, "plan": wanted}
        path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        return
    kept = _without_runs(read_record(folder)[0])
    differing = [name for name in wanted if wanted[name] != kept[name]]
    if differing:
        raise NotComparable(
            f"{folder} was begun with another {', '.join(differing)}; give the same again, or another folder "
            "with -o"
        )


def _without_runs(plan: TrialPlan) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    del kept["runs"]
    return kept


def _trials(folder: Path, content: bytes) -> list[Trial]:
    try:
        return [_TRIAL.validate_json(line) for line in content.splitlines()]
    except ValidationError as error:
        problem = error.errors()[0]
        raise UnreadableFile(f"{folder / 'trials.jsonl'} is damaged: {problem['msg']}") from None
