"""Reading one session for the audit and measuring its compactions.

What was found out by the time that it is over is kept.
"""

from __future__ import annotations

import hashlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from types import FrameType
from typing import Literal

from tamis.audit.compactions import CompactionAudit, CompactionAuditor
from tamis.audit.databases import read_session
from tamis.audit.discovery import StoredSession, Trouble
from tamis.errors import TamisError, UnknownFormat
from tamis.evals.points import At, Point, find_points
from tamis.ledger import LedgerReader
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.outputs.waste import find_waste
from tamis.messages import Counter, Session, get_counter
from tamis.messages.census import take_census
from tamis.sessions import read_all

HUGE_BYTES = 300_000_000
"""A larger file would take more memory than a look is worth."""


class OutOfTime(BaseException):
    """The time for a session is over. No `Exception`, or a method's own guard would take it for a failure."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InspectionJob:
    """A session to be read, its compactions to be measured, or both.

    Those compactions are measured whose number is in `newest`, from and up to; the newest is number 0.
    `until` is when the time is over (seconds since 1970); `most_seconds` is how long the session may take.
    """

    stored: StoredSession
    until: float
    most_seconds: float
    task: Literal["read", "measure", "both"] = "both"
    newest: tuple[int, int] = (0, sys.maxsize)


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenUse:
    """Where tokens went. `repeated`, `superseded` and `reread` are parts of `results`, and may overlap."""

    total: int = 0
    results: int = 0
    calls: int = 0
    text: int = 0
    thinking: int = 0
    repeated: int = 0
    superseded: int = 0
    reread: int = 0

    def __add__(self, other: TokenUse) -> TokenUse:
        return TokenUse(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Inspection:
    """What came of one stored session.

    Args:
        stored: which.
        read: whether it was read; else `trouble` says why not, or there was no time.
        agent: the format it was read as.
        sessions: how many stand in the file; `messages` how many they hold.
        tokens: where they went; None where the time was over before they were counted.
        compactions: how often its agent compacted it; `unrecorded` of them left no summary that could be
            read, of the others there was time for `tried`, and `measured` are those that were.
        unread: records in it that were not understood.
        cut_off: whether its last line is not whole: it is being written, or was synced by half.
        cut_short: whether the time was over before the job was done.
    """

    stored: StoredSession
    read: bool = False
    agent: str = ""
    sessions: int = 0
    messages: int = 0
    tokens: TokenUse | None = None
    compactions: int = 0
    unrecorded: int = 0
    tried: int = 0
    measured: tuple[CompactionAudit, ...] = ()
    unread: int = 0
    cut_off: bool = False
    cut_short: bool = False
    trouble: Trouble | None = None

    @property
    def summaries(self) -> int:
        """How many of its compactions left a summary that can be read."""
        return self.compactions - self.unrecorded


def inspect_session(job: InspectionJob) -> Inspection:
    """Do the job: find out of a session what the screen tells of it."""
    stored = job.stored
    seconds = min(job.until - time.time(), job.most_seconds)
    if seconds <= 0:
        return Inspection(stored=stored)
    look = _Look(looked=Inspection(stored=stored))
    if stored.bytes > HUGE_BYTES:
        reason = f"{stored.path}: {stored.bytes / 1e6:,.0f} MB; look at it alone: tamis show"
        look.fails("too large for a look", reason)
        return look.looked
    try:
        with _ringing(seconds):
            for session in _sessions(stored):
                if job.task != "measure":
                    look.read(session)
                if job.task != "read":
                    look.measure(session, job.newest)
    except OutOfTime:
        look.looked = replace(look.looked, cut_short=True)
    except UnknownFormat as error:
        look.fails("of a version or format that tamis does not know", str(error))
    except TamisError as error:
        is_open = os.access(stored.path, os.R_OK)
        look.fails("half synced or half written" if is_open else "not allowed to be read", str(error))
    except Exception as error:  # one of thousands of files, whatever is in it, must not end the rest
        look.fails("not readable", f"{stored.path}: {error!r}")
    return look.looked


def _sessions(stored: StoredSession) -> Iterator[Session]:
    if stored.inside is None:
        return read_all(stored.path)
    return read_session(stored.path, stored.store.kind, stored.inside)


@dataclass(slots=True)
class _Look:
    looked: Inspection
    _counter: Counter = field(default_factory=lambda: CachingCounter(get_counter()))

    def fails(self, kind: str, reason: str) -> None:
        """It could not be read to its end; what was read before that counts."""
        trouble = Trouble(path=self.looked.stored.path, kind=kind, reason=reason)
        self.looked = replace(self.looked, trouble=trouble)

    def read(self, session: Session) -> None:
        had = self.looked
        self.looked = replace(
            had,
            read=True,
            agent=session.format,
            sessions=had.sessions + 1,
            messages=had.messages + len(session.messages),
            compactions=had.compactions + len(session.boundaries),
            unrecorded=had.unrecorded + sum(b.summary_id is None for b in session.boundaries),
            unread=had.unread + len(session.unread),
            cut_off=had.cut_off or (bool(session.unread) and "broken JSON" in session.unread[-1].reason),
        )
        self._count(session)

    def _count(self, session: Session) -> None:
        census = take_census(session.messages, self._counter)
        reader = LedgerReader(cwd=session.cwd, extractors=(extract_files,))
        events = [event for message in session.messages for event in reader.read(message)]
        waste = find_waste(session.messages, events, self._counter)
        kinds = census.by_kind
        use = TokenUse(
            total=census.tokens,
            results=kinds.get("result", 0),
            calls=kinds.get("call", 0),
            text=kinds.get("text", 0),
            thinking=kinds.get("thinking", 0),
            repeated=waste.repeated_tokens,
            superseded=waste.superseded_tokens,
            reread=waste.reread_tokens,
        )
        self.looked = replace(self.looked, tokens=use + (self.looked.tokens or TokenUse()))

    def measure(self, session: Session, newest: tuple[int, int]) -> None:
        """Measure compactions: of those that left a summary, the ones with these numbers."""
        if not session.boundaries:
            return
        measurer = CompactionAuditor(self._counter)
        points = find_points(session, [At(own=True)], self._counter)
        told = [p for b, p in zip(session.boundaries, points, strict=True) if b.summary_id is not None]
        for point in islice(reversed(told), *newest):
            measured = self.looked.measured
            if isinstance(point, Point) and point.recorded is not None:
                name = hashlib.sha256(point.recorded.text.encode("utf-8", "replace")).hexdigest()[:16]
                if made := measurer.measure(point, point.recorded, name=name):
                    measured = (*measured, made)
            self.looked = replace(self.looked, tried=self.looked.tried + 1, measured=measured)


class CachingCounter:
    """A counter that counts a text once: the figures of a session are taken from the same parts."""

    def __init__(self, counter: Counter) -> None:
        """`counter` does the counting."""
        self.name, self.exact = counter.name, counter.exact
        self._counter = counter
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int:
        """The number of tokens in `text`."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """One count per text, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._counter.count_many(new), strict=True))
        return [self._known[text] for text in texts]


@contextmanager
def _ringing(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the block after so long, where the system can; elsewhere it takes its time."""
    if (
        math.isinf(seconds)
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
