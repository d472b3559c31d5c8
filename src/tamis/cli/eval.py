"""`tamis eval`: measure what compaction methods keep of what the agent went on to use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.inputs import complete_method, find_files, json_option, tokenizer_option
from tamis.cli.output import console, print_json, progress

if TYPE_CHECKING:
    from tamis.evals import Run, Settings

METHODS = ("truncate", "mask", "index", "extractive", "ledger")
BUDGETS = ("1.4%", "5%", "10%")


@click.command("eval", short_help="Measure what compaction methods keep of what the agent went on to use.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-m",
    "--method",
    "methods",
    multiple=True,
    default=METHODS,
    show_default=True,
    metavar="METHOD",
    help="A method to measure; repeat for more.",
    shell_complete=complete_method,
)
@click.option(
    "-b",
    "--budget",
    "budgets",
    multiple=True,
    default=BUDGETS,
    show_default=True,
    metavar="TOKENS|PERCENT|own",
    help="A budget; repeat for more. own: as many tokens as the agent's own summary took.",
)
@click.option(
    "--at",
    multiple=True,
    default=("50%",),
    show_default=True,
    metavar="PLACE",
    help="Where to cut: a share of the tokens (50%), tokens (18k), a message (#120), or own (where the agent "
    "compacted itself); repeat for more.",
)
@click.option("-o", "--output", metavar="RUN_DIR", type=click.Path(), help="Keep everything measured there.")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="How many processes measure.")
@click.option(
    "--price-model",
    metavar="MODEL",
    help="Price the tokens as this model's, with and without a prompt cache (openai:gpt-5).",
)
@tokenizer_option
@json_option
def command(
    paths: tuple[str, ...],
    methods: tuple[str, ...],
    budgets: tuple[str, ...],
    at: tuple[str, ...],
    output: str | None,
    jobs: int,
    price_model: str | None,
    tokenizer: str,
    as_json: bool,
) -> None:
    """Measure methods on the sessions at the PATHs: files, or folders with everything below.

    Each session is cut, its older part compacted by every method at every budget, and judged by the names
    that the agent really used behind the cut. Sessions of one PATH are one set, averaged together.
    """
    from tamis.cli.output import print_tables
    from tamis.errors import InputError
    from tamis.evals import Settings, read_run
    from tamis.evals.prices import find_price
    from tamis.reports import run_report, run_tables

    if jobs < 1:
        raise InputError(f"--jobs is {jobs}; give 1 or more")
    price = price_model and find_price(price_model, on=datetime.now(tz=UTC).date())
    settings = Settings(methods=methods, budgets=budgets, at=at, tokenizer=tokenizer, price=price or None)
    _check(settings)
    with _run_folder(output) as folder:
        _measure(paths, settings, folder, jobs)
        run = read_run(folder)
        if not run.points:
            raise InputError(_why_nothing(run))
    if as_json:
        print_json(run_report(run))
        return
    print_tables(*run_tables(run, width=console().width))
    _say_skipped(run)
    if output is not None:
        click.echo(f"\nrun: {output}    report: tamis report {output}")


def _check(settings: Settings) -> None:
    """Every name and figure is understood before anything is measured."""
    from tamis.compactors import get_method, parse_budget
    from tamis.evals import At
    from tamis.evals.experiment.trial import OWN_BUDGET
    from tamis.messages import get_counter

    for method in settings.methods:
        get_method(method)
    for budget in settings.budgets:
        if budget != OWN_BUDGET:
            parse_budget(budget)
    for place in settings.at:
        At.parse(place)
    get_counter(settings.tokenizer)


@contextmanager
def _run_folder(output: str | None) -> Iterator[Path]:
    """A new folder to measure into, which stands at `output` only when all of it is done."""
    from tamis.errors import InputError, OutputExists

    target = None if output is None else Path(output)
    if target is not None and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputExists(f"{target} exists and is not empty; name a new folder with -o")
    try:
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
        beside = tempfile.TemporaryDirectory(
            prefix=".tamis-run-", dir=None if target is None else target.parent, ignore_cleanup_errors=True
        )
    except OSError as error:
        raise InputError(f"{output}: cannot write there ({error.strerror}); choose another place") from None
    with beside as folder:
        work = Path(folder) / "run"
        yield work
        if target is not None:
            work.rename(target)  # over an empty folder, or to a new name


def _measure(paths: Sequence[str], settings: Settings, folder: Path, jobs: int) -> None:
    """Find the sessions, measure them, and write down what comes."""
    from tamis.evals import SessionResults, Skipped, evaluate_paths, write_run

    files, passed_over = find_files(paths)
    skipped = tuple(Skipped(source=str(path), what=path.name, reason=why) for path, why in passed_over)
    with write_run(folder, settings) as writer, progress("measuring", total=len(files)) as advance:
        writer.add(SessionResults(skipped=skipped))
        for _, part in evaluate_paths(files, settings, jobs=jobs):
            writer.add(part)
            advance()


def _why_nothing(run: Run) -> str:
    first = run.skipped[0] if run.skipped else None
    why = f"; the first: {first.what}: {first.reason}" if first else ""
    return f"nothing could be measured in {run.sessions} sessions{why}"


def _say_skipped(run: Run) -> None:
    if run.skipped:
        reasons: dict[str, int] = {}
        for skipped in run.skipped:
            reasons[skipped.reason] = reasons.get(skipped.reason, 0) + 1
        most = max(reasons, key=lambda reason: reasons[reason])
        click.echo(f"note: {len(run.skipped)} not measured, most often ({reasons[most]}): {most}", err=True)
