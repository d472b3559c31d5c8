"""Running a compactor from code that is not asynchronous."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from tamis.compactors.invocation import ask, name_of
from tamis.compactors.protocol import Compaction, CompactionRequest, Compactor
from tamis.errors import MethodFailed

T = TypeVar("T")


def run_compactor(
    compactor: Compactor, request: CompactionRequest, *, timeout_s: float | None = None
) -> Compaction:
    """Run a compactor to its end, whether or not an event loop runs in this thread.

    With a time-out it runs in a thread of its own: a method that blocks cannot be stopped, but it is no
    longer waited for.

    Raises:
        MethodFailed: it took longer than `timeout_s`, or is somebody else's and failed.
    """
    if timeout_s is None and not _loop_is_running():
        return _run(ask(compactor, request))
    return _run_in_thread(ask(compactor, request), name_of(compactor), timeout_s)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """What `asyncio.run` does, but for its handler of interrupts.

    Putting that handler back makes Python spell out the finished task with its result: a tenth of a second
    for a long session, on every call.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        try:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            loop.close()


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_in_thread(work: Coroutine[Any, Any, T], name: str, timeout_s: float | None) -> T:
    answers: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(_run(work))
        except BaseException as error:  # handed on below: a thread has nobody to raise to
            failures.append(error)

    thread = threading.Thread(target=run, name=f"compactor {name}", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if failures:
        raise failures[0]
    if not answers:
        raise MethodFailed(f"{name} gave no answer within {timeout_s:g} seconds")
    return answers[0]
