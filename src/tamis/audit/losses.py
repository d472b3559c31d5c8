"""Losses of a summary, told one at a time.

A rule that the user had laid down and that binds still; a statement that the agent came back to; a name that
it went on to use.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tamis.evals.hindsight import Needs
from tamis.evals.points import Point
from tamis.evals.statements.coverage import Rarity, SearchTarget, best_window, wanted
from tamis.evals.statements.keypoints import COVERED, KeyPointTarget
from tamis.evals.statements.places import PlaceWords, SearchableText, join, read_text, texts_said
from tamis.ledger.events import Constraint
from tamis.messages import Message

LossKind = Literal["rule", "statement", "name"]

GONE = 0.35
"""With less of a rule's weight in any place of a text, the text does not say it, in other words either."""
MENTIONED = 0.5
"""With so many of its words anywhere in it, a text may say it in a way of its own."""
THERE = 0.6
"""With so much of it in one place, a text says it."""
MIN_WORDS = 3
"""A rule of fewer words with weight cannot be looked for."""
MAX_CHARS = 220
"""Longer rules and statements are no examples."""
MOST_OF_A_KIND = 4
"""Of each kind and compaction; the page shows more than the screen, but not all."""
_TELLING = frozenset({"path", "identifier", "error", "url"})
"""Kinds of names that say something to a reader who sees one alone; numbers and flags do not."""

_STANDING = re.compile(
    r"(?ix)\b(?:never|always|do\ not|don'?t|must|only|without|not\ allowed|under\ no|avoid|from\ now\ on"
    r"|first)\b"
    r"|^no\b|不要|必须|永远|别|只"
)
_PASSING = re.compile(
    r"(?i)^\W*(?:ok|okay|yes|no,|now|also|then|and|but|so|hmm|wait|actually|great|cool|please)\b[\s,:.]*|\?\s*$"
)
_POINTING = re.compile(
    r"(?i)^\W*(?:this|that|it|these|those|here|there|do it|keep going|go on|don'?t worry)\b"
)
_EXACT = re.compile(r"`|\d|\w[_/.]\w|[a-z][A-Z]")
_SENTENCE = re.compile(r"^\W{0,3}[A-Z][^|]+[a-z)`\]][.!]$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Loss:
    """One thing that the agent's summary did not say.

    `uses` is how often it came up again behind the compaction: that the user had to say the rule again, or in
    how many turns the agent used the name. `before` is in how many messages it stood before.
    `kept_by_tamis` is whether what tamis would have written in the same tokens says it. `weight` is how good
    an example it is among those of its kind: plain, short, and often needed. What tamis keeps comes before
    what it loses too: the shares are told, and an example is to show what could have been.
    """

    kind: LossKind
    text: str
    uses: int
    before: int
    kept_by_tamis: bool
    weight: float

    @property
    def rank(self) -> tuple[bool, float]:
        """Examples in the order in which they are told."""
        return not self.kept_by_tamis, -self.weight


@dataclass(frozen=True, kw_only=True, slots=True)
class SummaryPair:
    """What stood for a span afterwards: the agent's summary, and what tamis would have written."""

    summary: Message
    made: Sequence[Message]
    places_of: Callable[[Message], list[PlaceWords]]


def find_losses(
    point: Point,
    texts: SummaryPair,
    *,
    rules: Sequence[Constraint],
    statements: Sequence[tuple[KeyPointTarget, float, float]],
    needs: Needs,
    missing: tuple[frozenset[str], frozenset[str]],
) -> Iterator[Loss]:
    """What the summary lost, the best examples of each kind first.

    `rules` are the user's at the end of the span. `statements` are what was summed up later, how far the
    summary says it, and how far tamis. `missing` are the needed names that the summary did not have, and
    those that tamis did not.
    """
    kinds = (_rules(point, texts, rules), _statements(statements), _names(needs, missing, texts.summary))
    for found in kinds:
        yield from sorted(found, key=lambda loss: loss.rank)[:MOST_OF_A_KIND]


def _rules(point: Point, texts: SummaryPair, rules: Sequence[Constraint]) -> Iterator[Loss]:
    told = {" ".join(rule.text.split()): rule.polarity for rule in rules}
    told = {r: p for r, p in told.items() if 12 <= len(r) <= MAX_CHARS and not _POINTING.match(r)}
    if not told:
        return
    read = texts.places_of
    rarity = Rarity([join(read(m) for m in point.span)])
    summary = read_text(texts_said(texts.summary))
    made = read_text(text for m in texts.made for text in texts_said(m))
    around = join(read(m) for m in (*point.system, *(m for m in point.tail if m.origin == "meta")))
    later = [join([read(m)]) for m in point.tail if m.role == "user" and m.origin == "conversation"]
    for rule, polarity in told.items():
        what = wanted(rule, rarity)
        if len(what.weights) < MIN_WORDS or _mentioned(what, summary) >= MENTIONED:
            continue
        if any(best_window(what, text, company=False).share >= GONE for text in (summary, around)):
            continue
        again = sum(best_window(what, text, company=False).share >= THERE for text in later)
        yield Loss(
            kind="rule",
            text=rule,
            uses=again,
            before=1,
            kept_by_tamis=best_window(what, made, company=False).share >= THERE,
            weight=2.0 * again
            + (polarity == "must_not")
            + 2.0 * bool(_STANDING.search(rule))
            - 2.0 * bool(_PASSING.search(rule))
            + (len(rule) <= 120),
        )


def _mentioned(what: SearchTarget, text: SearchableText) -> float:
    """The share of the weight that stands anywhere in the text."""
    return sum(weight for form, weight in what.weights.items() if form in text.at) / what.total


def _statements(statements: Sequence[tuple[KeyPointTarget, float, float]]) -> Iterator[Loss]:
    for sought, theirs, tamis in statements:
        point = sought.point
        if theirs < GONE and len(point.text) <= MAX_CHARS:
            yield Loss(
                kind="statement",
                text=point.text,
                uses=1,
                before=len(point.sources),
                kept_by_tamis=tamis >= COVERED,
                weight=2 * point.in_span
                + 2.0 * bool(_SENTENCE.match(point.text))
                + bool(_EXACT.search(point.text))
                + (point.kind != "commit")
                + (50 <= len(point.text) <= 160),
            )


def _names(needs: Needs, missing: tuple[frozenset[str], frozenset[str]], summary: Message) -> Iterator[Loss]:
    theirs, tamis = missing
    for need in needs.needs:
        short = need.name.rstrip("/").rpartition("/")[2]
        if need.kind not in _TELLING or need.name not in theirs or len(short) <= 4 or short in summary.text:
            continue  # a file that the summary calls by its last name is not lost
        yield Loss(
            kind="name",
            text=need.name,
            uses=need.uses,
            before=len(needs.carriers[need.name]),
            kept_by_tamis=need.name not in tamis,
            weight=min(need.uses, 6) + 3.0 * (need.kind == "path"),
        )
