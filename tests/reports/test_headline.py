from __future__ import annotations

from dataclasses import replace

from tamis.evals import Run
from tamis.evals.figures.summary import Cell
from tamis.evals.inference.intervals import Estimate
from tamis.reports.conclusions import conclude
from tamis.reports.figure_labels import Scope, scopes_of
from tamis.reports.headline import by_chance, headline


def _scope(run: Run, recalls: dict[str, float | None]) -> Scope:
    """The scope of a run at one budget, with these recalls in the place of those measured."""
    scope = scopes_of(run)[0]
    blank: Cell = next(iter(scope.cells.values()))
    cells = {
        (m, "5%"): replace(
            blank,
            method=m,
            budget="5%",
            statements=None,
            recall=None if r is None else Estimate(mean=r, low=None, high=None, points=4, clusters=2),
        )
        for m, r in recalls.items()
    }
    return replace(scope, methods=tuple(recalls), budgets=("5%",), cells=cells)


def _said(run: Run, recalls: dict[str, float | None]) -> str:
    return headline(_scope(run, recalls), conclude(run)).sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_the_best_the_next_and_the_last_are_named(run: Run) -> None:
    said = _said(run, {"mask": 0.2, "ledger": 0.61, "truncate": 0.1, "nothing": 0.0})
    assert said == (
        "Compacted to 5 % of its tokens, ledger keeps 61 % of the names that the agent went on to use; "
        "next mask with 20 %, last truncate with 10 %."
    )


def test_where_nothing_differs_it_says_so_once(run: Run) -> None:
    said = _said(run, {"mask": 0.2, "ledger": 0.2, "full": 1.0})
    assert said == (
        "Compacted to 5 % of its tokens, all 2 methods keep the same: "
        "20 % of the names that the agent went on to use."
    )


def test_others_that_fare_alike_are_told_of_together(run: Run) -> None:
    assert "; the other 2 keep 10 % each." in _said(run, {"ledger": 0.3, "mask": 0.1, "truncate": 0.1})


def test_a_list_of_names_that_does_better_is_told_of(run: Run) -> None:
    assert "(a bare list of names: 90 %)" in _said(run, {"ledger": 0.2, "mask": 0.1, "index": 0.9})


def test_what_was_not_measured_has_no_winner(run: Run) -> None:
    assert _said(run, {"ledger": None, "mask": None}).startswith("Nothing could be measured")


def test_families_without_a_difference_share_one_sentence(run: Run) -> None:
    found = by_chance(conclude(run).overall)
    families = conclude(run).overall
    assert (len(found.beyond), len(found.within)) == (0, len(families))
    assert found.told == "no difference beyond chance with 4 sessions"
