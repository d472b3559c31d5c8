"""The briefs that pages show: what a command prints, between its marker and the end of the block behind it.

`<!-- output: tamis compact FILE -b 2% --as text -->` gets the whole output,
`<!-- part of the output: ... -->` the first two episodes and the last, `…` for what lies between.
"""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from tamis.cli import cli

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("../README.md", "explanation/ledger.md")
BLOCK = re.compile(
    r"(?P<marker><!-- (?P<part>part of the )?output: tamis (?P<command>.+?) -->\n\n)````text\n.*?````\n",
    re.DOTALL,
)
FIRST_EPISODES = 2


def with_examples(page: str) -> str:
    """A page's text with every block of output as the command prints it today."""
    return BLOCK.sub(_block, page)


def _block(found: re.Match[str]) -> str:
    printed = _printed(found["command"])
    shown = _part(printed) if found["part"] else printed
    return f"{found['marker']}````text\n{shown}````\n"


@cache
def _printed(command: str) -> str:
    with chdir(ROOT):
        done = CliRunner().invoke(cli, shlex.split(command), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _part(text: str) -> str:
    """Without the episodes between the first few and the last."""
    *episodes, last = text.split("\n### ")
    return "\n### ".join((*episodes[: FIRST_EPISODES + 1], "…\n### " + last)).replace("\n### …", "\n…")
