"""Admission: so many requests at once; the rest is told to come back, before anything of it is read."""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tamis.proxy.counters import Counters

UNCOUNTED = ("/healthz", "/metrics")


class Admission:
    """Counts the requests that are being answered, to the last byte of their answers."""

    def __init__(self, limit: int, counters: Counters) -> None:
        self.running = 0
        self._limit = limit
        self._counters = counters

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """The application behind this door."""

        async def admitted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] in UNCOUNTED:
                await app(scope, receive, send)
            elif self.running >= self._limit:
                self._counters.refused.labels(reason="busy").inc()
                await busy(scope, receive, send)
            else:
                self.running += 1
                try:
                    await app(scope, receive, send)
                finally:
                    self.running -= 1

        return admitted


busy = JSONResponse(
    {"error": {"type": "overloaded_error", "message": "the proxy answers as many requests as it may; retry"}},
    status_code=503,
    headers={"retry-after": "1", "x-tamis-error": "busy"},
)
