"""Sentences that are one with those right before them: what takes from a claim, undoes it, or weighs it."""

import re
from collections.abc import Iterable, Iterator

from tamis.compactors.brief.reading.speech.pieces import (
    ANSWERS,
    LIST_CHARS,
    MAX_SENTENCE_CHARS,
    TextPiece,
)
from tamis.text.cues.discourse_cues import is_announcement

MOST_LIMITED, NEAR_CHARS = 2, 20
"""So many sentences may be one with what limits them, where no more characters stand between."""

_LIMITS = re.compile(
    r"(?:this|that|it)(?:['’]s| is)(?: probably| likely| still| actually| also)? (?:an? )?"
    r"(?:acceptable|fine|ok(?:ay)?|safe|harmless|intentional|intended|by design|expected"
    r"|not an? (?:problem|issue|blocker|bug))\b",
    re.IGNORECASE,
)
"""Begins a sentence that takes from the weight of those before it."""

_BUT = re.compile(r"(?:but|however),? (?:that|this|it|these|those|they|there)\b", re.IGNORECASE)
_TURNS = re.compile(
    r"(?:but|however|unfortunately),? (?!(?:actually|before|first|hm+|how|i['’](?:ll|m)|i (?:should|will)|let"
    r"|maybe|now|perhaps|wait|what|why|you)\b)",
    re.IGNORECASE,
)
"""Begins what gives the sentence before another sense: `It runs. However, it checks nothing.`"""

_PUT_RIGHT = re.compile(
    r"(?i)(?:i|we)(?:['’]ve| have)?(?: now)? (?:fix|solv|resolv|correct|remov)ed (?:that|this|it|both|them)\b"
)
_USES = re.compile(r"\b(?:run|use|call|open|try)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:do|does|is|are)(?:n['’]t| not) [^.;`]{1,40}`([\w-]{3,40})`")

_NEEDLESS = re.compile(r"\b(?:un|not )(?:necessary|needed)|needless|incorrect|wrong|mistake", re.IGNORECASE)
_UNDOES = re.compile(
    r"(?:so )?(?:let['’]?s|let me|i['’]ll|we['’]ll|(?:i|we) (?:should|will|need to)) "
    r"(?:revert|undo|back out|roll back)\b",
    re.IGNORECASE,
)
_FOR = re.compile(r"\W{0,4}(?:pros?|advantages?|upsides?|benefits?)\b.{0,20}?[:–—-] \S", re.IGNORECASE)
_AGAINST = re.compile(
    r"\W{0,4}(?:cons?|disadvantages?|downsides?|drawbacks?)\b.{0,20}?[:–—-] \S", re.IGNORECASE
)
"""Begin what speaks for and against one thing: either alone misleads."""

VERDICT = re.compile(
    r"(?:so|bottom line|in short|conclusion): [^,;:.!?]{2,80}[.!]"
    r"|(?:yes|no|nope|correct|partly|mostly|it depends|not (?:exactly|necessarily|quite|really|yet))[.!:]"
    r"|(?:it (?:seems|looks like|appears)(?: that)? )?(?:we|i)(?:['’]ve| have)? (?:now )?(?:successfully )?"
    r"reproduced (?!part)[^,;:.!?]{2,60}[.!]",
    re.IGNORECASE,
)
"""The whole of a sentence that the next one makes something of."""

_SUPPOSES = re.compile(r"\bwhat if\b", re.IGNORECASE)
"""Is in a question of the agent's own thinking, where it goes on behind it."""


def limited_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """What takes from the weight of the sentences right before it, or says that it was put right."""
    told: list[TextPiece] = []
    for piece in pieces:
        run = [piece]
        most = 1 if _PUT_RIGHT.match(piece.text) else MOST_LIMITED if _LIMITS.match(piece.text) else 0
        begins = piece.flags == ("prose",) or "\n" in piece.text
        if begins and told and (_BUT.match(piece.text) or _turns(piece, told[-1])):
            most = 0 if is_announcement(told[-1].text) or told[-1].text.endswith("?") else 1
        for before in reversed(told[len(told) - min(most, len(told)) :]):
            is_list = before.flags == ("item",) and "\n" in before.text
            if (
                not (before.flags == ("prose",) or is_list)
                or run[-1].start - before.start > len(before.text) + NEAR_CHARS
            ):
                break
            run.append(before)
        denied = piece.flags == ("prose",) and _DENIES.search(piece.text)  # what tells to use it leans on it
        newest = told[-MOST_LIMITED:]
        used = [n for n, p in enumerate(newest) if denied and denied[1] in p.text and _USES.search(p.text)]
        if used and sum(len(p.text) for p in (piece, *newest[used[0] :])) <= LIST_CHARS:
            run = [piece, *reversed(newest[used[0] :])]
        if sum(len(p.text) for p in run) > LIST_CHARS:
            run = run[:2]
        for other in run[:-1]:
            other.whole = run[-1]
        run[-1].flags = piece.flags if "\n" in piece.text and len(run) > 1 else run[-1].flags
        run[-1].text = ("\n" if "\n" in run[-1].text else " ").join(p.text for p in reversed(run))
        told[len(told) - len(run) + 1 :] = run[-1:]
    yield from told


def _turns(piece: TextPiece, before: TextPiece) -> bool:
    """Whether a sentence turns the one that it leans on."""
    leans_on_it = any((lead.whole or lead) is before for lead in piece.leads)
    is_short = len(before.text) + len(piece.text) <= MAX_SENTENCE_CHARS
    turns = _TURNS.match(piece.text) is not None and not piece.text.endswith("?")
    return leans_on_it and is_short and turns


def taken_up_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """What is to be taken back stands with the sentence that says why; a question opens its answer.

    A verdict ("Not necessarily.") is one with the sentence behind it, and what speaks for a thing with what
    speaks against it.
    """
    before: TextPiece | None = None
    for piece in pieces:
        answers = ANSWERS.match(piece.text) is not None
        if before is not None and before.text.endswith("?") and (answers or _SUPPOSES.search(before.text)):
            before.flags += ("opens",)
            piece.leads = [before] if answers else piece.leads
        if before is not None and _NEEDLESS.search(before.text) and _UNDOES.match(piece.text):
            before.text += f" {piece.text}"
            piece.whole = before
            continue
        if before is not None and _FOR.match(before.text) and _AGAINST.match(piece.text):
            before.text += f"\n{piece.text}"
            piece.whole = before
            continue
        made_of = piece.flags == ("prose",) and not is_announcement(piece.text)
        if before is not None and made_of and VERDICT.fullmatch(before.text):
            piece.text, piece.leads, before.whole = f"{before.text} {piece.text}", before.leads, piece
        elif before is not None:
            yield before
        before = piece
    if before is not None:
        yield before
