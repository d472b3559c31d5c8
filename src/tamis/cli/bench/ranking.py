"""What runs come to: scores from their logs, and the board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.bench.tables import print_board, print_scores
from tamis.cli.inputs import json_option

if TYPE_CHECKING:
    from tamis.bench.board import Row
    from tamis.bench.log import RunLog
    from tamis.bench.suite import Suite

LOGS = click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())
SUITES = click.option(
    "--suite",
    "suites",
    metavar="FOLDER",
    multiple=True,
    help="Where runs of a suite of your own have theirs.",
)


@click.command()
@LOGS
@SUITES
@json_option
def score(logs: tuple[str, ...], suites: tuple[str, ...], as_json: bool) -> None:
    """Score runs from their logs, by this scorer and the published one; a results.jsonl as published.

    \b
    tamis bench score runs/*.jsonl
    tamis bench score results.jsonl
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.compat.results import is_results, read_results, score_results

    published = [path for path in map(Path, logs) if is_results(path)]
    own = [path for path in map(Path, logs) if path not in published]
    print_scores(
        _rows(own, suites), [score_results(read_results(path)) for path in published], as_json=as_json
    )


@click.command()
@LOGS
@SUITES
@click.option("-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the board there as a site.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
@json_option
def rank(
    logs: tuple[str, ...], suites: tuple[str, ...], output: str | None, force: bool, as_json: bool
) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart.

    With -o, the board is a site: index.html, which needs no network, and board.json with every figure.

    \b
    tamis bench rank runs/*.jsonl -o board/
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.compat.results import is_results
    from tamis.bench.standings import stand
    from tamis.errors import InputError

    paths = [Path(log) for log in logs]
    if published := [path for path in paths if is_results(path)]:
        raise InputError(
            f"{published[0]} holds scores without answers, so it has no row here; "
            "score it with: tamis bench score"
        )
    segments = stand(_rows(paths, suites))
    if output is not None:
        from tamis.reports.bench_site import write_site

        page = write_site(segments, Path(output), force=force)
    print_board(segments, as_json=as_json)
    if output is not None and not as_json:
        click.echo(f"\nboard: {page}")


def _rows(logs: Sequence[Path], named: Sequence[str]) -> list[Row]:
    """The rows of the logs, each scored by the suite that it is of."""
    from tamis.bench.board import score_log
    from tamis.bench.log import read_log
    from tamis.bench.suite import load_suite

    suites = {suite.key: suite for suite in map(load_suite, named)}
    rows = []
    for log in map(read_log, logs):
        key = log.setup.suite
        suites[key] = suites.get(key) or _own_suite(key, log)
        rows.append(score_log(log, suites[key]))
    return rows


def _own_suite(key: str, log: RunLog) -> Suite:
    from tamis.bench.suite import load_suite, own_suites
    from tamis.errors import InputError

    if key not in own_suites():
        raise InputError(f"{log.path} is of a suite {key!r}; name its folder with --suite")
    return load_suite(key)
