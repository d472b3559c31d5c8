"""A session's tokens, waste, files and state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
from rich.table import Table

from tamis.cli.work.inputs import choose_session, read_sessions
from tamis.cli.work.output import made_of, number, percent, print_json, print_tables, say, table
from tamis.ledger import Entry, FileState, State, read_ledger
from tamis.ledger.events import TestRun
from tamis.ledger.outputs.waste import Waste, find_waste
from tamis.messages import Counter, Session, Unread, get_counter, part_text
from tamis.messages.census import Census, take_census
from tamis.messages.reprs import shortened


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
    sessions = read_sessions(file, input_format)
    if len(sessions) > 1 and session_id is None and not as_json:
        for place, one in enumerate(sessions, 1):
            first = next((part_text(part) for m in one.messages if m.role == "user" for part in m.parts), "")
            say(f"{place:>5}  {one.id}  {number(len(one.messages))} messages  {shortened(first)}".rstrip())
        click.echo(f"{len(sessions)} sessions; choose one with --session NUMBER or ID", err=True)
        return
    session = choose_session(sessions, file, session_id)
    shown = _describe(session, file, get_counter(tokenizer))
    if as_json:
        print_json(shown)
        return
    say(_headline(shown))
    print_tables(
        *_token_tables(shown.census),
        *_waste_tables(shown.waste, shown.census, shown.cwd),
        *_state_tables(shown.state, shown.cwd),
    )
    for record in shown.unread[:3]:
        say(f"warning: line {record.line} not understood: {record.reason}", err=True)
    if more := shown.unread[3:]:
        click.echo(f"warning: {len(more)} more records not understood; --json lists them", err=True)


def _describe(session: Session, file: str, counter: Counter) -> ShowJson:
    ledger = read_ledger(session.messages)
    return made_of(
        ShowJson,
        session,
        file=file,
        session=session.id,
        tokenizer=counter.name,
        exact_tokens=counter.exact,
        census=take_census(session.messages, counter),
        waste=find_waste(session.messages, ledger.events, counter),
        state=ledger.state,
        sidechains={name: len(messages) for name, messages in session.sidechains.items()},
        own_compactions=tuple(boundary.index for boundary in session.boundaries),
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


MAX_ROWS = 20
"""How many rows of a kind people see, the newest; `--json` gives all."""

MAX_WIDTH = 160
"""How many characters of an entry people see."""


def _token_tables(census: Census) -> Iterator[Table]:
    """Tokens by role, kind and tool."""
    for title, counts in (("By role", census.by_role), ("By kind", census.by_kind)):
        rows = [(name, number(n), percent(n, census.tokens)) for name, n in counts.items()]
        yield table(title, ["", ">tokens", ">share"], rows)
    if census.by_tool:
        tools = []
        for name, tool in list(census.by_tool.items())[:MAX_ROWS]:
            figures = map(number, (tool.calls, tool.call_tokens, tool.result_tokens))
            tools.append((name, *figures, percent(tool.call_tokens + tool.result_tokens, census.tokens)))
        yield table("By tool", ["", ">calls", ">in calls", ">in results", ">share"], tools)


def _waste_tables(waste: Waste, census: Census, cwd: str | None) -> Iterator[Table]:
    """What could go without a loss, and where the most of it is."""
    sums = (
        ("tool output", waste.output_tokens),
        (f"outputs that stood there before ({waste.repeated_outputs})", waste.repeated_tokens),
        ("views of files that were changed later", waste.superseded_tokens),
        ("views of unchanged files that were seen again", waste.reread_tokens),
    )
    rows = [(what, number(n), percent(n, census.tokens)) for what, n in sums]
    yield table("Waste", ["", ">tokens", ">share"], rows)
    if waste.files:
        files = [
            (_shown(f.path, cwd), *map(number, (f.views, f.superseded_tokens, f.reread_tokens)))
            for f in waste.files
        ]
        columns = ["", ">views", ">superseded tokens", ">reread tokens"]
        yield table("Files seen again, or changed after they were seen", columns, files)
    if waste.biggest:
        outputs = [(f"#{o.turn}", o.tool, o.asked, number(o.tokens)) for o in waste.biggest]
        yield table("Biggest outputs", ["message", "tool", "asked", ">tokens"], outputs)


def _state_tables(state: State, cwd: str | None) -> Iterator[Table]:
    """The file trail, and what holds at the end, newest last."""
    if state.files:
        files = [_file_row(entry.value, cwd) for entry in state.files]
        yield _capped("Files", ["path", "status", ">lines", "touched", ">reads", ">writes"], files)
    sections: tuple[tuple[str, Sequence[tuple[str, ...]]], ...] = (
        ("Requests", [_row(e, e.value.text) for e in state.requests]),
        ("Constraints", [_row(e, e.value.text) for e in state.constraints]),
        ("Decisions", [_row(e, _because(e.value.choice, e.value.reason)) for e in state.decisions]),
        ("Tasks", [_row(e, f"{e.value.status}: {e.value.text}") for e in state.tasks]),
        ("Tests", [_row(e, _totals(e.value)) for e in state.tests]),
        (
            "Errors",
            [_row(e, _STANDING[e.value.resolved] + e.value.error.message) for e in state.errors],
        ),
        ("Facts", list(dict.fromkeys(_row(e, e.value.text) for e in state.facts))),
        ("Entities", [_row(e, f"{e.value.name}: {e.value.role}") for e in state.entities]),
        ("Next step", [_row(state.next_step, state.next_step.value.text)] if state.next_step else []),
    )
    for title, rows in sections:
        if rows:
            yield _capped(title, ["message", ""], rows)


_STANDING = {False: "OPEN ", True: "(gone) ", None: "(gone?) "}
"""Whether an error still stands; files were changed since where nobody can tell."""


def _capped(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    more = f" (the newest {MAX_ROWS} of {len(rows)})" if len(rows) > MAX_ROWS else ""
    return table(title + more, columns, rows[-MAX_ROWS:])


def _row(entry: Entry[Any], text: str) -> tuple[str, str]:
    return f"#{entry.last_turn}", shortened(text, MAX_WIDTH)


def _shown(path: str, cwd: str | None) -> str:
    """The path from the session's folder, as its people write it; the headline names that folder."""
    return path.removeprefix(f"{cwd.rstrip('/')}/") if cwd else path


def _file_row(file: FileState, cwd: str | None) -> tuple[str, ...]:
    added = "?" if file.lines_added is None else f"+{file.lines_added}"
    removed = "?" if file.lines_removed is None else f"-{file.lines_removed}"
    status = file.status + ("" if file.certain else " (?)")
    if file.renamed_from:
        status += f" from {_shown(file.renamed_from, cwd)}"
    lines, touched = f"{added} {removed}" if file.writes else "", ", ".join(file.touched[-6:])
    return _shown(file.path, cwd), status, lines, touched, number(file.reads), number(file.writes)


def _because(choice: str, reason: str | None) -> str:
    return f"{choice} (because {reason})" if reason else choice


def _totals(run: TestRun) -> str:
    counts = {"passed": run.passed, "failed": run.failed, "errors": run.errors, "skipped": run.skipped}
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    failing = f"; failing: {', '.join(run.failing[:5])}" if run.failing else ""
    return f"{run.command or run.runner}: {said or 'no totals'}{failing}"
