"""`tamis compact`: compress one session and write it, in the format that it came in or in another."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.inputs import (
    complete_format,
    complete_method,
    json_option,
    read_session,
    require_output,
    session_options,
    tokenizer_option,
)
from tamis.cli.output import number, percent, print_json, say
from tamis.compactors import Compaction, Fated, Outcome, Usage
from tamis.ledger.state import State

if TYPE_CHECKING:
    from tamis.compactors.gate import GateMode
    from tamis.messages import Session

DEFAULT_BUDGET = "10%"


@dataclass(frozen=True, kw_only=True)
class CompactJson:
    """What `tamis compact --json` prints.

    `written` is the file that was written; without one, `records` holds the compacted session, one entry per
    message or line of its format.
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
    messages_before: int
    messages_after: int
    warnings: tuple[str, ...]
    usage: Usage
    latency_ms: float
    account: tuple[Fated, ...]
    state: State | None
    unread: int
    written: str | None = None
    records: list[Any] | None = field(default=None)


@click.command("compact", short_help="Compress a session into a token budget.")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-m",
    "--method",
    default="ledger",
    show_default=True,
    metavar="METHOD",
    help="A name from `tamis methods`, or a class.",
    shell_complete=complete_method,
)
@click.option(
    "-b",
    "--budget",
    default=DEFAULT_BUDGET,
    show_default=True,
    metavar="TOKENS|PERCENT",
    help="What the replaced part may take.",
)
@click.option("--keep-last", default=0, metavar="N", help="Leave at least the last N messages as they are.")
@click.option("--goal", help="What the agent is about to do, where that is known.")
@click.option(
    "--as",
    "output_format",
    metavar="FORMAT",
    help="Write in this format; see `tamis formats`.",
    shell_complete=complete_format,
)
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="Write to this file, not to stdout.")
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists; never the source.")
@click.option(
    "--archive",
    metavar="ARCHIVE",
    type=click.Path(),
    help="Keep what is replaced in this file; see `tamis recall`.",
)
@click.option(
    "--gate",
    type=click.Choice(["repair", "strict", "off"]),
    default="repair",
    show_default=True,
    help="What to do where something is missing.",
)
@click.option("--mask-secrets", is_flag=True, help="Put placeholders in the place of keys and passwords.")
@session_options
@tokenizer_option
@json_option
def command(
    file: str,
    method: str,
    budget: str,
    keep_last: int,
    goal: str | None,
    output_format: str | None,
    output: str | None,
    force: bool,
    archive: str | None,
    gate: GateMode,
    mask_secrets: bool,
    input_format: str | None,
    session_id: str | None,
    tokenizer: str,
    as_json: bool,
) -> None:
    """Compress the session in FILE and print it, or write it to OUT.

    The leading system messages stay and are not counted. The figures go to stderr. Where the budget cannot be
    met, that is an error, and nothing is written.
    """
    from tamis.api import compact
    from tamis.archive import Archive
    from tamis.errors import BadBudget
    from tamis.messages import get_counter
    from tamis.sessions import write

    if output is not None:
        require_output(output, force=force, beside=archive)
    session = read_session(file, input_format=input_format, session_id=session_id)
    target = _target_format(session, output_format)
    with Archive.open(archive) if archive else nullcontext() as opened:
        result = compact(
            session,
            budget=budget,
            method=method,
            keep_last=keep_last,
            tokenizer=tokenizer,
            goal=goal,
            gate=gate,
            archive=opened,
            mask_secrets=mask_secrets,
        )
    made = result.compaction
    if made.outcome == "unmet":
        raise BadBudget(f"{'; '.join(made.warnings)}; give a larger budget than {budget}, or another method")
    if output is not None:
        write(result.session, output, target, force=force)
    elif not as_json:
        text = "".join(_writer(target).write(result.session))
        say(text.removesuffix("\n"))
    if as_json:
        counter = get_counter(tokenizer)
        print_json(
            CompactJson(
                file=file,
                session=session.id,
                format=target,
                method=made.method,
                version=made.version,
                budget=budget,
                tokenizer=counter.name,
                exact_tokens=counter.exact,
                outcome=made.outcome,
                tokens_before=made.tokens_before,
                tokens_after=made.tokens_after,
                messages_before=len(session.messages),
                messages_after=len(result.session.messages),
                warnings=made.warnings,
                usage=made.usage,
                latency_ms=made.latency_ms,
                account=made.account,
                state=made.state,
                unread=len(session.unread),
                written=output,
                records=None if output else _records(result.session, target),
            )
        )
    else:
        _say(session, made, output)


def _target_format(session: Session, asked: str | None) -> str:
    """The format to write: that which was asked for, else the session's own, else OpenAI chat."""
    from tamis.errors import InputError
    from tamis.sessions import FORMATS, WritableFormat, get_format

    writable = [f.name for f in FORMATS if isinstance(f, WritableFormat)]
    if asked is None:
        return session.format if session.format in writable else "openai-chat"
    if get_format(asked).name not in writable:
        raise InputError(f"{asked} can be read but not written; choose one of {', '.join(writable)}")
    return asked


def _writer(name: str) -> Any:
    from tamis.sessions import get_format

    return get_format(name)


def _records(session: Session, target: str) -> list[Any]:
    """The session as values: what an API takes, else the lines of its file."""
    from tamis.sessions import ApiFormat

    writer = _writer(target)
    if isinstance(writer, ApiFormat):
        return list(writer.encode(session.messages))
    text = "".join(writer.write(session))
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _say(session: Session, made: Compaction, output: str | None) -> None:
    """The figures, on stderr so that the session on stdout stays clean."""
    share = percent(made.tokens_after, made.tokens_before)
    what = {
        "fits": f"{number(made.tokens_after)} tokens ({share})",
        "unchanged": "unchanged, it fits the budget",
    }
    line = f"{made.method}: {number(made.tokens_before)} tokens -> {what[made.outcome]}"
    click.echo(f"{line}; written to {Path(output)}" if output else line, err=True)
    for warning in made.warnings:
        say(f"warning: {warning}", err=True)
    if session.unread:
        first = session.unread[0]
        count = len(session.unread)
        say(
            f"warning: {count} records not understood, the first at line {first.line}: {first.reason}",
            err=True,
        )
