"""`tamis mcp`: serve the archive and the session tools over MCP."""

from typing import Any

import click

from tamis.cli.lazy import work

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("mcp")
@click.option(
    "--archive", metavar="ARCHIVE", type=click.Path(), help="What recall and expand read; made if missing."
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP, not stdin and stdout.")
@click.option("--host", default=LOOPBACK[0], help="With --http; only this machine's own.")
@click.option("--port", default=8765, type=click.IntRange(1, 65535), help="With --http.")
def command(**given: Any) -> None:
    """Serve tools that an agent can call: recall, expand, show, file_trail, compact.

    Over stdin and stdout, as desktop clients and coding agents start it, or over HTTP at /mcp.
    """
    work("mcp:run", given)
