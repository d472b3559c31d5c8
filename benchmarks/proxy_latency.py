"""What the proxy adds and what it stands: latency, many streams at once, and a `kill -9`.

    python benchmarks/proxy_latency.py [--requests 400] [--streams 200]

Everything is local: an upstream of our own in one process, the proxy in another, the agents in this one. The
latency is that of the same request through the proxy less that straight to the upstream, pair by pair, for
requests of three sizes that need no compaction. The streams run at the same time; each says its own name, and
every word of each is looked for. For the kill, agents ask for compactions until the proxy is killed; then
everything that a brief stood for in a request that went upstream is looked for in the archive.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tamis.archive import Archive
from tamis.proxy.server import listen

WORDS = 40
HEADERS = {"authorization": "Bearer none"}


def main() -> None:
    """Measure, and print the lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=400, help="of each size")
    parser.add_argument("--streams", type=int, default=200, help="at once")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve_upstream()
        return
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with (
        started([sys.executable, __file__, "--serve"]) as (upstream, _),
        tempfile.TemporaryDirectory() as folder,
    ):
        store = Path(folder) / "a.tamis"
        with proxy(upstream, store) as (url, _):
            for turns in (2, 60, 240):
                asyncio.run(measure_latency(upstream, url, turns, options.requests))
            asyncio.run(measure_streams(url, options.streams))
        measure_kill(upstream, Path(folder) / "killed.tamis")


async def measure_latency(upstream: str, url: str, turns: int, count: int) -> None:
    """The same request straight and through the proxy, in turns; the first tenth warms up.

    A conversation grows by a turn with every request, and begins anew after 30. `decided` is what the proxy
    says of its own part.
    """
    grown = [json.dumps({"model": "m", "messages": talk(turns + n)}).encode() for n in range(30)]
    added: list[float] = []
    straight: list[float] = []
    decided: list[float] = []
    async with httpx.AsyncClient(timeout=60) as client:
        for n in range(count + count // 10):
            one, _ = await timed(client, upstream, grown[n % 30])
            other, answer = await timed(client, url, grown[n % 30])
            if n >= count // 10:
                straight.append(one)
                added.append(other - one)
                decided.append(float(answer.headers["x-tamis-added-ms"]))
    for figures in (added, straight, decided):
        figures.sort()
    middle, rare = count // 2, count * 99 // 100
    print(
        f"latency: {len(grown[0]):>9,} bytes"
        f"   straight p50 {straight[middle]:6.2f}  p99 {straight[rare]:6.2f} ms"
        f"   added p50 {added[middle]:6.2f}  p99 {added[rare]:6.2f} ms"
        f"   decided p50 {decided[middle]:6.2f}  p99 {decided[rare]:6.2f} ms",
        flush=True,
    )


async def timed(client: httpx.AsyncClient, base: str, raw: bytes) -> tuple[float, httpx.Response]:
    """The milliseconds of one request, and its answer."""
    began = time.perf_counter()
    answer = await client.post(f"{base}/v1/chat/completions", content=raw, headers=HEADERS)
    answer.raise_for_status()
    return (time.perf_counter() - began) * 1000, answer


async def measure_streams(url: str, count: int) -> None:
    """So many streams at once, half of them of conversations that are compacted."""
    limits = httpx.Limits(max_connections=count)
    began = time.perf_counter()
    async with httpx.AsyncClient(timeout=120, limits=limits) as client:
        heard = await asyncio.gather(*(hear(client, url, n) for n in range(count)))
    whole = sum(words == [f"agent-{n}-{k}" for k in range(WORDS)] for n, words in enumerate(heard))
    mixed = sum(any(not word.startswith(f"agent-{n}-") for word in words) for n, words in enumerate(heard))
    seconds = time.perf_counter() - began
    print(f"streams: {count} at once in {seconds:.1f} s  whole {whole}  mixed {mixed}", flush=True)


async def hear(client: httpx.AsyncClient, url: str, n: int) -> list[str]:
    """The words of one stream."""
    messages = talk(400 if n % 20 == 0 else 4, name=f"agent-{n}")
    body = {"model": f"agent-{n}", "stream": True, "messages": messages}
    words = []
    async with client.stream("POST", f"{url}/v1/chat/completions", json=body) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: {"):
                delta = json.loads(line[6:])["choices"][0]["delta"]
                words += str(delta.get("content") or "").split()
    return words


def measure_kill(upstream: str, store: Path) -> None:
    """Kill the proxy while it compacts, ten times, and look for what it had taken out."""
    gone: set[str] = set()
    for n in range(10):
        with proxy(upstream, store, "--window", "20000", "--budget", "2000") as (url, process):
            threading_kill(process, 2 + 0.3 * n)
            gone |= set(ask_until_killed(url, n))
    with Archive.open(store) as archive:
        lost = [name for name in sorted(gone) if not archive.search(name)]
    print(f"kill -9: 10 times, {len(gone)} messages taken out, {len(lost)} lost", flush=True)


def threading_kill(process: subprocess.Popen[str], after_s: float) -> None:
    """Kill it from another thread, some time from now."""
    import threading

    threading.Timer(after_s, lambda: process.send_signal(signal.SIGKILL)).start()


def ask_until_killed(url: str, run: int) -> Iterator[str]:
    """What no longer stood in the requests that reached the upstream."""
    for n in range(1_000):
        messages = talk(50 + 8 * n, name=f"run{run}")
        try:
            sent = httpx.post(
                f"{url}/v1/chat/completions", json={"model": "echo", "messages": messages}
            ).json()
        except httpx.HTTPError:
            return
        there = set(re.findall(r"marker (\w+)", json.dumps(sent)))
        yield from set(re.findall(r"marker (\w+)", json.dumps(messages))) - there


def talk(turns: int, name: str = "x") -> list[dict[str, Any]]:
    """An agent's conversation."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"I am {name}. Fix src/totals.py."}]
    for n in range(turns):
        function = {"name": "bash", "arguments": json.dumps({"command": f"cat src/part{n}.py"})}
        call = {"id": f"call_{n}", "type": "function", "function": function}
        output = f"marker {name.replace('-', '')}q{n}q\n" + f"rows_{n} = list(read())\n" * 70
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call_{n}", "content": output})
    return messages


@contextmanager
def proxy(upstream: str, store: Path, *more: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`tamis proxy` in a process of its own."""
    command = [sys.executable, "-m", "tamis.cli", "proxy", "--upstream", upstream, "--port", "0"]
    with started([*command, "--archive", str(store), *more]) as running:
        yield running


@contextmanager
def started(command: list[str]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A process that says its URL on a line of stderr; it is stopped in the end."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if '"url"' in line)
        import threading

        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield json.loads(line)["url"], process
    finally:
        process.terminate()
        process.wait(20)


def serve_upstream() -> None:
    """A model's API: says its name and a number WORDS times, or what it was asked."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    async def words(name: str) -> AsyncIterator[str]:
        for n in range(WORDS):
            delta = {"index": 0, "delta": {"content": f"{name}-{n} "}, "finish_reason": None}
            yield f"data: {json.dumps({'id': name, 'choices': [delta]})}\n\n"
            await asyncio.sleep(0.05)
        yield "data: [DONE]\n\n"

    async def answer(request: Request) -> Response:
        body = json.loads(await request.body())
        if body.get("stream"):
            return StreamingResponse(words(body["model"]), media_type="text/event-stream")
        if body["model"] == "echo":
            return JSONResponse({"choices": [], "messages": body["messages"]})
        return JSONResponse({"choices": []})

    listening = listen("127.0.0.1", 0)
    print(json.dumps({"url": f"http://127.0.0.1:{listening.getsockname()[1]}"}), file=sys.stderr, flush=True)
    app = Starlette(routes=[Route("/v1/chat/completions", answer, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])


if __name__ == "__main__":
    main()
