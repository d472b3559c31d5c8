"""Methods that fail in the proxy's worker, each in another way; the worker loads them from this file."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path
from typing import Any

from tamis.archive import Archive
from tamis.compactors import Compaction, CompactionRequest
from tamis.compactors.methods.ledger import LedgerMethod
from tamis.errors import BadArchive
from tamis.proxy import brief_maker


def fail(error: BaseException) -> Any:
    def failing(*args: Any, **kwargs: Any) -> None:
        raise error

    return failing


class Failing(LedgerMethod):
    async def compact(self, request: CompactionRequest) -> Compaction:
        self.break_something()
        return await super().compact(request)

    def break_something(self) -> None:
        raise NotImplementedError


class Raises(Failing):
    def break_something(self) -> None:
        raise KeyError("no such thing")


class BreaksArchive(Failing):
    def break_something(self) -> None:
        Archive.put = fail(BadArchive("a.tamis cannot grow, the disk is full"))  # type: ignore[method-assign]


class BreaksArchiveLater(Failing):
    calls = 0

    def break_something(self) -> None:
        self.calls += 1
        if self.calls > 1:
            Archive.put = fail(BadArchive("the disk is full"))  # type: ignore[method-assign]


class BreaksProxy(Failing):
    def break_something(self) -> None:
        brief_maker.CompactedPrefix = fail(ZeroDivisionError())  # type: ignore[misc]


class Dies(Failing):
    def break_something(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class DiesOnce(Failing):
    def break_something(self) -> None:
        mark = Path(tempfile.gettempdir()) / f"tamis-died-{os.getppid()}"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        mark.unlink()


class Hangs(Failing):
    def break_something(self) -> None:
        sum(range(10**12))  # one call into C, which lets no other thread run
