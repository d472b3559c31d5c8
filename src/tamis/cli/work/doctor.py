"""The work of `tamis doctor`: look at what is installed, and try what was put into each agent."""

import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

import click

from tamis import __version__
from tamis.cli.work.output import made_of, print_json
from tamis.integrations.agents.checkup import check
from tamis.integrations.agents.known import AGENTS


@dataclass(frozen=True, kw_only=True)
class AgentJson:
    """One agent in one folder; `works` is null where nothing was tried."""

    agent: str
    folder: str
    program: str | None
    version: str | None
    standing: str | None
    works: bool | None
    finding: str
    remedy: str


@dataclass(frozen=True, kw_only=True)
class DoctorJson:
    """What `tamis doctor --json` prints. `extras` says of each extra whether all of it is installed."""

    tamis: str
    python: str
    program: str
    extras: dict[str, bool]
    agents: list[AgentJson]


def run(as_json: bool) -> int:
    found = DoctorJson(
        tamis=__version__,
        python=platform.python_version(),
        program=sys.executable,
        extras=_extras(),
        agents=_agents(),
    )
    if as_json:
        print_json(found)
    else:
        _print(found)
    return int(any(agent.works is False for agent in found.agents))


def _agents() -> list[AgentJson]:
    found = []
    for agent in AGENTS.values():
        mine, users = agent.place(), agent.place(user=True)
        for place in (mine, users) if mine.resolve() != users.resolve() else (mine,):
            looked = check(agent, place)
            if looked.standing != "absent" or (looked.program is not None and place == mine):
                found.append(made_of(AgentJson, looked, agent=agent.name, folder=str(place)))
    # one that is wrapped for all projects need not be wrapped for this one
    wrapped = {agent.agent for agent in found if agent.standing not in ("absent", None)}
    return [agent for agent in found if agent.standing != "absent" or agent.agent not in wrapped]


def _extras() -> dict[str, bool]:
    try:
        said = metadata("tamis")
    except PackageNotFoundError:
        return {}
    wanted = dict.fromkeys(said.get_all("Provides-Extra") or [], True)
    for requirement in said.get_all("Requires-Dist") or []:
        extra_of = re.search(r"extra == ['\"]([^'\"]+)", requirement)
        name = re.match(r"[\w.-]+", requirement)
        if extra_of is None or name is None:
            continue
        try:
            version(name[0])
        except PackageNotFoundError:
            wanted[extra_of[1]] = False
    return wanted


def _print(found: DoctorJson) -> None:
    click.echo(f"tamis {found.tamis}, Python {found.python} ({found.program})")
    here = [name for name, there in found.extras.items() if there]
    gone = [name for name, there in found.extras.items() if not there]
    click.echo(f"extras installed: {', '.join(here) or 'none'}")
    if gone:
        click.echo(f"not installed: {', '.join(gone)}; pip install 'tamis[NAME]'")
    if not found.agents:
        click.echo("no agent that tamis can be put into is on the path, and none is wrapped")
    for agent in found.agents:
        mark = {True: "ok", False: "!!", None: "--"}[agent.works]
        version = f" {agent.version}" if agent.version else "" if agent.program else " (not on the path)"
        folder = re.sub(f"^{re.escape(str(Path.home()))}/", "~/", agent.folder)
        click.echo(f"{mark} {agent.agent}{version}, {folder}: {agent.finding}")
        if agent.remedy:
            click.echo(f"   {agent.remedy}")
