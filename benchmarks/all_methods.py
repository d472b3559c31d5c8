"""Every method in one table, from runs that are kept: what survives, what comes next, what it costs.

    python benchmarks/all_methods.py RUN_DIR [--budget 5%] [--tickets AB_DIR]

RUN_DIR is what `tamis eval ... --likelihood MODEL --next-action MODEL -o RUN_DIR` left, AB_DIR what `tamis ab
--tickets N -o AB_DIR` left. Behind each mean its 95 % interval over whole tasks and, after a semicolon, over
how many points (for tickets, tasks) it goes. A dash: not measured. Bits are saved against `nothing`; the next
call is compared with the agent's.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from hindsight import table

from tamis.ab.ticket_report import MethodScores, report_tickets
from tamis.ab.ticket_run import read_tickets
from tamis.evals.acting.summary import summarise_likelihoods, summarise_next_actions
from tamis.evals.figures.reading_summary import summarise_reading
from tamis.evals.figures.summary import Cell, summarise
from tamis.evals.inference.intervals import Estimate
from tamis.evals.rundir.results import Run
from tamis.evals.rundir.run_directory import read_run

HEADINGS = (
    "method",
    "statements",
    "names",
    "probes answered",
    "bits saved",
    "next call: tool",
    "target",
    "arguments",
    "tickets",
    "kept",
    "ms",
)


def shown(estimate: Estimate | None, form: str = ".2f") -> str:
    """A mean with its interval and the points behind it; a dash where nothing was measured.

    >>> shown(Estimate(mean=0.5, low=0.25, high=0.75, points=8, clusters=4))
    '0.50 (0.25–0.75; 8)'
    """
    if estimate is None:
        return "–"
    within = ""
    if estimate.low is not None and estimate.high is not None:
        within = f"{estimate.low:{form}}–{estimate.high:{form}}; "
    return f"{estimate.mean:{form}} ({within}{estimate.points})"


def tickets_of(folder: Path | None) -> Mapping[str, MethodScores]:
    """The scores of each method in a ticket run; none without one."""
    if folder is None:
        return {}
    return {scores.method: scores for scores in report_tickets(*read_tickets(folder)).methods}


def ticket_score(scores: MethodScores | None) -> str:
    """The share of a task that was done, over tasks."""
    if scores is None:
        return "–"
    within = scores.score.interval
    between = f"{within.low:.2f}–{within.high:.2f}; " if within else ""
    return f"{scores.score.mean:.2f} ({between}{scores.tasks})"


class Acts:
    """What a run says of the agent's next act, by method at one budget."""

    def __init__(self, run: Run, budget: str) -> None:
        self._saved = {
            cell.method: cell.saved.get("nothing")
            for cell in summarise_likelihoods(run)
            if cell.budget == budget and cell.cycle == 1
        }
        self._agreed = {
            cell.method: cell.agreement.get("with_agent", {})
            for cell in summarise_next_actions(run)
            if cell.budget == budget and cell.cycle == 1
        }

    def of(self, method: str) -> tuple[str, ...]:
        """Bits saved against nothing, and the agreement of the next call in tool, target and arguments."""
        agreed = self._agreed.get(method, {})
        calls = (shown(agreed.get(trait)) for trait in ("tool", "target", "arguments"))
        return shown(self._saved.get(method), ".0f"), *calls


def rows_of(run: Run, budget: str, tickets: Mapping[str, MethodScores]) -> list[list[str]]:
    """A row for each method of the run at a budget, best statement recall first."""
    acts = Acts(run, budget)
    answered = {
        cell.place.method: cell.exact
        for cell in summarise_reading(run)
        if cell.place.budget == budget and cell.place.cycle == 1
    }

    def recall(cell: Cell) -> float:
        return cell.statements.mean if cell.statements else -1.0

    cells = [cell for cell in summarise(run) if cell.budget == budget]
    return [
        [
            cell.method,
            shown(cell.statements),
            shown(cell.recall),
            shown(answered.get(cell.method)),
            *acts.of(cell.method),
            ticket_score(tickets.get(cell.method)),
            "–" if cell.kept_share is None else f"{cell.kept_share.mean:.1%}",
            "–" if cell.latency_ms is None else f"{cell.latency_ms.mean:,.0f}",
        ]
        for cell in sorted(cells, key=recall, reverse=True)
    ]


def main() -> None:
    """Read the arguments, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("--budget", default="5%")
    parser.add_argument("--tickets", type=Path)
    args = parser.parse_args()
    table(HEADINGS, rows_of(read_run(args.run), args.budget, tickets_of(args.tickets)))


if __name__ == "__main__":
    main()
