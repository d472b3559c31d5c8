"""A scripted Anthropic Messages API on the loopback: says the same to everything, and keeps the requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAYS = "All right, done as asked."


class Endpoint:
    """The server's address, and the requests for an answer, in order; `input_tokens` is what each is told."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.input_tokens = 1_000
        self.url = ""

    def answer(self, request: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The events of the answer."""
        usage = {"input_tokens": self.input_tokens, "output_tokens": 20}
        message = {
            "id": f"msg_{len(self.requests)}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        delta = {"type": "text_delta", "text": SAYS}
        end = {"stop_reason": "end_turn", "stop_sequence": None}
        return [
            ("message_start", {"type": "message_start", "message": message}),
            ("content_block_start", block),
            ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": 0}),
            ("message_delta", {"type": "message_delta", "delta": end, "usage": {"output_tokens": 20}}),
            ("message_stop", {"type": "message_stop"}),
        ]


@contextmanager
def anthropic_endpoint(endpoint: Endpoint | None = None) -> Iterator[Endpoint]:
    """Serve until the block ends."""
    endpoint = endpoint or Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.send(b"", "application/json")

        def do_GET(self) -> None:
            self.send(b"{}", "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if not self.path.split("?")[0].endswith("/messages"):
                return self.send(b'{"input_tokens": 100}', "application/json")
            request = json.loads(body)
            endpoint.requests.append(request)
            events = endpoint.answer(request)
            if request.get("stream"):
                text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
                return self.send(text.encode(), "text/event-stream")
            whole = events[0][1]["message"] | {"content": [{"type": "text", "text": SAYS}]}
            return self.send(json.dumps(whole | {"stop_reason": "end_turn"}).encode(), "application/json")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
