"""The process that a submitted method runs in: `python -m tamis.bench.worker METHOD`.

It shuts itself off from other processes and the network as far as the system lets it, loads the method, says
its name, then answers a request a line. Each request is answered by a child of its own, so that nothing in
memory is carried from one to the next, under a limit of memory; what the child leaves behind is ended.
"""

import json
import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from tamis.bench.confinement import Way, adopt_orphans, confine
from tamis.compactors import Compaction, CompactionRequest, Compactor, get_method, run_compactor
from tamis.compactors.protocol import Outcome
from tamis.errors import TamisError
from tamis.messages import get_counter
from tamis.messages.wire import CommandRequest, WireMessage, from_wire, to_wire
from tamis.plugins import told

LOOK_EVERY_S: Final = 0.05
"""How often it is looked whether a child that has said nothing has ended."""


class Greeting(BaseModel, extra="forbid", frozen=True):
    """What the worker says first. `confined` is how it is shut off from its user's other processes."""

    name: str
    version: str
    confined: Way | None
    network_cut: bool


class WorkerReply(BaseModel, extra="forbid", frozen=True):
    """What the worker answers to a request: messages, or why there are none."""

    messages: list[WireMessage] | None = None
    outcome: Outcome = "fits"
    warnings: list[str] = []
    latency_ms: float = 0.0
    error: str | None = None


def main(method_name: str, memory_bytes: int, ways: tuple[Way, ...]) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the method prints is no answer
    adopt_orphans()
    file = Path(method_name.rpartition(":")[0])
    needed = [Path(__file__), *([file] if file.suffix == ".py" else [])]
    confined = confine(ways, Path.cwd(), needed)
    network_cut = _is_alone()
    try:
        method = get_method(method_name)
    except TamisError as error:
        _say(answers, WorkerReply(error=str(error)))
        return
    hello = Greeting(name=method.name, version=method.version, confined=confined, network_cut=network_cut)
    _say(answers, hello)
    for line in sys.stdin:
        question = CommandRequest.model_validate_json(line)
        _say(answers, _answer_in_child(method, question, memory_bytes, answers))


def _say(answers: Any, what: BaseModel) -> None:
    answers.write(what.model_dump_json() + "\n")
    answers.flush()


def _answer_in_child(
    method: Compactor, question: CommandRequest, memory_bytes: int, answers: Any
) -> WorkerReply:
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        os.close(answers.fileno())  # nor does it have the next requests
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.setpgid(0, 0)
        _answer_and_end(method, question, memory_bytes, writable)
    os.close(writable)
    said, status = _heard(readable, child)
    os.close(readable)
    _end_what_is_left(child)
    if not said:
        exit_code = os.waitstatus_to_exitcode(status)
        how = f"signal {-exit_code}" if exit_code < 0 else f"status {exit_code}"
        return WorkerReply(error=f"the method ended its process ({how}) without an answer")
    try:
        return WorkerReply.model_validate_json(said)
    except ValueError as error:
        return WorkerReply(error=f"the method's process wrote no answer: {str(error).splitlines()[0]}")


def _heard(readable: int, child: int) -> tuple[bytes, int]:
    """What the child wrote until it ended, and how it did. Others may hold the pipe open for longer."""
    said = bytearray()
    status: int | None = None
    while True:
        ready = select.select([readable, 0], [], [], 0 if status is not None else LOOK_EVERY_S)[0]
        if 0 in ready:  # there is no next request before this one's answer: who asked is gone
            _end_what_is_left(child)
            os._exit(0)
        is_ready = readable in ready
        piece = os.read(readable, 1 << 16) if is_ready else b""
        said += piece
        if piece:
            continue
        if status is not None:
            return bytes(said), status
        ended, found = os.waitpid(child, 0 if is_ready else os.WNOHANG)
        status = found if ended else None


def _end_what_is_left(child: int) -> None:
    """End the child's group; in namespaces of its own, all but this process."""
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    if os.getpid() == 1:
        with suppress(OSError):
            os.kill(-1, signal.SIGKILL)
    with suppress(OSError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _answer_and_end(method: Compactor, question: CommandRequest, memory_bytes: int, writable: int) -> None:
    """In the child: limit it, run the method, write the answer, end. Never returns."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    try:
        made = run_compactor(method, _request(question))
        reply = WorkerReply(
            messages=to_wire(made.messages),
            outcome=made.outcome,
            warnings=list(made.warnings),
            latency_ms=made.latency_ms,
        )
    except Exception as error:  # a plug-in's call: what it raises is its failure
        if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
            reply = WorkerReply(error=f"the method took more than {memory_bytes / 2**30:g} GB of memory")
        else:
            reply = WorkerReply(error=str(error) if isinstance(error, TamisError) else told(error))
    with os.fdopen(writable, "wb") as pipe:
        pipe.write(reply.model_dump_json().encode())
    os._exit(0)


def _request(question: CommandRequest) -> CompactionRequest:
    previous = None
    if question.previous is not None:  # the artifact of the cycle before: its messages alone
        previous = Compaction(
            messages=from_wire(question.previous),
            account=(),
            tokens_before=0,
            tokens_after=0,
            outcome="fits",
            method="",
            version="",
        )
    return CompactionRequest(
        span=from_wire(question.span),
        budget_tokens=question.budget_tokens,
        counter=get_counter(question.tokenizer),
        previous=previous,
    )


def _is_alone() -> bool:
    """Whether no network leads anywhere: there is the loopback interface, and that is down."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; an address of the documentation's (RFC 5737)
        return False
    return True


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    main(given["method"], given["memory_bytes"], tuple(given["ways"]))
