"""The process that a submitted method runs in: `python -m tamis.bench.worker METHOD`.

It loads the method, says its name, then answers a request a line. Each request is answered by a child of its
own, so that nothing in memory is carried from one to the next, under a limit of memory and, where the system
lets it, without a network.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from tamis.compactors import Compaction, CompactionRequest, Compactor, get_method, run_compactor
from tamis.compactors.wire import Question, WireMessage, from_wire, to_wire
from tamis.errors import TamisError
from tamis.messages import Message, get_counter

_NEW_USER: Final = 0x10000000
_NEW_NETWORK: Final = 0x40000000


class Greeting(BaseModel):
    """What the worker says first. `network_cut` tells whether it was cut off from the network."""

    model_config = ConfigDict(extra="forbid")

    name: str
    version: str
    network_cut: bool


class Reply(BaseModel):
    """What the worker answers to a request: messages, or why there are none."""

    model_config = ConfigDict(extra="forbid")

    messages: list[WireMessage] | None = None
    outcome: str = "fits"
    warnings: list[str] = []
    latency_ms: float = 0.0
    error: str | None = None


def main(method_name: str, memory_bytes: int) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the method prints is no answer
    try:
        method = get_method(method_name)
    except TamisError as error:
        _say(answers, Reply(error=str(error)))
        return
    _say(answers, Greeting(name=method.name, version=method.version, network_cut=_cut_network()))
    for line in sys.stdin:
        _say(answers, _answer_in_child(method, Question.model_validate_json(line), memory_bytes))


def _say(answers: Any, what: BaseModel) -> None:
    answers.write(what.model_dump_json() + "\n")
    answers.flush()


def _answer_in_child(method: Compactor, question: Question, memory_bytes: int) -> Reply:
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        _answer_and_end(method, question, memory_bytes, writable)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if not said:
        how = (
            f"signal {os.WTERMSIG(status)}"
            if os.WIFSIGNALED(status)
            else f"status {os.waitstatus_to_exitcode(status)}"
        )
        return Reply(error=f"the method ended its process ({how}) without an answer")
    try:
        return Reply.model_validate_json(said)
    except ValueError as error:
        return Reply(error=f"the method's process wrote no answer: {str(error).splitlines()[0]}")


def _answer_and_end(method: Compactor, question: Question, memory_bytes: int, writable: int) -> None:
    """In the child: limit it, run the method, write the answer, end. Never returns."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    try:
        reply = _reply(run_compactor(method, _request(question)))
    except MemoryError:
        reply = Reply(error=f"the method took more than {memory_bytes / 2**30:g} GB of memory")
    except Exception as error:  # a plug-in's call: what it raises is its failure
        reply = Reply(
            error=str(error) if isinstance(error, TamisError) else f"{type(error).__name__}: {error}"
        )
    with os.fdopen(writable, "wb") as pipe:
        pipe.write(reply.model_dump_json().encode())
    os._exit(0)


def _request(question: Question) -> CompactionRequest:
    counter = get_counter(question.tokenizer)
    previous = None
    if question.previous is not None:
        previous = _earlier(from_wire(question.previous))
    return CompactionRequest(
        span=from_wire(question.span),
        budget_tokens=question.budget_tokens,
        counter=counter,
        previous=previous,
    )


def _earlier(messages: tuple[Message, ...]) -> Compaction:
    """The artifact of the cycle before, as the compaction that it is: its messages alone."""
    return Compaction(
        messages=messages, account=(), tokens_before=0, tokens_after=0, outcome="fits", method="", version=""
    )


def _reply(made: object) -> Reply:
    if not isinstance(made, Compaction):
        return Reply(error=f"returned {type(made).__name__!r}, not a tamis.compactors.Compaction")
    if wrong := next((type(m).__name__ for m in made.messages if not isinstance(m, Message)), None):
        return Reply(error=f"put {wrong!r} among its messages; they are tamis.messages.Message")
    return Reply(
        messages=to_wire(made.messages),
        outcome=made.outcome,
        warnings=list(made.warnings),
        latency_ms=made.latency_ms,
    )


def _cut_network() -> bool:
    """Move to a network of one's own, which leads nowhere; Linux only, and not everywhere allowed."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK) == 0)
    except (OSError, AttributeError):
        return False


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    main(given["method"], given["memory_bytes"])
