"""Runs, the board and its families as tables for a terminal."""

from collections.abc import Iterator, Sequence

import click
from rich.table import Table

from tamis.bench.aggregation import RunScore
from tamis.bench.board import BoardRow, rank
from tamis.bench.compat.published_scores import TIER_NAMES, PublishedRunScore
from tamis.bench.compat.result_file import PublishedScore
from tamis.bench.run_log import Setup
from tamis.bench.standings import Segment, Standing
from tamis.cli.work.output import print_tables, table
from tamis.evals.inference.intervals import Estimate

MAX_REASON_CHARS = 160
NOT_MEASURED = "-"


def print_scores(rows: Sequence[BoardRow], published: Sequence[PublishedScore]) -> None:
    """Runs by both scorers with their families, then results files as published."""
    for found in rank(rows).values():
        print_tables(*_run_tables(found), _family_table(found))
        _print_reasons(found)
    for score in published:
        print_published(score)


def print_run(row: BoardRow) -> None:
    """One run by both scorers."""
    print_tables(*_run_tables([row]))
    _print_reasons([row])


def print_board(segments: Sequence[Segment]) -> None:
    """Every segment: who stands where, how surely so, and why a run does not qualify."""
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
    rows = [
        (
            str(standing.place or NOT_MEASURED),
            standing.row.setup.method + (" (control)" if standing.is_control else ""),
            _estimate(standing.elite),
            _estimate(standing.score),
            *_figures(standing.row),
            _figure(standing.row.published_score),
            standing.row.group,
        )
        for standing in segment.standings
    ]
    columns = [">#", "method", ">elite", ">score", *_FIGURES, ">published", ""]
    return table(_described(segment.setup), columns, rows)


_PARTS = [">drift", ">rules", ">contra"]
_FIGURES = [">measured", *_PARTS, ">ratio"]


def _figures(row: BoardRow) -> list[str]:
    measured = f"{row.score.measured / row.score.answers:.1%}" if row.score.answers else NOT_MEASURED
    return [measured, *_parts(row.score), f"{row.score.ratio:.1f}x"]


def _parts(score: RunScore | PublishedRunScore) -> list[str]:
    parts = (score.drift_resistance, score.constraint_retention, score.contradiction_rate)
    return [_figure(part) for part in parts]


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
    own = []
    published = []
    for row in rows:
        scores = (_figure(row.elite), _figure(row.score.overall))
        own.append((row.setup.method, *scores, *_figures(row), "yes" if row.qualified else "no"))
        said = [NOT_MEASURED] * 4
        if row.published:
            said = [_figure(row.published.overall_score), *_parts(row.published)]
        qualified = "yes" if row.published and not row.published_reasons else "no"
        published.append((row.setup.method, *said, qualified))
    yield table(_described(rows[0].setup), ["method", ">elite", ">score", *_FIGURES, "qualified"], own)
    title = "the published scorer on the same answers (an empty answer to everything scores"
    columns = ["method", ">score", *_PARTS, "qualified"]
    yield table(f"{title} {rows[0].floor:.3f} here)", columns, published)


def _family_table(rows: Sequence[BoardRow]) -> Table:
    families = list(dict.fromkeys(family for row in rows for family in row.score.families))
    lines = [(family, *(_figure(row.score.families.get(family)) for row in rows)) for family in families]
    return table("score by family", ["family", *(f">{row.setup.method}" for row in rows)], lines)


def _print_reasons(rows: Sequence[BoardRow]) -> None:
    """A line for each floor that a run misses, and for what else is to be known of it."""
    for row in rows:
        for said in (*row.reasons, *row.notes):
            click.echo(f"{row.setup.method}: {said[:MAX_REASON_CHARS]}")


def print_published(score: PublishedScore) -> None:
    """A results file as published."""
    rows: list[tuple[str, str]] = [(name, repr(value)) for name, value in vars(score.figures).items()]
    rows += [(f"elite_score, {TIER_NAMES[tier]}", repr(value)) for tier, value in score.elite.items()]
    print_tables(table(f"{score.method}, as published", ["figure", ">value"], rows))
    for tier, reasons in score.disqualified.items():
        click.echo(f"{TIER_NAMES[tier]}: {'; '.join(reasons)[:MAX_REASON_CHARS] or 'qualified'}")


def _described(setup: Setup) -> str:
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


def _figure(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.3f}"
