"""What a model adds to the ledger: a typed patch, of which only what the session bears out is taken.

Each addition says one thing and cites the messages that it rests on. One that cites nothing in the span, or
names anything that does not stand in what it cites, is dropped and counted.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tamis.compactors.brief import one_line
from tamis.compactors.brief.reading.statement import Statement
from tamis.errors import InputError
from tamis.messages import Message
from tamis.text import names_in, parts_stand_in, texts_of

AdditionKind = Literal["reason", "cause", "learned", "plan"]

MAX_CHARS = 400
"""Longer is no note but a retelling."""

LONGEST_ASKED = 240
"""Characters of a note, where a server can be held to a schema: a small model would talk on and on.

What comes from others may have up to `MAX_CHARS`.
"""

MOST_NOTES = 12
"""That a model may propose for one stretch of the span."""

_CITED = re.compile(r"\bm(\d{1,9})\b")
_NUMBER = re.compile(r"\A\W*+(\d{1,9})\W*+\Z")


Cite = Annotated[str, Field(json_schema_extra={"pattern": "^m[0-9]{1,5}$"})]
"""A message, as a server can be held to write it; what others write around it is read too."""


class Note(BaseModel):
    """One addition, as a model proposes it."""

    model_config = ConfigDict(extra="forbid")

    kind: AdditionKind
    text: str = Field(json_schema_extra={"maxLength": LONGEST_ASKED})
    cites: list[Cite] = Field(json_schema_extra={"minItems": 1, "maxItems": 4})


class Patch(BaseModel):
    """What a model proposes to add."""

    model_config = ConfigDict(extra="forbid")

    notes: list[Note] = Field(json_schema_extra={"maxItems": MOST_NOTES})


@dataclass(frozen=True, kw_only=True, slots=True)
class Addition:
    """One that was taken: `turns` are the positions in the session of the messages that it cites."""

    kind: AdditionKind
    text: str
    turns: tuple[int, ...]
    message_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptedAdditions:
    """The additions that were taken, and how many were not, by reason."""

    additions: tuple[Addition, ...]
    dropped: Mapping[str, int]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was dropped, counted."""
        if not self.dropped:
            return ()
        why = ", ".join(f"{n} {reason}" for reason, n in self.dropped.items())
        total = sum(self.dropped.values()) + len(self.additions)
        return (f"of {total} additions that the model proposed, dropped: {why}",)


def take_notes(
    notes: Iterable[Note], messages: Sequence[Message], *, first_turn: int = 0, known: Iterable[str] = ()
) -> AcceptedAdditions:
    """Take what the session bears out.

    Args:
        notes: what the model proposes; `m1` cites the first of the messages.
        messages: the span that it read.
        first_turn: the position in the session of the first of them.
        known: texts of earlier additions, which are not taken again.
    """
    dropped: Tally[str] = Tally()
    taken: list[Addition] = []
    said = {text.casefold() for text in known}
    for note in notes:
        text = one_line(note.text)
        cited = cited_positions(note.cites, len(messages))
        if reason := _fault(text, cited, messages, said):
            dropped[reason] += 1
            continue
        said.add(text.casefold())
        taken.append(
            Addition(
                kind=note.kind,
                text=text,
                turns=tuple(first_turn + i for i in cited),
                message_ids=tuple(messages[i].id for i in cited),
            )
        )
    return AcceptedAdditions(additions=tuple(taken), dropped=dict(dropped))


def cited_positions(cites: Iterable[str], length: int) -> list[int]:
    """The positions of the messages that are cited as `m1` ...; none where one of them is not in the span.

    Small models write more around it than they were asked for.

    >>> cited_positions(["m2", "[m1 user]: said so"], 3), cited_positions(["m1", "m9"], 3)
    ([0, 1], [])
    """
    positions: set[int] = set()
    for cite in cites:
        bare = _NUMBER.fullmatch(cite)
        found = [bare[1]] if bare else _CITED.findall(cite)
        if not found:
            return []
        positions.update(int(number) - 1 for number in found)
    return sorted(positions) if all(0 <= at < length for at in positions) else []


def _fault(text: str, cited: Sequence[int], messages: Sequence[Message], said: set[str]) -> str:
    if not text:
        return "empty"
    if len(text) > MAX_CHARS:
        return "too long"
    if not cited:
        return "without a source in the span"
    sources = "\n".join(t for i in cited for part in messages[i].parts for t in texts_of(part))
    if not all(parts_stand_in(name.text, sources) for name in names_in(text)):
        return "naming what its source does not"
    return "said before" if text.casefold() in said else ""


def statements_of(additions: Iterable[Addition]) -> Iterator[Statement]:
    """The additions as statements of a brief, each at the newest message that it rests on."""
    for at, addition in enumerate(additions):
        cited = ", ".join(f"#{turn}" for turn in addition.turns)
        yield Statement(
            kind="noted",
            text=f"{addition.kind} ({cited}; noted by a model): {addition.text}",
            turn=max(addition.turns),
            place=(1 << 20, at),
            flags=(addition.kind,),
        )


_STORED: TypeAdapter[tuple[Addition, ...]] = TypeAdapter(tuple[Addition, ...])


def additions_to_json(additions: Sequence[Addition]) -> Any:
    """As plain JSON values."""
    return _STORED.dump_python(tuple(additions), mode="json")


def additions_from_json(data: Any) -> tuple[Addition, ...]:
    """What `additions_to_json` wrote.

    Raises:
        InputError: something else.
    """
    try:
        return _STORED.validate_python(data)
    except ValidationError as error:
        raise InputError(f"the carried additions cannot be read: {error.errors()[0]['msg']}") from None
