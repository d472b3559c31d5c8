"""How much readers want a statement in a hand-off: learned from statements that they graded.

Readers who had seen the whole of a session and what came after it graded each of its statements from 0 (it
should not stand there) to 4 (a hand-off without it fails). What a grade is worth is predicted by an additive
model on a log scale: a weight for each kind, flag, and word or pair of words, and a step function for each
number. Learned by `benchmarks/statement_grades.py`, which shows how well it does on unseen sessions.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from tamis.compactors.brief.choice.signals import NUMBERS, Signals
from tamis.compactors.brief.choice.steps import Steps
from tamis.ledger.speech.sentence_acts import features

MOST_ODDS = 6.0
"""No statement is worth more than e to the sixth beside the plainest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GradeModel:
    """The weights, on a log scale; `scale` turns what a grade is worth into tokens of plain conclusions."""

    intercept: float
    scale: float
    kinds: Mapping[str, float]
    flags: Mapping[str, float]
    steps: Mapping[str, Steps]
    words: Mapping[str, float]

    def __call__(self, signals: Signals) -> float:
        """What the grade of a statement is worth, in tokens of an agent's plain conclusions."""
        odds = self.intercept + self.kinds.get(signals.kind, 0.0)
        odds += sum(self.flags.get(flag, 0.0) for flag in sorted(signals.flags))
        for name, value in zip(NUMBERS, signals.numbers, strict=True):
            steps = self.steps.get(name)
            if steps is not None:
                odds += steps.scores[bisect_right(steps.edges, value)]
        odds += self._by_words(signals.text)
        return self.scale * math.exp(min(max(odds, -2 * MOST_ODDS), MOST_ODDS))

    def _by_words(self, text: str) -> float:
        found = features(text)
        held = sorted(found & self.words.keys())
        return sum(map(self.words.__getitem__, held)) / math.sqrt(max(len(found), 1))


@cache
def default_grade() -> GradeModel:
    """The weights that ship with tamis.

    >>> from tamis.compactors.brief.choice.signals import Signals
    >>> numbers = (12.0, *[0.0] * 12)
    >>> told = Signals("said", numbers, frozenset({"prose"}), "The cause was a missing lock.")
    >>> idle = Signals("said", numbers, frozenset({"prose"}), "Let me look at the file.")
    >>> default_grade()(told) > 2 * default_grade()(idle)
    True
    """
    text = files("tamis.compactors.brief").joinpath("grades.json").read_text(encoding="utf-8")
    return TypeAdapter(GradeModel).validate_python(json.loads(text))
