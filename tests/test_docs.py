"""The reference pages say what the program does."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from tamis.cli import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]


def test_no_generated_page_is_stale() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_links_between_files_lead_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+\.md)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).is_file()
    ]
    assert broken == []


def test_every_page_stands_in_what_is_written_for_language_models() -> None:
    pages = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    listed = set(re.findall(r"\]\((\S+)\)", (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")))
    assert listed == pages - {"index.md"}


def test_every_command_shown_has_the_options_that_it_is_shown_with() -> None:
    unknown = [
        f"{page.name}: {command}"
        for page in PAGES
        if page.name != "cli.md"
        for command in _commands(page.read_text(encoding="utf-8"))
        if not _is_known(shlex.split(command)[1:])
    ]
    assert unknown == []


def _commands(page: str) -> list[str]:
    """Each `tamis ...` of a console block, and each one in backquotes."""
    blocks = "".join(re.findall(r"```console\n(.*?)```", page, re.DOTALL)).replace("\\\n", " ")
    typed = re.findall(r"^\$ (tamis .*?)(?:\s+#.*)?$", blocks, re.MULTILINE)
    named = re.findall(r"(?<!`)`(tamis [a-z][^`]*)`(?!`)", page)
    return [*typed, *(command.replace("\n", " ") for command in named)]


def _is_known(words: list[str]) -> bool:
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        sub = command.get_command(click.Context(command), words.pop(0))
        if sub is None:
            return False
        command = sub
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    own = words[: words.index("--")] if "--" in words else words
    return {word.split("=")[0] for word in own if re.match("--?[a-zA-Z]", word)} <= {*known, "--help"}
