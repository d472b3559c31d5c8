"""A command group that imports a command only when it runs."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "compact": "Compress a session into a token budget.",
    "show": "Show what a session holds: tokens, waste, files, state.",
    "eval": "Measure what compaction methods keep of what the agent went on to use.",
    "score": "Score and judge the answers of a run again; no reader is asked.",
    "bench": "Benchmark methods on made-up sessions: cases, drift, a board.",
    "learn": "Learn from sessions what will be needed, or show what was learned.",
    "probes": "Make the questions that tell what a compaction kept.",
    "judge": "Find out how far a judge of answers can be trusted.",
    "memory": "Layered memory: try it on recorded sessions, show what it would say.",
    "recall": "Search an archive for what was taken out.",
    "expand": "Print a message from an archive in full.",
    "proxy": "Stand between an agent and its model's API, and compact.",
    "monitor": "Watch compaction at work: savings, time, regret, alerts.",
    "ab": "Try a command with and without compression.",
    "doctor": "Look at what is installed, and whether tamis works in each agent.",
    "stats": "Show what compaction saved, and what was asked back.",
    "pin": "Keep a rule or a message word for word through every compaction.",
    "mcp": "Serve the archive and session tools over MCP.",
    "wrap": "Put tamis into a coding agent.",
    "unwrap": "Take tamis out of a coding agent.",
    "hook": "What coding agents run at their own events.",
    "gate": "Fail where a method has become worse by more than a margin.",
    "plan": "Say how many sessions it takes to see a difference.",
    "report": "Write the results of an evaluation as one HTML file.",
    "view": "Browse runs in a browser, down to each answer and each context.",
    "methods": "List the compaction methods.",
    "formats": "List the session formats, and what can be done with each.",
    "check-method": "Run a compaction method through the guarantees.",
    "completion": "Print the shell's completion script.",
}
"""Every command with its one-line help, in the order of `--help`; the module is the name with `_` for `-`."""


class LazyGroup(click.Group):
    """Knows its commands by name and summary; loads the one that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it to all
        """The names, in the order in which somebody new meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's module and take the command from it."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tamis.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The summaries stand here, so that help loads nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
