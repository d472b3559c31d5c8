"""Runs, the board and its families as tables for a terminal."""

from collections.abc import Iterator, Sequence

import click
from rich.table import Table

from tamis.bench.board import BoardRow, rank
from tamis.bench.compat.published_scores import TIER_NAMES
from tamis.bench.compat.result_file import PublishedScore
from tamis.bench.run_log import Setup
from tamis.bench.standings import Segment, Standing
from tamis.cli.work.output import print_json, print_tables, table
from tamis.evals.inference.intervals import Estimate

MAX_REASON_CHARS = 160
NOT_MEASURED = "-"


def print_scores(rows: Sequence[BoardRow], published: Sequence[PublishedScore], *, as_json: bool) -> None:
    """Runs by both scorers with their families, then results files as published."""
    if as_json:
        print_json([*rows, *published], list[BoardRow | PublishedScore])
        return
    for found in rank(rows).values():
        print_tables(*_run_tables(found), _family_table(found))
        _print_reasons(found)
    for score in published:
        _print_published(score)


def print_run(row: BoardRow, *, as_json: bool) -> None:
    """One run by both scorers."""
    if as_json:
        print_json(row)
        return
    print_tables(*_run_tables([row]))
    _print_reasons([row])


def print_board(segments: Sequence[Segment], *, as_json: bool) -> None:
    """Every segment: who stands where, how surely so, and why a run does not qualify."""
    if as_json:
        print_json(segments, Sequence[Segment])
        return
    for segment in segments:
        print_tables(_board_table(segment))
        click.echo(
            f"\n{segment.cases} cases of {segment.templates} templates; in brackets 95 % intervals over "
            f"templates; answering nothing scores {segment.floor:.3f}"
        )
        if segment.warning:
            click.echo(segment.warning)
        for standing in segment.standings:
            if standing.margin is not None:
                click.echo(_lead(standing))
        _print_reasons([standing.row for standing in segment.standings])


def _board_table(segment: Segment) -> Table:
    columns = [
        ">#", "method", ">elite", ">score", ">measured", ">drift", ">rules", ">contra", ">ratio",
        ">published", "",
    ]  # fmt: skip
    rows = [
        (
            str(standing.place or NOT_MEASURED),
            standing.row.setup.method + (" (control)" if standing.is_control else ""),
            _estimate(standing.elite),
            _estimate(standing.score),
            _measured(standing.row),
            _figure(standing.row.score.drift_resistance),
            _figure(standing.row.score.constraint_retention),
            _figure(standing.row.score.contradiction_rate),
            f"{standing.row.score.ratio:.1f}x",
            _figure(standing.row.published_score),
            standing.row.group,
        )
        for standing in segment.standings
    ]
    return table(described(segment.setup), columns, rows)


def _lead(standing: Standing) -> str:
    margin = standing.margin
    assert margin is not None
    made = margin.comparison
    said = "ahead of" if margin.is_told_apart else "not told apart from"
    corrected = "" if margin.p_holm is None else f", p {margin.p_holm:.4f} (Holm)"
    between = "" if made.low is None or made.high is None else f" [{made.low:+.3f}, {made.high:+.3f}]"
    return (
        f"{standing.row.setup.method} is {said} {margin.over}: "
        f"{margin.figure} {made.difference:+.3f}{between}{corrected}"
    )


def _run_tables(rows: Sequence[BoardRow]) -> Iterator[Table]:
    """One segment's runs: by this package's scorer, and what the published one says."""
    own = [
        (
            row.setup.method,
            _figure(row.elite),
            _figure(row.score.overall),
            _measured(row),
            _figure(row.score.drift_resistance),
            _figure(row.score.constraint_retention),
            _figure(row.score.contradiction_rate),
            f"{row.score.ratio:.1f}x",
            "yes" if row.qualified else "no",
        )
        for row in rows
    ]
    figures = [">drift", ">rules", ">contra"]
    columns = ["method", ">elite", ">score", ">measured", *figures, ">ratio", "qualified"]
    yield table(described(rows[0].setup), columns, own)
    published = [
        (
            row.setup.method,
            _figure(row.published.overall_score),
            _figure(row.published.drift_resistance),
            _figure(row.published.constraint_retention),
            _figure(row.published.contradiction_rate),
            "no" if row.published_reasons else "yes",
        )
        if row.published
        else (row.setup.method, *[NOT_MEASURED] * 4, "no")
        for row in rows
    ]
    floor = f"an empty answer to everything scores {rows[0].floor:.3f} here"
    yield table(
        f"the published scorer on the same answers ({floor})",
        ["method", ">score", *figures, "qualified"],
        published,
    )


def _family_table(rows: Sequence[BoardRow]) -> Table:
    """The mean score of each family."""
    families = list(dict.fromkeys(family for row in rows for family in row.score.families))
    lines = [(family, *(_figure(row.score.families.get(family)) for row in rows)) for family in families]
    return table("score by family", ["family", *(f">{row.setup.method}" for row in rows)], lines)


def _print_reasons(rows: Sequence[BoardRow]) -> None:
    """A line for each floor that a run misses, and for what else is to be known of it."""
    for row in rows:
        for said in (*row.reasons, *row.notes):
            click.echo(f"{row.setup.method}: {said[:MAX_REASON_CHARS]}")


def print_published(score: PublishedScore, *, as_json: bool) -> None:
    """A results file as published."""
    if as_json:
        print_json(score)
        return
    _print_published(score)


def _print_published(score: PublishedScore) -> None:
    rows: list[tuple[str, str]] = [(name, repr(value)) for name, value in vars(score.figures).items()]
    rows += [(f"elite_score, {TIER_NAMES[tier]}", repr(value)) for tier, value in score.elite.items()]
    print_tables(table(f"{score.method}, as published", ["figure", ">value"], rows))
    for tier, reasons in score.disqualified.items():
        click.echo(f"{TIER_NAMES[tier]}: {'; '.join(reasons)[:MAX_REASON_CHARS] or 'qualified'}")


def described(setup: Setup) -> str:
    """What the runs of a segment share."""
    return (
        f"{setup.suite}@{setup.suite_version}, {setup.tier}, {setup.difficulty}, "
        f"{setup.length_tokens:,} tokens, {setup.slots} slots, {setup.cycles} cycles, "
        f"reader {setup.reader} {setup.reader_version}, scorer {setup.scorer}"
    )


def _estimate(found: Estimate | None) -> str:
    if found is None:
        return NOT_MEASURED
    if found.low is None or found.high is None:
        return f"{found.mean:.3f}"
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _measured(row: BoardRow) -> str:
    """How many of the answers the reader gave."""
    return f"{row.score.measured / row.score.answers:.1%}" if row.score.answers else NOT_MEASURED


def _figure(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.3f}"
