"""A context as passages: its lines and sentences, each with the heading it stands under, ranked by BM25.

The heading is what gives a line its meaning: a title of Markdown, the call that a tool result answers, the
beginning of the call that a line is an argument of.

The index is made here and not by SQLite's full-text search: a context is asked some twenty questions and then
thrown away, and setting up a database costs more than answering them.
"""

import heapq
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from tamis.archive.search_terms import UNSPACED
from tamis.messages import Message, ToolCall, ToolResult, part_text
from tamis.text.key_words import key_words

_CHUNK = re.compile(r"(?:[\w$]|(?<![./:@'’\\-])@)(?:[./:@'’\\-]*+\w)*+")
_PIECE = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)|(?P<number>\d+(?:\.\d+)*)"
    rf"|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z{UNSPACED}]+"
)
_APOSTROPHE = re.compile(r"['’]")


def terms_in(text: str) -> list[str]:
    """The terms of a text, each as often as it stands there: names in pieces, unspaced scripts in pairs.

    `loadTable`, `load_table` and `load table` share their pieces, and each also stands for itself. Words that
    say nothing are left out, the others taken without their ending.

    >>> terms_in("The loadRow of src/io.py, 端口号")
    ['loadrow', 'load', 'row', 'io.py', 'src', 'io', 'py', '端口', '口号']
    """
    return [term for chunk in _CHUNK.findall(text) for term in _terms(chunk)]


@lru_cache(maxsize=1 << 17)
def _terms(chunk: str) -> tuple[str, ...]:
    """The terms of one run of word characters; looked up again and again, so worked out once."""
    if _APOSTROPHE.search(chunk):
        return tuple(sorted(key_words(chunk)))
    pieces = list(_PIECE.finditer(chunk))
    found: list[str] = []
    if len(pieces) > 1 and chunk.isascii():
        name = re.split(r"[/\\:]", chunk)[-1].lower()
        if not name.isdigit() and len(name) > 1:
            found.append(name)
    for piece in pieces:
        if run := piece["unspaced"]:  # pairs of neighbours: what words of such scripts are mostly made of
            found += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
        elif piece["number"]:
            found.append(piece["number"])
        else:
            found.extend(sorted(key_words(piece.group())))
    return tuple(dict.fromkeys(found))


MAX_PASSAGE_CHARS = 400
MAX_HEADING_CHARS = 160
BODY_WEIGHT = 2  # what is said counts double; the heading is only what it stands under
K1, B = 1.2, 0.75
"""BM25 with the usual constants (Robertson and Zaragoza, 2009): how soon more of a word adds nothing, and how
much a long passage is held back."""

_TITLE = re.compile(r"#{1,6}\s+(\S.*)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that can be quoted, the heading it stands under, and the weighed terms of both."""

    heading: str
    text: str
    terms: Mapping[str, int] = field(compare=False, repr=False)


class PassageIndex:
    """The passages of a context, ready to be searched."""

    def __init__(self, messages: Sequence[Message]) -> None:
        of_heading: dict[str, dict[str, int]] = {}
        self.passages: list[Passage] = []
        for heading, text in dict.fromkeys(passages_of(messages)):
            if heading not in of_heading:
                of_heading[heading] = dict(Counter(terms_in(heading)))
            terms = of_heading[heading].copy()
            for term in terms_in(text):
                terms[term] = terms.get(term, 0) + BODY_WEIGHT
            self.passages.append(Passage(heading, text, terms))
        self._lengths = [sum(passage.terms.values()) for passage in self.passages]
        self._mean_length = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0
        self._rarities: dict[str, float] = {}

    @cached_property
    def text(self) -> str:
        """All that is said, headings included."""
        return "\n".join(f"{passage.heading}\n{passage.text}" for passage in self.passages)

    def rarity(self, term: str) -> float:
        """How much a term tells apart: the logarithm of the passages for each one that holds it.

        A term that none holds counts as the rarest.
        """
        if term not in self._rarities:
            holders = sum(term in passage.terms for passage in self.passages)
            self._rarities[term] = math.log(1 + len(self.passages) / max(1, holders))
        return self._rarities[term]

    def search(self, question: str, *, limit: int) -> list[tuple[Passage, float]]:
        """The passages that fit best, each with its rank (more is better)."""
        rarities = {term: self.rarity(term) for term in terms_in(question)}
        ranks: dict[int, float] = {}
        for number, passage in enumerate(self.passages):
            if held := rarities.keys() & passage.terms.keys():
                slowed = K1 * (1 - B + B * self._lengths[number] / self._mean_length)
                ranks[number] = sum(
                    rarities[t] * passage.terms[t] * (K1 + 1) / (passage.terms[t] + slowed)
                    for t in sorted(held)
                )
        best = heapq.nsmallest(limit, ranks, key=lambda number: (-ranks[number], number))
        return [(self.passages[number], ranks[number]) for number in best]


def passages_of(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """The passages of the messages, in order: heading and text."""
    calls: dict[str, str] = {}
    for message in messages:
        for part in message.parts:
            heading: str = message.role
            text = part_text(part)
            if isinstance(part, ToolCall):
                text = call_lines(part)
                heading = calls[part.id] = text.partition("\n")[0]
            elif isinstance(part, ToolResult):
                heading = calls.get(part.call_id, part.name or heading)
            yield from _cut(text, " ".join(heading[:MAX_HEADING_CHARS].split()))


def call_lines(call: ToolCall) -> str:
    r"""A call as it reads: its name and its short arguments on one line, then the long ones as they are.

    >>> call_lines(ToolCall(id="1", name="Write", arguments={"path": "a.py", "content": "x = 1\ny = 2"}))
    'Write {"path": "a.py"}\ncontent:\nx = 1\ny = 2'
    """
    if call.raw_arguments is not None:
        return f"{call.name} {call.raw_arguments}"
    long = {k: v for k, v in call.arguments.items() if isinstance(v, str) and "\n" in v.strip()}
    short = {k: v for k, v in call.arguments.items() if k not in long}
    first = f"{call.name} {json.dumps(short, ensure_ascii=False, default=str)}"
    return "\n".join([first, *(f"{name}:\n{value}" for name, value in long.items())])


def _cut(text: str, heading: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if title := _TITLE.match(line):
            heading = title[1]
        elif _WORD.search(line):
            yield from ((heading, piece) for piece in _pieces(line.strip()))


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
