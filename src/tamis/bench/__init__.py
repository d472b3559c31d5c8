"""The benchmark: seeded cases, true drift, two scorers, and a board that is hard to game."""

from tamis.bench.board import BoardRow, rank, score_log
from tamis.bench.case import Case, CaseQuestions, Spot, make_case
from tamis.bench.isolation import IsolatedMethod
from tamis.bench.run import BenchPlan, in_this_process, run_benchmark
from tamis.bench.run_log import RunLog, read_log
from tamis.bench.suite import Suite, load_suite, own_suites
from tamis.bench.template import Template, template_schema

__all__ = [
    "BenchPlan",
    "BoardRow",
    "Case",
    "CaseQuestions",
    "IsolatedMethod",
    "RunLog",
    "Spot",
    "Suite",
    "Template",
    "in_this_process",
    "load_suite",
    "make_case",
    "own_suites",
    "rank",
    "read_log",
    "run_benchmark",
    "score_log",
    "template_schema",
]
