"""The plan of a comparison, and a trial's results: a fact is there or it is None, never zero instead."""

import random
from collections import Counter
from collections.abc import Mapping
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
    """One comparison: `runs` pairs of trials of one command; `seed` is of the order within each pair.

    Args:
        command: program and arguments, run in the working directory; what takes longer than `timeout_s` is
            ended, and has not succeeded.
        compression: the proxy that its requests go through; None: it compresses by itself, as `TAMIS_MODE`
            says.
        before: a shell command that puts things back as they were before each trial.
        success: a shell command that exits with 0 where a trial succeeded; else the command's own status
            says so.
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
    logs: tuple[str, ...] = ()

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


def order_of(pair: int, seed: int) -> list[TrialArm]:
    """Which arm of a pair is first: by lot, the same for the same seed, however many pairs there are."""
    arms = list(ARMS)
    random.Random(f"{seed}/{pair}").shuffle(arms)
    return arms


def folder_of(root: Path, pair: int, arm: TrialArm) -> Path:
    """Where a trial keeps its output."""
    return root / "trials" / f"{pair:03}-{arm}"


Status = Literal["ended", "timed-out", "not-started"]
"""`ended`: by itself, whatever its exit status. `timed-out`: ended by us, and no success. `not-started`:
nothing is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiCall:
    """One answer of the API, with its own figures of tokens; `input_tokens` are all, cached or not.

    Where it gave none, these are counted with the tokenizer (`counted`), and the others are None.
    """

    status: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    counted: bool = False


@dataclass(kw_only=True, slots=True)
class TrialTurn:
    """One request of the command's to its model: what the proxy decided, and the calls that it took."""

    decision: str = ""
    status: int | None = None
    added_ms: float | None = None
    calls: list[ApiCall] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Requests:
    """What a trial asked of its model through the proxy, summed over its turns.

    `answered` are the turns that the API answered. Tokens are of all calls, the proxy's own rounds of recall
    too, and None where one of them had none; `counted`: some by the tokenizer. `added_ms` is what the
    decision took in each turn that was shortened.
    """

    turns: int
    answered: int
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    counted: bool
    decisions: Mapping[str, int]
    added_ms: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialRegret:
    """What a trial needed of what was taken out, as the proxy's decision log tells it.

    `turns` came behind the first compaction; `regret_turns` of them needed something, `kinds` says how, and
    `tokens` what it cost. `looked_for` and `found` are of the checks on briefs.
    """

    turns: int
    regret_turns: int
    kinds: Mapping[str, int]
    tokens: int
    looked_for: int
    found: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionLog:
    """What a trial's session files hold: `turns` are the assistant's messages."""

    files: int
    messages: int
    turns: int
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One run of the command. `notes` say what was not measured, and why."""

    pair: int
    arm: TrialArm
    first: bool
    status: Status
    exit_status: int | None = None
    success: bool | None = None
    duration_s: float | None = None
    requests: Requests | None = None
    needs: TrialRegret | None = None
    log: SessionLog | None = None
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in what is printed."""
        return f"pair {self.pair}, {self.arm}"

    @property
    def iterations(self) -> int | None:
        """The model's answers: through the proxy, else in the session log; None where it did not end."""
        if self.status != "ended":
            return None
        if self.requests is not None:
            return self.requests.answered
        return self.log.turns if self.log else None

    @property
    def input_tokens(self) -> int | None:
        """What the model read in all calls; None where it did not end, or none went through the proxy."""
        return self.requests.input_tokens if self.requests and self.status == "ended" else None


def sum_up(turns: list[TrialTurn]) -> Requests:
    """The turns of a trial as one."""
    calls = [call for turn in turns for call in turn.calls]
    return Requests(
        turns=len(turns),
        answered=sum(turn.status is not None and turn.status < 400 for turn in turns),
        input_tokens=_sum([call.input_tokens for call in calls]),
        output_tokens=_sum([call.output_tokens for call in calls]),
        cached_tokens=_sum([call.cached_tokens for call in calls]),
        counted=any(call.counted for call in calls),
        decisions=Counter(turn.decision for turn in turns),
        added_ms=tuple(
            turn.added_ms
            for turn in turns
            if turn.decision in ("compacted", "replayed") and turn.added_ms is not None
        ),
    )


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None
