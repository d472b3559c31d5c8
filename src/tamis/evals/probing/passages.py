"""A context as passages: its lines and sentences, each with the heading it stands under, ranked by BM25.

The ranking is SQLite's full-text index, in memory. The heading is what gives a line its meaning: a title of
Markdown, or the call that a tool result answers.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tamis.archive.words import spread
from tamis.ledger.subjects import key_words
from tamis.messages import Message, ToolCall, ToolResult, part_text

MAX_PASSAGE_CHARS = 400
MAX_HEADING_CHARS = 160

_TITLE = re.compile(r"#{1,6}\s+(\S.*)")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？;])\s+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that can be quoted, and the heading it stands under."""

    heading: str
    text: str

    @property
    def words(self) -> frozenset[str]:
        """The telling words of both."""
        return telling_words(f"{self.heading} {self.text}")


class PassageIndex:
    """The passages of a context, ready to be searched."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.passages = list(dict.fromkeys(passages_of(messages)))
        self.text = "\n".join(f"{p.heading}\n{p.text}" for p in self.passages)
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "create virtual table passages using fts5(heading, body, tokenize='porter unicode61')"
        )
        self._database.executemany(
            "insert into passages (rowid, heading, body) values (?, ?, ?)",
            ((i, spread(p.heading), spread(p.text)) for i, p in enumerate(self.passages)),
        )

    def rarity(self, word: str) -> float:
        """How much a word tells apart: the logarithm of the passages for each one that holds it.

        A word that none holds counts as the rarest.
        """
        return math.log(1 + len(self.passages) / self._holders.get(word, 1))

    @cached_property
    def _holders(self) -> Mapping[str, int]:
        """In how many passages each word stands."""
        return Counter(word for passage in self.passages for word in passage.words)

    def search(self, question: str, *, limit: int) -> list[tuple[Passage, float]]:
        """The passages that fit best, each with its rank (more is better); what is said counts double."""
        telling = key_words(question)
        words = [w for w in question.split() if key_words(w) & telling and _WORD.search(w)]
        if not words:
            return []
        phrases = {'"' + spread(" ".join(_WORD.findall(word))).strip() + '"': None for word in words}
        rows = self._database.execute(
            "select rowid, -bm25(passages, 1.0, 2.0) from passages where passages match ? order by 2 desc, 1"
            " limit ?",
            (" OR ".join(phrases), limit),
        )
        return [(self.passages[row], rank) for row, rank in rows]


def telling_words(text: str) -> frozenset[str]:
    """The words that say what a text is about, those that a path or a call joins each for itself."""
    return key_words(" ".join(_WORD.findall(text)))


def passages_of(messages: Sequence[Message]) -> Iterator[Passage]:
    """The passages of the messages, in order."""
    calls: dict[str, str] = {}
    for message in messages:
        for part in message.parts:
            heading: str = message.role
            if isinstance(part, ToolCall):
                calls[part.id] = part_text(part)
            elif isinstance(part, ToolResult):
                heading = calls.get(part.call_id, part.name or heading)
            yield from _cut(part_text(part), " ".join(heading[:MAX_HEADING_CHARS].split()))


def _cut(text: str, heading: str) -> Iterator[Passage]:
    for line in text.splitlines():
        if title := _TITLE.match(line):
            heading = title[1]
        elif _WORD.search(line):
            yield from (Passage(heading, piece) for piece in _pieces(line.strip()))


def _pieces(line: str) -> Iterator[str]:
    """The line, or where it is long, runs of its sentences, or of its words, that are not."""
    if len(line) <= MAX_PASSAGE_CHARS:
        yield line
        return
    run = ""
    for sentence in _SENTENCE_END.split(line):
        for piece in _chunks(sentence):
            if run and len(run) + len(piece) >= MAX_PASSAGE_CHARS:
                yield run
                run = piece
            else:
                run = f"{run} {piece}" if run else piece
    if run:
        yield run


def _chunks(sentence: str) -> Iterator[str]:
    """Pieces of a sentence, none longer than a passage, cut at blanks where there are any."""
    while len(sentence) > MAX_PASSAGE_CHARS:
        at = sentence.rfind(" ", 1, MAX_PASSAGE_CHARS)
        at = at if at > 0 else MAX_PASSAGE_CHARS
        yield sentence[:at]
        sentence = sentence[at:].lstrip()
    if sentence:
        yield sentence
