"""What the user asked, as items: sentence by sentence, in the user's words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from tamis.compactors.completeness import asks_alone
from tamis.compactors.ledger.items import MAX_LINE_CHARS, Item, faded
from tamis.ledger.events import Request
from tamis.ledger.sentences import Sentence, split_sentences
from tamis.ledger.state import Entry, State

NEWEST_REQUESTS = 3
LEADING = 2
"""The leading sentences of the first and the newest requests are required."""

USUAL_WORDS, MOST_WORDS = 8, 32
"""A sentence of so many words is worth as much as one is; more say more, up to the most."""

ANSWERED = 0.3
"""What a question of the user's is worth beside what the user told: most were answered since."""

MAX_SENTENCES = 60
"""Of one request; what was pasted below them is in the archive."""


def requested(state: State) -> Iterator[Item]:
    """Requests sentence by sentence; of the first and the newest the leading ones are required.

    A sentence that stands among the rules is not said again, and one that was a rule and was replaced is not
    said at all.
    """
    gone = {rule.text.strip() for entry in state.constraints for rule in entry.superseded}
    gone |= {entry.value.old for entry in state.corrections}
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
        if sentence.kind in ("prose", "item", "quote"):
            worth *= _share_said(words)
        yield Item(
            section="asked",
            text=words,
            order=(entry.first_turn, start),
            worth=faded(worth, entry, state) if rank > 1 else worth,
            required=required if rank < NEWEST_REQUESTS else 0,
            turns=(entry.last_turn,),
            quote=True,
        )


def _share_said(sentence: str) -> float:
    """How much a sentence says, so that what is chosen by worth for tokens are not the shortest.

    >>> _share_said("Is it done?") < _share_said("Book the room for Ann.") < _share_said("Book it. " * 8)
    True
    """
    words = len(sentence.split()) + sum(char >= "\u3400" for char in sentence) / 2
    asks = ANSWERED if sentence.rstrip().endswith(("?", "？")) else 1.0
    return asks * min(words, MOST_WORDS) / USUAL_WORDS


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
