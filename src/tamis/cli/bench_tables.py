"""The board and its families as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tamis.cli.output import table

if TYPE_CHECKING:
    from rich.table import Table

    from tamis.bench.board import Row

MAX_REASON_CHARS = 160
NOT_MEASURED = "-"


def board_tables(rows: Sequence[Row]) -> Iterator[Table]:
    """One segment's board: by this package's scorer, and what the published one says."""
    setup = rows[0].setup
    where = (
        f"{setup.suite}@{setup.suite_version}, {setup.tier}, {setup.difficulty}, "
        f"{setup.length_tokens:,} tokens, {setup.slots} slots, {setup.cycles} cycles, "
        f"reader {setup.reader} {setup.reader_version}, scorer {setup.scorer}"
    )
    own = [
        (
            str(place) if row.qualified else NOT_MEASURED,
            row.setup.method,
            _figure(row.elite),
            _figure(row.score.overall),
            _figure(row.score.drift_resistance),
            _figure(row.score.constraint_retention),
            _figure(row.score.contradiction_rate),
            f"{row.score.ratio:.1f}x",
            "yes" if row.qualified else "no",
        )
        for place, row in enumerate(rows, 1)
    ]
    columns = [">#", "method", ">elite", ">score", ">drift", ">rules", ">contra", ">ratio", "qualified"]
    yield table(where, columns, own)
    published = [
        (
            row.setup.method,
            _figure(row.published.overall_score),
            _figure(row.published.drift_resistance),
            _figure(row.published.constraint_retention),
            _figure(row.published.contradiction_rate),
        )
        for row in rows
    ]
    floor = f"an empty answer to everything scores {rows[0].score.floor:.3f} here"
    yield table(f"the published scorer on the same answers ({floor})", columns[1:2] + columns[3:7], published)


def family_table(rows: Sequence[Row]) -> Table:
    """The mean score of each family."""
    families = list(dict.fromkeys(family for row in rows for family in row.score.families))
    lines = [(family, *(_figure(row.score.families.get(family)) for row in rows)) for family in families]
    return table("score by family", ["family", *(f">{row.setup.method}" for row in rows)], lines)


def why_not(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each floor that a run misses."""
    for row in rows:
        for reason in row.reasons:
            yield f"{row.setup.method}: {reason[:MAX_REASON_CHARS]}"


def _figure(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.3f}"
