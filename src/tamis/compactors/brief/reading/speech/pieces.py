"""Cutting a message into pieces that can be said by themselves.

A sentence is taken whole. What it leans on goes with it: the heading over a list, the line that ends in a
colon, the sentence that a pronoun goes back to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.ledger.speech.prose import looks_pasted
from tamis.text.cues.discourse_cues import is_announcement, is_frame, is_label, leans, opens, without_praise
from tamis.text.cues.printed_lines import is_code
from tamis.text.sentences import Sentence

LIST_CHARS = 480
"""A list that is no longer, with the line that opens it, is said whole or not at all."""

ITEM_CHARS = 240
"""The sentences of an item that is no longer are said together."""

MAX_SENTENCE_CHARS = 700
MAX_CODE_CHARS = 900

_BOLD_LINE = re.compile(r"\*\*[^*\n]{2,90}\*\*:?(?: \([^()\n]{1,40}\):?)?\s*$")
_LABELLED = re.compile(r"\*\*[^*\n]{1,40}\*\*:? ?\S")
"""Says which file a part is about, or when: the part's heading is over what follows, too."""
_OF_OFFERS = frozenset({"option", "approach", "choice", "description", "details"})
"""The head of a table that says nothing of what stands in it."""

_OF_IT = re.compile(
    r"(?:\w{1,12} ){1,2}(?:it|them)\b|no (?:\w{1,30} ){0,2}(?:risk|impact|change|need|effect)s?\b"
    r"|[^,.;:\n]{1,60}\bthe others?\b(?! (?:end|hand|side|way)\b)"
    r"|(?:not )?worth (?:an?|\w{3,12}ing)\b(?!.{0,80}:)"
    r"|with [^,.;\n]{1,60}, (?:this|that|these|those)\b"
    r"|[^,.;:\n]{1,60} (?:also \w{1,20}(?: \w{1,20}){0,2}|too|as well)[.!]\Z"
    r"|[^,.;:\n]{0,60}\b(?:but|still) the same (?:class|kind|sort)\b|\w{2,12} the \w{4,20} only (?:if|when)\b"
    r"|[^,.;:\n]{1,60}\b(?:either|regardless)\b(?! of\b|.{0,120}\bor\b)"
    r"|[^,.;:\n]{1,60} (?:by|in|of|while|when) \w{2,20}ing (?:this|that|it)\b[^.;:\n]{0,40}:\Z"
    r"|let['’]?s \w{2,12} (?:it|them|these|this|those)\b[^.;\n]{0,40}:\Z",
    re.IGNORECASE,
)
"""Begins what is said of something that was named before, or says that another thing goes like it."""

ABOUT_IT = re.compile(
    r"(?:i|there|we|you)\b[^,.;:`\n]{1,60}\b(?:about|for|from|in|of|on|to|with) (?:it|them)\b"
    r"|(?:all|any|each|most|none|some|only \w{1,9}) of (?:them|these|those)\b"
    r"|[^,.;:\n]{1,60} (?:all|both|each)(?: of)? (?:these|those|them)\b",
    re.IGNORECASE,
)
"""Begins what says of nothing but `it` what was, or will be, done."""

_ALSO = re.compile(r" (?:as well|too)\?\Z")
_OTHERWISE = re.compile(r" (?:differently|likewise|similarly)[.!]\Z")
"""Ends what is compared with what was said right before."""

_GOES_ON = re.compile(
    r"\A(?:(?:concretely|specifically|in other words|as a result|consequently|in th(?:is|at) case)\b"
    r"|(?:it|they)\b|(?:this|that|these|those)(?:['’](?:s|re|ll|d)| (?:also |only |still |now )?"
    r"(?:is|are|was|were|has|have|had|does|do|did|means?|makes?|works?))\b"
    r"|(?:.{1,80} (?:this|these|those) \w|(?:is|are|does|do|will|would) (?:it|they)\b).{0,120}\?\Z"
    r"|.{1,80} (?:exactly|precisely|just) (?:these|those) \w|the [\w-]{2,30} is also (?:what|why|how)\b"
    r"|(?:what|which|why|how|where|when)\b[^.:?\n]{0,40} (?:it|they|this|that)\b[^.:?\n]{0,30}: )",
    re.IGNORECASE,
)
"""Spells out, asks about or says more of what was said right before, be it in the paragraph before."""

_HALF = re.compile(r"\b(?:that|states?|says?|reads?|is|are|to|like)\s?\Z")
"""Ends a line in the midst of a sentence."""

ANSWERS = re.compile(r"(?:actually|no|yes|yeah|well|not really|probably not)(?:[,.]| [–—-])\s", re.I)
"""Begins what the agent says to a question of its own."""

_GUESSES = re.compile(
    r"(?:maybe|perhaps|possibly|it(?:['’]s| is) possible|one possibility"
    r"|(?:on the other hand|however|but|conversely|by contrast),? (?:if|when))\b",
    re.IGNORECASE,
)
"""Begins what is only thought of, or one case, and what is said of it in the sentence behind."""

_JOINS = re.compile(r"\W{0,3}\w{1,12}\W{0,3}")
"""One word between two pieces of code."""

_STEPS = re.compile(r"\b(?:steps|in (?:this|that|the following) order|sequence|procedure)\b", re.IGNORECASE)
"""Stands over items of which none means anything without those before it."""

_NUMBERED = re.compile(
    r"(?:#?\d{1,3}[.):]? |(?:option|approach|alternative|scenario|variant|phase|part|case|bug|issue|finding"
    r"|problem|task)s? #?(?:\d{1,2}|[A-F])\b)",
    re.IGNORECASE,
)
"""Begins the heading of one of several parts side by side: what is said of one is not said of the others."""

_OF_LIST = re.compile(
    r"(?:this|these) (?:[a-z]+ly |also |all )?(?:is|are|will|would|can|should|means?|makes?|gives?)\b", re.I
)
"""Begins what is said of the list right above."""

_PLACE = re.compile(r"(?:location|file|path|source|module|defined in|found in)s?: `?[^\s`]{3,200}`?\Z", re.I)
_OF_LINES = re.compile(r"(?i)\blines? \d")
_PATH = re.compile(r"\w{2}\.[a-z]{1,4}\b|`[^`\s/]{0,60}/[^`\s]{1,200}`")
"""Of a report: says which file it goes on about, and the lines of a file that is not named with them."""

_GIVES = re.compile(r"[A-Z][\w /-]{1,24}: \S{1,120}\Z")
"""A line that gives one thing: `Branch: main`."""

_BLANKS = re.compile(r"(`[^`\n]{1,300}`|\"[^\"\n]{1,300}\")|\s+")
"""Blanks, but for those of quoted code, where their number may matter."""

_DOTS = re.compile(r"\n[ \t]{1,60}\.\.\.[ \t]{0,9}(?=\n|\Z)")  # for code that is left out
_FENCE = re.compile(r"\A\s*(?:`{3,}|~{3,})")
_BOLD = re.compile(r"(`[^`\n]{1,300}`)|(?<![/*])\*\*(?![/*])")
"""The mark of bold words, outside code; `src/**` is a pattern of paths."""


@dataclass(eq=False)
class TextPiece:
    """A part of a text, where it starts, and what it leans on; `whole` is the list that it was taken into.

    `depth` is how far an item is set in, and whether it has a number; `margin` the blanks before a line. An
    item is `further` where others of its list stand before it.
    """

    text: str
    start: int
    flags: tuple[str, ...]
    leads: list[TextPiece]
    made: Statement | None = None
    whole: TextPiece | None = None
    depth: tuple[int, bool] | None = None
    margin: str = ""
    further: bool = False

    @property
    def level(self) -> int:
        """Under how many items an item stands."""
        over = self.leads[0] if self.leads else self
        return 1 + over.level if self.depth and over.depth and _is_within(self.depth, over.depth) else 0

    @property
    def of_item(self) -> tuple[int, bool] | None:
        """How far the item is set in that a piece is, or that it stands in."""
        in_it = self.depth is None and "item" in self.flags and self.leads
        return self.leads[0].of_item if in_it else self.depth

    def statement(
        self, kind: StatementKind, turn: int, part: int, flags: list[str], *, key: str = "", author: str = ""
    ) -> Statement:
        """The piece as a statement, with the statements of what it leans on."""
        self.made = Statement(
            kind=kind,
            text=f"{author}: {self.text}" if author else self.text,
            key=key,
            turn=turn,
            place=(part, self.start),
            leads=tuple(
                dict.fromkeys(made for lead in self.leads if (made := (lead.whole or lead).made) is not None)
            ),
            flags=(*flags, *("further",) * self.further),
        )
        return self.made


def pieces_of(text: str, sentences: Sequence[Sentence], *, items_whole: bool = True) -> Iterator[TextPiece]:
    """Sentences, list items, table rows and short code, each with what it leans on.

    With `items_whole`, the sentences of a short item are one piece: a piece grows till the next comes.
    """
    cutting = _Cutting(text, items_whole=items_whole)
    for sentence in sentences:
        if sentence.kind != "markup":
            yield from cutting.pieces(sentence)


class _Cutting:
    """Goes through the sentences of a text in their order and keeps what the next may lean on."""

    def __init__(self, text: str, *, items_whole: bool) -> None:
        self._text, self._items_whole = text, items_whole
        self._title: TextPiece | None = None  # the heading that is marked as one
        self._titles: list[tuple[int, TextPiece]] = []  # it and those over it, each with its level
        self._heading: TextPiece | None = None  # the newest of them, or a bold line
        self._opening: TextPiece | None = None  # the line that ends in a colon
        self._before: TextPiece | None = None
        self._above: TextPiece | None = None  # the item above
        self._head: TextPiece | None = None  # of a table
        self._code: TextPiece | None = None
        self._level = self._level_of_place = 0  # of the title, and of that over the place
        self._place: TextPiece | None = None  # the line that says which file is spoken of
        self._labels = False  # whether each piece since the heading begins with a label

    def pieces(self, sentence: Sentence) -> Iterator[TextPiece]:
        """The pieces of the next sentence."""
        words = self._text[sentence.start : sentence.end]
        dots = _DOTS.match(self._text, sentence.end) if is_code(words) else None
        words += dots[0] if dots else ""
        if sentence.kind == "table":
            yield from self._table(words, sentence.start)
            return
        self._head = None
        if sentence.kind == "code":
            lead = self._before or self._opening or self._heading
            self._code = TextPiece(_unfenced(words), sentence.start, ("code",), [lead] if lead else [])
            self._code.margin = "" if _FENCE.match(words) else self._margin(sentence.start)
            self._before = None
            yield self._code
            return
        if len(words) > MAX_SENTENCE_CHARS and looks_pasted(words[:200]):
            return
        body = words[sentence.body - sentence.start :]
        goes_on = opens(body) or body.endswith(")") or self._text[sentence.end : sentence.end + 1] == " "
        listed = sentence.kind == "item" and goes_on
        if sentence.kind == "heading" or (_BOLD_LINE.fullmatch(body.strip()) and not listed):
            yield from self._over(sentence, body.strip())
        else:
            yield from self._said(sentence, body)

    def _margin(self, start: int) -> str:
        """The blanks before a line; empty in the midst of one."""
        margin = self._text[self._text.rfind("\n", 0, start) + 1 : start]
        return "" if margin.strip() else margin

    def _table(self, table: str, start: int) -> Iterator[TextPiece]:
        """The rows of a table, without a head that says nothing."""
        for row in _rows(table, start, self._opening or self._heading, self._head):
            self._head = self._head or row
            words = re.findall(r"\w+", row.text.lower())
            if row is not self._head or not _OF_OFFERS.issuperset(words):
                yield row
        self._before = None

    def _over(self, sentence: Sentence, line: str) -> Iterator[TextPiece]:
        """A heading, or a bold line in the place of one; a mere label is over nothing."""
        before, code = self._before, self._code
        self._opening = self._before = self._above = self._heading = self._code = None
        mark = self._text[sentence.start : sentence.body]
        number, level = re.match(r"\d{1,3}[.)] ", mark), mark.count("#")
        if level:
            self._titles = [title for title in self._titles if title[0] < level]
        if is_label(line):
            return
        words = (number[0] if number else "") + _BOLD.sub(r"\1", line)
        goes_on = opens(words) or ANSWERS.match(words) is not None
        over = [self._title] if self._title and not level and goes_on else []
        shown = code.leads[:1] if code else []  # what stands over the code right above
        over = shown if over and any(_OF_LINES.search(o.text) for o in shown) else over
        over = [before] if before and not level and _GOES_ON.match(words) else over
        if 0 < level <= self._level_of_place or _NUMBERED.match(words):
            self._place = None
        over = [*over, *([self._place] if self._place and level else self._places(words))]
        if (
            self._items_whole and level and _NUMBERED.match(words)
        ):  # one of several says nothing without what they are of
            above = [title for _, title in self._titles]
            over += above[-1:] if above and " " in above[-1].text else above[-2:]
        self._heading = TextPiece(words, sentence.start, ("heading",), over)
        if level:
            self._title, self._level = self._heading, level
            self._titles.append((level, self._heading))
        if _PLACE.match(words):
            self._place, self._level_of_place = self._heading, self._level
        yield self._heading

    def _said(self, sentence: Sentence, body: str) -> Iterator[TextPiece]:
        """A sentence or an item; none where the item before grows by it."""
        if sentence.kind in ("item", "quote"):
            piece = self._item(sentence, body)
        else:
            piece = TextPiece(body, sentence.start, ("prose",), self._leads_of_prose(sentence, body))
        piece.text = without_praise(_BLANKS.sub(lambda m: m[1] or " ", _BOLD.sub(r"\1", piece.text).strip()))
        piece.margin = self._margin(sentence.start)
        before = self._before
        goes_on = self._items_whole and "item" in piece.flags and piece.depth is None and not opens(body)
        if goes_on and before and before.depth and len(before.text) + len(piece.text) < ITEM_CHARS:
            # What an item comes to often stands in its last sentence.
            before.text += f" {piece.text.removeprefix('> ')}"
            return
        piece.leads = [*piece.leads, *(p for p in self._places(piece.text) if p not in piece.leads)]
        if _PLACE.match(piece.text):
            self._place, self._level_of_place = piece, self._level
        if piece.depth and body.endswith("**") and self._text.startswith("**", sentence.start):
            self._heading = piece
        labelled = _LABELLED.match(self._text[sentence.start : sentence.end]) is not None
        self._labels = (before is None or self._labels) and labelled
        if opens(body):
            self._opening = piece
        self._above = piece if piece.depth or (self._above and "item" in piece.flags) else None
        self._before = piece
        yield piece

    def _places(self, words: str) -> list[TextPiece]:
        """The line that says of which file the lines are that are named."""
        return [self._place] if self._place and _OF_LINES.search(words) and not _PATH.search(words) else []

    def _item(self, sentence: Sentence, body: str) -> TextPiece:
        """An item, a further sentence of one, or a line of somebody else's words."""
        mark = self._text[sentence.start : sentence.body].strip()
        if mark[:2] == "**" and self._heading and self._heading.depth:
            self._heading = next(iter(self._heading.leads), None)
        mark = mark.removeprefix("**")
        box = f" {mark[-3:]}" if mark[-1:] == "]" else ""
        sign = mark if mark[:1].isdigit() else ("+" if mark[:1] == "+" else "-") + box  # of a diff, added
        depth: tuple[int, bool] | None = None
        further = False
        if mark:
            indent = sentence.start - self._text.rfind("\n", 0, sentence.start) - 1
            depth = (indent, mark[:1].isdigit())
            above = self._above.depth if self._above else None
            behind = above is not None and not _is_within(depth, above)
            further = behind or (depth[1] and mark[:2] not in ("1.", "1)"))
            self._open_item(depth)
        leads = [p for p in (self._opening or self._heading,) if p]
        before = self._before
        if not mark and before is not None:
            leads = [before]
        elif before is not None and before.depth == depth:
            alike = before.text.split()[1:2] == body.split()[:1]  # so they stand side by side
            leads += [before] * (self._in_order(depth) or (leans(body) and not alike))
        if sentence.kind == "quote":
            return TextPiece(f"> {body}", sentence.start, ("item", "quoted"), leads, depth=depth)
        text = f"{sign} {body}" if mark else body
        return TextPiece(text, sentence.start, ("item",), leads, depth=depth, further=further)

    def _in_order(self, depth: tuple[int, bool] | None) -> bool:
        """Whether an item is a step of those that are to be taken in order."""
        over = self._opening or self._heading
        is_numbered = depth is not None and depth[1]
        return is_numbered and over is not None and _STEPS.search(over.text) is not None

    def _open_item(self, depth: tuple[int, bool]) -> None:
        """Find what opens an item that is set in so far: the item above, or what opened that."""
        if self._above is not None and self._above.depth and _is_within(depth, self._above.depth):
            self._opening = self._above
        while (opening := self._opening) and (over := opening.of_item) and not _is_within(depth, over):
            self._opening = next((p for p in opening.leads if "heading" not in p.flags), None)

    def _leads_of_prose(self, sentence: Sentence, body: str) -> list[TextPiece]:
        """What a sentence leans on: the code or the sentence before, or the heading."""
        body, before, opening = _BOLD.sub(r"\1", body), self._before, self._opening
        end = before.start + len(before.text) if before else 0
        gap = before is not None and self._text.count("\n", end, sentence.start) > 1
        if gap or sentence.kind == "prose":
            self._opening = None
        if before is not None and _GIVES.fullmatch(body) and "prose" in before.flags:
            return [before]
        back = leans(body) or _OTHERWISE.search(body) is not None
        back = back or _OF_IT.match(body) is not None or ABOUT_IT.match(body) is not None
        if before is not None:
            opened = (before is opening and _opens_words(before.text, body)) or _HALF.search(before.text)
            back = back or _GUESSES.match(before.text) is not None
            of_list = before.depth is not None and _OF_LIST.match(body) is not None
            if opened or of_list or _GOES_ON.match(body) or (back and not gap and not is_frame(before.text)):
                return [before]
        joins = back or body[:1].islower() or _JOINS.fullmatch(body)
        if before is None and self._code is not None and joins and (_ALSO.search(body) or body[-1:] != "?"):
            return [self._code]
        of_part = self._heading is not None and _NUMBERED.match(self._heading.text) is not None
        free = opening is None or self._code is not None
        is_under = (free and (before is None or self._labels)) or (of_part and (free or gap))
        return [self._heading] if self._heading and is_under else []


def _opens_words(line: str, words: str) -> bool:
    """Whether a line that ends in a colon says something of the words behind it."""
    return " " in line.strip() and not (is_announcement(line) or is_frame(line) or opens(words))


def _is_within(depth: tuple[int, bool], opener: tuple[int, bool]) -> bool:
    """Whether an item stands under another one, by how far they are set in and whether they have numbers."""
    return depth[0] > opener[0] or (depth[0] == opener[0] and opener[1] and not depth[1])


def _rows(table: str, start: int, lead: TextPiece | None, head: TextPiece | None) -> Iterator[TextPiece]:
    """The rows of a part of a table; the first row of the whole is the head of the others."""
    at = start
    for row in table.splitlines():
        shown = _BOLD.sub(r"\1", row.strip())
        if re.search(r"\w", row) and head is None:
            head = TextPiece(shown, at, ("table", "heading"), [lead] if lead else [])
            yield head
        elif re.search(r"\w", row) and head is not None:
            yield TextPiece(shown, at, ("table",), [head])
        at += len(row) + 1


def _unfenced(block: str) -> str:
    """A code block without its fence and empty lines."""
    lines = block.splitlines()
    return "\n".join(line for line in lines if line.strip() not in ("", "…") and not _FENCE.match(line))
