"""Requests to the upstream, and its answers back.

What the upstream cannot be reached for is an `UpstreamUnreachable` with the status that a gateway answers
with.
"""

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from tamis.proxy.settings import LOOPBACK, ProxySettings

T = TypeVar("T")
Headers = list[tuple[bytes, bytes]]

HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer"
    b" transfer-encoding upgrade host expect".split()
)
"""RFC 9110, 7.6.1, and the two that speak of the connection to the proxy itself."""
OWN_PREFIX = b"x-tamis-"


Hook = Callable[[httpx.Response], Awaitable[None]]
"""Is handed each answer of the upstream, its body still to come; may put another stream around it."""


class UpstreamUnreachable(Exception):
    """The upstream gave no answer. `status` is the gateway's own, `kind` a short word."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class ClientDisconnected(Exception):
    """Nobody waits for the answer any more."""


class Upstream:
    """The API behind the proxy."""

    def __init__(self, settings: ProxySettings, on_answer: Hook | None = None) -> None:
        self._base = settings.upstream.rstrip("/")
        parts = urlsplit(self._base)
        self._base_path = parts.path.encode()
        connect_s, most = settings.connect_timeout_s, settings.max_concurrent
        timeout = httpx.Timeout(settings.read_timeout_s, connect=connect_s, pool=connect_s)
        limits = httpx.Limits(max_connections=most + 16, max_keepalive_connections=most)
        self._client = httpx.AsyncClient(
            timeout=timeout,
            limits=limits,
            trust_env=parts.hostname not in LOOPBACK,
            event_hooks={"response": [on_answer] if on_answer else []},
        )

    async def close(self) -> None:
        """Let go of all connections."""
        await self._client.aclose()

    def url(self, path: bytes, query: bytes) -> str:
        """Where a path of the proxy's leads; a base that ends in `/v1` does not get a second one."""
        if self._base_path and path.startswith(self._base_path + b"/"):
            path = path[len(self._base_path) :]
        return self._base + path.decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")

    async def send(
        self, method: str, url: str, headers: Headers, content: bytes | AsyncIterable[bytes] | None
    ) -> httpx.Response:
        """The answer, its body still to come; close it.

        Raises:
            UpstreamUnreachable: no connection, no answer in time, or one that broke off before its headers.
        """
        extensions = {"timeout": self._client.timeout.as_dict()}
        request = httpx.Request(method, url, headers=headers, content=content, extensions=extensions)
        try:
            return await self._client.send(request, stream=True)
        except httpx.ConnectTimeout as error:
            raise UpstreamUnreachable(
                504, "connect-timeout", "the upstream took no connection in time"
            ) from error
        except httpx.PoolTimeout as error:
            raise UpstreamUnreachable(
                503, "no-connection-free", "all connections to the upstream are in use"
            ) from error
        except httpx.TimeoutException as error:
            raise UpstreamUnreachable(504, "timeout", "the upstream did not answer in time") from error
        except httpx.HTTPError as error:
            raise UpstreamUnreachable(
                502, "unreachable", f"the upstream gave no answer: {type(error).__name__}"
            ) from error


def request_headers(headers: Iterable[tuple[bytes, bytes]], *, new_body: bool) -> Headers:
    """What of the agent's headers goes upstream; of a changed body, not what spoke of the old one.

    A length beside `Transfer-Encoding` says nothing (RFC 9112, 6.3) and goes with it.
    """
    headers = [(name.lower(), value) for name, value in headers]
    dropped = HOP_BY_HOP | _named_in_connection(headers)
    if any(name == b"transfer-encoding" for name, _ in headers):
        dropped |= {b"content-length"}
    if new_body:  # and the answer must be readable here
        dropped |= {b"content-length", b"content-encoding", b"content-md5", b"digest", b"accept-encoding"}
    kept = [(n, v) for n, v in headers if n not in dropped and not n.startswith(OWN_PREFIX)]
    return [*kept, (b"accept-encoding", b"identity")] if new_body else kept


def response_headers(headers: Iterable[tuple[bytes, bytes]], *, new_body: bool) -> Headers:
    """What of the upstream's headers goes to the agent."""
    headers = [(name.lower(), value) for name, value in headers]
    dropped = HOP_BY_HOP | _named_in_connection(headers)
    if new_body:
        dropped |= {b"content-length", b"content-encoding", b"content-md5", b"digest", b"etag"}
    return [(name, value) for name, value in headers if name not in dropped]


async def unless_gone(work: Awaitable[T], receive: Callable[[], Awaitable[Any]]) -> T:
    """The work's result; where the client hangs up first it is stopped, and raises ClientDisconnected."""
    doing = asyncio.ensure_future(work)
    hanging_up = asyncio.ensure_future(_hung_up(receive))
    try:
        await asyncio.wait({doing, hanging_up}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ClientDisconnected
        return doing.result()
    finally:
        for task in (doing, hanging_up):
            task.cancel()
        await asyncio.gather(doing, hanging_up, return_exceptions=True)


async def _hung_up(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _named_in_connection(headers: Headers) -> frozenset[bytes]:
    named = [value for name, value in headers if name == b"connection"]
    return frozenset(word.strip().lower() for value in named for word in value.split(b","))
