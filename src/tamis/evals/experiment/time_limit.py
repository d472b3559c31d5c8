"""A limit on the time that somebody else's code may take."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from tamis.compactors import Compaction, CompactionRequest, Compactor, run_compactor
from tamis.errors import MethodFailed

T = TypeVar("T")


class _TimeIsUp(BaseException):
    """Not an `Exception`, so that no method takes it for one of its own."""


def run_limited(arm: Compactor, request: CompactionRequest, timeout_s: float | None) -> Compaction:
    """Run a compactor to its end, or to the end of its time.

    In a main thread an alarm stops even a loop that never waits. Elsewhere, and where the system has no
    alarms, it runs in a thread of its own, which is no longer waited for but cannot be stopped.

    Raises:
        MethodFailed: it took longer than `timeout_s`.
    """
    if timeout_s is None:
        return run_compactor(arm, request)
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return run_compactor(arm, request, timeout_s=timeout_s)
    try:
        return _with_alarm(lambda: run_compactor(arm, request), timeout_s)
    except _TimeIsUp:
        raise MethodFailed(f"{arm.name} gave no answer within {timeout_s:g} seconds") from None


def _with_alarm(call: Callable[[], T], timeout_s: float) -> T:
    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
        raise _TimeIsUp

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
