"""Engines: who works through many files. In this process, in several, or on a Ray cluster.

Every engine gives back what came of each item in the order of the items, a bounded number of them ahead, so
that memory does not grow with their number. What raises, raises here; an item whose process dies is
`WorkerCrash`.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from typing import Any, Protocol, TypeVar

from tamis.errors import InputError, MissingExtra
from tamis.processes import begin_worker

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 8  # so many items per process are handed out before the oldest is back


@dataclass(frozen=True, slots=True)
class WorkerCrash:
    """What came of an item whose process died."""

    reason: str


class Engine(Protocol):
    """Applies a function that can be pickled to many items."""

    def map(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[R | WorkerCrash]:
        """What comes of each item, in order."""


class Serial:
    """One after the other, in this process."""

    def map(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[R | WorkerCrash]:
        """What comes of each item, in order."""
        return (work(item) for item in items)


@dataclass(frozen=True, slots=True)
class Processes:
    """Several processes on this machine; `preload` names modules that each needs."""

    jobs: int
    preload: tuple[str, ...] = ()

    def map(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[R | WorkerCrash]:
        """What comes of each item, in order."""
        done = 0
        while done < len(items):
            for made in self._until_one_dies(work, items[done:]):
                done += 1
                yield made
            # With items left the pool is gone, and nobody knows whose doing it was: the next go one by one.
            for item in items[done : done + self.jobs * AHEAD]:
                done += 1
                yield self._alone(work, item)

    def _until_one_dies(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
        with workers(self.jobs, self.preload) as pool:
            try:
                for running in _ahead(items, self.jobs, lambda item: pool.submit(work, item)):
                    yield running.result()
            except BrokenProcessPool:
                return

    def _alone(self, work: Callable[[T], R], item: T) -> R | WorkerCrash:
        with workers(1, self.preload) as pool:
            try:
                return pool.submit(work, item).result()
            except BrokenProcessPool:
                return WorkerCrash("the process that measured it died; a method may have ended it")


@dataclass(frozen=True, slots=True)
class Ray:
    """The workers of a Ray cluster: the one at `address`, or one that is started on this machine.

    What is measured is read from the paths that were given, so every node must see them under the same name.
    """

    jobs: int
    address: str | None = None

    def __post_init__(self) -> None:
        if find_spec("ray") is None:
            raise MissingExtra("--engine ray needs ray; install it with: pip install 'tamis[ray]'")

    def map(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[R | WorkerCrash]:
        """What comes of each item, in order."""
        import ray

        started = not ray.is_initialized()
        if started:
            ray.init(
                self.address,
                num_cpus=None if self.address else self.jobs,
                include_dashboard=None if self.address else False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        try:
            task: Any = ray.remote(max_retries=1)(_call)
            kept = ray.put(work)
            for running in _ahead(items, self.jobs, lambda item: task.remote(kept, item)):
                try:
                    yield ray.get(running)
                except ray.exceptions.WorkerCrashedError:
                    yield WorkerCrash("the worker that measured it died; a method may have ended it")
        finally:
            if started:
                ray.shutdown()


def _ahead(items: Iterable[T], jobs: int, begin: Callable[[T], R]) -> Iterator[R]:
    """What is begun of each item, in order, so many ahead of the one that is asked for."""
    waiting, running = iter(items), deque[R]()
    while True:
        running.extend(map(begin, islice(waiting, jobs * AHEAD - len(running))))
        if not running:
            return
        yield running.popleft()


def _call(work: Callable[[T], R], item: T) -> R:
    return work(item)


def get_engine(name: str, jobs: int) -> Engine:
    """The engine of this name with so many workers.

    Raises:
        InputError: no engine has this name.
    """
    if name == "ray":
        return Ray(jobs, os.environ.get("RAY_ADDRESS"))
    if name != "processes":
        raise InputError(f"no engine is called {name!r}; choose processes or ray")
    return Serial() if jobs == 1 else Processes(jobs)


@contextmanager
def workers(jobs: int, preload: Sequence[str] = ()) -> Iterator[ProcessPoolExecutor]:
    """A pool of fresh processes; leaving it, however that comes about, waits for nothing.

    With modules to preload, these are loaded once for all of them, where the system can fork.
    """
    preloads = preload and "forkserver" in get_all_start_methods()
    context: BaseContext = get_context("forkserver" if preloads else "spawn")
    if preloads:
        context.set_forkserver_preload(list(preload))
    # An interruption ends each at once, or it would wait for what is being worked on.
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=begin_worker) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
