"""The log of a run: one JSON object a line, appended as cases are done, with every artifact and answer.

The first line is what was asked (`Setup`), each line after it a case, or answers that came when the reader
was asked again. Scores are not in it: they follow from the answers. A last line that was cut off is dropped
when the run is resumed; nothing else is ever rewritten.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from tamis.bench.methodology import Tier
from tamis.bench.template import Difficulty
from tamis.errors import InputError, NotComparable, OutputExists, UnreadableFile
from tamis.faults import first_fault
from tamis.messages.wire import WireMessage

LOG_FORMAT: Final = "tamis-bench/1"
_AGAIN_BEGINS: Final = b'{"again":'


@dataclass(frozen=True, kw_only=True)
class Setup:
    """Everything that a run depends on. Two runs that agree in all but the method can be compared.

    `per_family` is how many templates of each family were run; None: all. `called` is how the method was
    named by whoever ran it, where that is known: a class in a file has another name than its file. `begun` is
    when the run was begun (ISO 8601, UTC), which decides the last of ties.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    format: Literal["tamis-bench/1"] = LOG_FORMAT
    tamis: str
    method: str
    method_version: str
    suite: str
    suite_version: str
    suite_digest: str
    case_version: str
    reader: str
    reader_version: str
    scorer: str
    tier: Tier
    difficulty: Difficulty
    length_tokens: int
    position: str | None
    slots: int
    cycles: int
    seed_group: str
    per_family: int | None = None
    called: str = ""
    begun: str = ""


@dataclass(frozen=True, kw_only=True)
class AnswerEntry:
    """What the reader answered to an item; empty where it declined.

    `not_measured` is why there is no answer: the reader broke off, timed out or refused.
    """

    item: str
    text: str
    not_measured: str | None = None


@dataclass(frozen=True, kw_only=True)
class CycleEntry:
    """One cycle: the artifact, its tokens, what it stands for, and the answers that were read from it.

    The artifact is what is handed on to the next cycle. `withheld_tokens` is how much more the method would
    have carried over beside it, which nobody hands on; None in logs that do not tell.
    """

    artifact: tuple[WireMessage, ...]
    artifact_tokens: int
    transcript_tokens: int
    outcome: str
    warnings: tuple[str, ...]
    answers: tuple[AnswerEntry, ...]
    latency_ms: float
    withheld_tokens: int | None = None

    @property
    def ratio(self) -> float:
        """How many tokens of the transcript stand behind one of the artifact."""
        return self.transcript_tokens / max(self.artifact_tokens, 1)

    @property
    def texts(self) -> Mapping[str, str]:
        """What was answered, by item."""
        return {a.item: a.text for a in self.answers if a.not_measured is None}

    @property
    def missing(self) -> Mapping[str, str]:
        """Why an item has no answer, for those that have none."""
        return {a.item: a.not_measured for a in self.answers if a.not_measured is not None}


@dataclass(frozen=True, kw_only=True)
class CaseEntry:
    """A case that was run. `failure` says why the method gave no artifact; its later cycles are not there."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    case: str
    cycles: tuple[CycleEntry, ...]
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class AgainEntry:
    """Answers to what the reader had not answered, asked again from the artifact of a cycle."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    again: str
    cycle: int
    answers: tuple[AnswerEntry, ...]

    def amend(self, entry: CaseEntry) -> CaseEntry:
        """The case with these answers; raises ValueError for a cycle or a gap that is not there."""
        if not 0 <= self.cycle < len(entry.cycles):
            raise ValueError(f"{self.again} has no cycle {self.cycle}")
        cycle, given = entry.cycles[self.cycle], {answer.item: answer for answer in self.answers}
        if had := sorted(given.keys() - cycle.missing.keys()):
            raise ValueError(f"{self.again}, cycle {self.cycle}: {had[0]!r} was answered before")
        amended = replace(cycle, answers=tuple(given.get(a.item, a) for a in cycle.answers))
        cycles = (*entry.cycles[: self.cycle], amended, *entry.cycles[self.cycle + 1 :])
        return replace(entry, cycles=cycles)


@dataclass(frozen=True, kw_only=True)
class RunLog:
    """A log that was read: the setup, the cases done, and how many answers came only when asked again.

    `lines` is how many lines the file has.
    """

    path: Path
    setup: Setup
    cases: tuple[CaseEntry, ...]
    asked_again: int = 0
    lines: int = 0

    @property
    def failures_at_end(self) -> int:
        """How many cases in a row the method failed in last."""
        return sum(1 for _ in takewhile(lambda entry: entry.failure is not None, reversed(self.cases)))


_SETUP, _CASE, _AGAIN = TypeAdapter(Setup), TypeAdapter(CaseEntry), TypeAdapter(AgainEntry)


def start_log(path: Path, setup: Setup, *, resume: bool) -> tuple[CaseEntry, ...]:
    """Begin a log, or take one up again; gives the cases that are done.

    Raises:
        OutputExists: there is a log and resuming was not asked for.
        NotComparable: the log is of a run with other settings; names them.
        UnreadableFile: it is no log, or broken other than in its last line.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        append(path, setup)
        return ()
    if not resume:
        raise OutputExists(f"{path} exists; go on with it by --resume, or name another file with -o")
    data = path.read_bytes()
    if (end := data.rfind(b"\n") + 1) != len(data):  # a last line that was cut off
        os.truncate(path, end)
    log = read_log(path)
    was, now = asdict(log.setup), asdict(setup)
    names = [name for name in was if was[name] != now[name] and name not in ("called", "begun")]
    if names:
        differing = [f"{name} {was[name]!r}, now {now[name]!r}" for name in names]
        raise NotComparable(
            f"{path} is of a run with other settings ({'; '.join(differing)}); "
            "resume with the same, or name another file with -o"
        )
    return log.cases


def append(path: Path, entry: Setup | CaseEntry | AgainEntry) -> None:
    """Add a line; on the disk when this returns. Raises InputError where nothing can be written there."""
    try:
        with path.open("ab") as file:
            file.write(to_json(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: cannot write there ({error.strerror}); choose another place") from None


def read_log(path: Path) -> RunLog:
    """Read a log. A cut last line is left out: that case was not done.

    Raises:
        UnreadableFile: missing, no log, or broken; names the line.
        NotComparable: written by another version of the log's format.
    """
    try:
        *whole, _cut = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read ({error.strerror}); name a run log") from None
    lines = [line for line in whole if line.strip()]
    if not lines:
        raise UnreadableFile(f"{path}: no run log (empty); make one with: tamis bench run -o {path}")
    setup = _read_setup(path, lines[0])
    cases: dict[str, CaseEntry] = {}
    asked_again = 0
    for number, line in enumerate(lines[1:], 2):
        place = f"{path}, line {number}"
        try:
            if line.startswith(_AGAIN_BEGINS):
                again = _AGAIN.validate_json(line)
                if again.again not in cases:
                    raise ValueError(f"answers to {again.again}, which no line before tells of")
                cases[again.again] = again.amend(cases[again.again])
                asked_again += len(again.answers)
                continue
            entry = _CASE.validate_json(line)
        except ValidationError as error:
            fault = first_fault(error, "the line")
            raise UnreadableFile(f"{place}: {fault}; remove the line and --resume") from None
        except ValueError as error:
            raise UnreadableFile(f"{place}: {error}; remove the line") from None
        if entry.case in cases:
            raise UnreadableFile(f"{place}: {entry.case} stands here twice; remove one of the lines")
        cases[entry.case] = entry
    return RunLog(
        path=path, setup=setup, cases=tuple(cases.values()), asked_again=asked_again, lines=len(lines)
    )


def _read_setup(path: Path, line: bytes) -> Setup:
    try:
        found: Any = json.loads(line)
        said = found.get("format") if isinstance(found, dict) else None
        if isinstance(said, str) and said.startswith("tamis-bench/") and said != LOG_FORMAT:
            raise NotComparable(
                f"{path} holds {said!r}, this tamis reads {LOG_FORMAT!r}; run the benchmark again"
            )
        return _SETUP.validate_python(found)
    except ValidationError as error:
        fault = first_fault(error, "the line")
        raise UnreadableFile(f"{path}, line 1: not the setup of a run ({fault})") from None
    except ValueError:
        raise UnreadableFile(f"{path}, line 1: not JSON; name a file that `tamis bench run` wrote") from None
