"""The worker process: works out the request to send, and follows what came of it.

It is beside the one that answers, so that nothing which a request says can hold that one up. It takes
`RewriteJob`s, `CompactionJob`s and `RecallJob`s from a connection, gives `JobResult`s and entries for the
monitor back, and ends when the connection does.
"""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Final

from tamis.archive import Archive
from tamis.errors import TamisError
from tamis.messages import get_counter
from tamis.monitoring import Monitor, QualityCheck
from tamis.monitoring.entries import LogEntry
from tamis.processes import begin_worker
from tamis.proxy.brief_maker import NotCompacted
from tamis.proxy.dialects import DIALECTS
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.regret_tracker import RegretTracker
from tamis.proxy.responses_compaction import CompactionAnswer, answer_compaction
from tamis.proxy.rewriter import Rewriter, RewriteResult
from tamis.proxy.settings import ProxySettings

THREADS: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class RewriteJob:
    """A request to be worked out; nobody waits for it any more after `until` (of the monotonic clock)."""

    number: int
    raw: bytes
    api: str
    name: str
    until: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionJob:
    """A request that asks for a compaction: by its path where `always`, else perhaps by its last item."""

    number: int
    raw: bytes
    always: bool
    until: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallJob:
    """What the model recalled behind a beginning, to be held before the agent can ask again."""

    number: int
    asked: str
    hidden: Items
    api: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JobResult:
    """What came of a job, or in `error` why nothing did. `conversations` is how many are held now."""

    number: int
    rewritten: RewriteResult | None = None
    compacted: CompactionAnswer | None = None
    error: str = ""
    conversations: int = 0


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The first word: it can begin, or why it cannot."""

    refused: TamisError | None = None


WorkerJob = RewriteJob | CompactionJob | RecallJob
"""What a worker takes."""


def main(connection: Connection, settings: ProxySettings) -> None:
    """Serve until the other side lets go."""
    begin_worker(interrupt=signal.SIG_IGN)  # the process in front ends it when running answers have ended
    try:
        worker = _Worker(connection, settings)
    except TamisError as error:
        connection.send(WorkerReady(error))
        return
    connection.send(WorkerReady())
    with suppress(EOFError, OSError):
        while (what := connection.recv()) is not None:
            worker.take(what)
    worker.close()


class _Relay(Monitor):
    """Sends what is noted to the process in front, which has the log and the metrics."""

    def __init__(self, worker: _Worker, quality_every: int) -> None:
        super().__init__(quality=QualityCheck(every=quality_every) if quality_every else None)
        self._worker = worker

    def note(self, entry: LogEntry) -> None:
        self._worker.say(entry)


class _Worker:
    def __init__(self, connection: Connection, settings: ProxySettings) -> None:
        self._connection = connection
        self._settings = settings
        self._sending = threading.Lock()
        is_active = settings.mode == "active"
        self._archive = Archive.open(settings.archive) if settings.archive and is_active else None
        self._rewriter = Rewriter(settings, self._archive)
        self._monitor = _Relay(self, settings.quality_every)
        self._counter = get_counter(settings.tokenizer)
        self._following = RegretTracker(self._monitor, self._counter, settings.mode)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tamis-compact")
        self._dialects = {dialect.name: dialect for dialect in DIALECTS}

    def take(self, what: WorkerJob) -> None:
        """Begin with it as soon as a thread is free."""
        self._threads.submit(self._answer, what)

    def say(self, what: JobResult | LogEntry) -> None:
        """Send something; where nobody listens any more, do not."""
        with self._sending, suppress(OSError):
            self._connection.send(what)

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._following.close()
        self._monitor.close()
        if self._archive is not None:
            self._archive.close()

    def _answer(self, what: WorkerJob) -> None:
        try:
            made, compacted = None, None
            match what:
                case RewriteJob():
                    made = self._rewritten(what)
                case CompactionJob():
                    compacted = self._compacted(what)
                case RecallJob():
                    self._following.recalled(what.asked, what.hidden, what.api)
                    self._rewriter.states.keep_recalled(what.asked, what.hidden)
            held = len(self._rewriter.states)
            self.say(JobResult(number=what.number, rewritten=made, compacted=compacted, conversations=held))
        except NotCompacted as error:
            self.say(JobResult(number=what.number, error=error.reason))
        except TamisError as error:
            self.say(JobResult(number=what.number, error=str(error)))
        except Exception as error:  # one proxied request: whatever it is, the agent goes on with its original
            self.say(JobResult(number=what.number, error=type(error).__name__))

    def _rewritten(self, job: RewriteJob) -> RewriteResult | None:
        if time.monotonic() > job.until:
            return None
        made = self._rewriter.rewrite(job.raw, self._dialects[job.api], job.name)
        if made.talk is not None and time.monotonic() < job.until:
            self._following.sent(made.talk)
        return replace(made, talk=None)

    def _compacted(self, job: CompactionJob) -> CompactionAnswer | None:
        if time.monotonic() > job.until:
            return None
        return answer_compaction(job.raw, self._settings, self._counter, self._archive, always=job.always)
