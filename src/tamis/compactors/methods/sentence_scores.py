"""Which sentences of a text to keep: extractive selection by position, key terms and length.

The scores are those published for the compression of assistant messages ("Context Compression Phase 3"): a
sentence's place counts by its position in the whole text, with code blocks counted in, so that the last
sentence keeps its bonus wherever code stands. Code blocks are never scored, cut or dropped.
"""

import math
import re
from dataclasses import dataclass

from tamis.text import Sentence, split_sentences

KEY_TERMS = ("error", "success", "implement", "fix", "TODO")
"""The published terms. A term is found at the beginning of a word, in any case: "fixed" has "fix"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceWeights:
    """What a sentence gains or loses; the defaults are the published values, lengths in characters.

    A sentence has one position bonus and one length bonus: the first of the list that applies.
    """

    first: float = 2.0
    last: float = 1.5
    early: float = 1.0
    early_positions: int = 3
    key_term: float = 0.5
    very_short: float = -1.0
    very_short_chars: int = 10
    short: float = 0.3
    short_chars: int = 50
    long: float = -0.2
    long_chars: int = 200
    key_terms: tuple[str, ...] = KEY_TERMS


PUBLISHED = SentenceWeights()

LEARNED = SentenceWeights(first=-1.5, last=-0.5, early=0.2, very_short=-3.4, short=-1.8, long=0.0)
"""By how much likelier such a sentence was summed up later (log-odds): `benchmarks/sentence_scores.py`."""


def score_sentence(sentence: str, position: int, total: int, scores: SentenceWeights = PUBLISHED) -> float:
    """The score of the sentence at `position` of `total`, code blocks counted as positions.

    >>> score_sentence("The build is green again after the error in the parser was found.", 9, 10)
    2.0
    """
    score = sum(scores.key_term for term in scores.key_terms if _begins_a_word(term, sentence))
    if position == 0:
        score += scores.first
    elif position == total - 1:
        score += scores.last
    elif position < scores.early_positions:
        score += scores.early
    if len(sentence) < scores.very_short_chars:
        score += scores.very_short
    elif len(sentence) < scores.short_chars:
        score += scores.short
    elif len(sentence) > scores.long_chars:
        score += scores.long
    return score


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceRanking:
    """The sentences of a text, and the positions of those that are not code, best first."""

    text: str
    sentences: tuple[Sentence, ...]
    best_first: tuple[int, ...]

    def keep(self, ratio: float) -> str:
        """The text with only the best `ratio` of its sentences, in their order, and all of its code.

        A text of three sentences or fewer stays whole: there is nothing to choose from.
        """
        if len(self.best_first) <= 3:
            return self.text
        many = max(1, math.floor(len(self.best_first) * ratio + 1e-9))
        return self._without(frozenset(self.best_first[many:]))

    def _without(self, dropped: frozenset[int]) -> str:
        """What is left, between it the widest of the gaps that stood there: a paragraph stays one."""
        pieces: list[str] = []
        gap = ""
        end = self.sentences[0].start
        for i, sentence in enumerate(self.sentences):
            gap = max(gap, self.text[end : sentence.start], key=lambda g: (g.count("\n"), len(g)))
            end = sentence.end
            if i not in dropped:
                opening = gap if pieces else self.text[: self.sentences[0].start]
                pieces += [opening, self.text[sentence.start : sentence.end]]
                gap = ""
        return "".join(pieces) + self.text[end:]


def rank_sentences(text: str, scores: SentenceWeights = PUBLISHED) -> SentenceRanking:
    """Score every sentence of the text, once for any number of ratios.

    >>> ranking = rank_sentences("Fixed the parser. It was late. So it goes. The error is gone.")
    >>> ranking.keep(0.5)
    'Fixed the parser. The error is gone.'
    """
    sentences = tuple(split_sentences(text))
    scored = [
        (-score_sentence(text[s.start : s.end], i, len(sentences), scores), i)
        for i, s in enumerate(sentences)
        if s.kind != "code"
    ]
    return SentenceRanking(text=text, sentences=sentences, best_first=tuple(i for _, i in sorted(scored)))


def _begins_a_word(term: str, sentence: str) -> bool:
    return re.search(rf"\b{re.escape(term)}", sentence, re.IGNORECASE) is not None
