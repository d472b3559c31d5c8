"""What tools gave back: commands and how they ended, test runs, errors. Each output is looked at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.ledger.commands import command_of, exit_status, name_words, normalise
from tamis.ledger.events import CommandRun, ErrorSeen, Source
from tamis.ledger.extract import Draft, OpenCall, ReadContext
from tamis.ledger.failures import api_error, error_signature, errors_in_output, tool_error
from tamis.ledger.resolution import run_subject
from tamis.ledger.shell import parse_script
from tamis.ledger.testruns import find_test_runs
from tamis.messages import Message, Text, ToolResult, part_text

READING_COMMANDS = frozenset(
    "ag awk bat batcat cat cd column cut diff echo egrep fd fgrep file find grep head hexdump jq less ls more nl od "
    "printf pwd rg sed sort stat strings tac tail tree true type uniq wc which xxd zcat".split()
)
"""Programs that print what others wrote: an error message in their output is a quotation."""

READING_GIT = frozenset({"blame", "diff", "grep", "log", "show", "status", "ls-files", "branch", "stash"})

LOG_ENDINGS = (".log", ".out", ".err", ".txt")
"""Reading one of these shows what a program printed after all."""

PRODUCING_WORDS = frozenset(
    {"build", "check", "compile", "diagnostics", "exec", "execute", "ipython", "lint", "notebook", "output"}
    | {"python", "run", "stdin", "test", "tests"}
)
"""Tools without a command line that give back what a program printed have one of these words in their names."""


def extract_outputs(message: Message, context: ReadContext) -> Iterator[Draft]:
    """Commands, test runs and errors, off the tool results of a message; API errors off what stands in for a reply.

    What a command printed comes before the command itself, so that the fold knows how the run went.
    """
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolResult):
            opened = context.calls.get(part.call_id)
            yield from _read_result(_Result(message.id, index, part, opened), context)
        elif isinstance(part, Text) and message.role == "assistant" and (found := api_error(part.text)):
            yield _error_draft(found.error, message.id, index, found.start, found.end)


@dataclass(frozen=True, slots=True)
class _Result:
    message_id: str
    index: int
    part: ToolResult
    opened: OpenCall | None


def _read_result(result: _Result, context: ReadContext) -> Iterator[Draft]:
    part, opened = result.part, result.opened
    command = command_of(opened.call) if opened else None
    subject = normalise(command, context.cwd) if command else None
    code, ok = exit_status(part) if command else (None, None)
    if command and not _only_reads(command, context.cwd):
        produced = True
    else:
        produced = command is None and not PRODUCING_WORDS.isdisjoint(name_words(_tool(result)))
    if produced or command:
        for found in errors_in_output(part.text, subject, quotes=not produced):
            yield _error_draft(found.error, result.message_id, result.index, found.start, found.end)
    elif found := tool_error(part):
        yield _error_draft(found.error, result.message_id, result.index, found.start, found.end)
    for tests in find_test_runs(part.text, subject) if produced else ():
        yield Draft(
            kind="test",
            subject=run_subject(tests.run.runner, subject or _tool(result)),
            value=tests.run,
            source=Source(message_id=result.message_id, part=result.index, start=tests.start, end=tests.end),
        )
    if command and subject and opened:
        yield Draft(
            kind="command",
            subject=subject,
            value=CommandRun(command=command, exit_code=code, ok=ok),
            source=_command_source(opened, command),
        )


def _tool(result: _Result) -> str:
    return result.part.name or (result.opened.call.name if result.opened else "")


def _error_draft(error: ErrorSeen, message_id: str, part: int, start: int, end: int) -> Draft:
    source = Source(message_id=message_id, part=part, start=start, end=end)
    return Draft(kind="error", subject=error_signature(error), value=error, source=source)


def _command_source(opened: OpenCall, command: str) -> Source:
    """Where the command stands in its call's JSON; the whole call where it is spread over a list of words."""
    source = opened.source
    written = json.dumps(command, ensure_ascii=False)[1:-1]
    start = part_text(opened.call).find(written)
    if start < 0:
        return source
    return Source(message_id=source.message_id, part=source.part, start=start, end=start + len(written))


def _only_reads(command: str, cwd: str | None) -> bool:
    commands = [c for c in parse_script(command, cwd).commands if c.argv]
    return bool(commands) and all(_reads([word.text for word in c.argv]) for c in commands)


def _reads(argv: list[str]) -> bool:
    if any(word.endswith(LOG_ENDINGS) for word in argv[1:]):
        return False
    program = argv[0].rsplit("/", 1)[-1]
    if program == "git":
        return next((word for word in argv[1:] if not word.startswith(("-", "/"))), "") in READING_GIT
    return program in READING_COMMANDS
