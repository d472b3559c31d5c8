"""Measuring what survived: compaction points, hindsight, probes, the runner, run directories, figures.

Names are loaded when they are first used: one figure does not wait for all that can be measured.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.evals.evaluation import evaluate
    from tamis.evals.experiment.experiment_run import ResourceLimits, conduct
    from tamis.evals.experiment.runner import SessionFile, evaluate_file, evaluate_session
    from tamis.evals.figures.drift import Survival, survival
    from tamis.evals.figures.reading_summary import ReadingCell, summarise_reading
    from tamis.evals.hindsight import Hindsight, Need, Needs, NotMeasured, needed_names, score_hindsight
    from tamis.evals.points import At, NoPoint, Point, find_points
    from tamis.evals.probing.exact_scorer import AnswerScore, score_answer
    from tamis.evals.probing.examination import ask, score_holding
    from tamis.evals.probing.probe_maker import ProbeSet, make_point_probes, make_probes
    from tamis.evals.probing.probes import Expected, Probe, ProbeKind, read_probes, write_probes
    from tamis.evals.probing.readers import Answer, LexicalReader, ModelReader, Reader
    from tamis.evals.rundir.rescore import RescoreResult, score_run
    from tamis.evals.rundir.results import (
        AnswerRecord,
        Failure,
        JudgementRecord,
        PointRecord,
        ProbeRecord,
        Result,
        Run,
        SessionResults,
        Settings,
        SkippedInput,
    )
    from tamis.evals.rundir.run_directory import RunWriter, read_run, write_run
    from tamis.evals.rundir.text_store import Texts
    from tamis.evals.statements import KeyPoint, KeyPoints, StatementRecall, find_key_points, score_statements

__all__ = [
    "Answer",
    "AnswerRecord",
    "AnswerScore",
    "At",
    "Expected",
    "Failure",
    "Hindsight",
    "JudgementRecord",
    "KeyPoint",
    "KeyPoints",
    "LexicalReader",
    "ModelReader",
    "Need",
    "Needs",
    "NoPoint",
    "NotMeasured",
    "Point",
    "PointRecord",
    "Probe",
    "ProbeKind",
    "ProbeRecord",
    "ProbeSet",
    "Reader",
    "ReadingCell",
    "RescoreResult",
    "ResourceLimits",
    "Result",
    "Run",
    "RunWriter",
    "SessionFile",
    "SessionResults",
    "Settings",
    "SkippedInput",
    "StatementRecall",
    "Survival",
    "Texts",
    "ask",
    "conduct",
    "evaluate",
    "evaluate_file",
    "evaluate_session",
    "find_key_points",
    "find_points",
    "make_point_probes",
    "make_probes",
    "needed_names",
    "read_probes",
    "read_run",
    "score_answer",
    "score_hindsight",
    "score_holding",
    "score_run",
    "score_statements",
    "summarise_reading",
    "survival",
    "write_probes",
    "write_run",
]

_HOMES = {
    "evaluation": "evaluate",
    "experiment.experiment_run": "ResourceLimits conduct",
    "experiment.runner": "SessionFile evaluate_file evaluate_session",
    "figures.drift": "Survival survival",
    "figures.reading_summary": "ReadingCell summarise_reading",
    "hindsight": "Hindsight Need Needs NotMeasured needed_names score_hindsight",
    "points": "At NoPoint Point find_points",
    "probing.exact_scorer": "AnswerScore score_answer",
    "probing.examination": "ask score_holding",
    "probing.probe_maker": "ProbeSet make_point_probes make_probes",
    "probing.probes": "Expected Probe ProbeKind read_probes write_probes",
    "probing.readers": "Answer LexicalReader ModelReader Reader",
    "rundir.rescore": "RescoreResult score_run",
    "rundir.results": "AnswerRecord Failure JudgementRecord PointRecord ProbeRecord Result Run "
    "SessionResults Settings SkippedInput",
    "rundir.run_directory": "RunWriter read_run write_run",
    "rundir.text_store": "Texts",
    "statements": "KeyPoint KeyPoints StatementRecall find_key_points score_statements",
}
"""Where each exported name lives, below this package."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            value = getattr(import_module(f"tamis.evals.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'tamis.evals' has no attribute {name!r}")
