"""`tamis bench`: seeded cases, true drift, a board that is hard to game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.bench_options import case_options, plan_of, suite_option
from tamis.cli.bench_tables import MAX_REASON_CHARS, board_tables, family_table, why_not
from tamis.cli.inputs import complete_method, json_option
from tamis.cli.output import number, print_json, print_tables, progress, table

if TYPE_CHECKING:
    from tamis.bench.board import Row
    from tamis.bench.compat.run import PublishedPlan
    from tamis.bench.run import Compacts, Named, Plan
    from tamis.bench.suite import Suite
    from tamis.evals.probing.readers import Reader


@click.group("bench", short_help="Benchmark methods on made-up sessions: cases, drift, a board.")
def command() -> None:
    """Benchmark compaction methods on seeded, made-up sessions of any length."""


@command.command()
@suite_option
@click.option("--schema", is_flag=True, help="Print the JSON schema of a template file.")
@json_option
def templates(suite_name: str, schema: bool, as_json: bool) -> None:
    """List the templates of a suite, or check a folder of your own."""
    from tamis.bench.suite import load_suite, own_suites
    from tamis.bench.template import template_schema

    if schema:
        print_json(template_schema(), dict[str, Any])
        return
    suite = load_suite(suite_name)
    if as_json:
        print_json([t.model_dump() for t in suite.templates], list[dict[str, Any]])
        return
    rows = [(t.family, t.key, t.version, number(len(t.evaluation_items))) for t in suite.templates]
    print_tables(
        table(f"{suite.name}, {len(rows)} templates", ["family", "template", "version", ">questions"], rows)
    )
    click.echo(f"\nsuites that ship with tamis: {', '.join(own_suites())}")


@command.command()
@case_options
@click.option("--template", "key", metavar="KEY", help="Only this template's cases.")
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(), help="Write the transcripts there as sessions."
)
def cases(key: str | None, output: str | None, **settings: Any) -> None:
    """Show the cases: transcripts, questions, and what is expected."""
    from dataclasses import replace

    from tamis.bench.export import write_case
    from tamis.errors import InputError

    plan = plan_of(**settings)
    chosen = tuple(t for t in plan.suite.templates if key in (None, t.key))
    if not chosen:
        raise InputError(
            f"no template of {plan.suite.name} is called {key!r}; `tamis bench templates` lists them"
        )
    suite = replace(plan.suite, templates=chosen)
    if output is not None:
        for case in suite.cases(plan.spots, cycles=plan.cycles):
            click.echo(write_case(case, Path(output)))
        return
    for questions in suite.questions(plan.spots):
        rows = [(i.type, i.prompt, i.expected.value or ", ".join(i.expected.values)) for i in questions.items]
        print_tables(table(questions.case, ["item", "question", "expected"], rows))


@command.command()
@case_options
@click.option(
    "-m", "--method", required=True, metavar="METHOD", shell_complete=complete_method, help="What to measure."
)
@click.option(
    "--reader", default="lexical", show_default=True, metavar="NAME", help="lexical, or a model's name."
)
@click.option("-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The run's log.")
@click.option("--resume", is_flag=True, help="Go on with a log that is there.")
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
    """
    from tamis.bench.board import score_log
    from tamis.bench.log import read_log
    from tamis.bench.run import run_benchmark

    plan, asked, path = plan_of(**settings), _reader(reader), Path(output)
    if compat:
        _run_published(plan, method, asked, path, words=words, seeds=seeds)
        return
    with _called(method, timeout_s) as (compactor, compacts):
        log = run_benchmark(plan, compactor, asked, path, resume=resume, compacts=compacts)
        with progress("running", total=len(plan.suite.templates) * plan.slots) as advance:
            for _ in log:
                advance()
    row = score_log(read_log(path), plan.suite)
    _print_rows([row], as_json=as_json)
    if not as_json:
        click.echo(f"\nlog: {path}    again: tamis bench score {path}")


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
            if not isolated.network_cut:
                click.echo("note: this system does not let the method be cut off from the network", err=True)
            yield isolated, isolated
        return
    own = get_method(method)
    yield own, in_this_process(own, timeout_s=timeout_s)


def _run_published(
    plan: Plan, method: str, reader: Reader, path: Path, *, words: str | None, seeds: str
) -> None:
    from tamis.bench.compat.published_words import read_published_words
    from tamis.bench.compat.results import write_results
    from tamis.bench.compat.run import PublishedPlan, run_published
    from tamis.bench.scoring import TIER_FLOORS
    from tamis.compactors import get_method
    from tamis.errors import OutputExists

    if path.exists():
        raise OutputExists(f"{path} exists; name another file with -o")
    published: PublishedPlan = PublishedPlan(
        suite=plan.suite,
        words=read_published_words(Path(words) if words else None),
        difficulty=plan.difficulty,
        slots=plan.slots,
        cycles=plan.cycles,
        seed_group=plan.seed_group,
        derivation="suite" if seeds == "suite" else "template",
        ratio=TIER_FLOORS[plan.tier],
    )
    write_results(path, run_published(published, get_method(method), reader))
    _print_published(path)


@command.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())
@suite_option
@json_option
def score(logs: tuple[str, ...], suite_name: str, as_json: bool) -> None:
    """Score runs from their logs, by this scorer and the published one; a results.jsonl as published."""
    own = [path for path in map(Path, logs) if not _is_published(path)]
    for path in map(Path, logs):
        if path not in own:
            _print_published(path)
    if own:
        _print_rows(_rows(own, suite_name), as_json=as_json, details=True)


@command.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())
@suite_option
@json_option
def rank(logs: tuple[str, ...], suite_name: str, as_json: bool) -> None:
    """Rank runs; those of other cases, readers or scorers stand apart."""
    _print_rows(_rows([Path(log) for log in logs], suite_name), as_json=as_json)


def _rows(logs: Sequence[Path], suite_name: str) -> list[Row]:
    from tamis.bench.board import score_log
    from tamis.bench.log import read_log
    from tamis.bench.suite import load_suite

    suite: Suite = load_suite(suite_name)
    return [score_log(read_log(path), suite) for path in logs]


def _is_published(path: Path) -> bool:
    from tamis.errors import UnreadableFile

    try:
        with path.open("rb") as file:
            return b'"run_start"' in file.readline()
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read ({error.strerror}); name a run's log") from None


def _print_rows(rows: Sequence[Row], *, as_json: bool, details: bool = False) -> None:
    from tamis.bench.board import Row, rank

    if as_json:
        print_json([row for found in rank(rows).values() for row in found], list[Row])
        return
    for found in rank(rows).values():
        print_tables(*board_tables(found), *([family_table(found)] if details else []))
        for line in why_not(found):
            click.echo(line)


def _print_published(path: Path) -> None:
    from tamis.bench.compat.results import read_results, scores_of
    from tamis.bench.compat.scores import TIER_NAMES, disqualified, elite_score, figures
    from tamis.bench.scoring import TIER_FLOORS

    results = read_results(path)
    scored = [(case.case_id, scores_of(case)) for case in results.cases]
    total = figures([case for _, case in scored])
    rows = [(name, repr(value)) for name, value in vars(total).items()]
    rows += [(f"elite_score, {TIER_NAMES[tier]}", repr(elite_score(total, tier))) for tier in TIER_FLOORS]
    print_tables(table(f"{results.start.method_name}, as published", ["figure", ">value"], rows))
    for tier in TIER_FLOORS:
        reasons = disqualified(total, scored, tier, results.start.drift_cycles)
        click.echo(f"{TIER_NAMES[tier]}: {'; '.join(reasons)[:MAX_REASON_CHARS] or 'qualified'}")


@command.command()
@case_options
def estimate(**settings: Any) -> None:
    """Count what a run would take, before it is begun: compactions, questions, tokens."""
    from tamis.bench.scoring import TIER_FLOORS

    plan = plan_of(**settings)
    asked = list(plan.suite.questions(plan.spots))
    rounds = plan.cycles + 1
    questions = sum(len(q.items) for q in asked) * rounds
    artifact = int(plan.length_tokens / TIER_FLOORS[plan.tier])
    rows = [
        ("cases", number(len(asked))),
        ("compactions", number(len(asked) * rounds)),
        ("questions to the reader", number(questions)),
        ("tokens that methods read, about", number(len(asked) * plan.length_tokens * rounds)),
        ("tokens that the reader reads, about", number(questions * artifact)),
    ]
    print_tables(table(f"{plan.suite.name}, {plan.tier}", ["what", ">how much"], rows))


@command.command()
@suite_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The seal, to publish."
)
@click.option("--secret", required=True, metavar="FILE", type=click.Path(), help="The secret, to keep.")
def seal(suite_name: str, output: str, secret: str) -> None:
    """Draw a hidden seed group, and publish a hash of it before anybody is measured."""
    from tamis.bench.seal import make_secret, seal_of, write_new
    from tamis.bench.suite import load_suite

    made = make_secret(load_suite(suite_name))
    write_new(Path(secret), made, private=True)
    write_new(Path(output), seal_of(made), private=False)
    click.echo(f"{made.hash}\npublish {output}, keep {secret}; run with: tamis bench run --secret {secret}")


@command.command()
@click.argument("sealed", metavar="SEAL", type=click.Path())
@click.argument("secret", metavar="SECRET", type=click.Path())
def reveal(sealed: str, secret: str) -> None:
    """Check that a SECRET is the one that a SEAL was made from, and say its seed group."""
    from tamis.bench.seal import reveal as open_seal

    opened = open_seal(Path(sealed), Path(secret))
    click.echo(f"{opened.hash} holds\nsuite {opened.suite}\nseed group {opened.seed_group}")
