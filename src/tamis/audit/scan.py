"""Conducting an audit: every session that was found, as many as there is time for, by several processes.

First the files are searched for the marks of compactions, which is as quick as the disk. Then they are read:
those that have some first, then the newest; but of every agent some, whatever the others have. Last the
compactions are measured, which takes a hundred times as long for each byte: the newest of every session, then
the others, for as long as there is time. What was not read or not measured is counted and told.
"""

import math
import mmap
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tamis.audit.discovery import Discovery, StoredSession, Trouble
from tamis.audit.inspection import Inspection, InspectionJob, inspect_session
from tamis.evals.experiment.workers import Processes, Serial, WorkerCrash

SMALL_BYTES = 3_000_000
"""So little is read before other processes have started."""
FIRST_OF_EACH = 3
"""So many sessions of every agent are read before more of any."""
SHARE_OF_ONE = 0.3
"""No session may take more of the time than this."""
READING = 0.6
"""Reading may take so much of the time; what it leaves is for measuring."""
NEWEST = 2
"""So many compactions of every session are measured before more of any."""
SEARCHING = 0.15
"""The search for marks may take so much of the time."""
ScanProgress = Callable[[str, int, int], None]
"""Is told what is being done, and how many bytes of how many are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScanResult:
    """What came of an audit. `marks` are the compactions in files that were not read, by their marks.

    `searched` is whether all of these files were searched for marks.
    """

    found: Discovery
    looked: tuple[Inspection, ...]
    marks: dict[str, int]
    searched: bool
    seconds: float


def conduct(found: Discovery, *, jobs: int, seconds: float, watch: ScanProgress) -> ScanResult:
    """Read what was found, with so many processes as `jobs`; it may take `seconds`, infinity for any time.

    `watch` is told how it goes.
    """
    began = time.monotonic()
    marks = _search(found.sessions, seconds=seconds * SEARCHING, watch=watch)
    ordered = in_order(found.sessions, marks)
    total, done = sum(s.bytes for s in ordered), 0
    left = seconds - (time.monotonic() - began)
    plan = _plan(ordered, marks, ends=time.time() + left, seconds=seconds, left=left)
    engine = Serial() if jobs == 1 or total < SMALL_BYTES else Processes(jobs, (inspect_session.__module__,))
    known: dict[StoredSession, Inspection] = {}
    measured, measurable = 0, sum(job.stored.bytes for job in plan if job.task == "measure")
    for job, made in zip(plan, engine.map(inspect_session, plan), strict=True):
        if job.task != "measure":
            known[job.stored] = _died(job.stored) if isinstance(made, WorkerCrash) else made
            done += job.stored.bytes
            watch("reading", done, total)
            continue
        measured += job.stored.bytes
        watch("measuring", measured, measurable)
        if not isinstance(made, WorkerCrash):
            had = known[job.stored]
            known[job.stored] = replace(
                had, tried=had.tried + made.tried, measured=(*had.measured, *made.measured)
            )
    looked = [known[stored] for stored in ordered]
    unread = [one.stored for one in looked if not one.read]
    counts = Counter[str]()
    for stored in unread:
        counts[stored.store.agent] += marks.get(stored, 0)
    return ScanResult(
        found=found,
        looked=tuple(looked),
        marks=counts,
        searched=all(s in marks for s in unread if s.store.marks),
        seconds=time.monotonic() - began,
    )


def _plan(
    ordered: Sequence[StoredSession],
    marks: Mapping[StoredSession, int],
    *,
    ends: float,
    seconds: float,
    left: float,
) -> list[InspectionJob]:
    """First to read all, then to measure the newest compactions of every session, then the others.

    What bears no marks is measured as it is read: nobody knows before whether it was compacted.
    """
    job = partial(InspectionJob, most_seconds=max(seconds * SHARE_OF_ONE, 1.0))
    read_until = ends if math.isinf(left) else ends - left * (1 - READING)
    marked = [stored for stored in ordered if marks.get(stored, 0)]
    more = [stored for stored in marked if marks[stored] > NEWEST]
    return [
        *(job(stored=s, until=read_until, task="read" if marks.get(s, 0) else "both") for s in ordered),
        *(job(stored=s, until=ends, task="measure", newest=(0, NEWEST)) for s in marked),
        *(job(stored=s, until=ends, task="measure", newest=(NEWEST, sys.maxsize)) for s in more),
    ]


def in_order(sessions: Sequence[StoredSession], marks: Mapping[StoredSession, int]) -> list[StoredSession]:
    """The order in which they are read: what tells most first, and some of every agent before all of one."""
    best = sorted(sessions, key=lambda s: (not marks.get(s, 0), s.is_sub_agent, -s.modified, str(s.path)))
    first: list[StoredSession] = []
    counts: Counter[str] = Counter()
    for stored in best:
        counts[stored.store.agent] += 1
        if counts[stored.store.agent] <= FIRST_OF_EACH:
            first.append(stored)
    taken = set(first)
    return [*first, *(stored for stored in best if stored not in taken)]


def _died(stored: StoredSession) -> Inspection:
    reason = f"{stored.path}: the process that read it died; look at it alone: tamis show"
    return Inspection(stored=stored, trouble=Trouble(path=stored.path, kind="not readable", reason=reason))


def _search(
    sessions: Sequence[StoredSession], *, seconds: float, watch: ScanProgress
) -> dict[StoredSession, int]:
    """How often each agent compacted each session, by the marks in its file; those that were searched."""
    until = time.monotonic() + seconds
    marked = [s for s in sorted(sessions, key=lambda s: -s.modified) if s.store.marks]
    total, done = sum(s.bytes for s in marked), 0
    counts: dict[StoredSession, int] = {}
    for stored in marked:
        if time.monotonic() > until:
            break
        counts[stored] = _count(stored, stored.store.marks)
        done += stored.bytes
        watch("searching", done, total)
    return counts


def _count(stored: StoredSession, marks: Sequence[bytes]) -> int:
    try:
        with stored.path.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return 0
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return max(sum(1 for _ in re.finditer(re.escape(mark), data)) for mark in marks)
    except (OSError, ValueError):  # closed to us, or gone by now: reading it says so
        return 0
