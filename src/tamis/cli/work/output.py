"""Output of the commands: tables for people, one JSON object for programs.

The JSON objects are the values of this package, written by pydantic; their schemas are in the documentation.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from pydantic import TypeAdapter
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TimeRemainingColumn
from rich.table import Table

from tamis.cli.terminal import visible, visible_json
from tamis.cli.work.layout import fitted

if TYPE_CHECKING:
    from tamis.reports.local_server import Viewer

T = TypeVar("T")

UNBOUNDED = 10_000
"""The width of what is piped, in columns, where nothing says how wide it should be."""


def say(text: str, *, err: bool = False) -> None:
    """Print a text of a session's: as it is where it is piped, with no control sequence on a terminal."""
    stream = sys.stderr if err else sys.stdout
    click.echo(visible(text) if stream.isatty() else text, err=err, color=True)


def made_of(kind: type[T], value: object, **more: Any) -> T:
    """A dataclass with the fields of another value, as far as they bear the same names, and with these."""
    same = {f.name: getattr(value, f.name) for f in fields(cast(Any, kind)) if hasattr(value, f.name)}
    return kind(**same | more)


def print_json(value: Any, of: Any = None) -> None:
    """One JSON object on stdout. `of` is its type, where that is not the value's own class."""
    data = TypeAdapter(of or type(value)).dump_json(value, indent=2).decode("utf-8", "replace")
    click.echo(visible_json(data) if sys.stdout.isatty() else data, color=True)


def console(*, stderr: bool = False) -> Console:
    """Where tables go: plain where it is piped or NO_COLOR is set; what is piped is as wide as COLUMNS says.

    Without COLUMNS it is not cut to a width.
    """
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        return Console(file=stream, highlight=False)
    given = os.environ.get("COLUMNS", "")
    wide = int(given) if given.isdecimal() and int(given) else UNBOUNDED
    return Console(file=stream, highlight=False, soft_wrap=True, width=wide)


def progress_bar(*figures: ProgressColumn) -> Progress:
    """A bar on stderr with figures behind it; none where stderr is piped."""
    err = console(stderr=True)
    columns = (BarColumn(), *figures)
    return Progress("{task.description}", *columns, console=err, transient=True, disable=not err.is_terminal)


@contextmanager
def progress(doing: str, *, total: int) -> Iterator[Callable[[], None]]:
    """Such a bar; call what it gives after each of the `total` steps."""
    with progress_bar(MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda: bar.advance(task)


def serve_pages(viewer: "Viewer", *, opens: bool) -> None:
    """Serve until Ctrl-C, in the browser where it `opens`."""
    if opens:
        click.launch(viewer.url)
    try:
        viewer.serve()
    except KeyboardInterrupt:
        click.echo("", err=True)


def print_tables(*tables: Table) -> None:
    """Tables on stdout, one below the other; piped, without blanks at the ends of lines."""
    out = console()
    for made in (part for table in tables for part in fitted(table, out.width)):
        if out.is_terminal:
            out.print("", made, sep="\n")
            continue
        with out.capture() as captured:
            out.print(made)
        lines = [line.rstrip() for line in captured.get().splitlines()]
        click.echo("\n" + "\n".join(line for line in lines if line))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table; a column whose name begins with `>` is set to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        right = name.startswith(">")
        made.add_column(name.removeprefix(">"), justify="right" if right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(escape(visible(cell)) for cell in row))
    return made


def number(value: int) -> str:
    """An integer as people read it: `12,345`."""
    return f"{value:,}"


def percent(part: float, whole: float) -> str:
    """A share as people read it, or a dash where there is no whole."""
    return f"{part / whole:.1%}" if whole else "-"
