"""`tamis doctor`: what is installed, which agents are here, whether tamis works in them, what to do."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.cli.options import json_option


@click.command("doctor", short_help="Look at what is installed, and whether tamis works in each agent.")
@json_option
def command(**given: Any) -> int:
    """Say what is installed, which agents are here, whether tamis is in them and works, and what to do.

    What was put into an agent is tried as the agent would run it, on a small conversation; nothing is sent or
    kept. The exit status is 1 where something does not work.
    """
    status: int = work("doctor:run", given)
    return status
