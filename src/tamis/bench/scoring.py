"""This package's own scorer: what an answer is worth, and what the answers of a run come to.

It stands beside the published one (`tamis.bench.compat`), takes its weights and its formulas, and differs
where that can be gamed: words are matched at their boundaries and not where they are denied, an answer must
commit itself (a line that lists the right value among others of its kind says nothing), an empty answer earns
nothing, and drift is not measured where there was nothing to lose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tamis.bench.case import Questions
from tamis.bench.matching import affirms, any_affirmed, commits_to, rules_out, sentences
from tamis.bench.template import EvaluationItem, Expected, ItemType

SCORER: Final = "tamis-1"

WEIGHTS: Final[Mapping[ItemType, float]] = {
    "locked_decision_retention": 3.0,
    "forbidden_behavior_retention": 3.0,
    "immutable_fact_recall": 2.0,
    "unresolved_task_continuity": 2.0,
    "entity_integrity": 1.0,
    "planning_soundness": 1.0,
}
CONSTRAINTS: Final = frozenset({"locked_decision_retention", "forbidden_behavior_retention"})
Tier = Literal["light", "mid", "aggressive"]
TIER_FLOORS: Final[Mapping[Tier, float]] = {"light": 2.0, "mid": 4.0, "aggressive": 8.0}
MAX_CONTRADICTION_RATE: Final = 0.10
MIN_PASS_RATE: Final = 0.40
PASSED_FROM: Final = 0.5
"""The case score from which a case counts as passed."""

UNDECIDED: Final = 0.5
"""What an answer earns that gives both what holds and what was superseded, and not which is which."""


@dataclass(frozen=True, kw_only=True)
class ItemScore:
    """What one answer is worth, from 0 to 1, whether it contradicts what holds, and why."""

    key: str
    type: ItemType
    score: float
    contradicts: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class CycleScore:
    """One cycle: `score` is the weighted mean of the items, `penalized` after the penalty."""

    items: tuple[ItemScore, ...]
    score: float
    contradiction_rate: float
    ratio: float

    @property
    def penalized(self) -> float:
        """The score less the share of answers that contradict what holds."""
        return max(0.0, min(1.0, self.score * (1.0 - self.contradiction_rate)))


@dataclass(frozen=True, kw_only=True)
class CaseScore:
    """All cycles of a case. `drift_resistance` is None where there was nothing to lose, or one cycle only."""

    case: str
    template: str
    family: str
    slot: int
    cycles: tuple[CycleScore, ...]

    @property
    def score(self) -> float:
        """The mean of the penalized scores."""
        return sum(c.penalized for c in self.cycles) / len(self.cycles)

    @property
    def drift_resistance(self) -> float | None:
        """1 less what the later cycles lost on average against the first."""
        first, *later = [c.penalized for c in self.cycles]
        if not later or not first:
            return None
        change = sum(score - first for score in later) / len(later)
        return max(0.0, min(1.0, 1.0 + change))


@dataclass(frozen=True, kw_only=True)
class RunScore:
    """What a run comes to. None is not measured; `drift_cases` says over how many cases drift was.

    `floor` is what the same questions give to one who answers nothing.
    """

    overall: float
    drift_resistance: float | None
    drift_cases: int
    constraint_retention: float | None
    contradiction_rate: float
    ratio: float
    families: Mapping[str, float]
    pass_rates: Mapping[str, float]
    floor: float
    cases: tuple[CaseScore, ...]


def score_answer(item: EvaluationItem, text: str, questions: Questions) -> ItemScore:
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


def _held(expected: Expected, said: Sequence[str], rivals: Sequence[str]) -> tuple[float, str]:
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


def _holds_to_the_old(sentence: str, expected: Expected) -> bool:
    """A sentence with both the old and the new tells of the change; one with the old alone holds to it."""
    if not any_affirmed(sentence, expected.superseded):
        return False
    return not any_affirmed(
        sentence, [v for v in (expected.value, *expected.values) if v not in expected.superseded]
    )


def _contradicts(item: EvaluationItem, said: Sequence[str], questions: Questions) -> bool:
    """Whether the answer gives the superseded and not what holds, or says to do what is forbidden."""
    expected = item.expected
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


def score_cycle(questions: Questions, answers: Mapping[str, str], ratio: float) -> CycleScore:
    """Score the answers of a cycle; one that is missing is an empty one."""
    items = tuple(score_answer(item, answers.get(item.key, ""), questions) for item in questions.items)
    weight = sum(WEIGHTS[i.type] for i in items)
    return CycleScore(
        items=items,
        score=sum(i.score * WEIGHTS[i.type] for i in items) / weight,
        contradiction_rate=sum(i.contradicts for i in items) / len(items),
        ratio=ratio,
    )


def score_run(cases: Sequence[CaseScore], questions: Sequence[Questions]) -> RunScore:
    """The figures of a run over its cases; `questions` are those of the same cases."""
    cycles = [cycle for case in cases for cycle in case.cycles]
    drifts = [d for case in cases if (d := case.drift_resistance) is not None]
    kept = [i.score for cycle in cycles for i in cycle.items if i.type in CONSTRAINTS]
    by_family: dict[str, list[float]] = {}
    for case in cases:
        by_family.setdefault(case.family, []).append(case.score)
    return RunScore(
        overall=mean([case.score for case in cases]) or 0.0,
        drift_resistance=mean(drifts),
        drift_cases=len(drifts),
        constraint_retention=mean(kept),
        contradiction_rate=mean([c.contradiction_rate for c in cycles]) or 0.0,
        ratio=mean([c.ratio for c in cycles]) or 0.0,
        families={family: sum(scores) / len(scores) for family, scores in by_family.items()},
        pass_rates={
            f: sum(s >= PASSED_FROM for s in scores) / len(scores) for f, scores in by_family.items()
        },
        floor=mean([score_cycle(q, {}, 1.0).penalized for q in questions]) or 0.0,
        cases=tuple(cases),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None
