"""Runs of a small suite, for what is tested about boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tamis.bench.board import BoardRow, score_log
from tamis.bench.run import BenchPlan, in_this_process, run_benchmark
from tamis.bench.run_log import read_log
from tamis.bench.suite import load_suite
from tamis.compactors import get_method
from tamis.evals.probing.readers import LexicalReader

WHOLE = load_suite("practice")
SUITE = replace(WHOLE, templates=WHOLE.narrowed(1).templates[:4])
SETTINGS = {"slots": 2, "cycles": 1, "length_tokens": 2_000}


def run(path: Path, method: str = "head-tail", *, resume: bool = False, **settings: object) -> BoardRow:
    plan = BenchPlan(suite=SUITE, **{**SETTINGS, **settings})  # type: ignore[arg-type]
    own = get_method(method)
    list(run_benchmark(plan, own, LexicalReader(), path, resume=resume, compacts=in_this_process(own)))
    return score_log(read_log(path), plan.suite)
