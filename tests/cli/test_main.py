"""The command line as a whole: help, exit statuses, interruption, a reader that goes away."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tamis import __version__
from tamis.cli import cli, main
from tamis.cli.lazy import COMMANDS
from tamis.errors import InputError, MethodFailed, MissingExtra, TamisError


def test_help_names_every_command(tamis) -> None:
    ran = tamis("--help")
    assert ran.status == 0
    assert all(name in ran.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_in_the_list_is_the_command_s_own(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.short_help == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(tamis, name: str) -> None:
    ran = tamis(name, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"Usage: tamis {name}")


def _paths(command: click.Command, *above: str) -> Iterator[tuple[str, ...]]:
    yield above
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from _paths(found, *above, name)


@pytest.mark.parametrize("path", list(_paths(cli)), ids=" ".join)
def test_help_fits_80_columns_and_cuts_nothing_off(tamis, monkeypatch, path: tuple[str, ...]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = tamis(*path, "--help").out.splitlines()
    assert [line for line in lines if len(line) > 80 or re.search(r"[a-z:,]\.\.\.$", line)] == []


def test_version(tamis) -> None:
    assert tamis("--version").out == f"tamis {__version__}\n"


@pytest.mark.parametrize("arguments", [["nosuch"], ["compact"], ["compact", "--nosuch"], ["--nosuch"]])
def test_wrong_usage_is_one_line_and_status_2(tamis, arguments: list[str]) -> None:
    ran = tamis(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("tamis: ")
    assert ran.err.count("\n") == 1
    assert "--help" in ran.err


@pytest.mark.parametrize(
    ("raised", "status"),
    [(InputError("bad"), 2), (MissingExtra("pip"), 2), (MethodFailed("broke"), 1), (TamisError("x"), 2)],
)
def test_each_kind_of_failure_has_its_status(tamis, monkeypatch, raised: Exception, status: int) -> None:
    monkeypatch.setattr(cli, "main", _raising(raised))
    ran = tamis()
    assert (ran.status, ran.err) == (status, f"tamis: {raised}\n")


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_one_line_and_status_130(tamis, monkeypatch, raised: BaseException) -> None:
    monkeypatch.setattr(cli, "main", _raising(raised))
    ran = tamis()
    assert (ran.status, ran.err) == (130, "tamis: interrupted\n")
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # a second Ctrl-C is no traceback


def test_a_bug_keeps_its_traceback(monkeypatch) -> None:
    monkeypatch.setattr(cli, "main", _raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        main([])


def test_a_message_of_several_lines_is_printed_as_one(tamis, monkeypatch) -> None:
    monkeypatch.setattr(cli, "main", _raising(InputError("one\n  two")))
    assert tamis().err == "tamis: one two\n"


def test_a_reader_that_goes_away_is_no_error(chat: Path) -> None:
    done = subprocess.run(
        [
            "bash",
            "-c",
            '"$0" -m tamis.cli compact "$1" -m full -b 100% | head -c 10',
            sys.executable,
            str(chat),
        ],
        capture_output=True,
        check=False,
    )
    assert done.stderr.decode().splitlines() == [
        line for line in done.stderr.decode().splitlines() if "->" in line
    ]
    assert b"Traceback" not in done.stderr


def test_ctrl_c_leaves_one_line_and_no_file(tmp_path: Path, till: Path) -> None:
    started = tmp_path / "started"
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import pathlib, time\n"
        "class Slow:\n"
        "    name, version = 'slow', '1'\n"
        "    async def compact(self, request):\n"
        f"        pathlib.Path({str(started)!r}).touch()\n"
        "        time.sleep(60)\n"
    )
    running = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tamis.cli",
            "compact",
            till,
            "-m",
            f"{slow}:Slow",
            "-o",
            tmp_path / "out.jsonl",
        ],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    while not started.exists() and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert (running.returncode, err.strip()) == (130, "tamis: interrupted")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["slow.py", "started"]


def _raising(error: BaseException):
    def fail(**_: object) -> None:
        raise error

    return fail
