"""Serving pages to the browser of this machine, and to nobody else.

The standard library's server is enough: a handful of requests from one person. It listens on the loopback
address, answers only requests that name it so (a page elsewhere that resolves its own name to this machine is
refused), and its pages may load nothing but themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Final, TypeVar

from tamis.errors import InputError

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


class LocalServer(ThreadingHTTPServer):
    """A server of the loopback address."""

    daemon_threads = True
    allow_reuse_address = False

    @property
    def names(self) -> frozenset[str]:
        """How a request may call this server."""
        return frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def viewer(self) -> Viewer:
        """This server, as its user knows it."""
        return Viewer(url=f"http://{HOST}:{self.server_port}/", serve=self.serve_forever, stop=self.shutdown)


S = TypeVar("S", bound=LocalServer)


def listening(make: Callable[[tuple[str, int]], S], port: int) -> S:
    """The server at a port of this machine; 0 takes one that is free.

    Raises:
        InputError: the port is taken.
    """
    try:
        return make((HOST, port))
    except OSError as error:
        raise InputError(
            f"cannot listen on {HOST}:{port} ({error.strerror}); choose another with --port"
        ) from None


class LocalHandler(BaseHTTPRequestHandler):
    """Answers requests that call the server by its own name."""

    server: LocalServer
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
