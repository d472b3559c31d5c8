"""Scores of runs from their logs, and the board."""

from collections.abc import Sequence
from pathlib import Path

import click

from tamis.bench.board import BoardRow, score_log
from tamis.bench.compat.result_file import is_results, read_results, score_results
from tamis.bench.run_log import RunLog, read_log
from tamis.bench.standings import stand
from tamis.bench.suite import Suite, load_suite, own_suites
from tamis.cli.work.bench.tables import print_board, print_scores
from tamis.errors import InputError
from tamis.reports.bench_site import write_site


def score(logs: tuple[str, ...], suites: tuple[str, ...], as_json: bool) -> None:
    published = [path for path in map(Path, logs) if is_results(path)]
    own = [path for path in map(Path, logs) if path not in published]
    print_scores(
        _rows(own, suites), [score_results(read_results(path)) for path in published], as_json=as_json
    )


def rank(
    logs: tuple[str, ...], *, suites: tuple[str, ...], output: str | None, force: bool, as_json: bool
) -> None:
    paths = [Path(log) for log in logs]
    if published := [path for path in paths if is_results(path)]:
        raise InputError(
            f"{published[0]} holds scores without answers, so it has no row here; "
            "score it with: tamis bench score"
        )
    segments = stand(_rows(paths, suites))
    if output is not None:
        page = write_site(segments, Path(output), force=force)
    print_board(segments, as_json=as_json)
    if output is not None and not as_json:
        click.echo(f"\nboard: {page}")


def _rows(logs: Sequence[Path], named: Sequence[str]) -> list[BoardRow]:
    """The rows of the logs, each scored by the suite that it is of."""
    suites = {suite.key: suite for suite in map(load_suite, named)}
    rows = []
    for log in map(read_log, logs):
        key = log.setup.suite
        suites[key] = suites.get(key) or _own_suite(key, log)
        rows.append(score_log(log, suites[key]))
    return rows


def _own_suite(key: str, log: RunLog) -> Suite:
    if key not in own_suites():
        raise InputError(f"{log.path} is of a suite {key!r}; name its folder with --suite")
    return load_suite(key)
