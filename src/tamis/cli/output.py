"""What the commands print: tables for people, one JSON object for programs.

The JSON objects are the values of this package, written by pydantic; their schemas are in the documentation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


_BIDIRECTIONAL = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), *_BIDIRECTIONAL)
"""What a terminal obeys instead of showing it, or shows in another order."""
_AS_TEXT = {code: ascii(chr(code))[1:-1] for code in _CONTROLS if code not in (9, 10)}
_AS_JSON = {code: f"\\u{code:04x}" for code in _CONTROLS if code >= 0x7F}


def visible(text: str) -> str:
    r"""A text of a session's as a terminal may have it: what would move, colour or command it is written out.

    >>> visible("\x1b]0;mine\x07 a title")
    '\\x1b]0;mine\\x07 a title'
    """
    return text.translate(_AS_TEXT)


def say(text: str, *, err: bool = False) -> None:
    """Print a text of a session's: as it is where it is piped, with no control sequence on a terminal."""
    stream = sys.stderr if err else sys.stdout
    click.echo(visible(text) if stream.isatty() else text, err=err, color=True)


def print_json(value: Any, of: Any = None) -> None:
    """One JSON object on stdout. `of` is its type, where that is not the value's own class."""
    from pydantic import TypeAdapter

    data = TypeAdapter(of or type(value)).dump_json(value, indent=2).decode("utf-8", "replace")
    click.echo(data.translate(_AS_JSON) if sys.stdout.isatty() else data, color=True)


def console(*, stderr: bool = False) -> Console:
    """Where tables go: plain where it is piped or NO_COLOR is set; what is piped is not cut to a width."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    wide = None if stream.isatty() else 10_000
    return Console(file=stream, highlight=False, soft_wrap=wide is not None, width=wide)


@contextmanager
def progress(doing: str, *, total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, none where that is piped; call what it gives after each of the `total` steps."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    err = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda: bar.advance(task)


def print_tables(*tables: Table) -> None:
    """Tables on stdout, one below the other; piped, without blanks at the ends of lines."""
    out = console()
    for made in tables:
        if out.is_terminal:
            out.print("", made, sep="\n")
            continue
        with out.capture() as captured:
            out.print(made)
        lines = [line.rstrip() for line in captured.get().splitlines()]
        click.echo("\n" + "\n".join(line for line in lines if line))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table; a column whose name begins with `>` is set to the right."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

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
