"""The story as a model writes it, held to the session: each line cites messages and says nothing they do not.

A line that names what stands nowhere, cites nothing in the span, repeats the prompt, or says what the ledger
knows to be otherwise is dropped and counted.
"""

import re
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from tamis.compactors.brief import one_line
from tamis.compactors.brief.reading.statement import DEEDS, Statement
from tamis.compactors.modelled.summary_sections import Grounds, check_sections
from tamis.errors import InputError
from tamis.ledger import State
from tamis.messages import Counter, Message
from tamis.text import names_in, texts_of
from tamis.text.terms import run_of, terms_of

SectionName = Literal["asked", "done", "facts", "reasons", "state", "next"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)

MAX_CHARS = 800
"""Longer is no line but a retelling."""

TOLD_SHARE = 0.6
"""A statement of the ledger's is told where the story has this share of its terms."""

_REFERENCES = re.compile(r" ?[(\[]([m#]\d{1,9}[m#\d, and–-]{0,160})[)\]]")
_ONE = re.compile(r"([m#])(\d{1,9})")
_PASSES = re.compile(
    r"\b(?:all|every) (?:\d+ )?tests? (?:now )?pass|\btests? (?:are|is) green\b", re.IGNORECASE
)
_FAILS = re.compile(r"\btests? (?:still |now )?fails?\b|\bfailing tests?\b", re.IGNORECASE)


class WrittenStory(BaseModel):
    """The story as a model answers with it: lists of lines that end with the messages they rest on."""

    model_config = ConfigDict(extra="forbid")

    asked: list[str]
    done: list[str]
    facts: list[str]
    reasons: list[str]
    state: list[str]
    next: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class StoryLine:
    """One line that was taken: `turns` are the positions in the session of the messages that it cites."""

    section: SectionName
    text: str
    turns: tuple[int, ...]

    @property
    def cited(self) -> str:
        """The line with where it comes from, as `tamis expand` takes it: of many messages first and last."""
        shown = self.turns if len(self.turns) < 3 else (self.turns[0], self.turns[-1])
        return f"{self.text} ({', '.join(f'#{turn}' for turn in shown)})"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelStory:
    """The lines that were taken, and how many were not, by reason."""

    lines: tuple[StoryLine, ...] = ()
    dropped: Mapping[str, int] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was dropped, counted."""
        if not self.dropped:
            return ()
        why = ", ".join(f"{n} {reason}" for reason, n in self.dropped.items())
        total = sum(self.dropped.values()) + len(self.lines)
        return (f"of {total} lines that the model wrote, dropped: {why}",)

    @property
    def says_next(self) -> bool:
        """Whether the model told what is next."""
        return any(line.section == "next" for line in self.lines)

    def tells(self, statement: Statement) -> bool:
        """Whether the story says what a statement of the ledger's says."""
        known = {*terms_of(" ".join(line.text for line in self.lines))}
        said = statement.text.partition(" ")[2] if statement.kind in DEEDS else statement.text
        terms = terms_of(said)
        return sum(term in known for term in terms) >= TOLD_SHARE * len(terms)

    def within(self, room_tokens: int, counter: Counter) -> tuple[list[str], int]:
        """The story as lines of a brief in so many tokens, and how many lines were left out.

        The last line of the longest section goes first: what matters most stands first, but under "asked"
        and "state", where what is newest stands last.
        """
        kept = {name: [x for x in self.lines if x.section == name] for name in SECTIONS}
        sizes = {n: counter.count_many([f"- {x.cited}\n" for x in own]) for n, own in kept.items()}
        over = sum(map(sum, sizes.values())) + 5 * sum(map(bool, kept.values())) - room_tokens
        left_out = 0
        while over > 0 and any(sizes.values()):
            longest = max(SECTIONS, key=lambda name: sum(sizes[name]))
            at = 0 if longest in ("asked", "state") else -1
            over -= sizes[longest].pop(at)
            kept[longest].pop(at)
            left_out += 1
        lines: list[str] = []
        for name, own in kept.items():
            if own:
                lines += [f"### {name.capitalize()}", *(f"- {line.cited}" for line in own)]
        return lines, left_out


def check_story(
    written: WrittenStory,
    messages: Sequence[Message],
    *,
    first_turn: int = 0,
    earlier: Sequence[StoryLine] = (),
    state: State | None = None,
    prompt: str = "",
) -> ModelStory:
    """Take what the session bears out.

    Args:
        written: what the model wrote; `m1` cites the first of the messages, `#n` a message before them.
        messages: the span that it read.
        first_turn: the position in the session of the first of them.
        earlier: the lines of the story so far.
        state: what the ledger knows to hold.
        prompt: what the model was asked with.
    """
    known = {line.text: line.turns for line in earlier}
    cited: dict[str, tuple[int, ...]] = {}
    sections: dict[str, list[str]] = {}
    dropped: Tally[str] = Tally()
    places = _Places(messages, first_turn, {turn for line in earlier for turn in line.turns})
    for name in SECTIONS:
        sections[name] = []
        for raw in getattr(written, name):
            text = one_line(_REFERENCES.sub("", raw))
            turns = known.get(text) or places.cited(raw) or places.found(text)
            if fault := _fault(name, text, turns, state):
                dropped[fault] += 1
                continue
            sections[name].append(text)
            cited[text] = turns
    grounds = Grounds(sources=messages, known="\n".join(known), prompt=prompt)
    checked = check_sections(sections, grounds)
    dropped["naming what stands nowhere"] += checked.dropped
    dropped["said before"] += checked.echoed
    lines = [
        StoryLine(section=name, text=text, turns=cited[text])
        for name in SECTIONS
        for text in checked.sections[name]
    ]
    return ModelStory(lines=tuple(lines), dropped={k: n for k, n in dropped.items() if n})


@dataclass(frozen=True, slots=True)
class _Places:
    """Where lines come from: the messages that they cite, or that hold most of what they name."""

    messages: Sequence[Message]
    first_turn: int
    earlier: set[int]

    def cited(self, line: str) -> tuple[int, ...]:
        """The positions in the session that a line cites, as far as they were read."""
        turns = set()
        for reference in _REFERENCES.finditer(line):
            for mark, number in _ONE.findall(reference[1]):
                at = int(number) - 1
                if mark == "m" and 0 <= at < len(self.messages):
                    turns.add(self.first_turn + at)
                elif mark == "#" and int(number) in self.earlier:
                    turns.add(int(number))
        return tuple(sorted(turns))

    def found(self, text: str) -> tuple[int, ...]:
        """The newest of the messages that say most of a line that cites none, if they hold what it names."""
        names, terms = {name.text for name in names_in(text)}, {*terms_of(text)}
        best, at = (0, 0), -1
        for position, message in enumerate(self.messages if names else ()):
            said = "\n".join(t for part in message.parts for t in texts_of(part))
            if held := sum(name in said for name in names):
                likeness = held, len(terms.intersection(terms_of(said)))
                best, at = (likeness, position) if likeness >= best else (best, at)
        return (self.first_turn + at,) if at >= 0 else ()


def _fault(section: SectionName, text: str, turns: Sequence[int], state: State | None) -> str:
    if not text:
        return "empty"
    if len(text) > MAX_CHARS:
        return "too long"
    if not turns:
        return "without a source in the span"
    return "saying what no longer holds" if state and _is_overtaken(section, text, turns, state) else ""


def _is_overtaken(section: SectionName, text: str, turns: Sequence[int], state: State) -> bool:
    """Whether the ledger knows better: a value that was replaced, a run since, a task that is done."""
    run = f" {run_of(text)} "

    def says(words: str) -> bool:
        return bool(said := run_of(words)) and f" {said} " in run

    replaced = [(e.value.old, e.value.new) for e in state.corrections]
    replaced += [(old.text, e.value.text) for e in state.constraints for old in e.superseded]
    if any(says(old) and not says(new) and terms_of(old) != terms_of(new) for old, new in replaced):
        return True
    if section == "next":
        return any(e.value.status in ("done", "dropped") and says(e.value.text) for e in state.tasks)
    if section != "state" or not state.tests:
        return False
    newest = max(state.tests, key=lambda e: e.last_turn)
    is_since = newest.last_turn >= max(turns)
    return is_since and bool(
        (newest.value.is_red and _PASSES.search(text) and not _FAILS.search(text))
        or (newest.value.is_green and _FAILS.search(text) and not _PASSES.search(text))
    )


_STORED: TypeAdapter[tuple[StoryLine, ...]] = TypeAdapter(tuple[StoryLine, ...])


def story_to_json(lines: Sequence[StoryLine]) -> Any:
    """As plain JSON values."""
    return _STORED.dump_python(tuple(lines), mode="json")


def story_from_json(data: Any) -> tuple[StoryLine, ...]:
    """What `story_to_json` wrote.

    Raises:
        InputError: something else.
    """
    try:
        return _STORED.validate_python(data)
    except ValidationError as error:
        raise InputError(f"the carried story cannot be read: {error.errors()[0]['msg']}") from None
