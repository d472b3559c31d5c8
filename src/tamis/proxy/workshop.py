"""The near side of the worker process: hands over jobs, waits so long and no longer, replaces a lost one."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Final

from tamis.errors import TamisError
from tamis.monitoring.entries import LogEntry
from tamis.proxy import worker
from tamis.proxy.dialects import Dialect
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.responses_compaction import CompactionAnswer
from tamis.proxy.rewriter import RewriteResult
from tamis.proxy.settings import ProxySettings
from tamis.proxy.token_bounds import TokenBounds
from tamis.proxy.worker import CompactionJob, JobResult, RecallJob, RewriteJob, WorkerJob

START_S: Final = 60.0
"""How long a worker may take to say that it is ready."""
SMALL_BYTES: Final = 256 * 1024
"""A request of so many bytes is looked at where it is; a larger one in a thread."""


class WorkerLost(Exception):
    """The worker ended before it answered."""


class Workshop:
    """Works out what is sent for each request, in a process of its own. Never raises for what a request says.

    A request that waits longer than `decide_timeout_s` goes on as it came, while the work goes on for the
    next one; a worker that then does not answer for `method_timeout_s` is ended, and another begins.
    """

    def __init__(self, settings: ProxySettings, note: Callable[[LogEntry], None]) -> None:
        self._settings = settings
        self._note = note
        self._bounds = TokenBounds(settings.max_conversations * 64)
        self._numbers = count()
        self._sending = ThreadPoolExecutor(1, thread_name_prefix="tamis-send")
        self._worker = _Process(settings, note)
        self.conversations = 0
        self.in_hand = 0

    async def close(self) -> None:
        """Let the worker end."""
        self._sending.submit(self._worker.finish)  # in its turn: a sender may be in the middle of a job
        await asyncio.to_thread(self._worker.end, self._settings.shutdown_timeout_s)
        await asyncio.to_thread(self._sending.shutdown)

    async def rewrite(self, raw: bytes, dialect: Dialect, name: str = "") -> RewriteResult:
        """What to send for a request; the original where that is not known in time."""
        self.in_hand += 1
        try:
            return await self._rewritten(raw, dialect, name)
        finally:
            self.in_hand -= 1

    async def compact(self, raw: bytes, *, always: bool) -> CompactionAnswer:
        """The answer to a request that asks for a compaction: by its path where `always`.

        Raises:
            TamisError: it asks for none, or for one that cannot be made here, or not in time.
        """
        until = time.monotonic() + self._settings.decide_timeout_s
        job = CompactionJob(number=next(self._numbers), raw=raw, always=always, until=until)
        self.in_hand += 1
        try:
            done = await self._asked(job)
        except WorkerLost:
            raise TamisError("worker-lost") from None
        except TimeoutError:
            raise TamisError("too-slow") from None
        finally:
            self.in_hand -= 1
        if done.compacted is None:
            raise TamisError(done.error or "too-slow")
        return done.compacted

    async def surely_fits(self, raw: bytes) -> bool:
        """Whether a request cannot reach the limit, whatever is new in it. Cheap: nothing is parsed."""
        if len(raw) <= SMALL_BYTES:
            return self._bounds.most_tokens(raw) < self._settings.limit_tokens
        return await asyncio.to_thread(self._bounds.most_tokens, raw) < self._settings.limit_tokens

    async def keep_recalled(self, asked: str, hidden: Items, api: str) -> None:
        """Hold what the model recalled, so that it finds it again in the next request.

        Raises:
            TamisError: it could not be written, or not in time.
        """
        what = RecallJob(number=next(self._numbers), asked=asked, hidden=hidden, api=api)
        try:
            done = await self._asked(what)
        except (WorkerLost, TimeoutError) as error:
            raise TamisError(f"what was recalled is not held ({type(error).__name__})") from None
        if done.error:
            raise TamisError(done.error)

    async def _rewritten(self, raw: bytes, dialect: Dialect, name: str) -> RewriteResult:
        until = time.monotonic() + self._settings.decide_timeout_s
        job = RewriteJob(number=next(self._numbers), raw=raw, api=dialect.name, name=name, until=until)
        try:
            done = await self._asked(job)
        except TimeoutError:
            return _fallback("too-slow", f"not decided within {self._settings.decide_timeout_s:g} seconds")
        except WorkerLost:
            return _fallback("worker-lost", "the process that compacts ended")
        if done.error:
            return _fallback("error", done.error)
        if done.rewritten is None:
            return _fallback("too-slow", "others were being worked on")
        if done.rewritten.reason == "fits" and done.rewritten.tokens_before is not None:
            await asyncio.to_thread(self._bounds.learn, raw, done.rewritten.tokens_before)
        return done.rewritten

    async def _asked(self, what: WorkerJob) -> JobResult:
        """The worker's answer; raises TimeoutError where none came in time, WorkerLost where it is gone."""
        future: Future[JobResult] = Future()
        self._sending.submit(self._send, what, future)
        answered = asyncio.wrap_future(future)
        await asyncio.wait({answered}, timeout=self._settings.decide_timeout_s)
        if not answered.done():
            patience = self._settings.method_timeout_s
            asyncio.get_running_loop().call_later(patience, self._end_if_waiting, future)
            answered.add_done_callback(_heed)
            raise TimeoutError
        done = answered.result()
        self.conversations = done.conversations or self.conversations
        return done

    def _send(self, what: WorkerJob, future: Future[JobResult]) -> None:
        try:
            if self._worker.is_lost:
                self._worker = _Process(self._settings, self._note)
            self._worker.send(what, future)
        except Exception as error:  # whatever it is, somebody waits for this future
            _give_up(future, type(error).__name__)

    def _end_if_waiting(self, future: Future[JobResult]) -> None:
        if not future.done():
            self._worker.kill()


class _Process:
    """One worker and the thread that listens to it."""

    def __init__(self, settings: ProxySettings, note: Callable[[LogEntry], None]) -> None:
        context = _context()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=worker.main, args=(theirs, settings), name="tamis-worker")
        self._process.start()
        theirs.close()
        self._note = note
        self._waiting: dict[int, Future[JobResult]] = {}
        self._lock = threading.Lock()
        self.is_lost = False
        self._await_ready()
        self._thread = threading.Thread(target=self._listen, name="tamis-listen", daemon=True)
        self._thread.start()

    def send(self, what: WorkerJob, future: Future[JobResult]) -> None:
        """Hand it a job; the future gets what comes of it."""
        with self._lock:
            if self.is_lost:
                raise WorkerLost
            self._waiting[what.number] = future
        try:
            self._connection.send(what)
        except BaseException:
            with self._lock:  # where the listener has given it up already, that stands
                if self._waiting.pop(what.number, None) is None:
                    return
            raise

    def finish(self) -> None:
        """Say that nothing more comes; what it still notes is heard."""
        with suppress(OSError):
            self._connection.send(None)

    def end(self, patience_s: float) -> None:
        """Wait for it to finish, and end it where it does not in time."""
        self._process.join(patience_s)
        self.kill()
        self._process.join()
        self._thread.join()
        self._connection.close()

    def kill(self) -> None:
        if self._process.is_alive():
            self._process.kill()

    def _await_ready(self) -> None:
        said = self._connection.recv() if self._connection.poll(START_S) else None
        refused = getattr(said, "refused", None)
        if said is None or refused is not None:
            self.kill()
            self._process.join()
            self._connection.close()
            raise refused or TamisError("the proxy's worker does not start; start the proxy again")

    def _listen(self) -> None:
        try:
            while True:
                said: JobResult | LogEntry = self._connection.recv()
                if isinstance(said, JobResult):
                    with self._lock:
                        future = self._waiting.pop(said.number, None)
                    if future is not None:
                        future.set_result(said)
                else:
                    self._note(said)
        except (EOFError, OSError):
            pass
        except BaseException:
            self.kill()  # nobody listens to it any more
            raise
        finally:
            with self._lock:
                self.is_lost = True
                lost = list(self._waiting.values())
                self._waiting.clear()
            for future in lost:
                _give_up(future, "it ended")


def _context() -> SpawnContext | ForkServerContext:
    """How the worker is started: where it can be, forked from a clean process that has imported already."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([worker.__name__, "tamis.compactors.methods.ledger"])
    return context


def _give_up(future: Future[JobResult], why: str) -> None:
    """Tell who waits that no answer comes."""
    future.set_exception(WorkerLost(why))


def _fallback(reason: str, detail: str) -> RewriteResult:
    return RewriteResult(decision="fallback", reason=reason, detail=detail)


def _heed(answered: asyncio.Future[JobResult]) -> None:
    """Take note of an error that came too late, so that nobody is warned of it."""
    if not answered.cancelled():
        answered.exception()
