"""Running a method over a suite."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.bench.options import case_options, plan_of
from tamis.cli.inputs import complete_method, json_option
from tamis.cli.output import progress

if TYPE_CHECKING:
    from tamis.bench.compat.run import PublishedPlan
    from tamis.bench.isolation import Isolated
    from tamis.bench.run import Compacts, Named, Plan
    from tamis.evals.probing.readers import Reader


@click.command()
@case_options
@click.option(
    "-m", "--method", required=True, metavar="METHOD", shell_complete=complete_method, help="What to measure."
)
@click.option(
    "--reader", default="lexical", show_default=True, metavar="NAME", help="lexical, or a model's name."
)
@click.option("-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The run's log.")
@click.option("--resume", is_flag=True, help="Go on with a log that is there.")
@click.option("--retry-missing", is_flag=True, help="Resume, and ask again what the reader did not answer.")
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds for one compaction.")
@click.option(
    "--compat", is_flag=True, help="Run as CompactBench's own program does; writes its results.jsonl."
)
@click.option(
    "--words", metavar="FOLDER", type=click.Path(), help="With --compat: where CompactBench is installed."
)
@click.option(
    "--seeds",
    default="template",
    show_default=True,
    type=click.Choice(["template", "suite"]),
    help="With --compat: what seeds are derived from; suite is release 0.1.0.",
)
@json_option
def run(
    method: str,
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
    """Run a method over a suite: compact, ask, go on, compact again.

    METHOD is a name from `tamis methods`, package.module:Class, path/to/file.py:Class, or exec:COMMAND. What
    is not tamis's own runs in a process of its own, with limits and without your keys.

    \b
    tamis bench run -m ledger -o runs/ledger.jsonl
    tamis bench run -m ./mine.py:Mine --tier aggressive --length 20000 -o runs/mine.jsonl
    tamis bench run -m mask --reader gguf:model.gguf --per-family 1 --slots 1 --length 1000 -o runs/mask.jsonl
    """  # noqa: D301 - click wants the character itself
    from tamis.bench.board import score_log
    from tamis.bench.compat.results import read_results, score_results
    from tamis.bench.log import read_log
    from tamis.bench.run import PATIENCE, run_benchmark
    from tamis.cli.bench.tables import print_published, print_run
    from tamis.errors import InputError

    plan, asked, path = plan_of(**settings), _reader(reader), Path(output)
    if compat:
        if retry_missing:
            raise InputError("with --compat an answer that does not come ends the run; go on with --resume")
        _run_published(plan, method, asked, path, words=words, seeds=seeds, resume=resume)
        print_published(score_results(read_results(path)), as_json=as_json)
        return
    started = time.perf_counter()
    with _called(method, timeout_s) as (compactor, compacts):
        log = run_benchmark(
            plan, compactor, asked, path,
            resume=resume or retry_missing, retry_missing=retry_missing, compacts=compacts, called=method,
        )  # fmt: skip
        with progress("running", total=len(plan.asked.templates) * plan.slots) as advance:
            for _ in log:
                advance()
    done = read_log(path)
    row = score_log(done, plan.suite)
    print_run(row, as_json=as_json)
    if not as_json:
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


def _reader(name: str) -> Reader:
    from tamis.evals.probing.readers import LexicalReader, ModelReader
    from tamis.models import get_model

    return LexicalReader() if name == "lexical" else ModelReader(get_model(name))


@contextmanager
def _called(method: str, timeout_s: float) -> Iterator[tuple[Named, Compacts]]:
    """The method and how it is called: tamis's own here, anybody else's in a process of its own."""
    from tamis.bench.isolation import Isolated, is_submitted
    from tamis.bench.run import in_this_process
    from tamis.compactors import get_method

    if is_submitted(method):
        with Isolated(method, timeout_s=timeout_s) as isolated:
            click.echo(_in_force(isolated), err=True)
            yield isolated, isolated
        return
    own = get_method(method)
    yield own, in_this_process(own, timeout_s=timeout_s)


def _in_force(isolated: Isolated) -> str:
    """What the method is shut off from, and what not."""
    shut = {
        "namespaces": "in namespaces of its own: it sees no other process",
        "user": "as another user: it sees into no process of yours",
        None: "as your user: it can read the keys of your other processes, so use a container",
    }
    network = "it has no network" if isolated.network_cut else "it has the network"
    return f"note: the method runs {shut[isolated.confined]}; {network}"


def _run_published(
    plan: Plan, method: str, reader: Reader, path: Path, *, words: str | None, seeds: str, resume: bool
) -> None:
    from tamis.bench.compat.published_words import read_published_words
    from tamis.bench.compat.results import read_results, write_results
    from tamis.bench.compat.run import PublishedPlan, run_published
    from tamis.bench.isolation import is_submitted
    from tamis.bench.methodology import TIER_FLOORS
    from tamis.compactors import get_method
    from tamis.errors import OutputExists

    if path.exists() and not resume:
        raise OutputExists(f"{path} exists; go on with it by --resume, or name another file with -o")
    if is_submitted(method):
        click.echo(
            "note: with --compat the method runs in this process, with all that it can reach", err=True
        )
    earlier = read_results(path) if path.exists() else None
    published: PublishedPlan = PublishedPlan(
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
