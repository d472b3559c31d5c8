"""What was said, as statements: the user's messages, and the sentences of the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.agent_text import parts_of, shown_statements
from tamis.compactors.brief.reading.pieces import TextPiece, lists_together, pasted_together, pieces_of
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.ledger.speech.harness import formal_start
from tamis.ledger.speech.prose import looks_pasted, passages, sentences_of, speaker, without_harness
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.courtesy import is_courtesy, is_small_talk, leaves_open
from tamis.text.cues.discourse_cues import (
    closes_talk,
    flags_of,
    is_data,
    is_frame,
    is_pleasantry,
    opens,
    tells_trouble,
    wants,
)
from tamis.text.sentences import Sentence, split_sentences

WHOLE_CHARS = 700
"""A message of the user's that is no longer is one statement; a longer one is told by its sentences."""

AUTHORED_CHARS = 3_500
AUTHORED_SENTENCES = 6
"""Of a long message of one of several agents, so many sentences are taken for its own words."""

BIT_CHARS, MOST_BITS = 240, 20
_BIT = re.compile(rf"(?s).{{1,{BIT_CHARS}}}(?:\s|\Z)|.{{{BIT_CHARS}}}")
PASTE_LINES = 4
LONG_SENTENCES = 12
"""Of a message of more sentences, what asks for nothing is detail."""

TROUBLE_LINES = 3
TROUBLE_CHARS = 300
"""A paste of more lines is told by the first few that tell of trouble."""


def user_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What the user said: a short message whole, a long one by its sentences."""
    if speaker(message) != "user":
        return
    for index, part in enumerate(message.parts):
        if not isinstance(part, Text):
            continue
        text = without_harness(part.text)
        words = text.strip()
        if not words:
            continue
        if len(words) <= WHOLE_CHARS:
            flags = ("whole", "answer") if closes_talk(words) else ("whole",)
            yield Statement(kind="asked", text=_tidy(words), turn=turn, place=(index, 0), flags=flags)
            continue
        formal = formal_start(part.text)
        yield from _asked(text, turn, index, len(text) if formal is None else formal)


def sentences_of_request(request: Statement) -> Iterator[Statement]:
    """A request that was one statement, by its sentences."""
    yield from _asked(request.text, request.turn, request.place[0], len(request.text))


def _asked(text: str, turn: int, index: int, formal: int) -> Iterator[Statement]:
    """The user's words from a long message; behind `formal` they are a harness's instructions."""
    cut = pieces_of(text, sentences_of(text))
    pieces = list(pasted_together(bit for piece in cut for bit in _in_bits(piece)))
    is_long = sum(piece.start < formal for piece in pieces) > LONG_SENTENCES
    telling = (n for n, p in enumerate(pieces) if p.start < formal and not is_pleasantry(p.text))
    final = max(telling, default=-1)
    for number, piece in enumerate(pieces):
        start = piece.start
        flags = [*piece.flags]
        if "code" in flags and piece.text.count("\n") >= PASTE_LINES:
            yield from _trouble_in(piece, turn, index)
            flags.append("paste")
        if start >= formal or is_frame(piece.text) or _keeps_pleasant(piece.text):
            flags.append("boilerplate")
        if opens(piece.text):
            flags.append("opens")
        if leaves_open(piece.text):
            flags.append("vague")
        if wants(piece.text):
            flags.append("wants")
        if start == 0 or not text[:start].strip():
            flags.append("first")
        elif (
            is_long
            and "wants" not in flags
            and not piece.text.endswith("?")
            and not {"code", "heading", "opens"} & set(flags)
        ):
            flags.append("detail")
        if number >= final:
            flags.append("final")
        yield piece.statement("asked", turn, index, flags, key=str(number))


def _in_bits(piece: TextPiece) -> Iterator[TextPiece]:
    """A sentence that does not end, in bits: where there is no room for all of it, some of it is told."""
    if len(piece.text) <= WHOLE_CHARS or "code" in piece.flags:
        yield piece
        return
    bits = _BIT.findall(piece.text)
    if is_data(piece.text) or looks_pasted(piece.text):
        bits = [*bits[:1], ""]  # of a paste its beginning says what it is
    for number, bit in enumerate(bits):
        if bit and (number < MOST_BITS or number == len(bits) - 1):
            leads = piece.leads if number == 0 else []
            ends = number == len(bits) - 1
            yield TextPiece(
                bit.strip() + ("" if ends else " …"), piece.start + number * BIT_CHARS, piece.flags, leads
            )


def _keeps_pleasant(sentence: str) -> bool:
    return is_pleasantry(sentence) or is_small_talk(sentence)


def _trouble_in(paste: TextPiece, turn: int, part: int) -> Iterator[Statement]:
    """Of a long paste, the lines that tell what went wrong."""
    lines = [line for line in paste.text.splitlines() if tells_trouble(line)]
    if lines:
        text = "\n".join(line[:TROUBLE_CHARS] for line in lines[:TROUBLE_LINES])
        yield Statement(kind="asked", text=text, turn=turn, place=(part, paste.start), flags=("trouble",))


def summary_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What an earlier summary says that somebody else wrote: all that is left of what it replaced."""
    if message.origin != "summary":
        return
    for index, part in enumerate(message.parts):
        if isinstance(part, Text):
            for piece in lists_together(pieces_of(part.text, split_sentences(part.text))):
                yield piece.statement("reported", turn, index, [*piece.flags, *flags_of(piece.text)])


def agent_statements(message: Message, turn: int) -> Iterator[Statement]:
    """What the agent said in a message, sentence by sentence; its reasoning too, where it says more."""
    if speaker(message) != "assistant":
        return
    seen: set[str] = set()
    author = message.author or ""
    for passage in passages(message):
        own = parts_of(passage.text).own
        sentences = passage.sentences if own == passage.text.strip() else split_sentences(own)
        text = passage.text if sentences is passage.sentences else own
        if author and len(text) > AUTHORED_CHARS:
            sentences = sentences[:AUTHORED_SENTENCES]  # the rest is what it was shown
        yield from _told(text, sentences, turn, passage.part, seen, author=author)
    yield from shown_statements(message, turn)
    for index, part in enumerate(message.parts):
        if isinstance(part, Thinking) and part.text.strip():
            own = parts_of(part.text).own
            yield from _told(own, split_sentences(own), turn, index, seen, kind="thought", author=author)


def _told(
    text: str,
    sentences: Sequence[Sentence],
    turn: int,
    part: int,
    seen: set[str],
    *,
    kind: StatementKind | None = None,
    author: str = "",
) -> Iterator[Statement]:
    for number, piece in enumerate(lists_together(pieces_of(text, sentences))):
        if is_data(piece.text) and "code" not in piece.flags:
            continue
        key = " ".join(piece.text.lower().split())
        if key in seen:
            continue
        seen.add(key)
        flags = [*piece.flags, *flags_of(piece.text)]
        if is_courtesy(piece.text):
            flags.append("courtesy")
        if author:
            flags.append("authored")
        own: StatementKind = "found" if {"cause", "choice"} & set(flags) else "said"
        yield piece.statement(kind or own, turn, part, flags, key=str(number), author=author)


def _tidy(text: str) -> str:
    return re.sub(r"\n\s*\n+", "\n", text.strip())
