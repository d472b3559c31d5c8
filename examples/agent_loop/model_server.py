"""A GGUF file as an OpenAI-compatible server in which a tool call is always a tool call.

python examples/agent_loop/model_server.py MODEL.gguf --window 4096 --port 8081

llama.cpp's own server lets a model write prose in front of a call that `tool_choice` demands, and small
models then never call anything. Here the tools are told to the model as text, and a grammar made of their
schemas is what its answer must follow; the answer is handed out as `tool_calls`. Which tool, and with what,
is the model's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Json = dict[str, Any]
Complete = Callable[[Json], Json]
"""Answers a chat completion request without tools; an error has the key `error`."""

TOOLS_INTRO = "You have these tools. Every answer of yours is one call of one of them, as JSON:"


def make_app(complete: Complete) -> Starlette:
    """The server around whatever completes a chat."""
    one_at_a_time = threading.Lock()

    def answer(body: Json) -> Json:
        with one_at_a_time:
            return complete(without_tools(body))

    async def chat(request: Request) -> Response:
        body = await request.json()
        if body.get("stream"):
            return JSONResponse({"error": {"message": "this server does not stream"}}, status_code=400)
        reply = await asyncio.to_thread(answer, body)
        if error := reply.get("error"):
            return JSONResponse({"error": error}, status_code=int(error.get("code", 500)))
        return JSONResponse(with_calls(reply) if body.get("tools") else reply)

    return Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])


def without_tools(body: Mapping[str, Any]) -> Json:
    """The request with tools, calls and results told as text, and the grammar of a call."""
    tools = [tool["function"] for tool in body.get("tools") or ()]
    asked = {key: body[key] for key in ("temperature", "seed", "max_tokens") if key in body}
    asked["messages"] = _plain(body["messages"], tools)
    if tools:
        schema = {"anyOf": [_call_schema(tool) for tool in tools]}
        described = {"name": "call", "schema": schema, "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": described}
    return asked


def with_calls(reply: Json) -> Json:
    """The reply with what was said as a call; one that was cut short is no call and stays as it is."""
    choice = reply["choices"][0]
    try:
        said = json.loads(choice["message"]["content"])
    except ValueError:
        return reply
    function = {"name": said["name"], "arguments": json.dumps(said["arguments"])}
    call = {"id": f"call_{os.urandom(6).hex()}", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {**reply, "choices": [{**choice, "message": message, "finish_reason": "tool_calls"}]}


def _plain(messages: Sequence[Json], tools: Sequence[Json]) -> list[Json]:
    """Messages that any chat template takes: one system message, then user and assistant in turn."""
    told = "\n".join((TOOLS_INTRO, *map(json.dumps, tools))) if tools else ""
    system = [str(m["content"]) for m in messages if m["role"] in ("system", "developer")]
    plain: list[Json] = [{"role": "system", "content": "\n\n".join([*system, *filter(None, [told])])}]
    for message in messages:
        role, text = message["role"], message.get("content") or ""
        if role in ("system", "developer"):
            continue
        if isinstance(text, list):
            text = "\n".join(str(part.get("text", "")) for part in text)
        for call in message.get("tool_calls") or ():
            function = call["function"]
            said = {"name": function["name"], "arguments": json.loads(function["arguments"] or "{}")}
            text = f"{text}\n{json.dumps(said)}".strip()
        role = "assistant" if role == "assistant" else "user"
        if plain[-1]["role"] == role:
            plain[-1]["content"] += f"\n\n{text}"
        else:
            plain.append({"role": role, "content": text})
    return plain


def _call_schema(tool: Json) -> Json:
    return {
        "type": "object",
        "properties": {"name": {"const": tool["name"]}, "arguments": tool["parameters"]},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def load(path: str, window: int) -> Complete:
    """llama.cpp in this process; a prompt that begins like the last one is read on from there."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = window
    params.n_parallel = 1
    params.cpuparams.n_threads = os.cpu_count() or 1
    params.verbosity = -1
    server = xllamacpp.Server(params)

    def complete(asked: Json) -> Json:
        replies: list[Json] = []
        server.handle_chat_completions({**asked, "stream": False}, lambda reply: bool(replies.append(reply)))
        return replies[-1]

    return complete


def main() -> None:
    """Load the file, and answer until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a GGUF file")
    parser.add_argument("--window", type=int, default=4096, help="tokens that the model takes")
    parser.add_argument("--port", type=int, default=8081)
    given = parser.parse_args()
    app = make_app(load(given.model, given.window))
    uvicorn.run(app, host="127.0.0.1", port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
