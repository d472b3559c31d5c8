"""What runs come to: scores from their logs, and the board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.bench.options import suite_option
from tamis.cli.bench.tables import print_board, print_scores
from tamis.cli.inputs import json_option

if TYPE_CHECKING:
    from tamis.bench.board import Row
    from tamis.bench.suite import Suite

LOGS = click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())


@click.command()
@LOGS
@suite_option
@json_option
def score(logs: tuple[str, ...], suite_name: str, as_json: bool) -> None:
    """Score runs from their logs, by this scorer and the published one; a results.jsonl as published."""
    from tamis.bench.compat.results import is_results, read_results, score_results

    published = [path for path in map(Path, logs) if is_results(path)]
    own = [path for path in map(Path, logs) if path not in published]
    print_scores(
        _rows(own, suite_name), [score_results(read_results(path)) for path in published], as_json=as_json
    )


@click.command()
@LOGS
@suite_option
@click.option("-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the board there as a site.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
@json_option
def rank(logs: tuple[str, ...], suite_name: str, output: str | None, force: bool, as_json: bool) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart.

    With -o, the board is a site: index.html, which needs no network, and board.json with every figure.
    """
    from tamis.bench.compat.results import is_results
    from tamis.bench.standings import stand
    from tamis.errors import InputError

    paths = [Path(log) for log in logs]
    if published := [path for path in paths if is_results(path)]:
        raise InputError(
            f"{published[0]} holds scores without answers, so it has no row here; "
            "score it with: tamis bench score"
        )
    segments = stand(_rows(paths, suite_name))
    if output is not None:
        from tamis.reports.bench_site import write_site

        page = write_site(segments, Path(output), force=force)
    print_board(segments, as_json=as_json)
    if output is not None and not as_json:
        click.echo(f"\nboard: {page}")


def _rows(logs: Sequence[Path], suite_name: str) -> list[Row]:
    """The rows of the logs; the suite is read only if there are any."""
    from tamis.bench.board import score_log
    from tamis.bench.log import read_log
    from tamis.bench.suite import load_suite

    if not logs:
        return []
    suite: Suite = load_suite(suite_name)
    return [score_log(read_log(path), suite) for path in logs]
