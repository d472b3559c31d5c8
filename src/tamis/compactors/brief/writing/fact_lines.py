"""What the user told of himself and his work in a talk, as the lines of a brief, each value as it is now."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from tamis.compactors.brief.reading.statement import Statement, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.layout import marked
from tamis.ledger.events import Entity, Fact
from tamis.ledger.speech.sentence_acts import MAX_TALK_CHARS, sentence_act
from tamis.ledger.state import Entry
from tamis.messages import Counter

SHARE = 0.4
"""The part of the room that facts may take."""

SURE = 0.6
"""So likely to bind or to tell a fact, a sentence goes before those that are less so."""


def facts_of(
    reading: StatementReader,
    counter: Counter,
    room: int,
    rules: Sequence[str],
    *,
    is_told: Callable[[Statement], bool] | None = None,
) -> tuple[str, ...]:
    """The lines of the facts that hold, oldest first; where room is short the surest and newest stand.

    Only of a talk: where an agent works, facts stand with what was done by them. The first and the newest
    request tell their own.
    """
    if not reading.reader.talks:
        return ()
    asked: dict[int, str] = defaultdict(str)
    for s in (s for s in reading.statements if s.kind == "asked"):
        asked[-1 if "retold" in s.flags else s.turn] += f"{s.text}\n"
    turns = request_turns(reading.statements)
    ends = {*turns[:1], *turns[-1:]}
    bound = "\n".join(rules)
    found: dict[str, tuple[int, int]] = {}
    told: list[Entry[Fact] | Entry[Entity]] = [*reading.state.facts, *reading.state.entities]
    for entry in told:
        text = " ".join(entry.value.text.split())
        said = asked[entry.last_turn]
        is_own = entry.last_turn not in ends and len(said) <= MAX_TALK_CHARS and entry.value.text in said
        if text and text not in bound and (is_own or text in asked[-1]):
            found[text] = entry.last_turn, entry.source.start
    left = SHARE * room
    kept: list[tuple[int, int, list[str]]] = []
    surest = sorted(found.items(), key=lambda one: (sum(sentence_act(one[0])) >= SURE, one[1]), reverse=True)
    for text, (turn, start) in surest:
        if is_told is not None and is_told(Statement(kind="asked", text=text, turn=turn, place=(0, start))):
            continue
        lines = marked(text, "> ")
        tokens = counter.count("\n".join(lines)) + 1
        if tokens <= left:
            left -= tokens
            kept.append((turn, start, lines))
    return tuple(line for *_, lines in sorted(kept) for line in lines)
