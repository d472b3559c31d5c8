"""Processes that this one starts: they end when it does, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import wait
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
