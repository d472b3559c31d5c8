"""Tables that fit a width and break no word: cells wrap, and columns without room make a table below."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import JustifyMethod
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

LONG_WORD = 20
"""A longer word (a path, an id) may be parted behind one of its separators."""

_PIECE = re.compile(r"[^\s/_.,:=-]*[/_.,:=-]+|[^\s/_.,:=-]+")


def fitted(table: Table, width: int) -> Iterator[Table]:
    """The table within `width`, as several below each other where its columns do not fit side by side.

    The columns of text at its left say what a row is, and stand in each of them.
    """
    columns = [_read(column) for column in table.columns]
    keys = 2 if len(columns) > 2 and not columns[1].is_number and columns[2].is_number else 1
    parts = list(_parts(columns, keys, width))
    for i, shown in enumerate(parts):
        part = Table(
            title=table.title if i == 0 else None,
            caption=table.caption if i == len(parts) - 1 else None,
            box=table.box,
            pad_edge=table.pad_edge,
            title_justify=table.title_justify,
            title_style=table.title_style,
            caption_justify=table.caption_justify,
        )
        widths = _widths(shown, width)
        for column, wide in zip(shown, widths, strict=True):
            justify: JustifyMethod = "right" if column.is_number else "left"
            part.add_column(escape(_wrapped(column.header, wide)), justify=justify, width=wide, no_wrap=True)
        wrapped = [
            [Text(_wrapped(cell.plain, wide), style=cell.style) for cell in column.cells]
            for column, wide in zip(shown, widths, strict=True)
        ]
        for n, row in enumerate(table.rows):
            part.add_row(*(cells[n] for cells in wrapped), style=row.style, end_section=row.end_section)
        yield part


@dataclass(frozen=True, kw_only=True)
class _Read:
    header: str
    cells: list[Text]
    is_number: bool

    @property
    def natural(self) -> int:
        lines = [line for text in (self.header, *(c.plain for c in self.cells)) for line in text.split("\n")]
        return max(map(len, lines), default=0)

    @property
    def least(self) -> int:
        """No word is broken in it, and no line of a number."""
        parts = str.splitlines if self.is_number else _pieces
        of_cells = (part for cell in self.cells for part in parts(cell.plain))
        return max(map(len, (*of_cells, *self.header.split())), default=0)


def _read(column: Column) -> _Read:
    cells = [cell if isinstance(cell, Text) else Text.from_markup(str(cell)) for cell in column.cells]
    header = column.header if isinstance(column.header, Text) else Text.from_markup(str(column.header))
    return _Read(header=header.plain, cells=cells, is_number=column.justify == "right")


def _parts(columns: Sequence[_Read], keys: int, width: int) -> Iterator[list[_Read]]:
    """All columns where they fit, else the keys with as many of the others as do."""
    if _room(columns, width) >= sum(c.least for c in columns):
        yield list(columns)
        return
    shown = list(columns[:keys])
    for column in columns[keys:]:
        wider = [*shown, column]
        if len(shown) > keys and _room(wider, width) < sum(c.least for c in wider):
            yield shown
            wider = [*columns[:keys], column]
        shown = wider
    yield shown


def _room(columns: Sequence[_Read], width: int) -> int:
    """What the lines and blanks between the columns leave."""
    return width - 3 * len(columns) + 1


def _widths(columns: Sequence[_Read], width: int) -> list[int]:
    """The widest gives way first, and none below what its words need while another has room."""
    widths, least = [c.natural for c in columns], [c.least for c in columns]
    for floor in (least, [min(wide, LONG_WORD) for wide in least]):
        while sum(widths) > _room(columns, width):
            loose = [i for i, wide in enumerate(widths) if wide > floor[i]]
            if not loose:
                break
            widths[max(loose, key=widths.__getitem__)] -= 1
    return widths


def _pieces(text: str) -> Iterator[str]:
    for word in text.split():
        if len(word) <= LONG_WORD:
            yield word
        else:
            yield from _PIECE.findall(word)


def _wrapped(text: str, width: int) -> str:
    """The text in lines of this width, parted at blanks, else behind a separator, else where it must be.

    >>> _wrapped("run tests/cli/test_compact_and_more.py now", 18).split(chr(10))
    ['run tests/cli/', 'test_compact_and_', 'more.py now']
    """
    return "\n".join(line for given in text.split("\n") for line in _lines(given, width))


def _lines(text: str, width: int) -> Iterator[str]:
    if len(text) <= width:
        yield text
        return
    line = ""
    for word in text.split():
        pieces = [word] if len(word) <= max(width, 1) and len(word) <= LONG_WORD else _PIECE.findall(word)
        for n, piece in enumerate(pieces):
            joint = " " if line and n == 0 else ""
            if len(line) + len(joint) + len(piece) > width and line:
                yield line
                line, joint = "", ""
            line += joint + piece
            while len(line) > width:
                yield line[:width]
                line = line[width:]
    yield line
