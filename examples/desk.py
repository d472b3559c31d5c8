"""A desk where a task is really done, and a log of everything that was done there.

A story calls `user`, `say`, `run`, `read`, `write`, `edit` and `todo`; each does what it says in a temporary
folder and adds to the log. What differs from run to run (the folder, durations) is evened out, so that the
same story on the same machine gives the same log.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

CallKind = Literal["run", "read", "write", "edit", "todo"]


@dataclass(kw_only=True)
class Call:
    """One use of a tool: what was asked and what came back."""

    kind: CallKind
    arguments: dict[str, object]
    output: str
    exit_code: int = 0
    before: str | None = None
    """What an edited or overwritten file held."""


@dataclass(kw_only=True)
class Turn:
    """What one side said and, for the agent, what it did."""

    speaker: Literal["user", "agent"]
    text: str = ""
    calls: list[Call] = field(default_factory=list)


class Desk:
    """The folder that a story works in, and its log.

    Args:
        folder: an empty folder, the project's root while recording.
        shown_as: the path that stands in the log in its place.
    """

    def __init__(self, folder: Path, shown_as: str) -> None:
        self.folder = folder
        self.shown_as = shown_as
        self.log: list[Turn] = []

    def prepare(self, files: dict[str, str]) -> None:
        """Lay out the project as it was before the story, under version control; not part of the log."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_tidy(content), encoding="utf-8")
        self._shell("git init -q -b main && git add -A && git commit -q -m 'As it was'")

    def user(self, text: str) -> None:
        """The user says something."""
        self.log.append(Turn(speaker="user", text=_tidy(text).strip()))

    def say(self, text: str) -> None:
        """The agent says something; the calls that follow belong to the same reply."""
        self.log.append(Turn(speaker="agent", text=_tidy(text).strip()))

    def run(self, command: str) -> None:
        """The agent runs a shell command."""
        done = self._shell(command)
        self._add(Call(kind="run", arguments={"command": command}, output=done[0], exit_code=done[1]))

    def read(self, name: str) -> None:
        """The agent reads a whole file."""
        text = (self.folder / name).read_text(encoding="utf-8")
        self._add(Call(kind="read", arguments={"path": name}, output=text))

    def write(self, name: str, content: str) -> None:
        """The agent writes a whole file."""
        path = self.folder / name
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        content = _tidy(content)
        path.write_text(content, encoding="utf-8")
        self._add(Call(kind="write", arguments={"path": name, "content": content}, output="", before=before))

    def edit(self, name: str, old: str, new: str, *, indent: int = 0) -> None:
        """The agent replaces the one place where `old` stands; both texts are indented by `indent` more."""
        path = self.folder / name
        before = path.read_text(encoding="utf-8")
        old, new = (textwrap.indent(_tidy(text), " " * indent) for text in (old, new))
        if before.count(old) != 1:
            raise ValueError(f"{name}: {before.count(old)} places hold {old!r}, not one")
        path.write_text(before.replace(old, new), encoding="utf-8")
        arguments: dict[str, object] = {"path": name, "old": old, "new": new}
        self._add(Call(kind="edit", arguments=arguments, output="", before=before))

    def todo(self, **items: str) -> None:
        """The agent writes its task list: each text (`_` for a blank) and its status, as agents name it."""
        tasks = [{"content": text.replace("_", " "), "status": status} for text, status in items.items()]
        self._add(Call(kind="todo", arguments={"todos": tasks}, output=""))

    def _add(self, call: Call) -> None:
        if not self.log or self.log[-1].speaker == "user" or self.log[-1].calls:
            self.log.append(Turn(speaker="agent"))
        self.log[-1].calls.append(call)

    def _shell(self, command: str) -> tuple[str, int]:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        return self._even_out(done.stdout), done.returncode

    def _even_out(self, output: str) -> str:
        output = output.replace(str(self.folder.resolve()), self.shown_as).replace(
            str(self.folder), self.shown_as
        )
        output = output.replace(sys.base_prefix, "/usr")
        output = re.sub(r"\bin \d+\.\d+s", "in 0.05s", output)
        return re.sub(r"\b0x[0-9a-f]{8,}", "0x7f0000000000", output)


def changed_lines(before: str, after: str) -> list[str]:
    """The unified diff of two texts, without its file header."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3)
    return list(lines)[2:]


def _tidy(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def _environment() -> dict[str, str]:
    """Fixed names, dates and widths; the interpreter that records first on the path; nothing else."""
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
        "GIT_AUTHOR_NAME": "dev",
        "GIT_AUTHOR_EMAIL": "dev@example.org",
        "GIT_AUTHOR_DATE": "2025-03-03T09:00:00Z",
        "GIT_COMMITTER_NAME": "dev",
        "GIT_COMMITTER_EMAIL": "dev@example.org",
        "GIT_COMMITTER_DATE": "2025-03-03T09:00:00Z",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
