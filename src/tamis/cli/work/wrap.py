"""The work of `tamis wrap` and `unwrap`: show what changes in an agent's folder, and make the change."""

from pathlib import Path

import click

from tamis.errors import InputError
from tamis.integrations.agents.known import Agent
from tamis.integrations.agents.wrap import plan_unwrap, plan_wrap, put, take_out


def wrap(agent: Agent, *, user: bool, folder: Path | None, archive: Path | None, yes: bool) -> None:
    place = folder or agent.place(user=user)
    planned = plan_wrap(agent, place, archive or agent.archive(place))
    if planned is None:
        click.echo(f"{place} has tamis already; `tamis unwrap {agent.name}` takes it out")
        return
    click.echo(planned.diff, nl=False)
    if yes or _confirmed():
        put(planned)
        click.echo(f"{agent.title} is wrapped in {place}; {agent.then}. `tamis doctor` tries it")


def unwrap(agent: Agent, *, user: bool, folder: Path | None, only_ours: bool, yes: bool) -> None:
    place = folder or agent.place(user=user)
    planned = plan_unwrap(agent, place, only_ours=only_ours)
    click.echo(planned.diff, nl=False)
    if yes or _confirmed():
        take_out(planned)
        left = "; what was archived stays" if agent.archive(place).exists() else ""
        click.echo(f"{place} is as it was{left}")


def _confirmed() -> bool:
    """Ask; nobody who answers is not the same as Ctrl-C."""
    try:
        if click.confirm("Write this?"):
            return True
    except click.Abort as ended:
        if not isinstance(ended.__context__, EOFError):
            raise
        raise InputError("nothing was written: nobody answered; --yes writes it without asking") from None
    click.echo("nothing was written")
    return False
