"""The process that works out what is sent, and follows what came of it.

It is beside the one that answers, so that nothing which a request says can hold that one up. It takes `Job`s
and `Recalled`s from a connection, gives `Done`s and `Noted`s back, and ends when the connection does.
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
from tamis.monitoring.entries import Entry
from tamis.processes import begin_worker
from tamis.proxy.dialects import DIALECTS
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.following import Following
from tamis.proxy.rewriting import Rewriter, Rewritten
from tamis.proxy.settings import ProxySettings

THREADS: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A request to be worked out; nobody waits for it any more after `until` (of the monotonic clock)."""

    number: int
    raw: bytes
    api: str
    name: str
    until: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """What the model recalled behind a beginning, to be held before the agent can ask again."""

    number: int
    asked: str
    hidden: Items
    api: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What came of a job, or in `error` why nothing did. `conversations` is how many are held now."""

    number: int
    rewritten: Rewritten | None = None
    error: str = ""
    conversations: int = 0


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry for the monitor."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Ready:
    """The first word: it can begin, or why it cannot."""

    refused: TamisError | None = None


def main(connection: Connection, settings: ProxySettings) -> None:
    """Serve until the other side lets go."""
    begin_worker(interrupt=signal.SIG_IGN)  # the process in front ends it when running answers have ended
    try:
        worker = _Worker(connection, settings)
    except TamisError as error:
        connection.send(Ready(error))
        return
    connection.send(Ready())
    with suppress(EOFError, OSError):
        while (what := connection.recv()) is not None:
            worker.take(what)
    worker.close()


class _Relay(Monitor):
    """Sends what is noted to the process in front, which has the log and the metrics."""

    def __init__(self, worker: _Worker, quality_every: int) -> None:
        super().__init__(quality=QualityCheck(every=quality_every) if quality_every else None)
        self._worker = worker

    def note(self, entry: Entry) -> None:
        """Send an entry."""
        self._worker.say(Noted(entry))


class _Worker:
    def __init__(self, connection: Connection, settings: ProxySettings) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        is_active = settings.mode == "active"
        self._archive = Archive.open(settings.archive) if settings.archive and is_active else None
        self._rewriter = Rewriter(settings, self._archive)
        self._monitor = _Relay(self, settings.quality_every)
        self._following = Following(self._monitor, get_counter(settings.tokenizer), settings.mode)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tamis-compact")
        self._dialects = {dialect.name: dialect for dialect in DIALECTS}

    def take(self, what: Job | Recalled) -> None:
        """Begin with it as soon as a thread is free."""
        self._threads.submit(self._answer, what)

    def say(self, what: Done | Noted) -> None:
        """Send something; where nobody listens any more, do not."""
        with self._sending, suppress(OSError):
            self._connection.send(what)

    def close(self) -> None:
        """End what runs and let go of everything."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._following.close()
        self._monitor.close()
        if self._archive is not None:
            self._archive.close()

    def _answer(self, what: Job | Recalled) -> None:
        try:
            made = None
            if isinstance(what, Job):
                made = self._rewritten(what)
            else:
                self._keep(what)
            self.say(Done(number=what.number, rewritten=made, conversations=len(self._rewriter.states)))
        except TamisError as error:
            self.say(Done(number=what.number, error=str(error)))
        except Exception as error:  # one proxied request: whatever it is, the agent goes on with its original
            self.say(Done(number=what.number, error=type(error).__name__))

    def _rewritten(self, job: Job) -> Rewritten | None:
        if time.monotonic() > job.until:
            return None
        made = self._rewriter.rewrite(job.raw, self._dialects[job.api], job.name)
        if made.talk is not None and time.monotonic() < job.until:
            self._following.sent(made.talk)
        return replace(made, talk=None)

    def _keep(self, what: Recalled) -> None:
        self._following.recalled(what.asked, what.hidden, what.api)
        self._rewriter.states.keep_recalled(what.asked, what.hidden)
