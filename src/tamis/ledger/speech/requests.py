"""Requests: what the user asked for, in the user's own words.

A message that somebody typed is taken whole. Of a long one, or one with logs and code pasted into it, only
the parts that ask are taken, each as it stands. "Yes", "go on", thanks and plain answers to a question ask
for nothing.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tamis.ledger.events import Request, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.harness import formal_start
from tamis.ledger.speech.prose import ProsePart, looks_pasted, passages, speaker
from tamis.messages import Message
from tamis.text import Sentence
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.courtesy import is_aside
from tamis.text.cues.phrases import either
from tamis.text.cues.vocabulary import STEERING, STEERING_OPENERS

MAX_WHOLE_CHARS = 1_500
"""A longer text is not quoted whole; its asking parts are."""

MAX_ASKED_CHARS = 2_500
"""The most that is quoted of one text."""

MAX_READ_CHARS = 2_000
"""How much of one sentence is read for whether it asks."""

MAX_BLOCK_CHARS = 600
"""A paragraph that is longer is taken apart, sentence by sentence, so that it is never left out whole."""

MAX_PARTS = 12
"""Pieces that are quoted of one text; more would be a copy of it."""

MAX_ASIDE_CHARS = 120
ENDING_CHARS = 300
"""Where in an assistant's message it is looked for whether it wants an answer."""

MAX_CODE_CHARS = 600
"""A block of code right behind words that end in a colon belongs to them, unless it is longer."""

PASTE_CHARS = 240
"""How much of a text that is nothing but a paste."""

MIN_LAST_CHARS = 20
"""Last words that are shorter are the end of a paste."""

OPENING_CHARS = 800
"""How much of the beginning of a long text is taken in any case: it says what the rest is for."""

_ASKS = either(asking.ASKS)
_REPORTS = either(asking.REPORTS)
_INVITES = either(asking.INVITES)
_COURTESY = either(asking.COURTESY)
_WANTS = either(r"\b(?:but|can|could|would|want|need|please|let's|now|then|add|fix|also|next)\b")
_WORDS = re.compile(r"[a-z']+|[\u4e00-\u9fff]+|\d+", re.I)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(slots=True)
class _Block:
    """A paragraph, a fenced block or a run of pasted lines."""

    start: int
    end: int
    prose: bool
    asks: bool


def extract_requests(message: Message, context: ReadContext) -> Iterable[EventDraft]:
    """What a user message asks for; usually one request, the whole text.

    >>> from tamis.messages import Message, Text
    >>> def asked(text):
    ...     message = Message(id="1", role="user", parts=(Text(text=text),))
    ...     return [draft.value.text for draft in extract_requests(message, ReadContext())]
    >>> asked("add a licence"), asked("yes, go ahead")
    (['add a licence'], [])
    """
    by = speaker(message)
    memory = context.memory.setdefault("requests", {})
    if by == "assistant" and (said := message.text.rstrip()):
        memory["asked"] = bool(_INVITES.search_lower(said[-ENDING_CHARS:].lower()))
    if by != "user":
        return
    answering = bool(memory.pop("asked", False))
    for passage in passages(message):
        original = getattr(message.parts[passage.part], "text", "")
        formal = formal_start(original)
        for start, end in _asking_ranges(passage, original, answering=answering):
            if formal is not None:
                end = min(end, formal)  # behind it a harness says how to answer
            text = passage.text[start:end]
            if not text.strip() or is_aside(text):
                continue
            yield EventDraft(
                kind="request",
                subject=request_subject(text),
                value=Request(text=text),
                source=Source(message_id=message.id, part=passage.part, start=start, end=end),
            )


def is_steering(text: str) -> bool:
    """Whether a text only says to go on, stop, or that all is well.

    >>> is_steering("Yes, please continue."), is_steering("yes, with tests")
    (True, False)
    """
    words = [word.lower() for word in _WORDS.findall(text)]
    if len(words) > 8:
        return False
    if sum(len(word) for word in words) < 2 or all(word.isdigit() for word in words):
        return True
    known = all(word in STEERING or word.isdigit() for word in words)
    return known and (len(words) <= 3 or words[0] in STEERING_OPENERS)


def _is_aside(sentence: str) -> bool:
    """Whether a sentence steers, greets or thanks, and nothing else."""
    if is_steering(sentence):
        return True
    return (
        len(sentence) <= MAX_ASIDE_CHARS and bool(_COURTESY.search(sentence)) and not _WANTS.search(sentence)
    )


def _asking_ranges(passage: ProsePart, original: str, *, answering: bool) -> Iterator[tuple[int, int]]:
    for start, end in _unbroken(passage.text, original):
        text = passage.text[start:end]
        sentences = [
            Sentence(s.start, min(s.end, end), s.kind, min(s.body, end))
            for s in passage.sentences
            if start <= s.start < end
        ]
        if all(_is_aside(passage.text[s.body : s.end]) for s in sentences):
            continue
        blocks = list(_blocks(passage.text, sentences))
        clean = all(block.prose for block in blocks)
        if clean and len(text) <= MAX_WHOLE_CHARS:
            if not answering or _asks(text) or _REPORTS.search(text):
                yield start, end
        else:
            yield from _asking_parts(list(_opening(blocks, passage.text)), passage.text)


def _unbroken(text: str, original: str) -> Iterator[tuple[int, int]]:
    """The stretches between what the harness put in, without white space around them."""
    edges, start = [], 0
    for gap in re.finditer(r"[ \t\r\n]+", text) if text != original else ():
        if text[gap.start() : gap.end()] != original[gap.start() : gap.end()]:
            edges.append((start, gap.start()))
            start = gap.end()
    edges.append((start, len(text)))
    for start, end in edges:
        piece = text[start:end]
        if piece.strip():
            yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _blocks(text: str, sentences: list[Sentence]) -> Iterator[_Block]:
    """Sentences put together to paragraphs, pasted lines and code apart from them."""
    current: _Block | None = None
    quoted = False
    for sentence in sentences:
        words = text[sentence.start : sentence.end]
        prose = sentence.kind not in ("code", "table", "markup") and not looks_pasted(words)
        asks = prose and sentence.kind != "quote" and _asks(words)
        apart = (sentence.kind == "quote") != quoted or (
            current is not None and _BLANK_LINE.search(text, current.end, sentence.start)
        )
        quoted = sentence.kind == "quote"
        full = current is not None and prose and sentence.end - current.start > MAX_BLOCK_CHARS
        full = full and not (quoted and sentence.body == sentence.start)  # there its mark would be lost
        if current is not None and current.prose == prose and not apart and not full:
            current.end, current.asks = sentence.end, current.asks or asks
            continue
        if current is not None:
            yield current
        current = _Block(sentence.start, sentence.end, prose, asks)
    if current is not None:
        yield current


@lru_cache(maxsize=1024)
def _asks(sentence: str) -> bool:
    # What goes on for longer than that without a full stop is no sentence; its end may still ask.
    ends = sentence if len(sentence) <= MAX_READ_CHARS else sentence[:MAX_READ_CHARS] + " " + sentence[-80:]
    return _ASKS.search_lower(ends.lower()) is not None


def _opening(blocks: list[_Block], text: str) -> Iterator[_Block]:
    """The blocks, those that end in a colon together with the code that they open."""
    waiting: _Block | None = None
    for block in blocks:
        if waiting is None or block.prose or block.end - block.start > MAX_CODE_CHARS:
            if waiting is not None:
                yield waiting
            opens = block.prose and text[block.start : block.end].rstrip("*_ ").endswith((":", "："))
            waiting = block if opens else None
            if not opens:
                yield block
            continue
        yield _Block(waiting.start, block.end, prose=True, asks=True)
        waiting = None
    if waiting is not None:
        yield waiting


def _asking_parts(blocks: list[_Block], text: str) -> Iterator[tuple[int, int]]:
    """The opening, what asks, and the last words; neighbours joined, within the bound."""
    prose = [block for block in blocks if block.prose]
    if not prose:
        # Nothing but a paste: its first lines stand for "look at this".
        if blocks:
            yield blocks[0].start, min(blocks[0].end, blocks[0].start + PASTE_CHARS)
        return
    opening = prose[0].start + OPENING_CHARS
    ends = [block for block in prose if block.start < opening]
    if prose[-1].end - prose[-1].start >= MIN_LAST_CHARS:
        ends.append(prose[-1])
    chosen: list[_Block] = []
    room = MAX_ASKED_CHARS
    for block in sorted(prose, key=lambda b: (b not in ends, not b.asks, b.start)):
        if len(chosen) == MAX_PARTS:
            break
        if block in ends or block.asks:
            if block.end - block.start > room and block in ends and room >= PASTE_CHARS:
                block.end = _at_word(text, block.start, block.start + room)  # a sentence without an end
            if (size := block.end - block.start) <= room:
                chosen.append(block)
                room -= size
    joined: list[_Block] = []
    for block in sorted(chosen, key=lambda block: block.start):
        if joined and not any(joined[-1].end <= between.start < block.start for between in blocks):
            joined[-1].end = block.end
        else:
            joined.append(replace(block))
    yield from ((block.start, block.end) for block in joined)


def _at_word(text: str, start: int, end: int) -> int:
    """The end, moved back so that no word is cut, if there is a blank within reach."""
    if end >= len(text) or text[end].isspace():
        return end
    blank = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return blank if blank > start else end


def request_subject(text: str) -> str:
    """The same words again are the same request."""
    words = " ".join(text.lower().split())
    return f"{words[:60]} {hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
