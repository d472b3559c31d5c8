"""A probe: a question about a span, its answer, and the messages that prove it.

Probes are saved one to a line (JSONL), for a person to read and edit; what is read back is checked,
line by line.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tamis.errors import InputError
from tamis.faults import first_fault
from tamis.sessions.atomic import write_atomic
from tamis.text_files import read_text

PROBE_VERSION = "2"  # changes when probes that were made before can no longer be compared with new ones
ProbeKind = Literal["recall", "artifact", "continuation", "decision", "constraint", "unanswerable"]
PROBE_KINDS: tuple[ProbeKind, ...] = get_args(ProbeKind)
ItemType = Literal["path", "identifier", "number", "text"]


@dataclass(frozen=True, kw_only=True)
class Expected:
    """One thing that an answer must hold, and how it is looked for.

    `path`: the path or the end of it. `identifier`: to the letter, as a word of its own. `number`: the same
    amount, however written. `text`: its telling words. `forbids` marks a text that says what must not be
    done: without the prohibition it is not the same.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    type: ItemType
    value: str
    forbids: bool = False


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A question and what answers it.

    `expected` is empty for an unanswerable question, which is to be declined. `closed` says that the list is
    complete, so that whatever else an answer names of the same type is wrong. `superseded` held once; an
    answer that gives it as if it held is wrong. `sources` are the messages that prove the answer. `session`
    and `point` (a label as `50%` or `own:1`) say where it belongs, if it was made at a compaction point.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    id: str
    kind: ProbeKind
    question: str
    expected: tuple[Expected, ...]
    closed: bool = False
    superseded: tuple[Expected, ...] = ()
    sources: tuple[str, ...] = ()
    made_by: str = "hand"
    session: str | None = None
    point: str | None = None
    version: str = PROBE_VERSION


_PROBE = TypeAdapter(Probe)


def probe_id(kind: ProbeKind, question: str) -> str:
    """The id of a probe: its kind, and a hash of the question.

    >>> probe_id("recall", "Which port?")
    'recall-6544cc2c'
    """
    return f"{kind}-{hashlib.sha256(question.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def write_probes(path: Path, probes: Iterable[Probe]) -> None:
    """Write probes, one to a line, in the place of what was there.

    Raises:
        InputError: it cannot be written.
    """
    write_atomic(path, (_PROBE.dump_json(probe).decode() + "\n" for probe in probes), force=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class LineFault:
    """A line that is no usable probe: what is wrong with it, and what to do."""

    line: int
    what: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeFile:
    """The probes of a file by their line, and the lines that hold none."""

    probes: Mapping[int, Probe]
    faults: tuple[LineFault, ...]


def read_probes(path: Path) -> tuple[Probe, ...]:
    """Read probes; empty lines are skipped.

    Raises:
        UnreadableFile: the file cannot be read.
        InputError: a line is no probe, is of another version, or repeats an id; names the first such line.
    """
    found = check_probes(path)
    if found.faults:
        first, more = found.faults[0], len(found.faults) - 1
        others = f" (and {more} more; see them with tamis probes --check {path})" if more else ""
        raise InputError(f"{path}, line {first.line}: {first.what}{others}")
    return tuple(found.probes.values())


def check_probes(path: Path) -> ProbeFile:
    """Read probes, and say of every line what is wrong with it.

    Raises:
        UnreadableFile: the file cannot be read.
    """
    lines = read_text(path, "give a file of probes, one to a line").split("\n")
    probes: dict[int, Probe] = {}
    faults: list[LineFault] = []
    taken: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        read = _read_line(line)
        if isinstance(read, Probe) and read.id in taken:
            read = f"the id {read.id!r} is taken; give each probe its own"
        if isinstance(read, Probe):
            taken.add(read.id)
            probes[number] = read
        else:
            faults.append(LineFault(line=number, what=read))
    return ProbeFile(probes=probes, faults=tuple(faults))


def _read_line(line: str) -> Probe | str:
    try:
        probe = _PROBE.validate_json(line)
    except ValidationError as error:
        return f"no probe; {first_fault(error, 'the line')}; correct or delete the line"
    if probe.version != PROBE_VERSION:
        return (
            f"a probe of version {probe.version!r}; this tamis reads {PROBE_VERSION!r}; make the probes again"
        )
    if not probe.question.strip():
        return "the question is empty; write one, or delete the line"
    if any(not item.value.strip() for item in (*probe.expected, *probe.superseded)):
        return "an expected or superseded value is empty; fill it in, or take it out"
    if probe.expected and probe.kind == "unanswerable":
        return "unanswerable, and yet something is expected; empty `expected`, or choose another kind"
    if not probe.expected and probe.kind != "unanswerable":
        return (
            f"nothing is expected of a probe of kind {probe.kind!r}; fill `expected`, or make it unanswerable"
        )
    return probe
