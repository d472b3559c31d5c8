"""Serving pages to the browser of this machine, and to nobody else.

The standard library's server is enough: a handful of requests from one person. It listens on the loopback
address, answers only requests that name it so (a page elsewhere that resolves its own name to this machine is
refused), and its pages may load nothing but themselves.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any, Final, Generic, TypeVar

from tamis.errors import InputError

T = TypeVar("T")

HOST: Final = "127.0.0.1"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action {form}; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """What is served at `url` for as long as `serve` runs."""

    url: str
    serve: Callable[[], None]
    stop: Callable[[], None]


class LocalServer(ThreadingHTTPServer, Generic[T]):
    """A server of the loopback address; its handlers answer from what is `served`."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, handler: type["LocalHandler"], served: T) -> None:
        """Listen at once; port 0 is one that is free."""
        self.served = served
        super().__init__((HOST, port), handler)

    @property
    def names(self) -> frozenset[str]:
        """How a request may call this server."""
        return frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))


@contextmanager
def serving(served: T, handler: type["LocalHandler"], port: int) -> Iterator[Viewer]:
    """A server at a port of this machine; 0 takes one that is free.

    Raises:
        InputError: the port is taken.
    """
    try:
        server = LocalServer(port, handler, served)
    except OSError as error:
        taken = f"cannot listen on {HOST}:{port} ({error.strerror})"
        raise InputError(f"{taken}; choose another with --port") from None
    with server:
        yield Viewer(
            url=f"http://{HOST}:{server.server_port}/", serve=server.serve_forever, stop=server.shutdown
        )


class LocalHandler(BaseHTTPRequestHandler):
    """Answers requests that call the server by its own name."""

    server: LocalServer[Any]
    protocol_version = "HTTP/1.1"
    form_action = "'none'"

    @property
    def is_addressed(self) -> bool:
        """Whether the request names this server, and comes from its own pages where it says from where."""
        origin = self.headers.get("Origin")
        own = {f"http://{name}" for name in self.server.names}
        return self.headers.get("Host") in self.server.names and (origin is None or origin in own)

    def send(self, status: HTTPStatus, media: str, body: bytes, **headers: str) -> None:
        """One answer; its page may load nothing from elsewhere, and nobody keeps it."""
        self.send_response(status)
        for name, value in {
            "Content-Security-Policy": POLICY.format(form=self.form_action),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # with none at all a form would come from nowhere
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
            "Content-Type": f"{media}; charset=utf-8",
            "Content-Length": str(len(body)),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Requests are nobody's business."""


def page_file(name: str) -> bytes:
    """A file of the pages, as it stands in the package."""
    return (resources.files("tamis.reports") / "page" / name).read_bytes()
