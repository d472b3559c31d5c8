"""What the table of dimensions says of its ceiling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import tamis
from tamis.evals.figures.reading_summary import CellKey, ReadingCell
from tamis.evals.inference.intervals import Estimate, estimate_mean
from tamis.reports.reading_tables import ceiling_notes, reading_tables

EXAMPLES = Path(__file__).parents[2] / "examples" / "sessions"


def reaching(value: float) -> Estimate:
    found = estimate_mean([value, value], ["a", "b"], within=(0, 5))
    assert found is not None
    return found


def cell(method: str, **dimensions: float) -> ReadingCell:
    return ReadingCell(
        place=CellKey(method, "5%", 1, "lexical", "offline"),
        answers=2,
        judgements=2,
        exact=None,
        answered=None,
        held=None,
        by_kind={},
        dimensions={name: reaching(value) for name, value in dimensions.items()},
        overall=None,
        not_measured={},
    )


def test_a_dimension_that_full_does_not_reach_has_no_ceiling() -> None:
    [note] = ceiling_notes(
        [cell("full", accuracy=4.9, continuity=2.0), cell("ledger", accuracy=3, continuity=1)]
    )
    assert "continuity 2.00 of 5" in note
    assert "accuracy" not in note


def test_what_is_not_reported_is_named_with_the_reason() -> None:
    [note] = ceiling_notes([replace(cell("full", accuracy=4.6), above_full=("artifact_trail",))])
    assert note.startswith("not reported: artifact trail.")


def test_without_full_or_below_it_nothing_is_said() -> None:
    assert not [*ceiling_notes([cell("ledger", accuracy=2)])]
    assert not [*ceiling_notes([cell("full", accuracy=4.8), cell("ledger", accuracy=2)])]


def test_what_survives_is_told_without_questions_too() -> None:
    session = tamis.read(EXAMPLES / "till.claude-code.jsonl")
    run = tamis.evaluate([session], methods=["index"], budgets=["10%"], cycles=2, readers=[])
    assert [table.title for table in reading_tables(run)] == ["What survives cycle after cycle"]
