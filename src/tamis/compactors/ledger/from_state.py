"""The state as items: what each entry says, how much it is worth, and what must not be left out.

Worth is in needed names and fades with age (see `items.py`).
The order of what is required: the newest requests, rules, what was done to files, what is open, what fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tamis.compactors.brief import one_line
from tamis.compactors.ledger.from_requests import requested
from tamis.compactors.ledger.items import MAX_LINE_CHARS, READ, Item, faded
from tamis.ledger.events import Decision, Task, TestRun
from tamis.ledger.programs import only_reads
from tamis.ledger.state import Entry, ErrorState, FileState, State

STALE_AFTER = 12
"""Messages after which a next step that was not said again counts as taken."""

SAME_CHANCE = 0.5
"""A full path is said where it is at least this likely to be needed, beside its likeliest shorter form."""


def items_of(state: State, likelihood: Mapping[str, float]) -> Iterator[Item]:
    """Everything in the state that can be said, each thing once."""
    yield from requested(state)
    yield from _rules(state)
    for entry in state.decisions:
        yield _item("decided", _decision(entry.value), entry, state, worth=0.6)
    yield from _files(state, likelihood)
    yield from _failures(state)
    yield from _open(state)
    yield from _known(state)


def _item(
    section: str,
    text: str,
    entry: Entry[Any],
    state: State,
    *,
    worth: float,
    required: int = 0,
    quote: bool = False,
) -> Item:
    return Item(
        section=section,  # type: ignore[arg-type]
        text=text if quote else one_line(text),
        order=(entry.first_turn, entry.source.start),
        worth=faded(worth, entry, state),
        required=required,
        turns=(entry.last_turn,),
        quote=quote,
    )


def _rules(state: State) -> Iterator[Item]:
    """Rules, the user's before the system prompt's, the newest first.

    Of those that came together, first what must be run or written to the letter, as nobody can guess it, then
    what is forbidden.
    """
    said_by_user = sorted(
        state.constraints,
        key=lambda e: (
            e.value.by != "user",
            -e.last_turn,
            not _holds_code(e.value.text),
            e.value.polarity != "must_not",
        ),
    )
    for rank, entry in enumerate(said_by_user):
        tells = not entry.value.text.rstrip().endswith((":", "："))
        worth = 0.02 if not tells else (0.5 if entry.value.by == "user" else 0.2) * 0.8**rank
        required = 13 + rank if tells else 0
        quote = entry.value.by == "user"
        yield _item("rules", entry.value.text, entry, state, worth=worth, required=required, quote=quote)


def _holds_code(text: str) -> bool:
    return "```" in text


def _decision(decision: Decision) -> str:
    reason = f" — because {decision.reason}" if decision.reason else ""
    rejected = f" (not: {'; '.join(decision.rejected)})" if decision.rejected else ""
    return f"{decision.choice}{rejected}{reason}"


def _files(state: State, likelihood: Mapping[str, float]) -> Iterator[Item]:
    """The file trail: what was changed before what was only read, the newest first."""
    changed = [e for e in state.files if e.value.status != "read"]
    changed.sort(key=lambda e: (e.value.status == "created", -e.last_turn))
    for rank, entry in enumerate(changed):
        worth = 0.25 if entry.value.status == "created" else 0.5
        yield _file(entry, state, likelihood, worth=worth, required=12 + rank)
    for entry in state.files:
        if entry.value.status == "read":
            yield _file(entry, state, likelihood, worth=0.05, required=0)


def _file(
    entry: Entry[FileState],
    state: State,
    likelihood: Mapping[str, float],
    *,
    worth: float,
    required: int,
) -> Item:
    file = entry.value
    status = READ if file.status == "read" else file.status
    if not file.certain:
        status = f"perhaps {status}"
    if file.renamed_from:
        status = f"renamed from {one_line(file.renamed_from)}"
    item = _item("files", _likeliest(file.path, likelihood), entry, state, worth=worth, required=required)
    return replace(item, group=status, details=tuple(map(one_line, file.touched)))


def _likeliest(path: str, likelihood: Mapping[str, float]) -> str:
    """The path, or the end of it by which the agent is likely to name it again."""
    ends = [path[i + 1 :] for i, char in enumerate(path) if char == "/" and path[i + 1 :] in likelihood]
    best = max(ends, key=lambda end: likelihood[end], default=path)
    return path if likelihood.get(path, 0.0) >= SAME_CHANCE * likelihood.get(best, 0.0) else best


def _failures(state: State) -> Iterator[Item]:
    """Failing tests, failed commands, and errors, those that still stand before those that were solved."""
    for run in state.tests:
        bad = bool(run.value.failing or run.value.failed or run.value.errors)
        section = "failed" if bad else "known"
        yield _item(section, _tests(run.value), run, state, worth=1.0 if bad else 0.4, required=60 * bad)
    standing = [e for e in state.errors if not e.value.resolved]
    for rank, entry in enumerate(sorted(state.errors, key=lambda e: -e.last_turn)):
        stands = not entry.value.resolved
        newest = stands and entry in standing[-2:]
        worth = (0.4 if stands else 0.05) * 0.92**rank
        yield _item("failed", _error(entry), entry, state, worth=worth, required=61 + rank if newest else 0)
    for command in state.commands:
        ran = command.value
        if _says_itself(ran.command) and (ran.exit_code or ran.ok is False):
            end = f" with exit code {ran.exit_code}" if ran.exit_code else ""
            worth = 0.02 if only_reads(ran.command, None) else 0.3
            yield _item("failed", f"`{ran.command}` failed{end}", command, state, worth=worth)


def _tests(run: TestRun) -> str:
    counts = [
        f"{n} {what}"
        for n, what in (
            (run.passed, "passed"),
            (run.failed, "failed"),
            (run.errors, "errors"),
            (run.skipped, "skipped"),
        )
        if n
    ]
    failing = f": {', '.join(run.failing)}" if run.failing else ""
    command = f" in `{one_line(run.command)[:MAX_LINE_CHARS]}`" if run.command else ""
    return f"{run.runner}{command}: {', '.join(counts) or 'no totals printed'}{failing}"


def _error(entry: Entry[ErrorState]) -> str:
    error = entry.value.error
    place = f" at {error.place}" if error.place else ""
    known = {True: "solved since", False: "still stands", None: "not seen again"}[entry.value.resolved]
    return f"{known}: {error.message}{place}"


def _open(state: State) -> Iterator[Item]:
    """Open tasks and the next step."""
    for rank, entry in enumerate(reversed(state.tasks)):
        task = entry.value
        if task.status in ("open", "in_progress", "deferred"):
            yield _item("open", _task(task), entry, state, worth=1.0, required=40 + rank)
        elif task.status == "done":
            yield _item("open", _task(task), entry, state, worth=0.1)
    if state.next_step is not None and state.turns - state.next_step.last_turn <= STALE_AFTER:
        text = f"next step: {state.next_step.value.text}"
        yield _item("open", text, state.next_step, state, worth=1.0, required=14)


def _task(task: Task) -> str:
    mark = {"open": "[ ]", "in_progress": "[~]", "done": "[x]", "deferred": "[later]"}[task.status]
    return f"{mark} {task.text}"


def _known(state: State) -> Iterator[Item]:
    """Facts, roles, and the commands that ran."""
    for fact in state.facts:
        said = fact.value.text or f"{fact.value.name}: {fact.value.value}"
        yield _item("known", said, fact, state, worth=0.15)
    for entity in state.entities:
        yield _item("known", f"{entity.value.name}: {entity.value.role}", entity, state, worth=0.5)
    programs = Counter(_program(entry.value.command) for entry in state.commands)
    for command in state.commands:
        run = command.value
        if _says_itself(run.command) and not (run.exit_code or run.ok is False):
            only = programs[_program(run.command)] == 1 and not only_reads(run.command, None)
            worth = 0.15 if only else 0.05 * min(command.count, 4)
            yield _item("known", f"ran `{run.command}`", command, state, worth=worth)


def _says_itself(command: str) -> bool:
    """Whether a command says in one line what it does; what a script did stands in files and tests."""
    return len(command) <= MAX_LINE_CHARS and "\n" not in command


def _program(command: str) -> str:
    """The first word of the last step of a command line: `cd /x && make all` runs `make`."""
    return command.rpartition(" && ")[2].split(maxsplit=1)[0] if command.strip() else ""
