"""Submitted methods run in a process of their own, with limits, and without the keys of this one.

What this protects: a method that hangs, crashes or takes all memory costs its own cases only, and what it
starts ends with it. It finds no key in its environment, nothing in memory from an earlier request, no
questions and no scores. Where the system gives namespaces or another user (`confined` says which), it cannot
look into other processes either, whose environment has the keys; in the first case there is no network
(`network_cut`). What it does not: in namespaces it can read and write the user's files, key files too, and
could leave itself notes there. Code that nobody has read belongs into a container as well.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Final

from pydantic import ValidationError

from tamis.bench.confinement import WAYS, Way
from tamis.bench.worker import Greeting, WorkerReply
from tamis.compactors import METHODS, MODEL_METHODS, Compaction, CompactionRequest
from tamis.errors import MethodFailed, UnknownMethod
from tamis.messages.wire import CommandRequest, from_wire, to_wire
from tamis.processes import end_tree

MEMORY_BYTES: Final = 4 * 2**30
TIMEOUT_S: Final = 60.0
START_TIMEOUT_S: Final = 60.0
KEPT: Final = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ")
"""The only variables of the environment that are handed on."""


def is_submitted(method: str) -> bool:
    """Whether a method's code is somebody else's: all but those that ship with the package."""
    return method.partition("@")[0] not in {*METHODS, *MODEL_METHODS}


class IsolatedMethod:
    """A method in another process; a context manager. It has a name and a version once it is entered."""

    name: str
    version: str
    confined: Way | None
    network_cut: bool

    def __init__(
        self,
        method: str,
        *,
        timeout_s: float = TIMEOUT_S,
        memory_bytes: int = MEMORY_BYTES,
        ways: Sequence[Way] = WAYS,
    ) -> None:
        self._method = _absolute(method)
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._ways = tuple(ways)
        self._folder = tempfile.TemporaryDirectory(prefix="tamis-bench-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def __enter__(self) -> IsolatedMethod:
        self._start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()
        self._folder.cleanup()

    def __call__(self, request: CompactionRequest) -> Compaction:
        """The method's compaction.

        Raises:
            MethodFailed: it raised, ended, took too long or too much, or answered in another shape.
        """
        if self._process is None:
            self._start()
        question = CommandRequest(
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
            outcome=reply.outcome,
            method=self.name,
            version=self.version,
            warnings=tuple(reply.warnings),
            latency_ms=reply.latency_ms,
        )

    def _ask(self, question: CommandRequest) -> WorkerReply:
        process = self._process
        if process is None or process.stdin is None:
            raise MethodFailed(f"{self.name}: its process is gone")
        try:
            # In a thread: a worker that does not read must not be waited for longer than one that does.
            Thread(target=_write, args=(process.stdin, question), daemon=True).start()
            return WorkerReply.model_validate_json(self._next_line(self._timeout_s))
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
        asked = json.dumps({"method": self._method, "memory_bytes": self._memory_bytes, "ways": self._ways})
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
        ended, self._end_reading = os.pipe()
        if self._process.stdout is not None:
            reading = (os.dup(self._process.stdout.fileno()), ended, self._lines)
            self._reader = Thread(target=_read_lines, args=reading, daemon=True)
            self._reader.start()
        line = self._next_line(START_TIMEOUT_S)
        try:
            greeting = Greeting.model_validate_json(line)
        except ValidationError:
            reason = WorkerReply.model_validate_json(line).error
            self._end()
            raise UnknownMethod(reason or f"{self._method}: cannot be loaded") from None
        self.name, self.version = greeting.name, greeting.version
        self.confined, self.network_cut = greeting.confined, greeting.network_cut

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
        """End the worker and all that the method started; wait for nobody who holds a pipe open."""
        process, self._process = self._process, None
        if process is None:
            return
        end_tree(process.pid)
        process.wait()
        os.close(self._end_reading)
        self._reader.join()  # it reads only what is there
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError, ValueError):
                    pipe.close()


def _write(pipe: IO[str], question: CommandRequest) -> None:
    with suppress(OSError, ValueError):  # the process has ended, which whoever waits for its answer learns
        pipe.write(question.model_dump_json() + "\n")
        pipe.flush()


def _read_lines(pipe: int, ended: int, lines: Queue[str]) -> None:
    """Hand on every line, and an empty text at the end of the pipe, or when there is nobody to read for."""
    held = bytearray()
    try:
        while pipe in select.select([pipe, ended], [], [])[0]:
            piece = os.read(pipe, 1 << 16)
            if not piece:
                break
            held += piece
            if b"\n" in piece:
                *whole, rest = bytes(held).split(b"\n")
                held = bytearray(rest)
                for line in whole:
                    lines.put(line.decode("utf-8", "replace"))
    finally:
        os.close(pipe)
        os.close(ended)
        lines.put("")


def _absolute(method: str) -> str:
    """A method in a file is named from here; its process works elsewhere."""
    where, colon, attribute = method.rpartition(":")
    if method.startswith("exec:") or not where.endswith(".py"):
        return method
    return f"{os.path.abspath(where)}{colon}{attribute}"  # noqa: PTH100 - resolving links would change the name
