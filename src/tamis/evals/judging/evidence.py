"""Evidence for a judge: the exact scorer's findings in an answer, ready for each criterion."""

from functools import cached_property

from tamis.evals.judging.judge import JudgeCase
from tamis.evals.probing.exact_scorer import (
    ANSWERED_FROM,
    AnswerScore,
    ItemCredits,
    credit_items,
    other_names,
    score_answer,
)
from tamis.evals.probing.probes import Expected
from tamis.text.names import names_in, stands_in


class Evidence:
    """An answer, read once for all criteria. A decline gives nothing."""

    def __init__(self, case: JudgeCase) -> None:
        self.case = case
        self.text = "" if case.answer.declined else case.answer.text

    @cached_property
    def score(self) -> AnswerScore:
        """The exact score."""
        scored = score_answer(self.case.probe, self.case.answer)
        assert isinstance(scored, AnswerScore)  # only a missing answer has none
        return scored

    @cached_property
    def _credits(self) -> ItemCredits:
        return credit_items(self.case.probe, self.text)

    @property
    def earned(self) -> tuple[tuple[Expected, float], ...]:
        """Each expected item with its credit.

        An answer that gives the superseded value resembles the current one for that reason alone: only what
        it gives whole counts.
        """
        pairs = zip(self.case.probe.expected, self._credits.earned, strict=True)
        return tuple((item, credit if credit == 1 or not self.stale else 0.0) for item, credit in pairs)

    @property
    def found(self) -> tuple[tuple[Expected, float], ...]:
        """The items that the answer gives, more or less."""
        return tuple((item, credit) for item, credit in self.earned if credit >= ANSWERED_FROM)

    @property
    def stale(self) -> tuple[str, ...]:
        """Superseded values given as if they held."""
        return self._credits.stale

    @cached_property
    def wrong(self) -> tuple[str, ...]:
        """All that the answer gives and should not.

        Where one path or number is asked for, giving several is hedging. A quoted passage is no hedge: the
        reader did not write it.
        """
        probe, wrong = self.case.probe, self._credits.wrong
        is_one_value = len(probe.expected) == 1 and probe.expected[0].type in ("path", "number")
        if is_one_value and not self.case.answer.quotes:
            wrong += tuple(other for other in other_names(probe, self.text) if other not in wrong)
        return wrong


def names_of(item: Expected) -> frozenset[str]:
    """What must be right to the letter in an item; files are the business of other criteria."""
    if item.type == "path":
        return frozenset()
    if item.type != "text":
        return frozenset({item.value})
    return frozenset(name.text for name in names_in(item.value))


def share_of_names(item: Expected, text: str) -> float:
    """Of the names in a text item, how many stand there; an identifier or number is found whole, or not."""
    if item.type != "text":
        return 1.0
    names = names_of(item)
    return sum(stands_in(name, text) for name in names) / len(names)
