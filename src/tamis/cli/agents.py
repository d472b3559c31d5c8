"""`tamis wrap`, `unwrap`, `hook` and `doctor`: tamis in a coding agent."""

from typing import Any

import click

from tamis.cli.lazy import Group, work
from tamis.cli.options import FILE, PATH, json_option, option, together
from tamis.integrations.agents.known import AGENTS, Agent


@click.group("wrap", cls=Group)
def wrap() -> None:
    """Put tamis into a coding agent. The change is shown first; `tamis unwrap` takes it back."""


@click.group("unwrap", cls=Group)
def unwrap() -> None:
    """Take tamis out of a coding agent. What is archived stays."""


@click.group("hook", cls=Group)
def hook() -> None:
    """Answer a coding agent's hook. `tamis wrap` writes these commands into its folder."""


@click.command("doctor")
@json_option
def doctor(**given: Any) -> int:
    """Say what is installed, which agents are here, whether tamis is in them and works, and what to do.

    What was put into an agent is tried as the agent would run it, on a small conversation; nothing is sent or
    kept. The exit status is 1 where something does not work.
    """
    status: int = work("doctor:run", given)
    return status


def _add_commands(agent: Agent) -> None:
    """The agent's own commands of `wrap`, `unwrap` and `hook`."""
    folder_options = together(
        option("--user", f"For all your projects: {agent.home}.", is_flag=True),
        option("--folder", f"The agent's folder.  [default: {agent.folder}]", "FOLDER", type=PATH),
    )
    yes_option = option("-y --yes", "Do not ask.", is_flag=True)
    back = f"Give {agent.title}'s folder back byte for byte as it was before `tamis wrap {agent.name}`."

    @wrap.command(agent.name, help=_help_of_wrap(agent))
    @folder_options
    @option(
        "--archive",
        "Where what is taken out is kept.  [default: tamis.archive in the folder]",
        "ARCHIVE",
        type=PATH,
    )
    @yes_option
    def put_in(**given: Any) -> None:
        work("wrap:wrap", {"agent": agent, **given})

    @unwrap.command(agent.name, help=back)
    @folder_options
    @option("--only-ours", "Take tamis's part out of what was changed since.", is_flag=True)
    @yes_option
    def take_out(**given: Any) -> None:
        work("wrap:unwrap", {"agent": agent, **given})

    @hook.command(agent.name, help=_help_of_hook(agent))
    @option(
        "--archive",
        "Where what is taken out is kept.",
        "ARCHIVE",
        default=agent.archive(agent.place()).as_posix(),
        type=FILE,
    )
    @option(
        "-b --budget", "What the brief after the agent's own compaction may take.", "TOKENS", default=2_000
    )
    def answer(**given: Any) -> None:
        work("hook:run", {"agent": agent, **given})


def _help_of_wrap(agent: Agent) -> str:
    if agent.replaces:
        return f"Have {agent.title} compact with tamis, and keep all that is taken out."
    also = "be told what its summary left out" if len(agent.events) > 1 else "recall it"
    return f"Have {agent.title} keep what it compacts, and {also}."


def _help_of_hook(agent: Agent) -> str:
    does = []
    if agent.replaces:
        does.append(
            "session.compact, which tamis's plugin hands over, prints the conversation as compacted, and "
            "keeps what is taken out in the archive."
        )
    before, after, *_ = (*agent.events, None, None)
    if before:
        does.append(f"{before} keeps the conversation in the archive.")
    if after:
        does.append(
            f"{after} after a compaction prints what was said before it, less what its summary says where "
            "that is known."
        )
    return (
        f"Answer a hook of {agent.title}, which hands it over as JSON on standard input.\n\n{' '.join(does)} "
        "Whatever goes wrong, the exit status is 0, and a line on stderr and beside the archive says what."
    )


for _agent in AGENTS.values():
    _add_commands(_agent)
