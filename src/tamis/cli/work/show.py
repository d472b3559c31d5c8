"""A session's tokens, waste, files and state."""

from dataclasses import dataclass

import click

from tamis.cli.work.inputs import read_session
from tamis.cli.work.output import number, print_json, print_tables, say
from tamis.cli.work.session_tables import state_tables, token_tables, waste_tables
from tamis.ledger import State, read_ledger
from tamis.ledger.outputs.waste import Waste, find_waste
from tamis.messages import Session, Unread, get_counter
from tamis.messages.census import Census, take_census


@dataclass(frozen=True, kw_only=True)
class ShowJson:
    """What `tamis show --json` prints.

    Tokens and state are those of the main conversation; `sidechains` counts the messages of sub-agent runs.
    """

    file: str
    session: str
    format: str
    model: str | None
    cwd: str | None
    tokenizer: str
    exact_tokens: bool
    census: Census
    waste: Waste
    state: State
    sidechains: dict[str, int]
    own_compactions: tuple[int, ...]
    unread: tuple[Unread, ...]


def run(
    file: str, *, input_format: str | None, session_id: str | None, tokenizer: str, as_json: bool
) -> None:
    session = read_session(file, input_format=input_format, session_id=session_id)
    shown = describe(session, file=file, tokenizer=tokenizer)
    if as_json:
        print_json(shown)
        return
    say(_headline(shown))
    print_tables(
        *token_tables(shown.census),
        *waste_tables(shown.waste, shown.census, shown.cwd),
        *state_tables(shown.state, shown.cwd),
    )
    _say_unread(shown.unread)


def describe(session: Session, *, file: str, tokenizer: str) -> ShowJson:
    """Everything that is shown of a session."""
    counter = get_counter(tokenizer)
    ledger = read_ledger(session.messages)
    return ShowJson(
        file=file,
        session=session.id,
        format=session.format,
        model=session.model,
        cwd=session.cwd,
        tokenizer=counter.name,
        exact_tokens=counter.exact,
        census=take_census(session.messages, counter),
        waste=find_waste(session.messages, ledger.events, counter),
        state=ledger.state,
        sidechains={name: len(messages) for name, messages in session.sidechains.items()},
        own_compactions=tuple(boundary.index for boundary in session.boundaries),
        unread=session.unread,
    )


def _headline(shown: ShowJson) -> str:
    census = shown.census
    about = [shown.format, *([shown.model] if shown.model else []), *([shown.cwd] if shown.cwd else [])]
    counted = f"{number(census.messages)} messages, {number(census.tokens)} tokens ({shown.tokenizer})"
    extras = []
    if shown.sidechains:
        messages = sum(shown.sidechains.values())
        extras.append(f"sub-agent runs apart: {len(shown.sidechains)}, with {number(messages)} messages")
    if shown.own_compactions:
        extras.append(f"compactions by its own agent: {len(shown.own_compactions)}")
    return "\n".join([f"{shown.session}  ({', '.join(about)})", counted, *extras])


def _say_unread(unread: tuple[Unread, ...]) -> None:
    for record in unread[:3]:
        say(f"warning: line {record.line} not understood: {record.reason}", err=True)
    if len(unread) > 3:
        click.echo(f"warning: {len(unread) - 3} more records not understood; --json lists them", err=True)
