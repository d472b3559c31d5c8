"""Stage 1: everything that could be said to the agent, in sections of the four levels."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tamis.compactors.brief import one_line
from tamis.ledger.events import ErrorMessage
from tamis.ledger.outputs.error_messages import errors_in_output
from tamis.memory.history import History
from tamis.memory.patterns import error_meaning, meaning_of
from tamis.memory.relevance import Selection
from tamis.memory.sections import Level, LineKind, MemoryLine, MemorySection
from tamis.memory.settings import Levels
from tamis.messages import Counter, Message, count_messages, part_text

MAX_FIXED = 10
NAMES_OF_ONE = 120
"""Bare names told with one iteration; what is left of its room is small."""

MAX_GIVEN_LINES = 200
"""Of one error that was handed in; the middle of a longer trace goes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CurrentIteration:
    """What the loop is about to do: the task's prompt, and the messages of the iteration so far.

    `errors` and `worked` are what the loop itself keeps of errors and of what helped, if it does.
    """

    task: str
    latest: tuple[Message, ...] = ()
    errors: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CollectionResult:
    """What stage 1 gives: sections, and the tokens of all that they stand for."""

    sections: tuple[MemorySection, ...] = field(repr=False)
    tokens_before: int
    current_tokens: int

    @property
    def past_tokens(self) -> int:
        """Of all that may be compressed: everything but L0."""
        return self.tokens_before - self.current_tokens


def collect(
    now: CurrentIteration,
    history: History,
    selection: Selection,
    *,
    levels: Levels,
    counter: Counter,
    told: int | None = None,
    whole: Collection[int] = (),
) -> CollectionResult:
    """Gather the sections, most urgent first.

    So many iterations as `told` are told one by one, where there is room for more than `levels` has. Their
    names stand with those of the session then: what is cut off an iteration would be nowhere. The iterations
    of `whole` go in word for word, and need no telling.
    """
    current = counter.count(now.task) + sum(count_messages(now.latest, counter))
    given_errors = sum(counter.count_many(now.errors))
    given_worked = sum(counter.count_many(now.worked))
    errors = (*_given_errors(now.errors, levels.errors), *_errors(history, levels.errors, levels.iterations))
    skills = (MemoryLine(text=f"{s.name}: {one_line(s.summary)}", kind="skill") for s in selection.skills)
    worked = (*_given_worked(now.worked), *_worked(history))
    task = [MemoryLine(text=now.task, kind="task")]
    latest = (MemoryLine(text=part_text(part), kind="latest") for m in now.latest for part in m.parts)
    sections = [
        _section("L0", "task", task, counter.count(now.task)),
        _section("L0", "latest", latest, current),
        _section("L2", "rules", _rules(history), 0),
        _section("L2", "errors", errors, given_errors),
        _section("L3", "skills", skills, selection.tokens_before),
        _section("L2", "worked", worked, given_worked),
        *_past(history, told or levels.iterations, whole, names_apart=told is not None),
    ]
    return CollectionResult(
        sections=tuple(section for section in sections if section.lines),
        tokens_before=current + given_errors + given_worked + history.tokens + selection.tokens_before,
        current_tokens=current,
    )


def _section(level: Level, source: str, lines: Iterable[MemoryLine], tokens_before: int) -> MemorySection:
    return MemorySection(level=level, source=source, lines=tuple(lines), tokens_before=tokens_before)


def _rules(history: History) -> Iterator[MemoryLine]:
    for entry in history.state.constraints:
        if entry.value.by == "user":
            yield MemoryLine(text=one_line(entry.value.text), kind="rule")


def _errors(history: History, most: int, told: int) -> Iterator[MemoryLine]:
    """Open errors across the session; essential where they came again, or are still of the newest."""
    newest = {digest.number for digest in list(history.digests)[-told:]}
    for i, pattern in enumerate(history.patterns.open()[:most]):
        kind: LineKind = "error" if pattern.count > 1 or pattern.last in newest else "old error"
        yield MemoryLine(text=pattern.text, kind=kind, rank=-i, meaning=pattern.meaning)


def _worked(history: History) -> Iterator[MemoryLine]:
    for i, pattern in enumerate(history.patterns.fixed()[:MAX_FIXED]):
        yield MemoryLine(text=pattern.text, kind="fixed", rank=-i, meaning=pattern.meaning)


def _given_errors(errors: Sequence[str], most: int) -> Iterator[MemoryLine]:
    """Each error once by its meaning, the newest of its kind and the newest kinds; line by line."""
    newest: dict[str, tuple[str, list[ErrorMessage]]] = {}
    for text in errors:
        found = [found.error for found in errors_in_output(text, None)]
        meaning = error_meaning(found[-1]) if found else meaning_of(text)
        newest.pop(meaning, None)
        newest[meaning] = text, found
    for place, (text, found) in enumerate(list(newest.values())[-most:]):
        lines = text.splitlines()
        half = MAX_GIVEN_LINES // 2
        for line in lines if len(lines) <= MAX_GIVEN_LINES else lines[:half] + lines[-half:]:
            error = next((e for e in found if e.message in line), None)
            if error is None:
                yield MemoryLine(text=line.rstrip(), kind="text", rank=place)
            else:
                meaning = f"error {error_meaning(error)}"
                yield MemoryLine(text=line.rstrip(), kind="error", rank=place, meaning=meaning)


def _given_worked(worked: Sequence[str]) -> Iterator[MemoryLine]:
    for place, text in enumerate(worked):
        for line in text.splitlines():
            yield MemoryLine(text=line.rstrip(), kind="worked", rank=place)


def _past(
    history: History, told: int, whole: Collection[int], *, names_apart: bool
) -> Iterator[MemorySection]:
    """The iterations told one by one, newest first, and the names of the session that none of them has."""
    digests = [digest for digest in reversed(history.digests) if digest.number not in whole][:told]
    older = history.tokens - sum(digest.tokens_before for digest in digests)
    since = history.start_of(min(whole)) if whole else None
    named: set[str] = set()
    for digest in digests:
        ended = MemoryLine(text=f"ended: {digest.outcome}", kind="outcome")
        own = () if names_apart else digest.lines
        names = [line for line in own if line.kind == "name" and line.text not in named]
        named.update(line.text for line in names[:NAMES_OF_ONE])
        yield MemorySection(
            level="L1",
            source=f"iteration {digest.number}",
            lines=(ended, *(line for line in digest.lines if line.kind != "name"), *names[:NAMES_OF_ONE]),
            tokens_before=digest.tokens_before,
        )
    untold = (name for name in history.names if name not in named)
    rest = (name for name in untold if since is None or not history.was_said_since(name, since))
    lines = tuple(MemoryLine(text=name, kind="name", rank=-100 - i) for i, name in enumerate(rest))
    yield MemorySection(level="L2", source="names", lines=lines, tokens_before=older)
