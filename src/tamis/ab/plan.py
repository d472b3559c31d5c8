"""The plan of a comparison: a command, how often, how compression reaches it, and how success is told."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tamis.errors import InputError

TrialArm = Literal["off", "on"]
"""`off`: the command as it is. `on`: with compression."""

ARMS: tuple[TrialArm, TrialArm] = ("off", "on")


@dataclass(frozen=True, kw_only=True, slots=True)
class Compression:
    """The proxy of the arm with compression; the other arm's passes everything on. As for `tamis proxy`."""

    upstream: str
    window: int = 200_000
    budget: str = "5%"
    trigger: float = 0.8
    keep_last: str = "10%"
    method: str = "ledger"
    tokenizer: str = "o200k_base"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialPlan:
    """One comparison: `runs` pairs of trials of one command.

    Args:
        command: program and arguments, run in the working directory.
        compression: the proxy that the command's requests go through; None where the command compresses by
            itself as `TAMIS_MODE` says.
        runs: how many pairs.
        seed: of the order within each pair.
        timeout_s: a command that runs longer is ended, and has not succeeded.
        before: a shell command run before each trial, to put things back as they were.
        success: a shell command run after each trial: it succeeded if this exits with 0. Without one, the
            command's own exit status says so.
        logs: patterns of session files that a trial writes; `{dir}` is the trial's own folder.

    Raises:
        InputError: nothing to run, or a number out of range.
    """

    command: tuple[str, ...]
    compression: Compression | None = None
    runs: int = 5
    seed: int = 0
    timeout_s: float = 3600.0
    before: str = ""
    success: str = ""
    logs: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.command:
            raise InputError("there is no command to try; give one behind --")
        if self.runs < 1:
            raise InputError(f"{self.runs} runs; give 1 or more")
        if self.timeout_s <= 0:
            raise InputError(f"a time-out of {self.timeout_s:g} seconds; give more than 0")
        if self.compression is None and not self.logs:
            raise InputError(
                "nothing could be measured but success and time: give --upstream URL to put a proxy between, "
                "or --log GLOB to read the sessions that the command writes"
            )


def order_of(pair: int, seed: int) -> tuple[TrialArm, ...]:
    """Which arm of a pair is first: by lot, the same for the same seed, however many pairs there are.

    >>> order_of(1, 0) == order_of(1, 0)
    True
    """
    arms = list(ARMS)
    random.Random(f"{seed}/{pair}").shuffle(arms)
    return tuple(arms)


def folder_of(root: Path, pair: int, arm: TrialArm) -> Path:
    """Where a trial keeps its output."""
    return root / "trials" / f"{pair:03}-{arm}"
