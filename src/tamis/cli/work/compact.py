"""Compress one session and write it, in the format that it came in or in another."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from tamis.api import compact
from tamis.archive import Archive
from tamis.cli.work.inputs import STDIN, read_session, require_output
from tamis.cli.work.output import made_of, number, percent, print_json, say
from tamis.compactors import AccountEntry, Compaction, Outcome, Usage
from tamis.errors import BadBudget, InputError, OutputExists
from tamis.ledger.state import State
from tamis.messages import Session, count_messages, get_counter
from tamis.messages.plain_text import prose
from tamis.sessions import ApiFormat, WritableFormat, all_formats, get_format, write, write_atomic

TEXT = "text"
"""What `--as` calls prose; it is no format of sessions, since nothing could be read back from it."""


@dataclass(frozen=True, kw_only=True)
class CompactJson:
    """What `tamis compact --json` prints.

    `tokens_kept` is what stays beside `tokens_after`: leading system messages, and the last ones where that
    was asked for. `written` is the file that was written; without one, `records` holds the compacted session,
    one entry per message or line of its format.
    """

    file: str
    session: str
    format: str
    method: str
    version: str
    budget: str
    tokenizer: str
    exact_tokens: bool
    outcome: Outcome
    tokens_before: int
    tokens_after: int
    tokens_kept: int
    messages_before: int
    messages_after: int
    warnings: tuple[str, ...]
    usage: Usage
    latency_ms: float
    account: tuple[AccountEntry, ...]
    state: State | None
    unread: int
    written: str | None = None
    records: list[Any] | None = None


def run(
    file: str,
    *,
    output: str | None,
    output_format: str | None,
    force: bool,
    archive: str | None,
    input_format: str | None,
    session_id: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    output = None if output == STDIN else output
    if output is not None:
        require_output(output, force=force, beside=archive)
    session = read_session(file, input_format=input_format, session_id=session_id)
    target = _target_format(session, output_format)
    with Archive.open(archive) if archive else nullcontext() as opened:
        result = compact(session, archive=opened, **asked)
    made = result.compaction
    if made.outcome == "unmet":
        remedy = f"give a larger budget than {asked['budget']}, or another method"
        raise BadBudget(f"{'; '.join(made.warnings)}; {remedy}")
    if output is not None:
        _write(result.session, output, target, source=session.source, force=force)
    elif not as_json:
        say("".join(_written(result.session, target)).removesuffix("\n"))
    counter = get_counter(asked["tokenizer"])
    counts = count_messages(result.session.messages, counter)
    kept = sum(counts) - made.tokens_after
    if not as_json:
        leading = list(takewhile(lambda message: message.role == "system", result.session.messages))
        _say(session, made, output, system=sum(counts[: len(leading)]), kept=kept)
        return
    print_json(
        made_of(
            CompactJson,
            made,
            file=file,
            session=session.id,
            format=target,
            budget=asked["budget"],
            tokenizer=counter.name,
            exact_tokens=counter.exact,
            tokens_kept=kept,
            messages_before=len(session.messages),
            messages_after=len(result.session.messages),
            unread=len(session.unread),
            written=output,
            records=None if output else _records(result.session, target),
        )
    )


def _target_format(session: Session, asked: str | None) -> str:
    """The format to write: that which was asked for, else the session's own, else OpenAI chat."""
    if asked == TEXT:
        return TEXT
    writable = [f.name for f in all_formats() if isinstance(f, WritableFormat)]
    if asked is None:
        return session.format if session.format in writable else "openai-chat"
    if get_format(asked).name not in writable:
        raise InputError(f"{asked} can be read but not written; choose one of {', '.join(writable)}, {TEXT}")
    return asked


def _written(session: Session, target: str) -> Iterator[str]:
    """The session as the text of a file."""
    if target == TEXT:
        yield prose(session.messages) + "\n"
        return
    writer = get_format(target)
    assert isinstance(writer, WritableFormat)
    yield from writer.write(session)


def _write(session: Session, output: str, target: str, *, source: str | None, force: bool) -> None:
    if target != TEXT:
        write(session, output, target, force=force)
        return
    if source is not None and Path(output).exists() and Path(output).samefile(source):
        raise OutputExists(f"{output} is the file that the session was read from; choose another name")
    write_atomic(output, _written(session, target), force=force)


def _records(session: Session, target: str) -> list[Any]:
    """The session as values: what an API takes, else the lines of its file; prose is one."""
    if target == TEXT:
        return [prose(session.messages)]
    writer = get_format(target)
    if isinstance(writer, ApiFormat):
        return list(writer.encode(session.messages))
    text = "".join(_written(session, target))
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _say(session: Session, made: Compaction, output: str | None, *, system: int, kept: int) -> None:
    """The figures, on stderr so that the session on stdout stays clean."""
    share = percent(made.tokens_after, made.tokens_before)
    fits = f"{number(made.tokens_after)} tokens ({share})"
    what = fits if made.outcome == "fits" else "unchanged, it fits the budget"
    stays = {"of system messages": system, "of the last messages": kept - system}
    beside = " and ".join(f"{number(tokens)} {of}" for of, tokens in stays.items() if tokens)
    line = f"{made.method}: {number(made.tokens_before)} tokens -> {what}"
    line += f" + {beside}, kept" if beside else ""
    click.echo(f"{line}; written to {Path(output)}" if output else line, err=True)
    for warning in made.warnings:
        say(f"warning: {warning}", err=True)
    if unread := session.unread:
        first = f"the first at line {unread[0].line}: {unread[0].reason}"
        say(f"warning: {len(unread)} records not understood, {first}", err=True)
