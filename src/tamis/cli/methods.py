"""`tamis methods`: the compaction methods that can be named."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("methods", short_help="List the compaction methods.")
@json_option
def command(**given: Any) -> None:
    """List the compaction methods: of tamis, of other libraries, and those that installed packages add.

    Where MODEL stands, name a model: openai:NAME, anthropic:NAME, http://host:port, or gguf:FILE.
    Anything else can be named as package.module:Class, path/to/file.py:Class, or exec:COMMAND.
    """
    work("methods:run", given)
