"""This package's own scorer: what an answer is worth. What the answers of a run come to is in `figures`.

It stands beside the published one (`tamis.bench.compat`), takes its weights and its formulas, and differs
where that can be gamed: words are matched at their boundaries and not where they are denied, an answer must
commit itself (a line that lists the right value among others of its kind says nothing), an empty answer earns
nothing, and drift is not measured where there was nothing to lose.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tamis.bench.case import CaseQuestions
from tamis.bench.methodology import CONSTRAINTS
from tamis.bench.phrase_match import affirms, any_affirmed, commits_to, rules_out, sentences
from tamis.bench.template import BenchItemType, EvaluationItem, ExpectedAnswer

SCORER: Final = "tamis-2"
UNDECIDED: Final = 0.5
"""What an answer earns that gives both what holds and what was superseded, and not which is which."""


@dataclass(frozen=True, kw_only=True)
class ItemScore:
    """What one answer is worth, from 0 to 1, whether it contradicts what holds, and why.

    A score of None is not measured: the reader gave no answer, and `reason` is why.
    """

    key: str
    type: BenchItemType
    score: float | None
    contradicts: bool
    reason: str


def score_answer(item: EvaluationItem, text: str, questions: CaseQuestions) -> ItemScore:
    """Score one answer; an empty one earns nothing whatever was asked."""
    expected = item.expected
    said = sentences(text)
    contradicts = _contradicts(item, said, questions)
    if not said:
        score, reason = 0.0, "no answer"
    elif expected.check == "forbidden_absent":
        score = float(not any_affirmed_in(said, (expected.value, *expected.forms)))
        reason = "keeps to the rule" if score else "says what is forbidden"
    elif expected.check == "exact":
        score = float(text.strip() in {expected.value.strip(), *(f.strip() for f in expected.forms)})
        reason = "the very text" if score else "another text"
    else:
        score, reason = _held(expected, said, questions.rivals.get(item.key, ()))
    return ItemScore(key=item.key, type=item.type, score=score, contradicts=contradicts, reason=reason)


def any_affirmed_in(said: Sequence[str], forms: Sequence[str]) -> bool:
    """Whether one of the sentences affirms one of the forms."""
    return any(any_affirmed(sentence, forms) for sentence in said)


def _held(expected: ExpectedAnswer, said: Sequence[str], rivals: Sequence[str]) -> tuple[float, str]:
    """The share of what is expected that the answer says; half, where it gives the superseded as well."""
    wanted = (
        [(v,) for v in expected.values]
        if expected.check == "set_match"
        else [(expected.value, *expected.forms)]
    )
    alone = () if expected.check == "set_match" else rivals
    found = [any(_says(s, forms, expected.forbids, alone) for s in said) for forms in wanted]
    if any(_holds_to_the_old(s, expected) for s in said):
        return UNDECIDED * sum(found) / len(found), "gives what was superseded as if it held"
    missing = [forms[0] for forms, there in zip(wanted, found, strict=True) if not there]
    return sum(found) / len(found), f"missing: {'; '.join(missing)}" if missing else "says it"


def _says(sentence: str, forms: Sequence[str], forbids: bool, rivals: Sequence[str]) -> bool:
    states = rules_out if forbids else affirms
    return any(states(sentence, form) and commits_to(sentence, form, rivals) for form in forms)


def _holds_to_the_old(sentence: str, expected: ExpectedAnswer) -> bool:
    """A sentence with both the old and the new tells of the change; one with the old alone holds to it."""
    if not any_affirmed(sentence, expected.superseded):
        return False
    return not any_affirmed(
        sentence, [v for v in (expected.value, *expected.values) if v not in expected.superseded]
    )


def _contradicts(item: EvaluationItem, said: Sequence[str], questions: CaseQuestions) -> bool:
    """Whether the answer gives the superseded and not what holds, or says to do what is forbidden."""
    expected = item.expected
    if expected.check == "forbidden_absent" and any_affirmed_in(said, (expected.value, *expected.forms)):
        return True
    holds = any_affirmed_in(said, (expected.value, *expected.values, *expected.forms))
    if not holds and any(_holds_to_the_old(s, expected) for s in said):
        return True
    if item.type in CONSTRAINTS:
        return False
    return any(
        affirms(s, phrase) and not rules_out(s, phrase)
        for s in said
        for phrase in questions.ground_truth.forbidden_behaviors
    )
