"""Submitted methods run in a process of their own, with limits, and without the keys of this one.

What this protects: a method that hangs, crashes or takes all memory costs its own cases only. It finds no
key in its environment, nothing in memory from an earlier request, no questions and no scores; and no network
where the system can cut it off (`network_cut` says whether it did). What it does not: the method runs as the
same user, can read and write that user's files, and could leave itself notes there. Code that nobody has read
belongs into a container as well.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import IO, Final, Literal

from pydantic import ValidationError

from tamis.bench.worker import Greeting, Reply
from tamis.compactors import METHODS, MODEL_METHODS, Compaction, CompactionRequest
from tamis.compactors.wire import Question, from_wire, to_wire
from tamis.errors import MethodFailed, UnknownMethod

MEMORY_BYTES: Final = 4 * 2**30
TIMEOUT_S: Final = 60.0
START_TIMEOUT_S: Final = 60.0
KEPT: Final = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ")
"""The only variables of the environment that are handed on."""


def is_submitted(method: str) -> bool:
    """Whether a method's code is somebody else's: all but those that ship with the package."""
    return method.partition("@")[0] not in {*METHODS, *MODEL_METHODS}


class Isolated:
    """A method in another process; a context manager. It has a name and a version once it is entered."""

    name: str
    version: str
    network_cut: bool

    def __init__(
        self, method: str, *, timeout_s: float = TIMEOUT_S, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self._method = _absolute(method)
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._folder = tempfile.TemporaryDirectory(prefix="tamis-bench-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def __enter__(self) -> Isolated:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._folder.cleanup()

    def __call__(self, request: CompactionRequest) -> Compaction:
        """The method's compaction.

        Raises:
            MethodFailed: it raised, ended, took too long or too much, or answered in another shape.
        """
        if self._process is None:
            self._start()
        question = Question(
            span=to_wire(request.span),
            budget_tokens=request.budget_tokens,
            tokenizer=request.counter.name,
            goal=request.goal,
            previous=to_wire(request.previous.messages) if request.previous else None,
        )
        reply = self._ask(question)
        if reply.messages is None:
            raise MethodFailed(reply.error or "no messages")
        return Compaction(
            messages=from_wire(reply.messages),
            account=(),
            tokens_before=0,
            tokens_after=0,
            outcome=_outcome(reply.outcome),
            method=self.name,
            version=self.version,
            warnings=tuple(reply.warnings),
            latency_ms=reply.latency_ms,
        )

    def _ask(self, question: Question) -> Reply:
        process = self._process
        if process is None or process.stdin is None:
            raise MethodFailed(f"{self.name}: its process is gone")
        try:
            process.stdin.write(question.model_dump_json() + "\n")
            process.stdin.flush()
            return Reply.model_validate_json(self._next_line(self._timeout_s))
        except BrokenPipeError:
            self._end()
            raise MethodFailed("the method ended its process") from None
        except ValidationError as error:
            self._end()
            raise MethodFailed(f"answered in another shape: {str(error).splitlines()[0]}") from None

    def _start(self) -> None:
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {
            "HOME": self._folder.name,
            "PYTHONPATH": os.pathsep.join([p or os.getcwd() for p in sys.path]),  # noqa: PTH109 - a list of texts
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        asked = json.dumps({"method": self._method, "memory_bytes": self._memory_bytes})
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tamis.bench.worker", asked],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=self._folder.name,
            env=environment,
            start_new_session=True,
        )
        self._lines = Queue()
        if self._process.stdout is not None:
            Thread(target=_read_lines, args=(self._process.stdout, self._lines), daemon=True).start()
        line = self._next_line(START_TIMEOUT_S)
        try:
            greeting = Greeting.model_validate_json(line)
        except ValidationError:
            reason = Reply.model_validate_json(line).error
            self._end()
            raise UnknownMethod(reason or f"{self._method}: cannot be loaded") from None
        self.name, self.version, self.network_cut = greeting.name, greeting.version, greeting.network_cut

    def _next_line(self, timeout_s: float) -> str:
        try:
            line = self._lines.get(timeout=timeout_s)
        except Empty:
            self._end()
            raise MethodFailed(f"no answer within {timeout_s:g} seconds") from None
        if not line:
            self._end()
            raise MethodFailed("the method ended its process")
        return line

    def _end(self) -> None:
        """End the worker and the children of the method's: they share its session."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def _read_lines(pipe: IO[str], lines: Queue[str]) -> None:
    """Hand on every line, and an empty text at the end."""
    with suppress(ValueError):  # the pipe is closed when the process is ended
        for line in pipe:
            lines.put(line)
    lines.put("")


def _absolute(method: str) -> str:
    """A method in a file is named from here; its process works elsewhere."""
    where, colon, attribute = method.rpartition(":")
    if method.startswith("exec:") or not where.endswith(".py"):
        return method
    return f"{os.path.abspath(where)}{colon}{attribute}"  # noqa: PTH100 - resolving links would change the name


def _outcome(said: str) -> Literal["fits", "unchanged", "unmet"]:
    return "unchanged" if said == "unchanged" else "unmet" if said == "unmet" else "fits"
