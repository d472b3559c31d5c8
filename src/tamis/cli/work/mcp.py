"""The work of `tamis mcp`: serve the archive and the session tools over MCP."""

from pathlib import Path

from tamis.errors import InputError
from tamis.integrations.mcp_server import make_server

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(archive: str | None, http: bool, host: str, port: int) -> None:
    if host not in LOOPBACK:
        raise InputError(f"--host {host} would be open to others; choose one of {', '.join(LOOPBACK)}")
    server = make_server(None if archive is None else Path(archive), is_verbose=http)
    if http:
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")
