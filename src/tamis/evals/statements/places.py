"""A text as places: where a statement can stand. Words of different places do not add up.

A paragraph is one place, a list item is one (with the line that leads the list in), a row of a table is one,
and so are lines of code that follow each other. A heap is none: in a run of words with hardly a function word
or an operator among them each word stands alone, so that a list of names says the names and no more.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.evals.statements.normalization import Token, tokens
from tamis.messages import Media, Message, ToolCall
from tamis.sessions.loose import texts_within

HEAP_WORDS = 7  # a run of so many words is looked at; shorter ones are names beside each other in a sentence
HEAP_BINDING = 0.1  # with a smaller share of function words and operators among its words a run is a heap
LEAD_WORDS = 25  # of the line that leads a list in, at most so many words go with each item

_ITEM = re.compile(r"\A(?P<indent>[ \t]*)(?:[-*+•‣·●○◦▪–]|\d{1,3}[.)]|\[[ xX~]\])[ \t]+\S")
_HEADING = re.compile(r"\A(?:[ \t]{0,3}#{1,6}[ \t]|[ \t]*\*\*[^*\n]+\*\*:?[ \t]*$)")
_ROW = re.compile(r"\A[ \t]*\|.*\|[ \t]*$")
_LINE_NUMBER = re.compile(r"^[ \t]*\d{1,6}(?:[ \t]*[→│|:]|\t)[ \t]?", re.M)


WordForms = tuple[str, ...]
PlaceWords = list[WordForms]  # the words of one place, each by its forms


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchableText:
    """A text ready to be searched: its words in order, cut into places.

    `starts` is where each place begins, and where the last one ends. `at` gives for every form of a word the
    positions where it stands, `places` the places. `owner` is the number of the source (a message of the
    span, say) that each place comes from.
    """

    words: tuple[WordForms, ...]
    starts: tuple[int, ...]
    at: Mapping[str, list[int]]
    places: Mapping[str, list[int]]
    owner: tuple[int, ...]

    def source_of(self, position: int) -> int:
        """The number of the source that a word comes from."""
        return self.owner[bisect_right(self.starts, position) - 1]


def read_text(texts: Iterable[str]) -> SearchableText:
    r"""Read one source.

    >>> read = read_text(["The import stops.\n- row 544\n- row 600"])
    >>> read.starts, read.at["544"]
    ((0, 3, 5, 7), [4])
    """
    return join([cut(texts)])


def join(sources: Iterable[Sequence[PlaceWords]]) -> SearchableText:
    """Several sources, each already cut into places, as one text."""
    words: list[WordForms] = []
    starts = [0]
    owner: list[int] = []
    at: dict[str, list[int]] = {}
    places: dict[str, list[int]] = {}
    for number, cut_source in enumerate(sources):
        for place in cut_source:
            for forms in place:
                for form in forms:
                    positions = at.get(form)
                    if positions is None:
                        at[form], places[form] = [len(words)], [len(owner)]
                        continue
                    positions.append(len(words))
                    if places[form][-1] != len(owner):
                        places[form].append(len(owner))
                words.append(forms)
            starts.append(len(words))
            owner.append(number)
    return SearchableText(words=tuple(words), starts=tuple(starts), at=at, places=places, owner=tuple(owner))


def cut(texts: Iterable[str]) -> list[PlaceWords]:
    """The places of texts, in order."""
    runs = (run for text in texts for run in _runs(text) if run)
    return [[word.forms for word in piece] for run in runs for piece in _unheaped(run)]


def texts_said(message: Message) -> Iterator[str]:
    """The texts of a message as a reader sees them: of a call its name and each value that is text."""
    for part in message.parts:
        if isinstance(part, Media):
            continue
        if not isinstance(part, ToolCall):
            yield part.text
        elif part.raw_arguments is not None:
            yield f"{part.name} {part.raw_arguments}"
        else:
            given = part.arguments.items()
            short = (f"{k}={v}" for k, v in given if not isinstance(v, str) or len(v) < 200)
            yield f"{part.name} {' '.join(short)}"
            yield from (value for value in texts_within(part.arguments) if len(value) >= 200)


def _runs(text: str) -> Iterator[list[Token]]:
    """Runs of lines that say something together; some are empty."""
    if "\n" not in text and text.count("\\n") > 3:  # the arguments of a call as JSON
        text = text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    run: list[Token] = []
    lead: list[Token] = []
    in_item = False
    for line in _LINE_NUMBER.sub("", text).split("\n"):
        words = tokens(line)
        if not words or not any(word.forms for word in words):
            if not line.strip():
                yield run
                run, in_item = [], False
            continue
        if _HEADING.match(line):
            yield run
            yield words
            run, lead, in_item = [], words[:LEAD_WORDS], False
        elif _ITEM.match(line):
            yield run
            run, in_item = [*lead, *words], True
        elif _ROW.match(line) or len(line.split()) == 1:  # a name on a line of its own is beside nothing
            yield run
            yield words
            run, in_item = [], False
        else:
            if in_item and not line[:1].isspace():
                yield run
                run, in_item = [], False
            run.extend(words)
            if not in_item:
                lead = words[:LEAD_WORDS] if line.rstrip().endswith((":", "：", ":**")) else []
    yield run


def _unheaped(words: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The words in one piece, or one by one where they are a heap; a stretch of a run can be one."""
    if len(words) < HEAP_WORDS:
        yield words
        return
    start = i = 0
    binding = sum(word.binds for word in words[:HEAP_WORDS])
    while i + HEAP_WORDS <= len(words):
        if binding < HEAP_BINDING * HEAP_WORDS:
            end = i + HEAP_WORDS
            while end < len(words) and not words[end].binds:
                end += 1
            if i > start:
                yield words[start:i]
            yield from (words[k : k + 1] for k in range(i, end))
            start = i = end
            binding = sum(word.binds for word in words[i : i + HEAP_WORDS])
        else:
            if i + HEAP_WORDS < len(words):
                binding += words[i + HEAP_WORDS].binds - words[i].binds
            i += 1
    if start < len(words):
        yield words[start:]
