"""L1: an ended iteration as a few lines.

The lines are read off the ledger's events of the iteration and selected from what the agent said. Nothing is
written anew here; a model's summary, where one is asked for, is added by `condenser.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.compactors.brief import one_line
from tamis.compactors.methods.sentence_scores import score_sentence
from tamis.ledger.events import CommandRun, Decision, ErrorMessage, Event, FileChange, Request, TestRun
from tamis.ledger.state import State
from tamis.memory.iterations import Iteration, Outcome
from tamis.memory.patterns import error_meaning
from tamis.memory.sections import LineKind, MemoryLine
from tamis.messages import Text
from tamis.text.sentences import split_sentences

MAX_SENTENCES = 60
MAX_LINE_CHARS = 400
MAX_PATHS = 12

NAME_RANK = 1.0
"""A sentence has to score as much to go in before the likeliest bare name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Digest:
    """A condensed iteration: `tokens_before` are those of its `messages`; `by` is what condensed it."""

    number: int
    outcome: Outcome
    lines: tuple[MemoryLine, ...]
    tokens_before: int
    messages: int = 0
    by: str = "extractive"

    def to_json(self) -> dict[str, Any]:
        """As JSON values; `from_json` gives the same back."""
        return {
            "number": self.number,
            "outcome": self.outcome,
            "lines": [[line.kind, line.text, line.rank, line.meaning] for line in self.lines],
            "tokens_before": self.tokens_before,
            "messages": self.messages,
            "by": self.by,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Digest:
        """What `to_json` gave."""
        lines = tuple(MemoryLine(kind=k, text=t, rank=r, meaning=m) for k, t, r, m in data["lines"])
        return cls(**{**data, "lines": lines})


def condense(
    iteration: Iteration, events: Sequence[Event], state: State, *, names: Sequence[str], tokens_before: int
) -> Digest:
    """The lines of an ended iteration, by the ledger's events of its messages and the state at its end.

    Its `names`, the likeliest to be needed again first, fill what room is left.
    """
    standing = {error_meaning(e.value.error) for e in state.errors if not e.value.resolved}
    errors = {error_meaning(e.value): e.value for e in events if isinstance(e.value, ErrorMessage)}
    outcome = iteration.outcome or _outcome(events, any(meaning in standing for meaning in errors))
    lines = [
        *_requests(events, iteration.task),
        *_errors(errors, standing),
        *_decisions(events),
        *_changes(events),
        *_runs(events),
        *_said(iteration),
        *(MemoryLine(text=name, kind="name", rank=NAME_RANK - i / 1000) for i, name in enumerate(names)),
    ]
    return Digest(
        number=iteration.number,
        outcome=outcome,
        lines=tuple(lines),
        tokens_before=tokens_before,
        messages=len(iteration.messages),
    )


def narrative(iteration: Iteration) -> str:
    """What the agent said in the iteration: the prose that a model may summarise."""
    said = (m.text for m in iteration.messages if m.role == "assistant")
    return "\n\n".join(text for text in said if text.strip())


def _outcome(events: Sequence[Event], errors_stand: bool) -> Outcome:
    verdicts = [ok for event in events if (ok := _verdict(event)) is not None]
    if not verdicts:
        return "error" if errors_stand else "unknown"
    if not verdicts[-1]:
        return "error"
    return "partial" if errors_stand else "success"


def _verdict(event: Event) -> bool | None:
    if isinstance(event.value, TestRun):
        return False if event.value.is_red else True if event.value.is_green else None
    return event.value.ok if isinstance(event.value, CommandRun) else None


def _requests(events: Sequence[Event], task: str) -> Iterator[MemoryLine]:
    for event in events:
        if isinstance(event.value, Request) and event.value.text.strip() not in task:
            yield _line("request", f"asked: {event.value.text}")


def _errors(errors: dict[str, ErrorMessage], standing: set[str]) -> Iterator[MemoryLine]:
    for meaning, error in errors.items():
        place = f" at {error.place}" if error.place else ""
        stands = meaning in standing
        told = f"{error.message}{place}{'' if stands else ' (gone)'}"
        yield _line("error" if stands else "fixed", told, meaning=f"error {meaning}")


def _decisions(events: Sequence[Event]) -> Iterator[MemoryLine]:
    for event in events:
        if isinstance(event.value, Decision):
            why = f", because {event.value.reason}" if event.value.reason else ""
            yield _line("decision", f"decided: {event.value.choice}{why}")


def _changes(events: Sequence[Event]) -> Iterator[MemoryLine]:
    changes = [event.value for event in events if isinstance(event.value, FileChange)]
    touched: dict[tuple[str, str], dict[str, None]] = {}
    for change in changes:
        if change.action != "read":
            places = touched.setdefault((change.action, change.path), {})
            places.update(dict.fromkeys(change.touched))
    for (action, path), places in touched.items():
        inside = f" ({', '.join(list(places)[:MAX_PATHS])})" if places else ""
        yield _line("change", f"{action} {path}{inside}")
    if read := dict.fromkeys(change.path for change in changes if change.action == "read"):
        yield _line("command", f"read {' '.join(list(read)[-MAX_PATHS:])}")


def _runs(events: Sequence[Event]) -> Iterator[MemoryLine]:
    newest: dict[str, Event] = {}
    for event in events:
        if isinstance(event.value, CommandRun | TestRun):
            newest.pop(event.subject, None)
            newest[event.subject] = event
    for place, event in enumerate(newest.values()):
        value = event.value
        if isinstance(value, TestRun):
            counts = (("passed", value.passed), ("failed", value.failed), ("errors", value.errors))
            told = ", ".join(f"{n} {what}" for what, n in counts if n is not None) or "no counts"
            failing = f"; failing: {', '.join(value.failing[:MAX_PATHS])}" if value.failing else ""
            yield _line("test", f"{value.runner}: {told}{failing}")
        elif isinstance(value, CommandRun):
            ended = "" if value.ok is None else ": ok" if value.ok else f": failed ({value.exit_code})"
            yield _line("command", f"ran {value.command}{ended}", rank=place)


def _said(iteration: Iteration) -> Iterator[MemoryLine]:
    """The sentences of the agent's prose with their scores; the last message counts as the conclusion."""
    spoken = (message for message in iteration.messages if message.role == "assistant")
    said = [part.text for message in spoken for part in message.parts if isinstance(part, Text)]
    for place, text in enumerate(said):
        sentences = [s for s in split_sentences(text) if s.kind != "code"][:MAX_SENTENCES]
        for i, sentence in enumerate(sentences):
            words = text[sentence.start : sentence.end]
            score = score_sentence(words, i, len(sentences))
            yield _line("said", words, rank=score - 0.5 * (len(said) - 1 - place))


def _line(kind: LineKind, text: str, *, rank: float = 0.0, meaning: str = "") -> MemoryLine:
    told = one_line(text)
    short = told if len(told) <= MAX_LINE_CHARS else told[: MAX_LINE_CHARS - 1] + "…"
    return MemoryLine(kind=kind, text=short, rank=rank, meaning=meaning)
