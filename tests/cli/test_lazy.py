"""Commands are declared in one place and work in another: that the two fit, and that help is light."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click
import pytest

from tamis.cli import cli
from tamis.cli.lazy import COMMANDS, GROUPS

LIGHT = (
    "tamis.cli",
    "tamis.errors",
    "tamis.integrations",
    "tamis.integrations.agents",
    "tamis.integrations.agents.known",
    "tamis._version",
)


def _leaves() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {part}", sub) for part, sub in command.commands.items())
        elif name != "completion":  # it asks click and needs no work of its own
            yield name, command


@pytest.mark.parametrize(("name", "command"), [pytest.param(*leaf, id=leaf[0]) for leaf in _leaves()])
def test_the_work_takes_what_the_command_gives(name: str, command: click.Command, monkeypatch) -> None:
    asked: list[tuple[str, Mapping[str, Any]]] = []
    assert command.callback is not None
    scope = inspect.unwrap(command.callback).__globals__
    monkeypatch.setitem(scope, "work", lambda place, given: asked.append((place, given)))
    command.callback(**{str(parameter.name): None for parameter in command.params})
    ((place, given),) = asked
    module, function = place.split(":")
    inspect.signature(getattr(import_module(f"tamis.cli.work.{module}"), function)).bind(**given)


def test_declaring_every_command_loads_nothing_of_their_work() -> None:
    program = (
        "import sys, click\n"
        "from tamis.cli import cli\n"
        "from tamis.cli.lazy import COMMANDS\n"
        "for name in COMMANDS:\n"
        "    cli.get_command(click.Context(cli), name)\n"
        "print(*(m for m in sys.modules if m.split('.')[0] in ('tamis', 'pydantic', 'rich', 'numpy')))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    heavy = [m for m in loaded if m != "tamis" and not m.startswith("tamis.cli") and m not in LIGHT]
    assert (heavy, [m for m in loaded if m.startswith("tamis.cli.work")]) == ([], [])


def test_the_everyday_six_stand_on_top(tamis) -> None:
    first, *groups = GROUPS
    assert len(GROUPS[first]) == 6
    shown = tamis("--help").out
    places = [shown.index(f"\n{title}:") for title in (first, *groups, "Options")]
    assert places == sorted(places)


@pytest.mark.parametrize("arguments", [(), ("memory",), ("bench",)])
def test_a_group_without_a_command_shows_its_help(tamis, arguments: tuple[str, ...]) -> None:
    ran = tamis(*arguments)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == tamis(*arguments, "--help").out
