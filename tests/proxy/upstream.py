"""A model's API on loopback that says what a script says, in all three shapes, streamed and not."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tamis.proxy.server import listen


@dataclass(frozen=True, kw_only=True)
class Say:
    """What the model answers: a text, and calls as (id, name, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, str, dict[str, Any]], ...] = ()


Script = Callable[[dict[str, Any], int], Say | Response]


@dataclass
class Upstream:
    """The server: what it was asked, byte for byte, and what it answers."""

    script: Script = lambda body, n: Say(text=f"answer {n}")
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(raw) for raw in self.raw]

    async def handle(self, request: Request) -> Response:
        raw = await request.body()
        self.raw.append(raw)
        self.headers.append(dict(request.headers))
        if request.method != "POST" or not raw:
            return JSONResponse({"path": request.url.path, "query": request.url.query})
        body = json.loads(raw)
        said = self.script(body, len(self.raw))
        if isinstance(said, Response):
            return said
        shape = next((s for s in SHAPES if request.url.path.endswith(s)), None)
        if shape is None:
            return JSONResponse({"path": request.url.path, "got": len(raw)})
        whole, events = SHAPES[shape]
        if not body.get("stream"):
            return JSONResponse(whole(said, len(self.raw)), headers={"x-request-id": "req-1"})
        made = "".join(events(said, len(self.raw)))
        return StreamingResponse(in_pieces(made), media_type="text/event-stream")


async def in_pieces(text: str, size: int = 37) -> AsyncIterator[bytes]:
    """The stream cut where no event ends."""
    data = text.encode()
    for start in range(0, len(data), size):
        yield data[start : start + size]


def chat_whole(said: Say, n: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    if said.calls:
        message["tool_calls"] = [
            {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(a)}}
            for i, name, a in said.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if said.calls else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"id": f"chat-{n}", "object": "chat.completion", "created": 1, "model": "m"} | {
        "choices": [choice],
        "usage": usage,
    }


def chat_events(said: Say, n: int) -> Iterator[str]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        data = {"id": f"chat-{n}", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return f"data: {json.dumps(data | {'choices': [choice]})}\n\n"

    yield chunk({"role": "assistant", "content": ""})
    for word in said.text.split(" ") if said.text else []:
        yield chunk({"content": word + " "})
    for k, (i, name, arguments) in enumerate(said.calls):
        head = {"index": k, "id": i, "type": "function", "function": {"name": name, "arguments": ""}}
        yield chunk({"tool_calls": [head]})
        text = json.dumps(arguments)
        for piece in (text[:5], text[5:]):
            yield chunk({"tool_calls": [{"index": k, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls" if said.calls else "stop")
    yield "data: [DONE]\n\n"


def messages_whole(said: Say, n: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    content += [{"type": "tool_use", "id": i, "name": name, "input": a} for i, name, a in said.calls]
    return {"id": f"msg_{n}", "type": "message", "role": "assistant", "model": "m", "content": content} | {
        "stop_reason": "tool_use" if said.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def messages_events(said: Say, n: int) -> Iterator[str]:
    def event(kind: str, **data: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    whole = messages_whole(said, n)
    yield event("message_start", message={**whole, "content": [], "stop_reason": None})
    yield event("ping")
    for k, block in enumerate(whole["content"]):
        if block["type"] == "text":
            yield event("content_block_start", index=k, content_block={"type": "text", "text": ""})
            for word in block["text"].split(" "):
                delta = {"type": "text_delta", "text": word + " "}
                yield event("content_block_delta", index=k, delta=delta)
        else:
            yield event("content_block_start", index=k, content_block={**block, "input": {}})
            text = json.dumps(block["input"])
            for piece in (text[:5], text[5:]):
                delta = {"type": "input_json_delta", "partial_json": piece}
                yield event("content_block_delta", index=k, delta=delta)
        yield event("content_block_stop", index=k)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 5})
    yield event("message_stop")


def responses_whole(said: Say, n: int) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if said.text:
        content = [{"type": "output_text", "text": said.text, "annotations": []}]
        output.append(
            {
                "type": "message",
                "id": f"m_{n}",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        )
    output += [
        {"type": "function_call", "id": f"fc_{i}", "call_id": i, "name": name, "status": "completed"}
        | {"arguments": json.dumps(a)}
        for i, name, a in said.calls
    ]
    details: dict[str, Any] = {"input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}}
    details |= {"output_tokens_details": {"reasoning_tokens": 0}}
    return {"id": f"resp_{n}", "object": "response", "created_at": 1, "model": "m", "output": output} | {
        "status": "completed",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, **details},
    }


def responses_events(said: Say, n: int) -> Iterator[str]:
    count = iter(range(10_000))

    def event(kind: str, **data: Any) -> str:
        return (
            f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': next(count), **data})}\n\n"
        )

    whole = responses_whole(said, n)
    yield event("response.created", response={**whole, "output": [], "status": "in_progress"})
    for k, item in enumerate(whole["output"]):
        if item["type"] == "message":
            part = item["content"][0]
            place = {"item_id": item["id"], "output_index": k, "content_index": 0}
            yield event("response.output_item.added", output_index=k, item={**item, "content": []})
            yield event("response.content_part.added", **place, part={**part, "text": ""})
            for word in part["text"].split(" "):
                yield event("response.output_text.delta", **place, delta=word + " ", logprobs=[])
            yield event("response.output_text.done", **place, text=part["text"], logprobs=[])
            yield event("response.content_part.done", **place, part=part)
        else:
            place = {"item_id": item["id"], "output_index": k}
            yield event("response.output_item.added", output_index=k, item={**item, "arguments": ""})
            yield event("response.function_call_arguments.delta", **place, delta=item["arguments"])
            yield event(
                "response.function_call_arguments.done",
                **place,
                arguments=item["arguments"],
                name=item["name"],
            )
        yield event("response.output_item.done", output_index=k, item=item)
    yield event("response.completed", response=whole)


SHAPES: dict[str, tuple[Callable[[Say, int], dict[str, Any]], Callable[[Say, int], Iterator[str]]]] = {
    "/chat/completions": (chat_whole, chat_events),
    "/v1/messages": (messages_whole, messages_events),
    "/responses": (responses_whole, responses_events),
}


@contextmanager
def running(app: Any) -> Iterator[str]:
    """An ASGI application on a free port, in a thread of its own; its URL."""
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        threading.Event().wait(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def make_upstream_app(upstream: Upstream) -> Starlette:
    """The server's application."""
    methods = ["GET", "POST", "PUT", "DELETE"]
    return Starlette(routes=[Route("/{path:path}", upstream.handle, methods=methods)])
