"""`tamis hook`: what a coding agent runs at its own events. It never stands in the agent's way."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from tamis.integrations.agents import AGENTS, Agent

LEAST_BUDGET = 100
"""A smaller one is raised to this: a refused command line would exit with 2, and that blocks the agent."""


@click.group("hook", short_help="What coding agents run at their own events.")
def command() -> None:
    """Answer a coding agent's hook. `tamis wrap` writes these commands into its folder."""


def _command_for(agent: Agent) -> click.Command:
    @click.command(agent.name, help=_help_for(agent))
    @click.option(
        "--archive",
        default=agent.archive(agent.place()),
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
    def hook(archive: str, budget: int) -> None:
        _run(agent, archive, budget)

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


def _run(agent: Agent, archive: str, budget: int) -> None:
    try:
        _answer(agent, Path(archive), max(budget, LEAST_BUDGET))
    except Exception as error:  # the agent must go on, whatever its hook ran into
        line = f"tamis hook: {' '.join(str(error).split()) or type(error).__name__}"
        click.echo(line, err=True)
        with suppress(OSError), Path(f"{archive}.log").open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {line}\n")


def _answer(agent: Agent, path: Path, budget: int) -> None:
    from tamis.archive import Archive
    from tamis.integrations.agent_compaction import compact_logged, is_compacting, read_compacting
    from tamis.integrations.agent_hooks import answer_hook, read_call
    from tamis.messages import get_counter

    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    answer: Mapping[str, object] | None
    if is_compacting(text):
        asked = read_compacting(text)
        _make_folder(path)
        with Archive.open(path) as archive:
            answer = compact_logged(asked, archive, counter=get_counter())
    else:
        call = read_call(text, agent.form)
        _make_folder(path)
        with Archive.open(path) as archive:
            answer = answer_hook(call, archive, counter=get_counter(), budget_tokens=budget)
    if answer is not None:
        click.echo(json.dumps(answer))


def _make_folder(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)


for _agent in AGENTS.values():
    command.add_command(_command_for(_agent))
