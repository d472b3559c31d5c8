"""Tables in a narrow place: no word is broken, and no column is lost."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.table import Table

from tamis.cli.work.layout import fitted
from tamis.cli.work.output import print_tables, table


def _wide() -> Table:
    columns = ["budget", "method", *(f">instruction following {i}" for i in range(8))]
    return table("Figures", columns, [("10 %", "extractive", *(f"0.{i}4" for i in range(8)))] * 3)


def _printed(made: Table, width: int) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(*fitted(made, width), sep="\n")
    return captured.get()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_every_word_and_every_figure_stands_whole_within_the_width(width: int) -> None:
    printed = _printed(_wide(), width)
    assert max(map(len, printed.splitlines())) <= width
    assert {"budget", "method", "extractive", "instruction", "following"} <= set(printed.split())
    assert all(printed.count(f"0.{i}4") == 3 for i in range(8))


def test_what_fits_is_one_table() -> None:
    assert len(list(fitted(_wide(), 300))) == 1


def test_each_part_says_whose_its_rows_are() -> None:
    parts = list(fitted(_wide(), 60))
    assert len(parts) > 1
    assert all([str(column.header) for column in part.columns[:2]] == ["budget", "method"] for part in parts)


def test_a_path_is_parted_behind_its_separators() -> None:
    made = table("", ["file", ">tokens"], [("src/tamis/compactors/peers/pydantic_ai.py", "12")])
    lines = [line.split()[0] for line in _printed(made, 30).splitlines() if "/" in line or ".py" in line]
    assert "".join(lines) == "src/tamis/compactors/peers/pydantic_ai.py"
    assert all(line.endswith(("/", "_", ".", "py")) for line in lines)


@pytest.mark.parametrize(("columns", "most"), [("80", 80), ("", 400)])
def test_what_is_piped_is_as_wide_as_columns_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str, most: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    print_tables(table("Text", ["said"], [("word " * 60,)]))
    longest = max(map(len, capsys.readouterr().out.splitlines()))
    assert (longest <= most, longest > 80) == (True, most > 80)


def test_the_style_of_a_row_stays() -> None:
    made = table("Alerts", ["alert"], ())
    made.add_row("regret", style="bold red")
    (part,) = fitted(made, 40)
    assert [row.style for row in part.rows] == ["bold red"]
