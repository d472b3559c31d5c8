"""A session as tables: its tokens, its waste, its files and its state."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from tamis.cli.work.output import number, percent, table
from tamis.ledger import Entry, FileState, State
from tamis.ledger.events import TestRun
from tamis.ledger.outputs.waste import Waste
from tamis.messages.census import Census
from tamis.messages.reprs import shortened

MAX_ROWS = 20
"""How many rows of a kind people see, the newest; `--json` gives all."""

MAX_WIDTH = 160
"""How many characters of an entry people see."""


def token_tables(census: Census) -> Iterator[Table]:
    """Tokens by role, kind and tool."""
    for title, counts in (("By role", census.by_role), ("By kind", census.by_kind)):
        rows = [(name, number(n), percent(n, census.tokens)) for name, n in counts.items()]
        yield table(title, ["", ">tokens", ">share"], rows)
    if census.by_tool:
        yield table(
            "By tool",
            ["", ">calls", ">in calls", ">in results", ">share"],
            [
                (
                    name,
                    number(tool.calls),
                    number(tool.call_tokens),
                    number(tool.result_tokens),
                    percent(tool.call_tokens + tool.result_tokens, census.tokens),
                )
                for name, tool in list(census.by_tool.items())[:MAX_ROWS]
            ],
        )


def waste_tables(waste: Waste, census: Census, cwd: str | None) -> Iterator[Table]:
    """What could go without a loss, and where the most of it is."""
    total = census.tokens
    sums = (
        ("tool output", waste.output_tokens),
        (f"outputs that stood there before ({waste.repeated_outputs})", waste.repeated_tokens),
        ("views of files that were changed later", waste.superseded_tokens),
        ("views of unchanged files that were seen again", waste.reread_tokens),
    )
    yield table(
        "Waste", ["", ">tokens", ">share"], [(what, number(n), percent(n, total)) for what, n in sums]
    )
    if waste.files:
        rows = [
            (_shown(f.path, cwd), number(f.views), number(f.superseded_tokens), number(f.reread_tokens))
            for f in waste.files
        ]
        columns = ["", ">views", ">superseded tokens", ">reread tokens"]
        yield table("Files seen again, or changed after they were seen", columns, rows)
    if waste.biggest:
        outputs = [(f"#{o.turn}", o.tool, o.asked, number(o.tokens)) for o in waste.biggest]
        yield table("Biggest outputs", ["message", "tool", "asked", ">tokens"], outputs)


def state_tables(state: State, cwd: str | None) -> Iterator[Table]:
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
            [_row(e, ("" if e.value.resolved else "OPEN ") + e.value.error.message) for e in state.errors],
        ),
        ("Facts", list(dict.fromkeys(_row(e, e.value.text) for e in state.facts))),
        ("Entities", [_row(e, f"{e.value.name}: {e.value.role}") for e in state.entities]),
        ("Next step", [_row(state.next_step, state.next_step.value.text)] if state.next_step else []),
    )
    for title, rows in sections:
        if rows:
            yield _capped(title, ["message", ""], rows)


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
    lines = f"{added} {removed}" if file.writes else ""
    return (
        _shown(file.path, cwd),
        status,
        lines,
        ", ".join(file.touched[-6:]),
        number(file.reads),
        number(file.writes),
    )


def _because(choice: str, reason: str | None) -> str:
    return f"{choice} (because {reason})" if reason else choice


def _totals(run: TestRun) -> str:
    counts = {"passed": run.passed, "failed": run.failed, "errors": run.errors, "skipped": run.skipped}
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    failing = f"; failing: {', '.join(run.failing[:5])}" if run.failing else ""
    return f"{run.command or run.runner}: {said or 'no totals'}{failing}"
