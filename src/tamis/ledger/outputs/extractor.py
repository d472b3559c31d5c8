"""What tools gave back: commands and how they ended, test runs, errors. Each output is looked at once."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.ledger.events import CommandRun, Source
from tamis.ledger.extract import EventDraft, OpenCall, ReadContext
from tamis.ledger.files.file_tools import first_path
from tamis.ledger.files.paths import resolve
from tamis.ledger.outputs.commands import command_of, exit_status, name_words
from tamis.ledger.outputs.error_messages import (
    FoundError,
    api_error,
    error_signature,
    errors_in_output,
    tool_errors,
    was_not_run,
)
from tamis.ledger.outputs.resolution import subject_of_tests
from tamis.ledger.outputs.test_runs import FoundRun, find_test_runs, is_clipped
from tamis.ledger.shell.programs import only_reads, run_subject
from tamis.messages import Message, Text, ToolResult, part_text

PRODUCING_WORDS = frozenset(
    {"build", "check", "compile", "diagnostics", "exec", "execute", "ipython", "lint", "notebook", "output"}
    | {"python", "run", "stdin", "test", "tests"}
)
"""A tool without a command line that gives back what a program printed has one of these words in its name."""


def extract_outputs(message: Message, context: ReadContext) -> Iterator[EventDraft]:
    """Commands, test runs and errors of a message's tool results, and API errors in the place of a reply.

    What a command printed comes before the command itself, so that the fold knows how the run went.
    """
    for index, part in enumerate(message.parts):
        if isinstance(part, ToolResult):
            opened = context.calls.get(part.call_id)
            yield from _read_result(_Result(message.id, index, part, opened), context)
        elif isinstance(part, Text) and message.role == "assistant" and (found := api_error(part.text)):
            source = Source(message_id=message.id, part=index, start=found.start, end=found.end)
            yield _error_draft(found, source)


@dataclass(frozen=True, slots=True)
class _Result:
    message_id: str
    index: int
    part: ToolResult
    opened: OpenCall | None


def _read_result(result: _Result, context: ReadContext) -> Iterator[EventDraft]:
    part, opened = result.part, result.opened
    if was_not_run(part):
        return
    refused = part.text.startswith("<tool_use_error>")  # by the agent, before a shell saw it
    command = command_of(opened.call) if opened and not refused else None
    if opened is None or command is None:
        produced = not PRODUCING_WORDS.isdisjoint(name_words(_tool(result)))
        found = errors_in_output(part.text, None) if produced else tool_errors(part, _path(opened, context))
        yield from (_error_draft(error, _place(result, error)) for error in found)
        yield from _test_drafts(result, None) if produced else ()
        return
    subject = run_subject(command, context.cwd)
    reads = only_reads(command, context.cwd)
    found = errors_in_output(part.text, subject, quotes=reads)
    yield from (_error_draft(error, _place(result, error)) for error in found)
    yield from () if reads else _test_drafts(result, subject, clipped=is_clipped(command, part.text))
    code, ok = exit_status(part)
    if reads and code == 1 and not found:
        ok = None  # how grep says that nothing matched, and diff that something differs
    yield EventDraft(
        kind="command",
        subject=subject,
        value=CommandRun(command=command, exit_code=code, ok=ok),
        source=_command_source(opened, command),
    )


def _test_drafts(result: _Result, command: str | None, *, clipped: bool = False) -> Iterator[EventDraft]:
    for tests in find_test_runs(result.part.text, command, clipped=clipped):
        yield EventDraft(
            kind="test",
            subject=subject_of_tests(tests.run.runner, command or _tool(result)),
            value=tests.run,
            source=_place(result, tests),
        )


def _path(opened: OpenCall | None, context: ReadContext) -> str | None:
    path = first_path(opened.call) if opened else None
    return resolve(path, context.cwd) if path else None


def _place(result: _Result, found: FoundError | FoundRun) -> Source:
    return Source(message_id=result.message_id, part=result.index, start=found.start, end=found.end)


def _tool(result: _Result) -> str:
    return result.part.name or (result.opened.call.name if result.opened else "")


def _error_draft(found: FoundError, source: Source) -> EventDraft:
    return EventDraft(kind="error", subject=error_signature(found.error), value=found.error, source=source)


def _command_source(opened: OpenCall, command: str) -> Source:
    """Where the command stands in its call's JSON; the whole call where it is spread over a list of words."""
    source = opened.source
    written = json.dumps(command, ensure_ascii=False)[1:-1]
    start = part_text(opened.call).find(written)
    if start < 0:
        return source
    return Source(message_id=source.message_id, part=source.part, start=start, end=start + len(written))
