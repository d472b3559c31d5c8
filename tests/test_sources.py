"""The page about the sources names only what is there."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import click

from tamis.cli import cli

ROOT = Path(__file__).resolve().parents[1]
LINES = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").splitlines()
ROWS = [line for line in LINES if line.startswith("| ") and not line.startswith("| point")]
NAMED = sorted(set(re.findall(r"`([^`]+)`", "\n".join(ROWS))))
PATH = re.compile(r"(?=.*/)[\w./-]+(?:/|\.(?:py|md|toml|yaml|json))")


def test_each_point_says_where_it_lives_and_what_came_of_it() -> None:
    cells = {row: [cell.strip() for cell in row.strip("|").split(" | ")] for row in ROWS}
    assert [row for row, found in cells.items() if len(found) != 3 or not all(found)] == []
    assert [row for row, found in cells.items() if "`" not in found[1] and "not done" not in found[2]] == []


def test_files_that_are_named_are_there() -> None:
    paths = [name for name in NAMED if PATH.fullmatch(name)]
    assert len(paths) > 50
    assert [p for p in paths if not ((ROOT / "src" / "tamis" / p).exists() or (ROOT / p).exists())] == []


def test_tests_that_are_named_are_there() -> None:
    files = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    tests = {
        node.name
        for text in files
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    named = {name for name in NAMED if name.startswith("test_")}
    assert len(named) > 100
    assert named - tests == set()


def test_dotted_names_can_be_imported() -> None:
    dotted = [name.partition("(")[0].rpartition(".") for name in NAMED if name.startswith("tamis.")]
    assert dotted
    assert [f"{m}.{a}" for m, _, a in dotted if not hasattr(import_module(m), a)] == []


def test_commands_that_are_named_take_what_they_are_given() -> None:
    lines = [name for name in NAMED if name.startswith("tamis ")]
    assert lines
    assert [line for line in lines if not _is_taken(line)] == []


def test_programs_that_print_a_figure_are_there() -> None:
    programs = [name.split()[1] for name in NAMED if name.startswith("python ")]
    assert programs
    assert [program for program in programs if not (ROOT / program).is_file()] == []


def _is_taken(line: str) -> bool:
    """Whether every word is a command, an option of it, or what such is given."""
    command: click.Command | None = cli
    for word in line.split()[1:]:
        if command is None:
            return False
        context = click.Context(command)
        if word.startswith("-"):
            if word not in {option for one in command.get_params(context) for option in one.opts}:
                return False
        elif isinstance(command, click.Group):
            command = command.get_command(context, word)
    return command is not None
