"""Questions read off a ledger's state: what each kind of probe asks, and what answers it.

Each function yields drafts, in a fixed order. A question names what it is about by something else than its
answer: an error by its type and place, a decision by its reason, a file by what was changed in it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.evals.probing.probes import Expected, ItemType, ProbeKind
from tamis.ledger.names import names_in
from tamis.ledger.state import Entry, FileState, State
from tamis.ledger.subjects import key_words

MAX_TEXT_CHARS = 300
"""Longer texts are dumps; nobody can be asked for them."""

MAX_VALUE_CHARS = 80
"""A longer value is a sentence."""

MAX_FILES = 25
"""Longer lists of files are not asked for as a whole."""

CUE_WORDS = 2
"""How many telling words of a sentence a question gives away."""


_ENTER = re.compile(r"^(?:cd \S+ ?(?:&&|;) ?)+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A question that may become a probe. `form` names the kind of question."""

    kind: ProbeKind
    form: str
    question: str
    expected: tuple[Expected, ...]
    sources: tuple[str, ...]
    closed: bool = False
    superseded: tuple[Expected, ...] = field(default=())


def draft_questions(state: State) -> Iterator[Draft]:
    """Every question that the state answers."""
    for ask in (_errors, _facts, _commands, _files, _changes, _continuation, _decisions, _rules):
        yield from ask(state)


def _typed(value: str) -> ItemType:
    """How a value is looked for."""
    kinds = {name.kind for name in names_in(value) if name.text == value}
    if "path" in kinds:
        return "path"
    if value.replace(",", "").replace(".", "", 1).isdigit():
        return "number"
    return "text" if " " in value.strip() else "identifier"


def _item(value: str, type: ItemType | None = None, *, forbids: bool = False) -> Expected:  # noqa: A002
    return Expected(type=type or _typed(value), value=" ".join(value.split()), forbids=forbids)


def _askable(text: str | None) -> bool:
    return text is not None and 0 < len(text) <= MAX_TEXT_CHARS


def _short(path: str) -> str:
    return posixpath.basename(path)


def _errors(state: State) -> Iterator[Draft]:
    """Errors by type and place, a place by the type, where that tells one error from the others."""
    places = Counter((e.value.error.type, e.value.error.place) for e in state.errors)
    types = Counter(e.value.error.type for e in state.errors)
    for entry in state.errors:
        error = entry.value.error
        if not _askable(error.message):
            continue
        sources = (entry.source.message_id,)
        is_named = error.type is not None and _typed(error.type) != "text" and bool(names_in(error.type))
        cue = _cue(error.message)
        if is_named and places[error.type, error.place] == 1:
            cue = f"{error.type} at {_short(error.place)}" if error.place else str(error.type)
        if cue:
            yield Draft(
                kind="recall",
                form="error",
                question=f"What was the error message: {cue}?",
                expected=(_item(error.message, "text"),),
                sources=sources,
            )
        if error.place and is_named and types[error.type] == 1:
            yield Draft(
                kind="recall",
                form="error place",
                question=f"In which file did the {error.type} occur?",
                expected=(_item(error.place.partition(":")[0], "path"),),
                sources=sources,
            )


def _facts(state: State) -> Iterator[Draft]:
    for entry in state.facts:
        name, value = entry.value.name, entry.value.value
        tells = len(name.split()) > 1 or names_in(name) or _typed(value) != "text"
        if _askable(value) and len(value) <= MAX_VALUE_CHARS and tells:
            old = {f.value for f in entry.superseded} - {value}
            yield Draft(
                kind="recall",
                form="value",
                question=f"What is the value of {name}?",
                expected=(_item(value),),
                superseded=tuple(_item(was) for was in sorted(old)),
                sources=(entry.source.message_id,),
            )
    for role in state.entities:
        yield Draft(
            kind="recall",
            form="role",
            question=f"Who or what is {role.value.name}?",
            expected=(_item(role.value.role, "text"),),
            sources=(role.source.message_id,),
        )


def _commands(state: State) -> Iterator[Draft]:
    """The commands of tests, of failures (by exit code), and of programs that ran only once."""
    for run in state.tests:
        if _askable(run.value.command) and sum(r.value.runner == run.value.runner for r in state.tests) == 1:
            yield Draft(
                kind="recall",
                form="command",
                question=f"With which command were the {run.value.runner} tests run?",
                expected=(_item(run.value.command or "", "text"),),
                sources=(run.source.message_id,),
            )
    codes = Counter(e.value.exit_code for e in state.commands)
    programs = Counter(_program(e.value.command) for e in state.commands)
    for entry in state.commands:
        command, code = entry.value.command, entry.value.exit_code
        if not _askable(command) or "\n" in command:
            continue
        cue = None
        if code and codes[code] == 1:
            cue = f"failed with exit code {code}"
        elif (program := _program(command)) and programs[program] == 1 and len(command.split()) > 2:
            cue = f"ran {program}"
        if cue:
            yield Draft(
                kind="recall",
                form="command",
                question=f"Which command {cue}?",
                expected=(_item(command, "text"),),
                sources=(entry.source.message_id,),
            )


def _program(command: str) -> str:
    """The program that a command line runs, behind `cd somewhere &&`; with the script or module of Python.

    >>> _program("cd /repo && python -m loader --strict"), _program('python -c "print(1)"')
    ('python -m loader', '')
    """
    words = _ENTER.sub("", command).split()
    if words and words[0].startswith("python"):
        if words[1:2] == ["-m"]:
            return " ".join(words[:3])
        return "" if words[1:2] and words[1].startswith("-") else " ".join(words[:2])
    return words[0] if words else ""


_LISTS: tuple[tuple[str, Callable[[FileState], bool]], ...] = (
    ("Which files were created?", lambda f: f.status == "created"),
    ("Which files were modified?", lambda f: f.status in ("modified", "renamed")),
    ("Which files were deleted?", lambda f: f.status == "deleted" and not f.born),
    ("Which files were only read and not changed?", lambda f: f.status == "read"),
)


def _files(state: State) -> Iterator[Draft]:
    """The lists of the trail; a list with an entry that is not certain is not asked for."""
    for question, belongs in _LISTS:
        entries = [entry for entry in state.files if belongs(entry.value)]
        if 0 < len(entries) <= MAX_FILES and all(entry.value.certain for entry in entries):
            yield Draft(
                kind="artifact",
                form=question,
                question=question,
                expected=tuple(_item(entry.value.path, "path") for entry in entries),
                sources=_sources(entries),
                closed=True,
            )


def _changes(state: State) -> Iterator[Draft]:
    """What was changed in a file, and in which file something was changed."""
    changed = [e for e in state.files if e.value.status in ("created", "modified") and e.value.touched]
    bases = Counter(_short(e.value.path) for e in changed)
    owners = Counter(touched for e in changed for touched in set(e.value.touched))
    for entry in changed:
        touched = entry.value.touched
        if bases[_short(entry.value.path)] == 1 and len(touched) <= 8:
            yield Draft(
                kind="artifact",
                form="changed in",
                question=f"What was changed in {_short(entry.value.path)}?",
                expected=tuple(_item(name, "identifier") for name in touched),
                sources=(entry.source.message_id,),
            )
        for name in touched:
            if owners[name] == 1 and names_in(name):
                yield Draft(
                    kind="artifact",
                    form="file of",
                    question=f"In which file was {name} changed?",
                    expected=(_item(entry.value.path, "path"),),
                    sources=(entry.source.message_id,),
                )


def _continuation(state: State) -> Iterator[Draft]:
    """What is to be done: the next step, failing tests, open tasks, errors that still stand."""
    if state.next_step is not None and state.turns - state.next_step.last_turn <= 2:
        yield _listed("What is the next step?", [state.next_step], [state.next_step.value.text])
    failing = [entry for entry in state.tests if entry.value.failing]
    names = [name for entry in failing for name in entry.value.failing]
    if 0 < len(names) <= 10:
        yield _listed("Which tests are failing?", failing, names, type="identifier")
    unfinished = [e for e in state.tasks if e.value.status in ("open", "in_progress")]
    if 0 < len(unfinished) <= 12:
        yield _listed("Which tasks are still open or in progress?", unfinished, _texts(unfinished))
    later = [e for e in state.tasks if e.value.status == "deferred"]
    if later:
        yield _listed("What was put off until later?", later, _texts(later))
    standing = [e for e in state.errors if not e.value.resolved and _askable(e.value.error.message)]
    if standing and len(standing) < len(state.errors):
        newest = standing[-1:]
        yield _listed("Which error still stands?", newest, [e.value.error.message for e in newest])


def _texts(entries: Iterable[Entry[Any]]) -> list[str]:
    return [entry.value.text for entry in entries]


def _listed(
    question: str,
    entries: Sequence[Entry[Any]],
    values: Iterable[str],
    *,
    type: ItemType = "text",  # noqa: A002
) -> Draft:
    return Draft(
        kind="continuation",
        form=question,
        question=question,
        expected=tuple(_item(value, type) for value in values if _askable(value)),
        sources=_sources(entries),
    )


def _decisions(state: State) -> Iterator[Draft]:
    """A decision by its reason, its reason by the choice, what was turned down by what was chosen."""
    for entry in state.decisions:
        decision, sources = entry.value, (entry.source.message_id,)
        if not _askable(decision.choice):
            continue
        asked: list[tuple[str, str, Sequence[str]]] = []
        if _askable(decision.reason):
            asked.append(("why", f"Why was it decided: {decision.choice}?", [decision.reason or ""]))
            asked.append(("what", f"What was decided, because {decision.reason}?", [decision.choice]))
        elif cue := _cue(decision.choice):
            asked.append(("what", f"What was decided about {cue}?", [decision.choice]))
        if decision.rejected:
            question = f"What was turned down in favour of: {decision.choice}?"
            asked.append(("rejected", question, decision.rejected))
        for form, question, answers in asked:
            expected = tuple(_item(answer, "text") for answer in answers)
            yield Draft(kind="decision", form=form, question=question, expected=expected, sources=sources)


def _rules(state: State) -> Iterator[Draft]:
    """A rule by its first telling words."""
    for entry in state.constraints:
        rule = entry.value
        cue = _cue(rule.text)
        if not _askable(rule.text) or not cue:
            continue
        forbids = rule.polarity == "must_not"
        question = f"What must {'not ' if forbids else ''}be done about {cue}?"
        old = sorted({e.text for e in entry.superseded if _askable(e.text)} - {rule.text})
        yield Draft(
            kind="constraint",
            form=rule.polarity,
            question=question,
            expected=(_item(rule.text, "text", forbids=forbids),),
            superseded=tuple(_item(text, "text") for text in old),
            sources=(entry.source.message_id,),
        )


def _cue(text: str) -> str:
    """The first telling words of a text; empty where too few would be left to ask for."""
    words = [word.strip(".,;:!?()[]\"'`") for word in text.split()]
    telling = list(dict.fromkeys(word for word in words if key_words(word)))
    if len(telling) < CUE_WORDS + 2:
        return ""
    return " ".join(telling[:CUE_WORDS])


def _sources(entries: Iterable[Entry[Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.source.message_id for entry in entries))
