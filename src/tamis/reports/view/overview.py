"""What the viewer tells of a run before anything is opened: what it holds, and its averages."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tamis.evals.controls import is_control
from tamis.evals.figures.reading_summary import ReadingCell, summarise_reading
from tamis.evals.figures.summary import sets_of, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.probing.probes import PROBE_KINDS
from tamis.evals.rundir.results import Run
from tamis.reports.figure_labels import budget_label, tokenizer
from tamis.reports.reading_groups import calibrations_of, distrust


def describe_run(run: Run, folder: Path, number: int, index: sqlite3.Connection) -> dict[str, Any]:
    """What can be chosen in a run."""
    methods, budgets = (
        [name for (name,) in index.execute(f"SELECT DISTINCT {column} FROM results WHERE run = ?", (number,))]
        for column in ("method", "budget")
    )
    readers = index.execute("SELECT DISTINCT reader FROM answers WHERE run = ? ORDER BY reader", (number,))
    kinds = {kind for (kind,) in index.execute("SELECT DISTINCT kind FROM probes WHERE run = ?", (number,))}
    return {
        "name": folder.resolve().name,
        "path": str(folder),
        "tamis": run.tamis,
        "tokens": tokenizer(run),
        "sessions": run.sessions,
        "messages": run.messages,
        "points": len(run.points),
        "answers": len(run.answers),
        "start": _start(run, number, index),
        "methods": _as_asked(methods, run.settings.methods),
        "budgets": [{"name": b, "label": budget_label(b)} for b in _as_asked(budgets, run.settings.budgets)],
        "cycles": run.settings.cycles,
        "readers": [reader for (reader,) in readers],
        "sets": sets_of(run),
        "kinds": [kind for kind in PROBE_KINDS if kind in kinds],
        "judges": [
            {
                "judge": calibration.judge,
                "reliable": calibration.reliable,
                "verdict": calibration.verdict,
                "evidence": f"{calibration.set}: {calibration.evidence}",
                "doubt": distrust(calibration),
            }
            for calibration in calibrations_of(run).values()
        ],
        "skipped": len(run.skipped),
    }


def _start(run: Run, number: int, index: sqlite3.Connection) -> dict[str, Any] | None:
    """What to open on: the ledger (else the first method), the budget that matters, and what stands beside.

    That is the budget at which the agents' own summaries fit at most points, where they were measured, and
    they stand beside; else the one at which the method made the most contexts. The smallest of equals.
    """
    found = index.execute(
        "SELECT method, budget, sum(outcome = 'fits') FROM results WHERE run = ? AND cycle = 1"
        " GROUP BY method, budget",
        (number,),
    )
    made: dict[tuple[str, str], int] = {(method, budget): fitting for method, budget, fitting in found}
    candidates = [m for m in _as_asked({m for m, _ in made}, run.settings.methods) if not is_control(m)]
    if not candidates:
        return None
    method = next((m for m in ("ledger", *candidates) if m in candidates), candidates[0])
    beside = "recorded" if method != "recorded" and any(made.get(("recorded", b)) for _, b in made) else None
    # a budget at which neither made anything shows nothing
    budgets = _as_asked({b for _, b in made}, run.settings.budgets)
    of = [name for name in (beside, method) if name]
    return {
        "method": method,
        "budget": max(budgets, key=lambda b: [made.get((name, b), 0) for name in of]),
        "beside": beside,
    }


def run_figures(run: Run) -> list[dict[str, Any]]:
    """A row per method and budget after the first cycle, as each reader answered and each judge judged."""
    reading: dict[tuple[str, str], list[ReadingCell]] = {}
    for read in summarise_reading(run) if len(run.answers) else ():
        if read.place.cycle == 1:
            reading.setdefault((read.place.method, read.place.budget), []).append(read)
    return [
        {
            "method": cell.method,
            "budget": cell.budget,
            "control": is_control(cell.method),
            "recall": _told(cell.recall),
            "regret": _told(cell.regret_rate),
            "kept": _told(cell.kept_share),
            "reading": [
                {
                    "reader": read.place.reader,
                    "judge": read.place.judge,
                    "exact": _told(read.exact),
                    "held": _told(read.held),
                    "overall": _told(read.overall),
                    "answers": read.answers,
                }
                for read in reading.get((cell.method, cell.budget), ())
            ],
            "gaps": sum(cell.not_measured.values()) + sum(cell.failed.values()),
        }
        for cell in summarise(run)
    ]


def _as_asked(names: Iterable[str], asked: Sequence[str]) -> list[str]:
    """In the order in which they were asked for; methods that were named by a file come last."""
    return sorted(names, key=lambda name: (asked.index(name) if name in asked else len(asked), name))


def _told(estimate: Estimate | None) -> dict[str, Any] | None:
    return asdict(estimate) if estimate else None
