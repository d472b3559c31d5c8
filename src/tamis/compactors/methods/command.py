"""`exec:COMMAND`: a compactor that is another program, in any language.

It reads one `CommandRequest` as JSON on its standard input and prints one `CommandReply` on its standard
output. The command line is split as a shell would, but no shell runs it. Its answer is held to the same rules
as any method's.
"""

import asyncio
import contextlib
import os
import shlex
import signal
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile

from pydantic import ValidationError

from tamis.compactors.account import MessageFate
from tamis.compactors.brief import HEADER, brief_message, fence
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.errors import MethodFailed, UnknownMethod
from tamis.messages import Message
from tamis.messages.wire import CommandReply, CommandRequest, from_wire, to_wire

TIMEOUT_S = 120.0

_EXPECTED = 'print {"text": "..."} or {"messages": [...]} as JSON, and nothing else'


class CommandMethod(Method):
    """Runs the command once for each compaction and ends it when it takes longer than `timeout_s`."""

    def __init__(
        self,
        command: str,
        *,
        timeout_s: float = TIMEOUT_S,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(clock=clock)
        self.name = f"exec:{command}"
        self.timeout_s = timeout_s
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise UnknownMethod(
                f"cannot read the command {command!r} ({error}); quote it as in a shell"
            ) from None
        if not self.arguments:
            raise UnknownMethod("exec: names no command; write exec:COMMAND, as in exec:'python compact.py'")

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Ask the command.

        Raises:
            MethodFailed: it cannot be started, takes too long, fails, or answers in another shape.
        """
        request = material.request
        question = CommandRequest(
            span=to_wire(request.span),
            budget_tokens=request.budget_tokens,
            tokenizer=request.counter.name,
            goal=request.goal,
            previous=to_wire(request.previous.messages) if request.previous else None,
        )
        asked = question.model_dump_json().encode()
        printed = await ask_program(self.arguments, asked, name=self.name, timeout_s=self.timeout_s)
        try:
            answer = CommandReply.model_validate_json(printed)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the output"
            raise MethodFailed(f"{self.name}: {where}: {first['msg']}; {_EXPECTED}") from None
        if (answer.text is None) == (answer.messages is None):
            raise MethodFailed(f"{self.name}: neither or both of text and messages; {_EXPECTED}")
        if answer.text is not None:
            reason = "the command's text stands for it; how much of it that holds is not known"
            return material.condense(brief_message(f"{HEADER}\n{fence(answer.text)}"), reason=reason)
        messages = _kept_objects(from_wire(answer.messages or []), material.messages)
        return Replacement(messages=messages, told=_tell(material.messages, messages))


async def ask_program(
    arguments: Sequence[str], question: bytes, *, name: str, timeout_s: float = TIMEOUT_S
) -> bytes:
    """What a program prints when it is given `question`; `name` stands before its faults.

    Raises:
        MethodFailed: it cannot be started, takes too long, or fails.
    """
    # Files: a pipe stays open for as long as anybody holds it whom the command left behind.
    with TemporaryFile() as asked, TemporaryFile() as printed, TemporaryFile() as complaints:
        asked.write(question)
        asked.seek(0)
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=asked, stdout=printed, stderr=complaints, start_new_session=True
            )
        except (OSError, ValueError) as error:  # the second for a NUL in an argument
            reason = getattr(error, "strerror", None) or error
            raise MethodFailed(f"{name}: cannot be started ({reason})") from None
        try:
            await asyncio.wait_for(process.wait(), timeout_s)
        except TimeoutError:
            raise MethodFailed(f"{name}: no answer within {timeout_s:g} seconds") from None
        finally:
            await _end(process)
        printed.seek(0)
        complaints.seek(0)
        if process.returncode != 0:
            lines = complaints.read().decode("utf-8", "replace").strip().splitlines()
            said = lines[-1] if lines else "it said nothing on standard error"
            raise MethodFailed(f"{name}: exit status {process.returncode}: {said}")
        return printed.read()


async def _end(process: Process) -> None:
    """End the command and the children that it left behind: they share its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _kept_objects(answered: Sequence[Message], source: Sequence[Message]) -> tuple[Message, ...]:
    """The source's own message where the answer repeats what was sent of it: JSON carries less of it."""
    sent = {s.id: (s, m) for s, m in zip(from_wire(to_wire(source)), source, strict=True)}
    return tuple(sent[m.id][1] if m.id in sent and sent[m.id][0] == m else m for m in answered)


def _tell(source: Sequence[Message], answered: Sequence[Message]) -> tuple[MessageFate, ...]:
    by_id = {m.id: m for m in answered}
    told = []
    for message in source:
        if message.id not in by_id:
            told.append(MessageFate("archived", "not among the messages that the command gave back"))
        elif by_id[message.id] == message:
            told.append(MessageFate("kept", "given back as it was"))
        else:
            told.append(MessageFate("condensed", "given back with other content"))
    return tuple(told)
