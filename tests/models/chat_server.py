"""A real server on 127.0.0.1 that speaks the OpenAI APIs by a script: what it answers, and how it fails."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One HTTP answer. `never` keeps the connection open and says nothing until the server ends."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    never: bool = False
    hangs_up: bool = False


def says(text: str | Mapping[str, Any], *, finish: str = "stop", usage: bool = True) -> Answer:
    content = text if isinstance(text, str) else json.dumps(text)
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
    body: dict[str, Any] = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [choice],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Answer(body=body)


def fails(status: int, message: str = "no", **headers: str) -> Answer:
    return Answer(
        status=status,
        body={"error": {"message": message, "type": "error"}},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


NEVER = Answer(never=True)
HANGS_UP = Answer(hangs_up=True)


@dataclass
class ChatServer:
    """Where it listens, and what it was asked."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def chat_server(
    answers: Sequence[Answer] | Callable[[dict[str, Any]], Answer], *, models: Sequence[str] = ("small",)
) -> Iterator[ChatServer]:
    """Serve the answers in order, the last one again and again."""
    ended = threading.Event()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

        def do_GET(self) -> None:
            listed = [{"id": m, "object": "model", "created": 1, "owned_by": "us"} for m in models]
            self._send(Answer(body={"object": "list", "data": listed}))

        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                at = len(server.asked)
                server.asked.append(question)
                server.paths.append(self.path)
                server.keys.append(self.headers["authorization"])
            answer = answers(question) if callable(answers) else answers[min(at, len(answers) - 1)]
            if answer.never:
                ended.wait(30)
            if answer.never or answer.hangs_up:
                self.close_connection = True
                return
            self._send(answer)

        def _send(self, answer: Answer) -> None:
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.block_on_close = False
    server = ChatServer(url=f"http://127.0.0.1:{http.server_port}")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        http.shutdown()
        http.server_close()
        thread.join()


class Pauses:
    """A sleep that takes no time, and keeps how long it was asked to be."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


__all__ = ["HANGS_UP", "NEVER", "Answer", "ChatServer", "Pauses", "chat_server", "fails", "says"]
