"""The work of `tamis audit`: find, read, add up, show."""

import math
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import DownloadColumn, TimeElapsedColumn

from tamis.audit.discovery import discover_sessions
from tamis.audit.narrative import advise, nothing_found
from tamis.audit.scan import conduct
from tamis.audit.screen import screen
from tamis.audit.stores import Machine
from tamis.audit.totals import add_up
from tamis.cli.work.inputs import require_output
from tamis.cli.work.output import print_json, progress_bar
from tamis.errors import InputError


def run(
    folders: Sequence[str],
    *,
    paths: Sequence[str],
    within: float,
    everything: bool,
    jobs: int | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    page = Path(output) if output else None
    if output:
        require_output(output, force=force)  # says what is in the way before a minute of reading
    machine = Machine(
        home=Path.home(), cwd=Path.cwd(), environment=dict(os.environ), is_mac=sys.platform == "darwin"
    )
    with progress_bar(DownloadColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("finding", total=None)
        found = discover_sessions(machine, [*map(Path, folders), *map(Path, paths)], only=bool(folders))
        if not found.sessions:
            raise InputError(nothing_found(found, machine.home))
        audited = conduct(
            found,
            jobs=jobs or os.cpu_count() or 1,
            seconds=math.inf if everything else within,
            watch=lambda doing, done, total: bar.update(task, description=doing, completed=done, total=total),
        )
    figures = add_up(audited)
    advice = list(advise(figures, audited, page=page))
    if page is not None:
        from tamis.audit.page import write_page  # behind the reports stand libraries that take a second

        write_page(figures, advice, page, home=machine.home, force=force)
    if as_json:
        print_json(figures)
        return
    width = shutil.get_terminal_size((80, 24)).columns
    click.echo("\n".join(screen(figures, advice, width=width, home=machine.home)))
    if page is not None:
        click.echo(f"page: {page}")
