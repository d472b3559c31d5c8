"""The work of `tamis hook`: answer a coding agent, and never stand in its way."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from tamis.integrations.agents.known import Agent

LEAST_BUDGET = 100
"""A smaller one is raised to this: a refused command line would exit with 2, and that blocks the agent."""


def run(agent: Agent, archive: str, budget: int) -> None:
    try:
        _answer(agent, Path(archive), max(budget, LEAST_BUDGET))
    except Exception as error:  # the agent must go on, whatever its hook ran into
        line = f"tamis hook: {' '.join(str(error).split()) or type(error).__name__}"
        click.echo(line, err=True)
        with suppress(OSError), Path(f"{archive}.log").open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {line}\n")


def _answer(agent: Agent, path: Path, budget: int) -> None:
    from tamis.archive import Archive  # here, so that a broken installation is caught too
    from tamis.integrations.agents.compaction import compact_logged, is_compacting, read_compacting
    from tamis.integrations.agents.hooks import answer_hook, read_call
    from tamis.integrations.agents.tool_outputs import EVENT, condense_output
    from tamis.messages import get_counter

    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    answers: Callable[..., Mapping[str, object] | None]
    if is_compacting(text):
        answers = partial(compact_logged, read_compacting(text))
    elif (call := read_call(text, agent.form)).hook_event_name == EVENT:
        answers = partial(condense_output, text)
    else:
        answers = partial(answer_hook, call, budget_tokens=budget)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Archive.open(path) as archive:
        answer = answers(archive, counter=get_counter())
    if answer is not None:
        click.echo(json.dumps(answer))
