"""Who works on the tasks of LOCA-bench: a server, a model file, or a rehearsal that knows the solution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamis.ab.meter import served
from tamis.errors import InputError
from tamis.proxy.server import listen

REHEARSAL = "rehearsal"
IDLE = "rehearsal:idle"
READ = 8
LOOK = """
import pathlib
found = sorted(p for p in pathlib.Path("..").rglob("*") if p.suffix in (".json", ".csv", ".log"))
text = "".join(f"{p}\\n{p.read_text(errors='replace')}\\n" for p in found if "groundtruth" not in str(p))
print((text * 9)[%d:%d])
"""
COPY = """
import pathlib, shutil
shutil.copytree("../groundtruth_workspace", ".", dirs_exist_ok=True)
print("copied")
"""
SLICE = 6_000
MODEL_SERVER = Path(__file__).resolve().parents[1] / "examples/agent_loop/model_server.py"
LOADING_S = 300.0


@contextmanager
def endpoint_of(model: str, window: int, folder: Path) -> Iterator[tuple[str, str]]:
    """The base URL of a model, and its name there; a file and a rehearsal are served while this lasts.

    Raises:
        InputError: it does not answer.
    """
    if model in (REHEARSAL, IDLE):
        with served(rehearsal_app(copies=model == REHEARSAL)) as url:
            yield url, model
    elif model.startswith(("http://", "https://")):
        url, _, name = model.partition("#")
        yield url, name or _asked_name(url)
    else:
        path = Path(model.removeprefix("gguf:"))
        with _model_server(path, window, folder) as url:
            yield url, path.stem


def _asked_name(url: str) -> str:
    headers = {"authorization": f"Bearer {os.environ.get('TAMIS_API_KEY', 'none')}"}
    try:
        listed = httpx.get(f"{url.rstrip('/').removesuffix('/v1')}/v1/models", headers=headers).json()
        return str(listed["data"][0]["id"])
    except (httpx.HTTPError, ValueError, LookupError, TypeError):
        raise InputError(f"{url} does not say which models it has; name one behind a #") from None


@contextmanager
def _model_server(path: Path, window: int, folder: Path) -> Iterator[str]:
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, MODEL_SERVER, path, "--window", str(window), "--port", str(port)]
    with (folder / "model.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + LOADING_S
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > until:
                raise InputError(f"{path} could not be served; {folder / 'model.log'} says why")
            time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code > 0
    except httpx.TransportError:
        return False


def rehearsal_app(*, copies: bool) -> Starlette:
    """A server whose model reads, copies the solution if it does, and says that it is done."""

    async def chat(request: Request) -> Response:
        body = await request.json()
        said = json.dumps(body["messages"])
        usage = {"prompt_tokens": len(said) // 4, "completion_tokens": 30}
        message = {"role": "assistant", "content": None, "tool_calls": [next_call(body, copies=copies)]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return JSONResponse({"object": "chat.completion", "choices": [choice], "usage": usage})

    return Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])


def next_call(body: Mapping[str, Any], *, copies: bool) -> dict[str, Any]:
    """The call behind the newest one, whose id says which that was: all before it may be gone."""
    last = body["messages"][-1]
    step = int(last["tool_call_id"].rpartition("_")[2]) + 1 if last["role"] == "tool" else 0
    codes = [LOOK % (n * SLICE, (n + 1) * SLICE) for n in range(READ)] + [COPY] * copies
    runs = any(tool["function"]["name"] == "python_execute_python_execute" for tool in body["tools"])
    name, arguments = "claim_done_claim_done", {}
    if runs and step < len(codes):
        name, arguments = "python_execute_python_execute", {"code": codes[step]}
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"step_{step}", "type": "function", "function": function}
