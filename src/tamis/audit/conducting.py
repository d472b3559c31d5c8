"""Conducting an audit: every session that was found, as many as there is time for, by several processes.

First the files are searched for the marks of compactions, which is as quick as the disk. Those that have some
are read first, then the newest; but of every agent some, whatever the others have. What was not read is
counted and told.
"""

from __future__ import annotations

import mmap
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tamis.audit.finding import Found, Stored, Trouble
from tamis.audit.reading import Job, Looked, look_at
from tamis.evals.workers import Broken, Processes, Serial

SMALL_BYTES = 3_000_000
"""So little is read before other processes have started."""

FIRST_OF_EACH = 3
"""So many sessions of every agent are read before more of any."""

SHARE_OF_ONE = 0.3
"""No session may take more of the time than this."""

MEASURING = 0.65
"""After so much of the time no more compactions are measured, so that more sessions are read at all."""

SEARCHING = 0.2
"""The search for marks may take so much of the time."""

Watch = Callable[[str, int, int], None]
"""Is told what is being done, and how many bytes of how many are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """What came of an audit. `marks` are the compactions in files that were not read, by their marks.

    `searched` is whether all of these files were searched for marks.
    """

    found: Found
    looked: tuple[Looked, ...]
    marks: dict[str, int]
    searched: bool
    seconds: float


def conduct(found: Found, *, jobs: int, seconds: float, watch: Watch) -> Audited:
    """Read what was found.

    Args:
        found: the sessions.
        jobs: how many processes.
        seconds: how long it may take; infinity for as long as it takes.
        watch: is told how it goes.
    """
    began = time.monotonic()
    marks = _search(found.sessions, seconds=seconds * SEARCHING, watch=watch)
    ordered = in_order(found.sessions, marks)
    total, done = sum(s.bytes for s in ordered), 0
    left = seconds - (time.monotonic() - began)
    until = time.time() + left
    measure_until = time.time() + left * MEASURING
    most = max(seconds * SHARE_OF_ONE, 1.0)
    work = [Job(stored=s, until=until, measure_until=measure_until, most_seconds=most) for s in ordered]
    engine = Serial() if jobs == 1 or total < SMALL_BYTES else Processes(jobs)
    looked: list[Looked] = []
    for stored, made in zip(ordered, engine.map(look_at, work), strict=True):
        looked.append(_died(stored) if isinstance(made, Broken) else made)
        done += stored.bytes
        watch("reading", done, total)
    unread = [one.stored for one in looked if not one.read]
    counts: dict[str, int] = {}
    for stored in unread:
        counts[stored.store.agent] = counts.get(stored.store.agent, 0) + marks.get(stored, 0)
    return Audited(
        found=found,
        looked=tuple(looked),
        marks=counts,
        searched=all(s in marks for s in unread if s.store.marks),
        seconds=time.monotonic() - began,
    )


def in_order(sessions: Sequence[Stored], marks: Mapping[Stored, int]) -> list[Stored]:
    """The order in which they are read: what tells most first, and some of every agent before all of one."""
    best = sorted(sessions, key=lambda s: (not marks.get(s, 0), s.is_sub_agent, -s.modified, str(s.path)))
    first: list[Stored] = []
    counts: Counter[str] = Counter()
    for stored in best:
        counts[stored.store.agent] += 1
        if counts[stored.store.agent] <= FIRST_OF_EACH:
            first.append(stored)
    taken = set(first)
    return [*first, *(stored for stored in best if stored not in taken)]


def _died(stored: Stored) -> Looked:
    reason = f"{stored.path}: the process that read it died; look at it alone: tamis show"
    return Looked(stored=stored, trouble=Trouble(path=stored.path, kind="not readable", reason=reason))


def _search(sessions: Sequence[Stored], *, seconds: float, watch: Watch) -> dict[Stored, int]:
    """How often each agent compacted each session, by the marks in its file; those that were searched."""
    until = time.monotonic() + seconds
    marked = [s for s in sorted(sessions, key=lambda s: -s.modified) if s.store.marks]
    total, done = sum(s.bytes for s in marked), 0
    counts: dict[Stored, int] = {}
    for stored in marked:
        if time.monotonic() > until:
            break
        counts[stored] = _count(stored, stored.store.marks)
        done += stored.bytes
        watch("searching", done, total)
    return counts


def _count(stored: Stored, marks: Sequence[bytes]) -> int:
    try:
        with stored.path.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return 0
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return max(_times(data, mark) for mark in marks)
    except (OSError, ValueError):  # closed to us, or gone by now: reading it says so
        return 0


def _times(data: mmap.mmap, mark: bytes) -> int:
    times, at = 0, data.find(mark)
    while at >= 0:
        times, at = times + 1, data.find(mark, at + len(mark))
    return times
