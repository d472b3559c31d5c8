"""The work of `tamis check-method`: run a compaction method through the guarantees."""

from dataclasses import dataclass
from itertools import chain

import click

from tamis.cli.work.output import made_of, number, print_json, print_tables, table
from tamis.compactors import check_method, get_method
from tamis.compactors.check import CheckReport, Finding
from tamis.compactors.hostile_sessions import hostile_sessions
from tamis.messages import get_counter
from tamis.sessions import find_sessions, read_all

MAX_FINDINGS = 10


@dataclass(frozen=True, kw_only=True)
class CheckMethodJson:
    """What `tamis check-method --json` prints; `broken` counts the violations of each guarantee.

    Of so many `compactions`, `answered` gave something that could be checked.
    """

    method: str
    version: str
    passed: bool
    compactions: int
    answered: int
    broken: dict[str, int]
    findings: tuple[Finding, ...]


def run(method: str, *, paths: tuple[str, ...], timeout_s: float, tokenizer: str, as_json: bool) -> None:
    own = (session for f in find_sessions(paths) if f.format is not None for session in read_all(f.path))
    sessions = chain(hostile_sessions(), own)
    report = check_method(get_method(method), sessions, get_counter(tokenizer), timeout_s=timeout_s)
    if as_json:
        print_json(made_of(CheckMethodJson, report, broken=report.broken()))
    else:
        _print(report)
    if not report.passed:
        click.get_current_context().exit(1)


def _verdict(tried: int, broken: int, *, is_soft: bool) -> str:
    if not tried:
        return "not tried"
    return "held" if not broken else "not held" if is_soft else "BROKEN"


def _print(report: CheckReport) -> None:
    soft = {f.violation.guarantee for f in report.findings if not f.violation.hard}
    tried = report.tried()
    rows = [
        (name, _verdict(tried[name], count, is_soft=name in soft), number(tried[name]), number(count))
        for name, count in report.broken().items()
    ]
    title = f"{report.method} (version {report.version}), {number(report.compactions)} compactions"
    print_tables(table(title, ["guarantee", "", ">tried", ">broken"], rows))
    for finding in report.findings[:MAX_FINDINGS]:
        where = f"{finding.session_id}, {finding.asked}, budget {finding.budget_tokens}"
        click.echo(f"{finding.violation.guarantee}: {finding.violation.reason}  ({where})")
    if len(report.findings) > MAX_FINDINGS:
        click.echo(f"... and {len(report.findings) - MAX_FINDINGS} more; --json lists them")
    if not report.passed:
        click.echo("failed")
    elif soft:
        aimed = ", ".join(f"{name} ({number(report.broken()[name])} times not)" for name in sorted(soft))
        click.echo(f"passed all that a method must hold; what it aims at besides: {aimed}")
    else:
        click.echo("passed")
