"""Worker processes that stop at once when the user interrupts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of fresh processes; leaving it, however that comes about, waits for nothing."""
    die_at_once = (signal.SIGINT, signal.SIG_DFL)  # or an interruption waits for what is being worked on
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=signal.signal, initargs=die_at_once
    ) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
