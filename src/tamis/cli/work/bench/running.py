"""Running a method over a suite, scores of runs from their logs, and the board."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from tamis.bench.board import BoardRow, score_log
from tamis.bench.compat.published_cases import read_published_words
from tamis.bench.compat.published_run import PublishedPlan, run_published
from tamis.bench.compat.result_file import (
    PublishedScore,
    is_results,
    read_results,
    score_results,
    write_results,
)
from tamis.bench.isolation import IsolatedMethod, is_submitted
from tamis.bench.methodology import TIER_FLOORS
from tamis.bench.run import (
    PATIENCE,
    BenchPlan,
    CompactFunction,
    MethodIdentity,
    in_this_process,
    run_benchmark,
)
from tamis.bench.run_log import RunLog, read_log
from tamis.bench.standings import Segment, stand
from tamis.bench.suite import Suite, load_suite, own_suites
from tamis.cli.work.bench.cases import plan_of
from tamis.cli.work.bench.tables import print_board, print_published, print_run, print_scores
from tamis.cli.work.output import print_json, progress
from tamis.compactors import get_method
from tamis.errors import InputError, OutputExists
from tamis.evals.probing.readers import LexicalReader, ModelReader, Reader
from tamis.models import get_model
from tamis.reports.bench_site import write_site


def run(
    method: str,
    *,
    reader: str,
    output: str,
    resume: bool,
    retry_missing: bool,
    timeout_s: float,
    compat: bool,
    words: str | None,
    seeds: str,
    as_json: bool,
    **settings: Any,
) -> None:
    plan, asked, path = plan_of(**settings), reader_named(reader), Path(output)
    if compat:
        if retry_missing:
            raise InputError("with --compat an answer that does not come ends the run; go on with --resume")
        _run_published(plan, method, asked, path, words=words, seeds=seeds, resume=resume)
        scored = score_results(read_results(path))
        if as_json:
            print_json(scored)
        else:
            print_published(scored)
        return
    started = time.perf_counter()
    with _called(method, timeout_s) as (compactor, compacts):
        log = run_benchmark(
            plan, compactor, asked, path,
            resume=resume or retry_missing, retry_missing=retry_missing, compacts=compacts, called=method,
            begun=datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        with progress("running", total=len(plan.asked.templates) * plan.slots) as advance:
            for _ in log:
                advance()
    done = read_log(path)
    row = score_log(done, plan.suite)
    if as_json:
        print_json(row)
    else:
        print_run(row)
        took_s = time.perf_counter() - started
        click.echo(f"\n{took_s:.0f} seconds    log: {path}    again: tamis bench score {path}")
        if row.score.measured < row.score.answers:
            click.echo("what the reader did not answer can be asked again: the same with --retry-missing")
    if done.failures_at_end >= PATIENCE:
        raise InputError(
            f"{method} was given up after {done.failures_at_end} failures in a row, the last of them in "
            f"{path}, line {done.lines}: {done.cases[-1].failure}; "
            f"mend it (`tamis check-method` tells more) and name a new file with -o"
        )


def reader_named(name: str) -> Reader:
    """Who answers; a model's file is part of the version, since another may have its name tomorrow."""
    if name == "lexical":
        return LexicalReader()
    reader = ModelReader(get_model(name))
    scheme, _, file = name.partition(":")
    if scheme == "gguf":
        with Path(file).expanduser().open("rb") as data:
            reader.version += f"+sha256:{hashlib.file_digest(data, 'sha256').hexdigest()[:12]}"
    return reader


@contextmanager
def _called(method: str, timeout_s: float) -> Iterator[tuple[MethodIdentity, CompactFunction]]:
    """The method and how it is called: tamis's own here, anybody else's in a process of its own."""
    if is_submitted(method):
        with IsolatedMethod(method, timeout_s=timeout_s) as isolated:
            click.echo(_in_force(isolated), err=True)
            yield isolated, isolated
        return
    own = get_method(method)
    yield own, in_this_process(own, timeout_s=timeout_s)


def _in_force(isolated: IsolatedMethod) -> str:
    shut = {
        "namespaces": "in namespaces of its own: it sees no other process",
        "user": "as another user: it sees into no process of yours",
        None: "as your user: it can read the keys of your other processes, so use a container",
    }
    network = "it has no network" if isolated.network_cut else "it has the network"
    return f"note: the method runs {shut[isolated.confined]}; {network}"


def _run_published(
    plan: BenchPlan, method: str, reader: Reader, path: Path, *, words: str | None, seeds: str, resume: bool
) -> None:
    if path.exists() and not resume:
        raise OutputExists(f"{path} exists; go on with it by --resume, or name another file with -o")
    if is_submitted(method):
        note = "with --compat the method runs in this process, with all that it can reach"
        click.echo(f"note: {note}", err=True)
    earlier = read_results(path) if path.exists() else None
    published = PublishedPlan(
        suite=plan.asked,
        words=read_published_words(Path(words) if words else None),
        difficulty=plan.difficulty,
        slots=plan.slots,
        cycles=plan.cycles,
        seed_group=plan.seed_group,
        derivation="suite" if seeds == "suite" else "template",
        ratio=TIER_FLOORS[plan.tier],
    )
    write_results(path, run_published(published, get_method(method), reader, earlier=earlier))


def score(logs: tuple[str, ...], suites: tuple[str, ...], as_json: bool) -> None:
    published = [path for path in map(Path, logs) if is_results(path)]
    own = [path for path in map(Path, logs) if path not in published]
    rows, scores = _rows(own, suites), [score_results(read_results(path)) for path in published]
    if as_json:
        print_json([*rows, *scores], list[BoardRow | PublishedScore])
    else:
        print_scores(rows, scores)


def rank(
    logs: tuple[str, ...], *, suites: tuple[str, ...], output: str | None, force: bool, as_json: bool
) -> None:
    paths = [Path(log) for log in logs]
    if published := next(filter(is_results, paths), None):
        why = "holds scores without answers, so it has no row here"
        raise InputError(f"{published} {why}; score it with: tamis bench score")
    segments = stand(_rows(paths, suites))
    page = None if output is None else write_site(segments, Path(output), force=force)
    if as_json:
        print_json(segments, Sequence[Segment])
        return
    print_board(segments)
    if page is not None:
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
