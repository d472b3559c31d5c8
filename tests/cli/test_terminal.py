"""What a session says reaches a terminal as text: it moves, colours and commands nothing there."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.archive import Archive
from tamis.cli.terminal import visible
from tamis.messages import Message, Text

HOSTILE = "\x1b]0;mine\x07 \x1b]52;c;cm0gLXJm\x07 \x9b31m red \x1b[2J quartz \u202edetrever"


def on_a_terminal(*arguments: str) -> str:
    """What the command writes to a terminal, its own colours off."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        [sys.executable, "-m", "tamis.cli", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    ) as process:
        os.close(theirs)
        written = bytearray()
        try:
            while piece := os.read(ours, 65536):
                written += piece
        except OSError:  # how Linux tells that the other side is closed
            pass
        os.close(ours)
        assert process.wait() == 0, written.decode()
    return written.decode()


@pytest.fixture
def archive(tmp_path: Path) -> tuple[str, str]:
    """An archive that holds the text, and the text's id there."""
    path = tmp_path / "a.tamis"
    with Archive.open(path) as opened:
        (number,) = opened.put("s", [Message(id="1", role="user", parts=(Text(text=HOSTILE),))])
    return str(path), number


@pytest.fixture
def session(tmp_path: Path) -> str:
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"role": "user", "content": f"Fix {HOSTILE} now."}]))
    return str(path)


@pytest.mark.parametrize(
    "command", ["show", "show --json", "recall", "expand", "expand --json", "compact -b 5000"]
)
def test_no_control_sequence_reaches_the_terminal(
    command: str, archive: tuple[str, str], session: str
) -> None:
    name, *options = command.split()
    asked = {"recall": [archive[0], "quartz"], "expand": list(archive)}.get(name, [session])
    written = on_a_terminal(name, *asked, *options)
    assert "quartz" in written
    assert not set(written) & {chr(n) for n in (*range(9), *range(11, 13), *range(14, 32), *range(127, 160))}
    assert "\u202e" not in written


def test_what_is_piped_is_as_it_was(archive: tuple[str, str]) -> None:
    command = [sys.executable, "-m", "tamis.cli", "expand", *archive]
    assert subprocess.run(command, capture_output=True, check=True).stdout.decode() == f"{HOSTILE}\n"


def test_tabs_and_line_breaks_stay() -> None:
    assert visible("a\tb\nc\x00") == "a\tb\nc\\x00"
