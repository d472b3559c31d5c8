"""Key points that nobody had to write: recap sentences whose content stands in the span.

A sentence of a recap is a key point where one place of the span says it, and neither the system prompt nor
anything between the cut and the recap does: then whoever wrote it knew it from the span.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.evals.statements.coverage import Rarity, SearchTarget, best_window, wanted, windows, with_order_of
from tamis.evals.statements.normalization import tokens
from tamis.evals.statements.places import PlaceWords, cut, join, read_text, texts_said
from tamis.evals.statements.recaps import Recap, RecapKind, find_recaps
from tamis.ledger.speech.prose import looks_pasted
from tamis.messages import Message
from tamis.text.sentences import split_sentences

STANDS = 0.5  # with so much of its weight in one place of the span, a sentence stands there
EXPLAINED = 0.5
"""With so much of it behind the cut or in the system prompt, it need not be known from the span."""

MOST_POINTS = 40  # at one compaction point; of more, as many are taken evenly from the first to the last
MIN_WORDS = 4
MAX_WORDS = 60
"""Words with weight in a key point. Fewer say little, more are no sentence."""

MOST_SOURCES = 3

_BOILERPLATE = re.compile(
    r"""(?ix)
    co-authored-by|generated\ (?:with|by)|signed-off-by|claude\.(?:ai|com)|noreply@
    |^\W*(?:test\ plan|summary)\W*$
    |this\ session\ is\ being\ continued|continue\ the\ conversation\ from
    |^\W*(?:hi|hello|thanks|thank\ you|sure|great|perfect)\b[^,.:]{0,30}[!.]$
    |let\ me\ know|feel\ free|if\ you(?:'d|\ would)?\ (?:like|want|need|have)
    |would\ you\ like|shall\ i|should\ i|do\ you\ want
    """
)
_ANNOUNCES = re.compile(
    r"(?i)^\W*(?:(?:now|but|first|next|actually|so)\b,? ){0,3}"
    r"(?:(?:now that|since|once|before|after) [^,.;:]{1,90}, )?"
    r"(?:wait\b|hmm\b|let me\b|let['’]s\b|next,? i\b"
    r"|(?:i|we)(?:['’]ll| will|['’](?:m|re) going to| (?:am|are) going to| need to| have to| can now)\b)"
)
"""Begins what comes next: nothing that was done, found or decided."""

_ASKS = re.compile(r"[?？:：][\"')\]*_]*\s*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyPoint:
    """A recap sentence whose content stands in the span.

    `recap` is the message that says it behind the cut, `sources` are the messages of the span where it
    stands, best first. `in_span` is the share of its weight that stands in the best of them.
    """

    text: str
    kind: RecapKind
    recap: str
    sources: tuple[str, ...]
    in_span: float


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyPointTarget:
    """A key point ready to be looked for. `reach` is the share of its weight that the whole span reaches."""

    point: KeyPoint
    reach: float
    wanted: SearchTarget = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyPoints:
    """The key points at one compaction point, and what they were taken from.

    `recaps` is the number of recaps behind the cut, `sentences` of those of their sentences that could be
    key points, `found` of those that are, before the cap.
    """

    points: tuple[KeyPointTarget, ...]
    recaps: int
    sentences: int
    found: int


class PlaceCache:
    """The places of messages, each message read once however many compaction points it stands before."""

    def __init__(self) -> None:
        self._read: dict[str, list[PlaceWords]] = {}

    def __call__(self, message: Message) -> list[PlaceWords]:
        """The places of the message."""
        if message.id not in self._read:
            self._read[message.id] = cut(texts_said(message))
        return self._read[message.id]


def find_key_points(
    point: Point, *, most: int = MOST_POINTS, places_of: Callable[[Message], list[PlaceWords]] | None = None
) -> KeyPoints:
    """The key points at a compaction point, in the order of their recaps; the same every time.

    `places_of` reads a message; one that remembers, for several points of a session.
    """
    read = places_of or PlaceCache()
    recaps = find_recaps(point.tail, point.later_summary)
    candidates = [(recap, text) for recap in recaps for text in sentences_of(recap.text)]
    if not candidates:
        return KeyPoints(points=(), recaps=len(recaps), sentences=0, found=0)
    ground = _Ground(point, read)
    distinct: dict[frozenset[str], KeyPointTarget] = {}  # the same words again say nothing new
    for recap, text in candidates:
        if sought := ground.sought(recap, text):
            distinct.setdefault(frozenset(sought.wanted.weights), sought)
    found = list(distinct.values())
    taken = found if len(found) <= most else [found[i * len(found) // most] for i in range(most)]
    return KeyPoints(points=tuple(taken), recaps=len(recaps), sentences=len(candidates), found=len(found))


class _Ground:
    """What stands before, in and behind the span of a point."""

    def __init__(self, point: Point, read: Callable[[Message], list[PlaceWords]]) -> None:
        self._messages = point.span
        self._before = join(read(m) for m in point.system)
        self._span = join(read(m) for m in point.span)
        self._behind = join(read(m) for m in point.tail)
        self._rarity = Rarity([self._span, self._behind])

    def sought(self, recap: Recap, text: str) -> KeyPointTarget | None:
        """A sentence of a recap as a key point, where the span says it and nothing else does."""
        what = wanted(text, self._rarity)
        if len(what.weights) < MIN_WORDS:
            return None
        standing = windows(what, self._span, least=STANDS)
        if not standing or self._is_explained(what, recap):
            return None
        owners = dict.fromkeys(self._span.source_of(f.window.start) for f in standing)
        known = wanted(text, self._rarity, among=self._span.at)  # what stands nowhere, nobody could keep
        for found in standing[:MOST_SOURCES]:
            known = with_order_of(known, self._span, found.window)
        return KeyPointTarget(
            point=KeyPoint(
                text=text,
                kind=recap.kind,
                recap=recap.message_id,
                sources=tuple(self._messages[i].id for i in list(owners)[:MOST_SOURCES]),
                in_span=round(standing[0].share, 4),
            ),
            reach=best_window(known, self._span).share,
            wanted=known,
        )

    def _is_explained(self, what: SearchTarget, recap: Recap) -> bool:
        if windows(what, self._before, least=EXPLAINED):
            return True
        behind = windows(what, self._behind, least=EXPLAINED)
        return any(self._behind.source_of(found.window.start) < recap.at for found in behind)


def sentences_of(text: str) -> Iterator[str]:
    r"""The sentences of a recap that could be key points.

    >>> list(sentences_of("Done!\n\n- Blank rows of the import are kept.\n\nShall I push it to you?"))
    ['Blank rows of the import are kept.']
    >>> list(sentences_of("Now that the parser is mended, let's run the tests of the import again."))
    []
    """
    for sentence in split_sentences(text):
        if sentence.kind not in ("prose", "item"):
            continue
        said = " ".join(text[sentence.body : sentence.end].split())
        if _ASKS.search(said) or looks_pasted(said) or _BOILERPLATE.search(said) or _ANNOUNCES.match(said):
            continue
        weighty = sum(bool(token.forms) for token in tokens(said))
        if MIN_WORDS <= weighty <= MAX_WORDS:
            yield said


COVERED = 0.7  # with so much of its weight in one place, a key point is covered


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementRecall:
    """How much of what was summed up later a compacted text says.

    - `recall`: key points that one place of the text covers / all key points.
    - `coverage`: the mean share of a key point's weight in the best place.
    - `missing`: the positions of those that are not covered.
    """

    recall: float
    coverage: float
    points: int
    missing: tuple[int, ...]


def score_statements(sought: KeyPoints, messages: Sequence[Message]) -> StatementRecall | NotMeasured:
    """Score the messages that stand in for a span."""
    if not sought.recaps:
        return NotMeasured(reason="nothing behind the cut sums up what was done")
    if not sought.points:
        return NotMeasured(reason="no sentence of a recap behind the cut could be known from the span only")
    shares = coverages(sought.points, (text for m in messages for text in texts_said(m)))
    missing = tuple(i for i, share in enumerate(shares) if share < COVERED)
    return StatementRecall(
        recall=(len(shares) - len(missing)) / len(shares),
        coverage=sum(shares) / len(shares),
        points=len(shares),
        missing=missing,
    )


def coverages(sought: Sequence[KeyPointTarget], texts: Iterable[str]) -> list[float]:
    """How far the best place of the texts says each key point: 1 as far as the span's own best place."""
    read = read_text(texts)
    return [min(1.0, best_window(one.wanted, read).share / one.reach) for one in sought]
