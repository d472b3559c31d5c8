"""The proxy as an ASGI application, and running it until it is told to stop."""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamis.errors import InputError
from tamis.proxy.counters import Counters, log, write_line
from tamis.proxy.doors import Admission, at_own_address
from tamis.proxy.handler import Handler
from tamis.proxy.settings import ProxySettings
from tamis.proxy.upstream import Hook

ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def make_app(settings: ProxySettings, *, on_answer: Hook | None = None) -> Starlette:
    """The application; the archive is opened here, so that what is wrong with it is said at once.

    For who measures, `on_answer` sees each answer of the upstream.

    Raises:
        BadArchive: the archive cannot be opened.
        UnknownMethod: no such method.
    """
    counters = Counters(settings)
    handler = Handler(settings, counters, on_answer)

    async def health(request: Request) -> Response:  # noqa: ARG001 - as a route takes it
        return JSONResponse({"status": "ok", "mode": settings.mode, "running": admission.running})

    async def metrics(request: Request) -> Response:  # noqa: ARG001
        counters.conversations.set(handler.workshop.conversations)
        counters.running.set(admission.running)
        return Response(counters.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        yield
        await handler.close()
        await asyncio.to_thread(counters.close)
        write_line("stopped")

    app = Starlette(
        routes=[
            Route("/healthz", health, methods=["GET"]),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/{path:path}", handler.handle, methods=ALL_METHODS),
        ],
        lifespan=lifespan,
    )
    admission = Admission(settings.max_concurrent, counters)
    app.add_middleware(admission.wrap)
    app.add_middleware(at_own_address, counters)  # added last, it is asked first
    return app


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
        url = f"http://{settings.host}:{listening.getsockname()[1]}"
        log.info('{"event": "listening", "url": "%s", "mode": "%s"}', url, settings.mode)
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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
