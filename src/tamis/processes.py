"""Processes that this one starts: they end when it does, however it ends."""

import multiprocessing
import os
import signal
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Final

PARENT_GONE: Final = 3
"""The exit status of a worker whose parent is gone."""


def begin_worker(interrupt: signal.Handlers = signal.SIG_DFL) -> None:
    """What a process of `multiprocessing` does first: it ends with its parent, were that killed outright.

    Nothing else would tell it: it holds both ends of the pipe that its work comes through.

    Args:
        interrupt: what Ctrl-C does, which the terminal sends to every process of the group.
    """
    signal.signal(signal.SIGINT, interrupt)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), name="tamis-parent", daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(PARENT_GONE)


def end_tree(pid: int) -> None:
    """End a process, its group, and all that it started, however that tried to get away; wait for nothing.

    What was left by its own parent is found where the process has adopted it.
    """
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)  # it starts nothing more while it is looked at
    for each in [*_descendants(pid), pid]:
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    """Children, theirs and so on, as far as the system tells."""
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                found += [child, *_descendants(child)]
    return found
