"""A judge that needs no model: the exact scorer, told criterion by criterion.

Each criterion is a share of what the probe expects, from 0 to 1, times 5. Where the expected items cannot
tell (how well a quoted passage keeps to a form, how deep an answer is whose parts are bare names) the
criterion is not judged, with the reason; it is no zero. A decline earns nothing where the conversation tells
the answer.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import CriterionResult, JudgeCase, Judgement
from tamis.evals.judging.rubric import HIGHEST, Rubric
from tamis.evals.probing.exact_scorer import (
    ANSWERED_FROM,
    AnswerScore,
    ItemCredits,
    credit_items,
    naming,
    other_names,
    score_answer,
)
from tamis.evals.probing.probes import Expected
from tamis.evals.probing.readers import MAX_ANSWER_CHARS
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


ScoreAndReason = tuple[float | None, str]  # a share from 0 to 1 and why, or None and why it cannot be told


class OfflineJudge:
    """Judges by the typed items that a probe expects.

    >>> import asyncio
    >>> from tamis.evals.judging.rubric import load_rubric
    >>> from tamis.evals.probing.probes import Expected, Probe
    >>> from tamis.evals.probing.readers import Answer
    >>> port = Expected(type="number", value="8080")
    >>> probe = Probe(id="p", kind="recall", question="Which port?", expected=(port,))
    >>> case = JudgeCase(probe=probe, answer=Answer(text="It listens on 8080."))
    >>> asyncio.run(OfflineJudge(load_rubric()).judge(case)).score_of("accuracy_factual")
    5.0
    """

    name = "offline"
    version = "1"

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    async def judge(self, case: JudgeCase, *, repeat: int = 0) -> Judgement | NotMeasured:  # noqa: ARG002
        """Judge one answer; the same answer always gets the same scores, whatever the repeat."""
        evidence = Evidence(case)
        return Judgement(
            results=tuple(_judge(criterion.id, evidence) for criterion in self.rubric.for_probe(case.probe))
        )


def _judge(criterion: str, evidence: Evidence) -> CriterionResult:
    tell = _TELLS.get(criterion)
    if tell is None:
        share, why = _unknown("the offline judge has no criterion of this name")
    elif not evidence.case.probe.expected:
        if criterion in ("accuracy_factual", "instruction_constraints"):
            share, why = _exact(evidence)
        else:
            share, why = _unknown("nothing is expected but a decline")
    else:
        share, why = tell(evidence)
    score = None if share is None else round(HIGHEST * share, 2)
    return CriterionResult(criterion=criterion, score=score, reasoning=why)


def _factual(evidence: Evidence) -> ScoreAndReason:
    """Of what the answer gives, how much is right: precision, where coverage is recall."""
    right, wrong = [credit for _, credit in evidence.found], evidence.wrong
    if evidence.case.answer.declined:
        return 0.0, "declined: nothing is stated"
    if not right:
        return 0.0, f"nothing of what is expected is stated{naming(', wrong', wrong)}"
    return sum(right) / (len(right) + len(wrong)), f"{len(right)} stated and right{naming(', wrong', wrong)}"


def _technical(evidence: Evidence) -> ScoreAndReason:
    """Of the names in what the answer gives, how many are right to the letter."""
    named = [item for item, _ in evidence.earned if names_of(item)]
    if not named:
        return _unknown("no identifier, number, error or other technical name is expected")
    given = [item for item, _ in evidence.found if names_of(item)]
    if not given:
        return 0.0, "nothing technical of what is expected is stated"
    wrong = [value for value in evidence.wrong if names_in(value)]
    exact = [share_of_names(item, evidence.text) for item in given]
    return sum(exact) / (len(exact) + len(wrong)), f"{_told(exact)} exact{naming(', wrong', wrong)}"


def _conversation_state(evidence: Evidence) -> ScoreAndReason:
    """Whether what holds now is given, and what held before is not."""
    probe = evidence.case.probe
    if not probe.superseded and probe.kind != "continuation":
        return _unknown("nothing that is asked for has changed in the conversation")
    current, stale = [credit for _, credit in evidence.earned], evidence.stale
    share = sum(current) / (len(current) + len(stale))
    return share, f"{_told(current)} current{naming(', superseded', stale)}"


def _exact(evidence: Evidence) -> ScoreAndReason:
    """The exact score: F1 for a complete list, else found less wrong."""
    return evidence.score.value, evidence.score.reason


def _artifact_state(evidence: Evidence) -> ScoreAndReason:
    if not any(item.type == "path" for item, _ in evidence.earned):
        return _unknown("no file is expected: the question names it")
    return _exact(evidence)


def _key_details(evidence: Evidence) -> ScoreAndReason:
    details = [_given(credit) for item, credit in evidence.earned if item.type != "path"]
    return _mean(details, "no detail but files")


def _depth(evidence: Evidence) -> ScoreAndReason:
    """How much of each text is there; a bare name is there or not, and has no depth."""
    texts = [_given(credit) for item, credit in evidence.earned if item.type == "text"]
    return _mean(texts, "no text, only names,")


def _format(evidence: Evidence) -> ScoreAndReason:
    """One paragraph or a list, within the length of an answer; only of what the reader wrote itself."""
    answer = evidence.case.answer
    if answer.declined:
        return _unknown("a decline has no other form")
    if answer.quotes:
        return _unknown("the answer is quoted word for word: its form is that of the conversation")
    paragraphs = [p for p in answer.text.split("\n\n") if p.strip() and not _LIST.match(p)]
    faults = []
    if not answer.text.strip():
        return 0.0, "there is no answer, and no decline"
    if len(paragraphs) > 1:
        faults.append(f"{len(paragraphs)} paragraphs")
    if len(answer.text) > MAX_ANSWER_CHARS:
        faults.append(f"{len(answer.text):,} characters")
    return (1.0, 0.6, 0.2)[len(faults)], "; ".join(faults) or "one paragraph or a list"


_LIST = re.compile(r"\A\s*+(?:[-*•]|\d++[.)])\s")

_TELLS: Mapping[str, Callable[[Evidence], ScoreAndReason]] = {
    "accuracy_factual": _factual,
    "accuracy_technical": _technical,
    "context_conversation_state": _conversation_state,
    "context_artifact_state": _artifact_state,
    "artifact_files_created": _exact,
    "artifact_files_modified": _exact,
    "artifact_key_details": _key_details,
    "completeness_coverage": lambda e: _mean([float(c >= ANSWERED_FROM) for _, c in e.earned], "nothing"),
    "completeness_depth": _depth,
    "continuity_work_state": _exact,
    "continuity_todo_state": _exact,
    "continuity_reasoning": _exact,
    "instruction_format": _format,
    "instruction_constraints": _exact,
}


def _unknown(why: str) -> ScoreAndReason:
    return None, f"cannot be told: {why}"


def _given(credit: float) -> float:
    """The credit of what was found; a few words in common are chance."""
    return credit if credit >= ANSWERED_FROM else 0.0


def _mean(earned: list[float], nothing: str) -> ScoreAndReason:
    if not earned:
        return _unknown(f"{nothing} is expected")
    return sum(earned) / len(earned), f"{_told(earned)} there"


def _told(earned: list[float]) -> str:
    return f"{sum(earned):.3g} of {len(earned)}"
