"""Coverage: how far one place of a text says a key point.

The words of the key point weigh by their rarity in the session. What counts is the largest share of that
weight that stands in one window of one place; and a word counts in full only in company: another word of the
key point stands near it, in an order in which the two stand in the recap or in the span. Words that merely
lie in the same heap, or that were shuffled, keep a fraction.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tamis.evals.statements.normalization import tokens
from tamis.evals.statements.places import SearchableText

WINDOW_WORDS = 45  # as far as the words of one statement stand from each other
NEAR_WORDS = 6  # two words of a key point are company where they stand no further apart


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchTarget:
    """What is looked for: the forms with their weights, and the ordered pairs that are company."""

    weights: Mapping[str, float]
    pairs: frozenset[tuple[str, str]]

    @property
    def total(self) -> float:
        """All weight together."""
        return math.fsum(self.weights.values())


class Rarity:
    """How rare a form is among the statements of a session."""

    def __init__(self, texts: Iterable[SearchableText]) -> None:
        self._places = 0
        self._counts: Counter[str] = Counter()
        for text in texts:
            self._places += len(text.owner)
            for form, places in text.places.items():
                self._counts[form] += len(places)

    def weight(self, form: str) -> float:
        """Its weight: the logarithm of how many places there are to one that has it."""
        return math.log(1 + self._places / (1 + self._counts[form]))


def wanted(text: str, rarity: Rarity, *, among: Mapping[str, object] | None = None) -> SearchTarget:
    """What a text of a key point asks for; only forms that stand in `among`, if that is given.

    Pieces of an identifier share the weight of one word.
    """
    weights: dict[str, float] = {}
    order: list[tuple[str, ...]] = []
    for token in tokens(text):
        kept = tuple(f for f in token.forms if among is None or f in among)
        order.append(kept)
        for form in kept:
            share = 1.0 if form == token.forms[0] else 1 / (len(token.forms) - 1)
            weights[form] = max(weights.get(form, 0.0), share * rarity.weight(form))
    return SearchTarget(weights=weights, pairs=_pairs(order))


def with_order_of(what: SearchTarget, text: SearchableText, window: range) -> SearchTarget:
    """The same, where the order of a window of a text is one to be known by as well."""
    order = [tuple(f for f in text.words[i] if f in what.weights) for i in window]
    return SearchTarget(weights=what.weights, pairs=what.pairs | _pairs(order))


def _pairs(order: Sequence[Sequence[str]]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (a, b)
        for i, first in enumerate(order)
        for second in order[i : i + NEAR_WORDS + 1]
        for a in first
        for b in second
        if a != b
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class BestWindow:
    """The best window: the share of the weight that it holds, and where it stands (positions of words)."""

    share: float
    window: range


NOWHERE = BestWindow(share=0.0, window=range(0))


def best_window(what: SearchTarget, text: SearchableText, *, company: bool = True) -> BestWindow:
    """The window of one place that holds most of what is wanted.

    With `company`, only words in company count in full.
    """
    best = NOWHERE
    total = what.total
    for most, place in _candidates(what, text, least=0.0):
        if most <= best.share * total:
            break
        found = _best_in(what, text, place, company=company)
        if found.share > best.share:
            best = found
    return best


def windows(what: SearchTarget, text: SearchableText, *, least: float) -> list[BestWindow]:
    """The best window of each place that holds so much of what is wanted, best and newest first."""
    found = [
        _best_in(what, text, place, company=False)
        for _, place in _candidates(what, text, least=least * what.total)
    ]
    return sorted((f for f in found if f.share >= least), key=lambda f: (-f.share, -f.window.start))


def _candidates(what: SearchTarget, text: SearchableText, *, least: float) -> list[tuple[float, int]]:
    """The places that could hold so much, with what they hold at most, most first.

    Forms are gone through from the heaviest on; once those left are lighter than `least` together, no place
    that had none of the others can hold it, and common words cost little.
    """
    forms = sorted((f for f in what.weights if f in text.places), key=lambda f: (-what.weights[f], f))
    left = math.fsum(what.weights[f] for f in forms)
    held: dict[int, float] = {}
    for form in forms:
        weight, may_begin = what.weights[form], left >= least
        for place in text.places[form]:
            if may_begin or place in held:
                held[place] = held.get(place, 0.0) + weight
        left -= weight
    return sorted(((most, place) for place, most in held.items() if most >= least - 1e-9), reverse=True)


def _best_in(what: SearchTarget, text: SearchableText, place: int, *, company: bool) -> BestWindow:
    events = _events(what, text, place)
    positions = sorted(events)
    best, at = 0.0, range(0)
    low = 0
    counts: Counter[str] = Counter()
    held = 0.0
    for high, i in enumerate(positions):
        for form in events[i]:
            if not counts[form]:
                held += what.weights[form]
            counts[form] += 1
        while i - positions[low] >= WINDOW_WORDS:
            for form in events[positions[low]]:
                counts[form] -= 1
                if not counts[form]:
                    held -= what.weights[form]
            low += 1
        if held > best:
            inside = positions[low : high + 1]
            value = _in_company(what, inside, events) if company else held
            if value > best:
                best, at = value, range(inside[0], i + 1)
    return BestWindow(share=best / what.total, window=at)


def _events(what: SearchTarget, text: SearchableText, place: int) -> dict[int, list[str]]:
    start, end = text.starts[place], text.starts[place + 1]
    events: dict[int, list[str]] = {}
    for form in what.weights:
        positions = text.at.get(form, ())
        for at in positions[bisect_left(positions, start) : bisect_left(positions, end)]:
            events.setdefault(at, []).append(form)
    return events


ALONE = 0.3  # what a word without company counts


def _in_company(what: SearchTarget, positions: Sequence[int], events: Mapping[int, Sequence[str]]) -> float:
    """The weight of the forms in a window, those without company at a fraction."""
    together: set[str] = set()
    for k, i in enumerate(positions):
        for j in positions[k + 1 :]:
            if j - i > NEAR_WORDS:
                break
            for a in events[i]:
                for b in events[j]:
                    if (a, b) in what.pairs:
                        together.update((a, b))
    present = {f for i in positions for f in events[i]}
    if len(what.weights) == 1:
        return math.fsum(what.weights[f] for f in present)
    return math.fsum(what.weights[f] * (1.0 if f in together else ALONE) for f in present)
