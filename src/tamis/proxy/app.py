"""The proxy as an ASGI application: a request in, a decision, the request out, the answer back.

Whatever goes wrong here, the agent's request goes upstream as it came, and a header and a counter say so.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamis.proxy.counters import Counters, write_line
from tamis.proxy.doors import Admission, OwnAddress
from tamis.proxy.handler import Handler
from tamis.proxy.settings import ProxySettings
from tamis.proxy.upstream import Hook

ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def make_app(settings: ProxySettings, *, on_answer: Hook | None = None) -> Starlette:
    """The application; the archive is opened here, so that what is wrong with it is said at once.

    Args:
        settings: where it stands and what it does.
        on_answer: sees each answer of the upstream; for who measures.

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
    app.add_middleware(OwnAddress(counters).wrap)  # added last, it is asked first
    return app
