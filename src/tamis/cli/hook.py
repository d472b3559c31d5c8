"""`tamis hook`: what a coding agent runs at its own events. It never stands in the agent's way."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.lazy import work
from tamis.integrations.agents.known import AGENTS, Agent


@click.group("hook", short_help="What coding agents run at their own events.")
def command() -> None:
    """Answer a coding agent's hook. `tamis wrap` writes these commands into its folder."""


def _command_for(agent: Agent) -> click.Command:
    @click.command(agent.name, help=_help_for(agent))
    @click.option(
        "--archive",
        default=agent.archive(agent.place()).as_posix(),
        show_default=True,
        metavar="ARCHIVE",
        type=click.Path(),
        help="Where what is taken out is kept.",
    )
    @click.option(
        "-b",
        "--budget",
        default=2_000,
        show_default=True,
        metavar="TOKENS",
        help="What the brief after the agent's own compaction may take.",
    )
    def hook(**given: Any) -> None:
        work("hook:run", {"agent": agent, **given})

    return hook


def _help_for(agent: Agent) -> str:
    does = []
    if agent.replaces:
        does.append(
            "session.compact, which tamis's plugin hands over, prints the conversation as compacted, and "
            "keeps what is taken out in the archive."
        )
    before, *after = (*agent.events, None)
    if before:
        does.append(f"{before} keeps the conversation in the archive.")
    if after[0:1] and after[0]:
        does.append(
            f"{after[0]} after a compaction prints what was said before it, less what its summary says where "
            "that is known."
        )
    return (
        f"Answer a hook of {agent.title}, which hands it over as JSON on standard input.\n\n{' '.join(does)} "
        "Whatever goes wrong, the exit status is 0, and a line on stderr and beside the archive says what."
    )


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
