"""Measuring what survived: compaction points, hindsight, probes, the runner, run directories, figures.

Names are loaded when they are first used: one figure does not wait for all that can be measured.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.evals.evaluation import evaluate
    from tamis.evals.experiment.experiment_run import conduct
    from tamis.evals.experiment.runner import SessionFile, evaluate_file, evaluate_session
    from tamis.evals.hindsight import Hindsight, Need, Needs, NotMeasured, needed_names, score_hindsight
    from tamis.evals.points import At, NoPoint, Point, find_points
    from tamis.evals.probing.exact_scorer import AnswerScore
    from tamis.evals.probing.probe_maker import make_point_probes
    from tamis.evals.probing.probes import Expected, Probe, ProbeKind, read_probes, write_probes
    from tamis.evals.probing.readers import Answer
    from tamis.evals.rundir.results import (
        Failure,
        PointRecord,
        Result,
        Run,
        SessionResults,
        Settings,
        SkippedInput,
    )
    from tamis.evals.rundir.run_directory import RunWriter, read_run, write_run
    from tamis.evals.rundir.text_store import Texts
    from tamis.evals.statements.keypoints import StatementRecall, find_key_points, score_statements

__all__ = [
    "Answer",
    "AnswerScore",
    "At",
    "Expected",
    "Failure",
    "Hindsight",
    "Need",
    "Needs",
    "NoPoint",
    "NotMeasured",
    "Point",
    "PointRecord",
    "Probe",
    "ProbeKind",
    "Result",
    "Run",
    "RunWriter",
    "SessionFile",
    "SessionResults",
    "Settings",
    "SkippedInput",
    "StatementRecall",
    "Texts",
    "conduct",
    "evaluate",
    "evaluate_file",
    "evaluate_session",
    "find_key_points",
    "find_points",
    "make_point_probes",
    "needed_names",
    "read_probes",
    "read_run",
    "score_hindsight",
    "score_statements",
    "write_probes",
    "write_run",
]

_HOMES = {
    "evaluation": "evaluate",
    "experiment.experiment_run": "conduct",
    "experiment.runner": "SessionFile evaluate_file evaluate_session",
    "hindsight": "Hindsight Need Needs NotMeasured needed_names score_hindsight",
    "points": "At NoPoint Point find_points",
    "probing.exact_scorer": "AnswerScore",
    "probing.probe_maker": "make_point_probes",
    "probing.probes": "Expected Probe ProbeKind read_probes write_probes",
    "probing.readers": "Answer",
    "rundir.results": "Failure PointRecord Result Run SessionResults Settings SkippedInput",
    "rundir.run_directory": "RunWriter read_run write_run",
    "rundir.text_store": "Texts",
    "statements.keypoints": "StatementRecall find_key_points score_statements",
}
"""Where each exported name lives, below this package."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            value = getattr(import_module(f"tamis.evals.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'tamis.evals' has no attribute {name!r}")
