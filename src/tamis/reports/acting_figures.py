"""Figures of acting behind each context, as rows of texts: the same in every form of the report."""

from collections.abc import Iterator
from dataclasses import dataclass

from tamis.evals.acting.summary import (
    AGAINST,
    LikelihoodCell,
    NextActionCell,
    summarise_likelihoods,
    summarise_next_actions,
)
from tamis.evals.inference.intervals import Estimate
from tamis.evals.rundir.results import Run
from tamis.reports.figure_labels import MISSING, budget_label, interval, mean

SAVED = "bits saved against an arm: positive where the context foretold the agent's next act better than it"
AGREED = (
    "agent: with what the agent called; all in view: with what the model calls when nothing was taken out; "
    "noise: how far it agrees with itself there, asked again in other words"
)

_MINUS = "−"


@dataclass(frozen=True, kw_only=True, slots=True)
class ActingRow:
    """A method and its figures, as texts."""

    method: str
    figures: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ActingTable:
    """One model at one budget in one cycle: headings, rows, what they mean, and what was not measured."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[ActingRow, ...]
    note: str
    missing: tuple[str, ...]


def acting_tables(run: Run) -> tuple[ActingTable, ...]:
    """A table for each model, budget and cycle; none where nothing of the kind was asked for."""
    likely: dict[tuple[str, str, int], list[LikelihoodCell]] = {}
    for cell in summarise_likelihoods(run) if len(run.likelihoods) else ():
        likely.setdefault((cell.model, cell.budget, cell.cycle), []).append(cell)
    called: dict[tuple[str, str, int], list[NextActionCell]] = {}
    for asked in summarise_next_actions(run) if len(run.next_actions) else ():
        called.setdefault((asked.model, asked.budget, asked.cycle), []).append(asked)
    return (
        *(_likelihood_table(run, cells) for cells in likely.values()),
        *(_action_table(run, cells) for cells in called.values()),
    )


def _likelihood_table(run: Run, cells: list[LikelihoodCell]) -> ActingTable:
    arms = [arm for arm in AGAINST if any(arm in cell.saved for cell in cells)]
    rows = [
        ActingRow(
            method=cell.method,
            figures=(
                f"{cell.bits.mean:,.0f}" if cell.bits else MISSING,
                f"{cell.bits_per_token.mean:.2f}" if cell.bits_per_token else MISSING,
                *(_saved(cell.saved.get(arm)) for arm in arms),
                _points(cell.bits),
            ),
        )
        for cell in cells
    ]
    return ActingTable(
        title=f"Bits of the agent's next act, by {_where(run, cells[0])}",
        headings=("bits", "a token", *(f"saved against {arm}" for arm in arms), "points (sessions)"),
        rows=tuple(rows),
        note=f"{SAVED}; with 95 % intervals",
        missing=tuple(_missing(cells)),
    )


def _action_table(run: Run, cells: list[NextActionCell]) -> ActingTable:
    rows = []
    for cell in cells:
        of_agent = cell.agreement.get("with_agent", {})
        figures = [_share(of_agent.get(trait)) for trait in ("tool", "target", "arguments")]
        for kind in ("with_full", "noise"):
            of_kind = cell.agreement.get(kind, {})
            figures += [_share(of_kind.get(trait)) for trait in ("tool", "target")]
        rows.append(ActingRow(method=cell.method, figures=(*figures, _points(of_agent.get("tool")))))
    headings = ("agent: tool", "target", "arguments", "all in view: tool", "target", "noise: tool", "target")
    return ActingTable(
        title=f"Agreement of the next call, 0 to 1, by {_where(run, cells[0])}",
        headings=(*headings, "points (sessions)"),
        rows=tuple(rows),
        note=f"{AGREED}; with 95 % intervals",
        missing=tuple(_missing(cells)),
    )


def _where(run: Run, cell: LikelihoodCell | NextActionCell) -> str:
    cycle = f", cycle {cell.cycle}" if run.settings.cycles > 1 else ""
    return f"{cell.model}, at {budget_label(cell.budget)}{cycle}"


def _missing(cells: list[LikelihoodCell] | list[NextActionCell]) -> Iterator[str]:
    for cell in cells:
        for reason, many in cell.not_measured.items():
            yield f"{cell.method}: not measured at {many:,} points: {reason}"


def _saved(estimate: Estimate | None) -> str:
    if estimate is None:
        return MISSING
    if estimate.low is None or estimate.high is None:
        return _signed(estimate.mean)
    return f"{_signed(estimate.mean)} ({_signed(estimate.low)} to {_signed(estimate.high)})"


def _signed(value: float) -> str:
    rounded = round(value)
    return "0" if rounded == 0 else f"{'+' if rounded > 0 else _MINUS}{abs(rounded):,}"


def _share(estimate: Estimate | None) -> str:
    within = interval(estimate)
    return mean(estimate) if within == MISSING else f"{mean(estimate)} ({within})"


def _points(estimate: Estimate | None) -> str:
    return f"{estimate.points:,} ({estimate.clusters:,})" if estimate else "0"
