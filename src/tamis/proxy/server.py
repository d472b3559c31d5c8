"""Running the proxy until it is told to stop."""

import logging
import socket
import sys

import uvicorn

from tamis.errors import InputError
from tamis.proxy.app import make_app
from tamis.proxy.settings import ProxySettings

BACKLOG = 2048
"""How many agents may knock at once."""


def serve(settings: ProxySettings) -> None:
    """Listen, and answer until SIGINT or SIGTERM; running answers may then end first.

    Raises:
        InputError: the address is taken.
        BadArchive: the archive cannot be opened.
    """
    with listen(settings.host, settings.port) as listening:  # first: the app begins a process
        config = uvicorn.Config(
            make_app(settings),
            host=settings.host,
            port=settings.port,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=int(settings.shutdown_timeout_s),
            timeout_keep_alive=75,
        )
        _log_to_stderr()
        port = listening.getsockname()[1]
        logging.getLogger("tamis.proxy").info(
            '{"event": "listening", "url": "http://%s:%d", "mode": "%s"}', settings.host, port, settings.mode
        )
        uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    It is made with its protocol named: asyncio turns off Nagle's algorithm only on such, and with it an
    answer in two pieces waits 40 ms for the other side's acknowledgement.

    Raises:
        InputError: the address is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)  # or who connects as soon as the address is told may still be refused
    except OSError as error:
        listening.close()
        raise InputError(
            f"nothing can listen at {host}:{port} ({error.strerror}); choose another port with --port"
        ) from None
    return listening


def _log_to_stderr() -> None:
    """One JSON object a line, nothing around it."""
    logger = logging.getLogger("tamis.proxy")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
