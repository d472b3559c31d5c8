"""A command group that imports each command when it is asked for.

A module here holds the options and the help of a command, or of a few that belong together, and imports
nothing but click. What a command does is a function in `tamis.cli.work`, which imports whatever it needs.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

GROUPS = {
    "Every day": {
        "audit": "See what the agents on this machine lost by compacting.",
        "compact": "Compress a session into a token budget.",
        "show": "Show what a session holds: tokens, waste, files, state.",
        "recall": "Search an archive for what was taken out.",
        "eval": "Measure what methods keep of what the agent went on to use.",
        "report": "Write the results of an evaluation as one HTML file.",
    },
    "Compress": {
        "expand": "Print a message from an archive in full.",
        "memory": "Layered memory: try it on recorded sessions, see what it says.",
        "learn": "Learn from sessions what is worth telling, or show it.",
        "methods": "List the compaction methods.",
        "formats": "List the session formats, and what can be done with each.",
    },
    "Measure": {
        "view": "Browse runs in a browser, down to each answer and context.",
        "bench": "Benchmark methods on made-up sessions: cases, drift, a board.",
        "gate": "Fail where a method has become worse by more than a margin.",
        "plan": "Say how many sessions it takes to see a difference.",
        "probes": "Make the questions that tell what a compaction kept.",
        "exam": "Ask readers what can be told from a compacted text.",
        "judge": "Find out how far a judge of answers can be trusted.",
        "score": "Score the answers of a run again; no reader is asked.",
        "ab": "Try a command with and without compression.",
        "check-method": "Run a compaction method through the guarantees.",
    },
    "Operate": {
        "wrap": "Put tamis into a coding agent.",
        "unwrap": "Take tamis out of a coding agent.",
        "doctor": "Look at what is installed, and whether tamis works in each agent.",
        "pin": "Keep a rule or a message word for word through every compaction.",
        "hook": "What coding agents run at their own events.",
        "proxy": "Stand between an agent and its model's API, and compact.",
        "monitor": "Watch compaction at work: savings, time, regret, alerts.",
        "mcp": "Serve the archive and session tools over MCP.",
        "completion": "Print the shell's completion script.",
    },
}
"""Every command with its one-line help, as `--help` groups them."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}

_TOGETHER = {
    "agents": ("wrap", "unwrap", "hook", "doctor"),
    "archive": ("recall", "expand", "pin"),
    "evaluating": ("probes", "judge", "check-method", "learn"),
    "looking": ("audit", "show"),
    "lists": ("methods", "formats", "completion"),
    "runs": ("report", "view", "score", "gate", "plan"),
    "serving": ("proxy", "monitor", "mcp"),
}
"""The modules that hold several commands, each under its own name."""
_HOMES = {name: module for module, names in _TOGETHER.items() for name in names}


class Group(click.Group):
    """Says what each of its commands does in a whole sentence; click cuts it off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, each with its first sentence."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, c.get_short_help_str(limit=200)) for name, c in found if c])


class LazyGroup(click.Group):
    """Knows its commands by name and summary; loads the one that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it to all
        """The names, in the order in which somebody new meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's module and take the command from it."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tamis.cli.{_HOMES.get(cmd_name, cmd_name)}")
        name = cmd_name.replace("-", "_") if cmd_name in _HOMES else "command"
        command: click.Command = getattr(module, name)
        command.short_help = COMMANDS[cmd_name]
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands first: they are what help is asked for."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The summaries stand here, so that help loads nothing."""
        widest = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), summary) for name, summary in commands.items()])


def work(place: str, given: Mapping[str, Any]) -> Any:
    """Do what a command says: call `MODULE:FUNCTION` of `tamis.cli.work` with what was given."""
    module, _, function = place.partition(":")
    return getattr(import_module(f"tamis.cli.work.{module}"), function)(**given)
