"""Running coroutines to their end, with an event loop or without one."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing, without an event loop.

    What is measured without a model only computes. A loop around it would forbid methods to run one of their
    own, and would have to run them in threads, where they cannot be stopped.

    Raises:
        RuntimeError: it waits for something.
    """
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("something waits where no event loop runs; a reader or judge of your own asks a model")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop, whether or not one runs in this thread already (as in a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    made: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            made.append(asyncio.run(work))
        except BaseException as error:  # handed on below: a thread has nobody to raise to
            failed.append(error)

    thread = threading.Thread(target=run, name="evaluate")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return made[0]
