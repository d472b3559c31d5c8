"""The doors before the proxy: who may come in, and how many at once.

Callers are programs of this machine that call the proxy by its own address; no stranger's page. A web page
can make a browser send requests here. One that gave its own name this machine's address (DNS rebinding)
calls the proxy by that name; any other is named by the browser in `Origin` or `Sec-Fetch-Site`.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tamis.proxy.counters import Counters
from tamis.proxy.settings import LOOPBACK

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


def at_own_address(app: ASGIApp, counters: Counters) -> ASGIApp:
    """Refuses what does not call the proxy by its own address, or comes from another machine's page."""

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_ours(Headers(scope=scope), scope["server"][1]):
            await app(scope, receive, send)
        else:
            counters.refused.labels(reason="stranger").inc()
            await _refusal(scope, receive, send)

    return checked


def is_ours(headers: Headers, port: int | None) -> bool:
    """Whether a request to this port was made by a program of this machine, or by a page that it serves.

    >>> is_ours(Headers({"host": "127.0.0.1:8788"}), 8788)
    True
    >>> is_ours(Headers({"host": "127.0.0.1:8788", "origin": "https://example.org"}), 8788)
    False
    """
    host, origins = headers.get("host", ""), headers.getlist("origin")
    if not _is_loopback(f"//{host}", port):
        return False
    if not all(_is_loopback(origin) for origin in origins):
        return False
    return headers.get("sec-fetch-site", "none") in ("none", "same-origin", "same-site")


def _is_loopback(address: str, port: int | None = None) -> bool:
    """Whether an address is this machine's; where a port is given, with that."""
    try:
        parts = urlsplit(address)
        return parts.hostname in LOOPBACK and (port is None or (parts.port or 80) == port)
    except ValueError:
        return False


_refusal = JSONResponse(
    {"error": {"type": "permission_error", "message": "tamis proxy: this answers to its own address only"}},
    status_code=403,
    headers={"x-tamis-error": "stranger"},
)
