"""Measuring what survived: compaction points, hindsight, probes, the runner, run directories, figures."""

from tamis.evals.evaluation import evaluate
from tamis.evals.hindsight import Hindsight, Need, Needs, NotMeasured, needed_names, score_hindsight
from tamis.evals.points import At, NoPoint, Point, find_points
from tamis.evals.probing.answers import AnswerScore, score_answer
from tamis.evals.probing.making import ProbeSet, make_point_probes, make_probes
from tamis.evals.probing.probes import Expected, Probe, ProbeKind, read_probes, write_probes
from tamis.evals.probing.readers import Answer, LexicalReader, ModelReader, Reader
from tamis.evals.probing.reading import ask, score_holding
from tamis.evals.results import Failure, PointRecord, Result, Run, SessionResults, Settings, Skipped
from tamis.evals.runner import evaluate_file, evaluate_paths, evaluate_session
from tamis.evals.store import RunWriter, Texts, read_run, write_run

__all__ = [
    "Answer",
    "AnswerScore",
    "At",
    "Expected",
    "Failure",
    "Hindsight",
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
    "ProbeSet",
    "Reader",
    "Result",
    "Run",
    "RunWriter",
    "SessionResults",
    "Settings",
    "Skipped",
    "Texts",
    "ask",
    "evaluate",
    "evaluate_file",
    "evaluate_paths",
    "evaluate_session",
    "find_points",
    "make_point_probes",
    "make_probes",
    "needed_names",
    "read_probes",
    "read_run",
    "score_answer",
    "score_hindsight",
    "score_holding",
    "write_probes",
    "write_run",
]
