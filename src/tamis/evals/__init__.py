"""Measuring what survived: compaction points, hindsight, the runner, run directories, figures."""

from tamis.evals.evaluation import evaluate
from tamis.evals.hindsight import Hindsight, Need, Needs, NotMeasured, needed_names, score_hindsight
from tamis.evals.points import At, NoPoint, Point, find_points
from tamis.evals.results import Failure, PointRecord, Result, Run, SessionResults, Settings, Skipped
from tamis.evals.runner import evaluate_file, evaluate_paths, evaluate_session
from tamis.evals.store import RunWriter, Texts, read_run, write_run

__all__ = [
    "At",
    "Failure",
    "Hindsight",
    "Need",
    "Needs",
    "NoPoint",
    "NotMeasured",
    "Point",
    "PointRecord",
    "Result",
    "Run",
    "RunWriter",
    "SessionResults",
    "Settings",
    "Skipped",
    "Texts",
    "evaluate",
    "evaluate_file",
    "evaluate_paths",
    "evaluate_session",
    "find_points",
    "needed_names",
    "read_run",
    "score_hindsight",
    "write_run",
]
