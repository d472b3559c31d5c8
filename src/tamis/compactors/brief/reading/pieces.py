"""Cutting a message into pieces that can be said by themselves.

A sentence is taken whole. What it leans on goes with it: the heading over a list, the line that ends in a
colon, the sentence that a pronoun goes back to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.ledger.speech.prose import looks_pasted
from tamis.text.cues.discourse_cues import (
    is_announcement,
    is_code,
    is_frame,
    is_label,
    leans,
    opens,
    without_praise,
)
from tamis.text.sentences import Sentence

LIST_CHARS = 480
"""A list that is no longer, with the line that opens it, is said whole or not at all."""

ITEM_CHARS = 240
"""The sentences of an item that is no longer are said together."""

MAX_SENTENCE_CHARS = 700
MAX_CODE_CHARS = 900

SHORT_CODE_CHARS = 160

_BOLD_LINE = re.compile(r"\*\*[^*\n]{2,90}\*\*:?\s*$")
_LABELLED = re.compile(r"\*\*[^*\n]{1,40}\*\*:? ?\S")
"""Says which file a part is about, or when: the part's heading is over what follows, too."""
_OF_OFFERS = frozenset({"option", "approach", "choice", "description", "details"})
"""The head of a table that says nothing of what stands in it."""

_OF_IT = re.compile(
    r"\w{2,12} (?:it|them)\b|with [^,.;\n]{1,60}, (?:this|that|these|those)\b",
    re.IGNORECASE,
)
"""Begins what is said of something that was named before."""

_HALF = re.compile(r"\b(?:that|states?|says?|reads?|is|are|to|like)\s?\Z")
"""Ends a line in the midst of a sentence."""

_NEEDLESS = re.compile(r"\b(?:un|not )(?:necessary|needed)|needless|incorrect|wrong|mistake", re.IGNORECASE)
_UNDOES = re.compile(
    r"(?:so )?(?:let['’]?s|let me|i['’]ll|we['’]ll|(?:i|we) (?:should|will|need to)) "
    r"(?:revert|undo|back out|roll back)\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(r"(?:actually|no|yes|yeah|well|not really|probably not)[,.]\s", re.IGNORECASE)
"""Begins what the agent says to a question of its own."""

_VERDICT = re.compile(
    r"(?:yes|no|nope|correct|partly|mostly|it depends|not (?:exactly|necessarily|quite|really|yet))[.!:]",
    re.IGNORECASE,
)
"""The whole of a sentence that the next one makes something of."""

_GUESSES = re.compile(r"(?:maybe|perhaps|possibly|it(?:['’]s| is) possible|one possibility)\b", re.IGNORECASE)
"""Begins what is only thought of, and what is said of it in the sentence behind."""

_SUPPOSES = re.compile(r"\bwhat if\b", re.IGNORECASE)
"""Is in a question of the agent's own thinking, where it goes on behind it."""

_JOINS = re.compile(r"\W{0,3}\w{1,12}\W{0,3}")
"""One word between two pieces of code."""

_FILE = re.compile(r"[\w./-]{1,120}\.[a-z]{1,5}(?: \([^()\n]{1,60}\))?:?")
"""Stands over the code of a file, among other code."""

_FENCE = re.compile(r"\A\s*(?:`{3,}|~{3,})")


@dataclass(eq=False)
class TextPiece:
    """A part of a text, where it starts, and what it leans on; `whole` is the list that it was taken into.

    `depth` is how far an item is set in, and whether it has a number.
    """

    text: str
    start: int
    flags: tuple[str, ...]
    leads: list[TextPiece]
    made: Statement | None = None
    whole: TextPiece | None = None
    depth: tuple[int, bool] | None = None

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
            flags=tuple(flags),
        )
        return self.made


def pieces_of(text: str, sentences: Sequence[Sentence], *, items_whole: bool = True) -> Iterator[TextPiece]:
    """Sentences, list items, table rows and short code, each with what it leans on.

    With `items_whole`, the sentences of a short item are one piece: a piece grows till the next comes.
    """
    heading: TextPiece | None = None
    title: TextPiece | None = None
    opening: TextPiece | None = None
    before: TextPiece | None = None
    above: TextPiece | None = None
    head: TextPiece | None = None
    code: TextPiece | None = None
    labels = False
    for sentence in sentences:
        words = text[sentence.start : sentence.end]
        if sentence.kind == "markup":
            continue
        if sentence.kind == "table":
            for row in _rows(words, sentence.start, opening or heading, head):
                head = head or row
                if row is not head or not _OF_OFFERS.issuperset(re.findall(r"\w+", row.text.lower())):
                    yield row
            before = None
            continue
        head = None
        if sentence.kind == "code":
            lead = before or opening or heading
            code = TextPiece(_unfenced(words), sentence.start, ("code",), [lead] if lead else [])
            yield code
            before = None
            continue
        if len(words) > MAX_SENTENCE_CHARS and looks_pasted(words[:200]):
            continue
        body = text[sentence.body : sentence.end]
        listed = sentence.kind == "item" and opens(body)
        if sentence.kind == "heading" or (_BOLD_LINE.fullmatch(body.strip()) and not listed):
            opening = before = heading = code = None
            if not is_label(body.strip()):
                words = body.strip().replace("**", "")
                over = [title] if title and sentence.kind != "heading" and opens(words) else []
                heading = TextPiece(words, sentence.start, ("heading",), over)
                title = heading if sentence.kind == "heading" else title
                yield heading
            continue
        gap = before is not None and text.count("\n", before.start + len(before.text), sentence.start) > 1
        leads: list[TextPiece] = []
        depth: tuple[int, bool] | None = None
        if sentence.kind in ("item", "quote"):
            mark = text[sentence.start : sentence.body].strip().removeprefix("**")
            sign = mark if mark[:1].isdigit() else "+" if mark[:1] == "+" else "-"  # of a diff, added
            shown = f"{sign} {body}" if mark else body
            if mark:
                depth = (sentence.start - text.rfind("\n", 0, sentence.start) - 1, mark[:1].isdigit())
                if above is not None and above.depth and _is_within(depth, above.depth):
                    opening = above
                while opening is not None and opening.depth and not _is_within(depth, opening.depth):
                    opening = next((p for p in opening.leads if "heading" not in p.flags), None)
            leads = [p for p in (opening or heading,) if p]
            flags: tuple[str, ...] = ("item",)
            if sentence.kind == "quote":  # somebody else's words
                shown, flags = f"> {body}", ("item", "quoted")
            if not mark and before is not None:
                leads = [before]
            elif before is not None and before.depth == depth and leans(body):
                leads += [before] * (
                    before.text.split()[1:2] != body.split()[:1]
                )  # alike, they stand side by side
        else:
            shown, flags = body, ("prose",)
            opened = before is opening and before is not None and _opens_words(before.text, body)
            opened = opened or (before is not None and _HALF.search(before.text) is not None)
            back = leans(body) or _OF_IT.match(body) is not None
            back = back or (before is not None and _GUESSES.match(before.text) is not None)
            if before is None and code is not None and (back or _JOINS.fullmatch(body)):
                leads = [code]
            elif before is not None and (opened or (back and not gap and not is_frame(before.text))):
                leads = [before]
            elif heading is not None and opening is None and (before is None or labels):
                leads = [heading]
            if gap or sentence.kind == "prose":
                opening = None
        shown = without_praise(" ".join(shown.replace("**", "").split()))
        goes_on = items_whole and "item" in flags and depth is None and not opens(body)
        if (
            goes_on
            and before is not None
            and before.depth is not None
            and len(before.text) + len(shown) < ITEM_CHARS
        ):
            shown = shown.removeprefix("> ")
            before.text += f" {shown}"  # what an item comes to often stands in its last sentence
            continue
        labels = (before is None or labels) and _LABELLED.match(words) is not None
        piece = TextPiece(shown, sentence.start, flags, leads, depth=depth)
        yield piece
        if opens(body):
            opening = piece
        above = piece if depth or (above and "item" in flags) else None
        before = piece


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
        shown = row.strip().replace("**", "")
        if re.search(r"\w", row) and head is None:
            head = TextPiece(shown, at, ("table", "heading"), [lead] if lead else [])
            yield head
        elif re.search(r"\w", row) and head is not None:
            yield TextPiece(shown, at, ("table",), [head])
        at += len(row) + 1


def lists_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """A short list with the line that opens it is one piece: an item of it alone would mislead."""
    waiting: list[TextPiece] = []

    def flushed() -> Iterator[TextPiece]:
        if len(waiting) > 2 and sum(len(p.text) for p in waiting) <= LIST_CHARS:
            first = waiting[0]
            set_in = [any(o.depth and o in p.leads[:1] for o in waiting) for p in waiting]
            first.text = "\n".join("  " * deep + p.text for deep, p in zip(set_in, waiting, strict=True))
            first.flags = ("item",)
            for piece in waiting[1:]:
                piece.whole = first
            yield first
        else:
            yield from waiting
        waiting.clear()

    for piece in pieces:
        item = "item" in piece.flags
        if waiting and item and (waiting[0] in piece.leads or piece.leads[:1] == waiting[0].leads[:1]):
            waiting.append(piece)
            continue
        under = waiting[-1:] if waiting and item and waiting[-1] in piece.leads else []
        del waiting[len(waiting) - len(under) :]
        yield from flushed()
        waiting += under
        if under:
            waiting.append(piece)
            continue
        if item or opens(piece.text):
            waiting.append(piece)
        else:
            yield piece
    yield from flushed()


def taken_up_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """What is to be taken back stands with the sentence that says why; a question opens its answer.

    A verdict ("Not necessarily.") is one with the sentence behind it.
    """
    before: TextPiece | None = None
    for piece in pieces:
        answers = _ANSWERS.match(piece.text) is not None
        if before is not None and before.text.endswith("?") and (answers or _SUPPOSES.search(before.text)):
            before.flags += ("opens",)
            piece.leads = [before] if answers else piece.leads
        if before is not None and _NEEDLESS.search(before.text) and _UNDOES.match(piece.text):
            before.text += f" {piece.text}"
            piece.whole = before
            continue
        if before is not None and piece.flags == ("prose",) and _VERDICT.fullmatch(before.text):
            piece.text, piece.leads, before.whole = f"{before.text} {piece.text}", before.leads, piece
        elif before is not None:
            yield before
        before = piece
    if before is not None:
        yield before


def shown_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """A line of code behind words that do not end is one piece with them: without it they say nothing."""
    waiting: TextPiece | None = None
    for piece in pieces:
        short = "\n" not in piece.text and len(piece.text) <= SHORT_CODE_CHARS and "code" in piece.flags
        if (
            waiting is not None
            and short
            and waiting.flags in (("prose",), ("item",))
            and _is_open(waiting.text)
        ):
            waiting.text += f"\n{piece.text}"
            continue
        if waiting is not None:
            yield waiting
        waiting = piece
    if waiting is not None:
        yield waiting


def _is_open(words: str) -> bool:
    return opens(words) or words[-1:].isalnum()


def _unfenced(block: str) -> str:
    """A code block without its fence and empty lines."""
    lines = block.splitlines()
    return "\n".join(line for line in lines if line.strip() not in ("", "…") and not _FENCE.match(line))


def pasted_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Lines of code or of output that stand below one another are one piece; so they keep their order."""
    waiting: TextPiece | None = None
    for piece in pieces:
        named = waiting is not None and _FILE.fullmatch(piece.text)
        printed = "quoted" not in piece.flags and (looks_pasted(piece.text) or is_code(piece.text))
        if named or printed or "code" in piece.flags:
            if waiting is not None and len(waiting.text) + len(piece.text) < MAX_CODE_CHARS:
                waiting.text += f"\n{piece.text}"
                continue
            if waiting is not None:
                yield waiting
            piece.flags = ("code",)
            piece.leads = []
            waiting = piece
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        yield piece
    if waiting is not None:
        yield waiting
