"""Answers and judgements as far as figures go: gone through one by one, without the texts of the answers.

A run that was read from a folder may hold more answers than memory should; what is kept here grows with its
results and its probes.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tamis.errors import UnreadableFile
from tamis.evals.hindsight import NotMeasured
from tamis.evals.judging.judge import Judgement, dimension_scores
from tamis.evals.judging.rubric import Rubric, kept_rubrics, load_rubric
from tamis.evals.rundir.records import JUDGEMENT, RecordLines, raw_of, raw_records
from tamis.evals.rundir.results import Run, answer_key, result_key
from tamis.evals.rundir.text_store import Texts


class ResultPlace(NamedTuple):
    """Where a result belongs."""

    key: str
    point: str
    method: str
    budget: str
    cycle: int


class ReadAnswer(NamedTuple):
    """An answer as far as figures go. `reason` says why it has its score, or why there is none."""

    key: str
    result: str
    probe: str
    reader: str
    exact: float | None
    held: float | None
    reason: str


class ReadJudgement(NamedTuple):
    """A judgement as far as figures go: the scores by dimension, or None with the reason."""

    answer: str
    judge: str
    rubric: str
    scores: Mapping[str, float] | None
    reason: str

    @property
    def label(self) -> str:
        """The judge's name; with the rubric where it is not the one that ships."""
        return judge_label(self.judge, self.rubric)


def result_places(run: Run) -> Iterator[ResultPlace]:
    """Where each result belongs."""
    for r in raw_of(run.results, "results"):
        at = (r["point"], r["method"], r["budget"], r["cycle"])
        yield ResultPlace(result_key(*at), *at)


def readers_of(run: Run) -> set[tuple[str, str]]:
    """Who answered, each with its version."""
    return {(a["reader"], a["reader_version"]) for a in raw_of(run.answers, "answers")}


def judges_of(run: Run) -> set[tuple[str, str, str]]:
    """Who judged, each with its version and rubric."""
    judgements = raw_of(run.judgements, "judgements")
    return {(j["judge"], j["judge_version"], j["rubric"]) for j in judgements}


def read_answers(run: Run) -> Iterator[ReadAnswer]:
    """Each answer, in order."""
    for a in raw_of(run.answers, "answers"):
        place, exact = (a["result"], a["probe"], a["reader"]), a["exact"]
        yield ReadAnswer(answer_key(*place), *place, exact.get("value"), a["held"], exact["reason"])


def read_judgements(run: Run) -> Iterator[ReadJudgement]:
    """Each judgement, in order; the same text is worked out once."""
    known = known_rubrics(run)
    if not isinstance(run.judgements, RecordLines):
        for record in run.judgements:
            scores = _scores(known, record.rubric, record.judgement)
            reason = record.judgement.reason if isinstance(record.judgement, NotMeasured) else "no criterion"
            yield ReadJudgement(record.answer, record.judge, record.rubric, scores, reason)
        return
    with closing(Texts(run.judgements.folder)) as texts:

        @lru_cache(maxsize=200_000)
        def scores_of(named: str, key: str) -> Mapping[str, float] | None:
            return _scores(known, named, JUDGEMENT.validate_json(texts[key]))

        for j in raw_records(run.judgements.folder, "judgements"):
            said = j["judgement"]
            scores = scores_of(j["rubric"], said) if isinstance(said, str) else None
            reason = "no criterion" if isinstance(said, str) else said["reason"]
            yield ReadJudgement(j["answer"], j["judge"], j["rubric"], scores, reason)


def judged_answers(run: Run) -> Iterator[tuple[ReadAnswer, ReadJudgement]]:
    """Each judgement behind the answer that it is of.

    Both stand in the same order, and those of a later scoring begin again at the first answer: so the answers
    are gone through beside the judgements, and none is held.

    Raises:
        UnreadableFile: a judgement is of no answer in the run.
    """
    answers: Iterator[ReadAnswer] = iter(())
    answer: ReadAnswer | None = None
    for judgement in read_judgements(run):
        turned = False
        while answer is None or answer.key != judgement.answer:
            answer = next(answers, None)
            if answer is None:
                if turned:
                    raise UnreadableFile(
                        f"a judgement by {judgement.judge} is of an answer that the run does not hold; "
                        "evaluate again into a new folder"
                    )
                answers, turned = read_answers(run), True
        yield answer, judgement


def judge_label(judge: str, rubric: str) -> str:
    """How a judge is called beside its figures: with the rubric where it is not the one that ships."""
    return judge if rubric == _shipped().id else f"{judge} ({rubric})"


def known_rubrics(run: Run) -> dict[str, Rubric]:
    """The rubrics that a run was judged by, by id, as far as they are at hand."""
    kept = kept_rubrics(run.answers.folder) if isinstance(run.answers, RecordLines) else ()
    known = (_shipped(), *kept)
    if run.settings.rubric and not kept:
        known = (*known, load_rubric(Path(run.settings.rubric)))
    return {rubric.id: rubric for rubric in known}


_shipped = lru_cache(maxsize=1)(load_rubric)


def _scores(
    known: Mapping[str, Rubric], named: str, judgement: Judgement | NotMeasured
) -> Mapping[str, float] | None:
    """The scores by dimension; None where nothing was measured, or the rubric is gone."""
    if isinstance(judgement, NotMeasured) or named not in known:
        return None
    return dimension_scores(known[named], judgement) or None
