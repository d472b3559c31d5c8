"""The state as items: what each entry says, how much it is worth, and what must not be left out.

Worth is in needed names (see `items.py`) and fades with age: half of it is gone after `HALF_LIFE` messages.
The order of what is required: the newest requests, rules, what was done to files, what is open, what fails.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis.compactors.brief import one_line
from tamis.compactors.completeness import asks_alone
from tamis.compactors.ledger.items import READ, Item
from tamis.ledger.events import Decision, Request, Task, TestRun
from tamis.ledger.programs import only_reads
from tamis.ledger.sentences import Sentence, split_sentences
from tamis.ledger.state import Entry, ErrorState, FileState, State

HALF_LIFE = 60
"""Messages after which an entry is worth half."""

NEWEST_REQUESTS = 3
LEADING = 2
"""The leading sentences of the first and the newest requests are required."""

STALE_AFTER = 12
"""Messages after which a next step that was not said again counts as taken."""

SAME_CHANCE = 0.5
"""A full path is said where it is at least this likely to be needed, beside its likeliest shorter form."""

MAX_SENTENCES = 60
"""Of one request; what was pasted below them is in the archive."""

MAX_LINE_CHARS = 400
"""A command or a message that is longer is a script or a dump; its beginning says what it is."""


def items_of(state: State, likelihood: Mapping[str, float]) -> Iterator[Item]:
    """Everything in the state that can be said, each thing once."""
    yield from _requests(state)
    yield from _rules(state)
    for entry in state.decisions:
        yield _item("decided", _decision(entry.value), entry, state, worth=0.6)
    yield from _files(state, likelihood)
    yield from _failures(state)
    yield from _open(state)
    yield from _known(state)


def _faded(worth: float, entry: Entry[Any], state: State) -> float:
    age = state.turns - 1 - entry.last_turn
    return worth * math.exp2(-age / HALF_LIFE)


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
        worth=_faded(worth, entry, state),
        required=required,
        turns=(entry.last_turn,),
        quote=quote,
    )


def _requests(state: State) -> Iterator[Item]:
    """Requests sentence by sentence; of the first and the newest the leading ones are required.

    A sentence that stands among the rules is not said again, and one that was a rule and was replaced is not
    said at all.
    """
    gone = {rule.text.strip() for entry in state.constraints for rule in entry.superseded}
    newest_first = sorted(state.requests, key=lambda e: e.last_turn)[::-1]
    first = min(state.requests, key=lambda e: (e.first_turn, e.source.start), default=None)
    ranked = [e for e in (*newest_first[:1], first, *newest_first[1:]) if e is not None]
    ruled: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for rule in state.constraints:
        where = (rule.source.message_id, rule.source.part)
        ruled.setdefault(where, []).append((rule.source.start, rule.source.end))
    seen: set[int] = set()
    for rank, entry in enumerate(ranked):
        if id(entry) not in seen:
            seen.add(id(entry))
            taken = ruled.get((entry.source.message_id, entry.source.part), [])
            yield from _request(entry, rank, state, taken, gone)


def _request(
    entry: Entry[Request],
    rank: int,
    state: State,
    taken: Sequence[tuple[int, int]],
    gone: Collection[str],
) -> Iterator[Item]:
    text, offset = entry.value.text, entry.source.start
    telling = 0
    sentences = split_sentences(text)[:MAX_SENTENCES]
    tells = _tells if any(_tells(text[s.start : s.end]) for s in sentences) else asks_alone
    for sentence in _with_code(sentences, text):
        start, end = offset + sentence.start, offset + sentence.end
        if any(start < stop and begin < end for begin, stop in taken):
            continue
        words = text[sentence.start : sentence.end]
        if any(old in words for old in gone):
            continue
        required, worth = 0, 0.02
        if sentence.kind == "code" and len(words) <= MAX_LINE_CHARS:
            worth = 0.2  # a command or an example that the user gave to the letter
        elif sentence.kind != "code" and words.endswith("```"):
            worth = 0.4  # the same, with the words that say what it is for
        elif sentence.kind in ("prose", "item", "quote") and (tells(words) or len(sentences) == 1):
            telling += 1
            required = 1 + rank + 10 * telling if telling <= LEADING else 0
            worth = 0.4 * 0.6**telling
        yield Item(
            section="asked",
            text=words,
            order=(entry.first_turn, start),
            worth=_faded(worth, entry, state) if rank > 1 else worth,
            required=required if rank < NEWEST_REQUESTS else 0,
            turns=(entry.last_turn,),
            quote=True,
        )


def _with_code(sentences: Sequence[Sentence], text: str) -> Iterator[Sentence]:
    """The sentences, one that opens a short block of code ("run exactly this:") together with it."""
    waiting: Sentence | None = None
    for sentence in sentences:
        short = sentence.kind == "code" and sentence.end - sentence.start <= MAX_LINE_CHARS
        if waiting is not None and short:
            yield replace(waiting, end=sentence.end)
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        opens = sentence.kind != "code" and text[: sentence.end].rstrip("*_ ").endswith((":", "："))
        waiting = sentence if opens else None
        if not opens:
            yield sentence
    if waiting is not None:
        yield waiting


def _tells(sentence: str) -> bool:
    """Whether a sentence says something by itself; "Two more things." and "Rules:" only open what follows."""
    if sentence.rstrip().endswith((":", "：")):
        return False
    return len(sentence.split()) >= 4 or sum(char >= "\u3400" for char in sentence) >= 6


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
    return f"{'solved since' if entry.value.resolved else 'still stands'}: {error.message}{place}"


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
        yield _item("known", f"{fact.value.name}: {fact.value.value}", fact, state, worth=0.15)
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
