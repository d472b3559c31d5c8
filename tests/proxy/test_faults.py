"""What goes wrong: upstreams that fail, agents that hang up, disks that refuse, requests that are none."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.responses import JSONResponse, Response, StreamingResponse

from proxy import conversations
from proxy.conftest import Start
from proxy.conversations import CHAT, body, until
from proxy.upstream import Say
from tamis.archive import Archive

FAILING = Path(__file__).with_name("failing_methods.py")


@pytest.mark.parametrize("turns", [1, 16])
@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_an_error_reaches_the_agent_as_it_was(start: Start, status: int, turns: int) -> None:
    proxy = start()
    headers = {"retry-after": "7", "x-ratelimit-remaining": "0"}
    proxy.upstream.script = lambda b, n: JSONResponse({"error": "no"}, status_code=status, headers=headers)
    answer = proxy.post(CHAT, json=body(turns))
    assert (answer.status_code, answer.json()) == (status, {"error": "no"})
    assert answer.headers.items() >= headers.items()


def test_an_upstream_that_does_not_take_the_brief_gets_the_original(start: Start) -> None:
    proxy = start()
    raw = json.dumps(body()).encode()
    proxy.upstream.script = lambda b, n: (
        JSONResponse({"error": "odd"}, status_code=400) if "tools" in b else Say(text="yes")
    )
    answer = proxy.post(CHAT, content=raw)
    assert answer.json()["choices"][0]["message"]["content"] == "yes"
    assert answer.headers["x-tamis-fallback"] == "upstream-refused"
    assert proxy.upstream.raw[-1] == raw
    assert (
        'tamis_fallbacks_total{mode="active",reason="upstream-refused",source="proxy"} 1.0' in proxy.metrics()
    )


@pytest.mark.parametrize("turns", [1, 16])
def test_an_answer_that_breaks_off_does_not_look_whole(start: Start, turns: int) -> None:
    async def cut() -> AsyncIterator[bytes]:
        yield b'data: {"choices": [{"index": 0, "delta": {"content": "half"}}]}\n\n'
        raise ConnectionResetError("the upstream dies here")

    proxy = start()
    proxy.upstream.script = lambda b, n: StreamingResponse(cut(), media_type="text/event-stream")
    got: list[bytes] = []
    with (
        httpx.stream("POST", f"{proxy.url}{CHAT}", json=body(turns, stream=True)) as answer,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        got.extend(answer.iter_bytes())
    assert b"half" in b"".join(got)
    assert 'tamis_proxy_cut_off_total{by="upstream"} 1.0' in proxy.metrics()


def test_a_truncated_whole_answer_does_not_look_whole(start: Start) -> None:
    proxy = start()
    headers = {"content-length": "100"}
    proxy.upstream.script = lambda b, n: StreamingResponse(_pieces(b"short"), headers=headers)
    with pytest.raises(httpx.RemoteProtocolError):
        proxy.post(CHAT, json=body(1))
    proxy.upstream.script = lambda b, n: Say(text="fine")
    assert proxy.post(CHAT, json=body(1)).status_code == 200


async def _pieces(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


ODD_ANSWERS = {
    "a page": ("text/html", b"<html><body><h1>502 Bad Gateway</h1></body></html>"),
    "a page called JSON": ("application/json", b"<html>busy</html>"),
    "nothing": ("application/json", b""),
    "a list": ("application/json", b"[1, 2]"),
    "no choices": ("application/json", b'{"choices": null, "content": "x", "output": 7}'),
    "odd choices": ("application/json", b'{"choices": [7, {"message": "hi"}], "content": [null]}'),
    "odd calls": ("application/json", b'{"choices": [{"message": {"tool_calls": [{"function": null}]}}]}'),
    "bytes": ("application/octet-stream", bytes(range(256))),
    "a stream of no events": ("text/event-stream", b"data: <html>\n\nno event\n\ndata: 7\n\ndata: \xff\n\n"),
    "odd chunks": ("text/event-stream", b'data: {"choices": [{"delta": "x"}]}\n\ndata: {"choices": 3}\n\n'),
    "odd call pieces": (
        "text/event-stream",
        b'data: {"choices": [{"delta": {"tool_calls": [{"index": "a", "function": 7}]}}]}\n\n',
    ),
    "blocks that never began": (
        "text/event-stream",
        b'data: {"type": "content_block_delta", "index": 0, "delta": {"text": "x"}}\n\n',
    ),
    "odd items": (
        "text/event-stream",
        b'data: {"type": "response.output_item.added", "item": null}\n\n'
        b'data: {"type": "response.completed", "response": {"output": [null]}}\n\n',
    ),
    "half a line": ("text/event-stream", b'data: {"choices": [{"delta": {"content": "ha'),
}


@pytest.mark.parametrize("api", ["chat", "anthropic", "responses"])
@pytest.mark.parametrize("said", ODD_ANSWERS)
def test_an_upstream_that_speaks_another_dialect_is_handed_on_as_it_is(
    start: Start, api: str, said: str
) -> None:
    kind, raw = ODD_ANSWERS[said]
    path = {"chat": CHAT, "anthropic": "/v1/messages", "responses": "/v1/responses"}[api]
    items = {"responses": "input"}.get(api, "messages")
    proxy = start()
    proxy.upstream.script = lambda b, n: Response(raw, media_type=kind)
    for turns, decision in ((1, "untouched"), (16, "compacted")):
        asked = {"model": "m", items: getattr(conversations, api)(turns)}
        answer = proxy.post(path, json=asked)
        assert (answer.status_code, answer.content) == (200, raw)
        assert answer.headers["x-tamis-decision"] == decision


def test_an_agent_that_hangs_up_in_the_middle_of_its_request_is_forgotten(start: Start) -> None:
    proxy = start()
    for sent in (b"", b'{"half'):
        with socket.create_connection(("127.0.0.1", int(proxy.url.rsplit(":", 1)[1]))) as agent:
            head = f"POST {CHAT} HTTP/1.1\r\nhost: {proxy.url[7:]}\r\ncontent-length: 100\r\n\r\n".encode()
            agent.sendall(head + sent)
    until(lambda: 'tamis_proxy_cut_off_total{by="client"} 2.0' in proxy.metrics())
    assert proxy.upstream.raw == []
    assert httpx.get(f"{proxy.url}/healthz").json()["running"] == 0


def test_an_archive_on_a_full_disk_leaves_the_original_and_goes_on_with_room(
    start: Start,
) -> None:
    proxy = start()
    raw = json.dumps(body()).encode()
    (worker,) = (child for child in multiprocessing.active_children() if child.name == "tamis-worker")
    soft, hard = resource.prlimit(worker.pid or 0, resource.RLIMIT_FSIZE)
    # A database behind its first page cannot grow.
    resource.prlimit(worker.pid or 0, resource.RLIMIT_FSIZE, (4_096, hard))
    answer = proxy.post(CHAT, content=raw)
    resource.prlimit(worker.pid or 0, resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.headers["x-tamis-fallback"]) == (200, "BadArchive")
    assert proxy.upstream.raw == [raw]
    longer = proxy.post(CHAT, json=body(34))
    assert longer.headers["x-tamis-decision"] == "compacted"
    with Archive.open(proxy.settings.archive or "") as archive:
        assert archive.stats().messages > 0


def test_an_upstream_that_is_not_there_is_a_502(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        answer = start(upstream=url).post(CHAT, json=body(1))
    assert (answer.status_code, answer.headers["x-tamis-error"]) == (502, "unreachable")
    assert "gave no answer" in answer.json()["error"]["message"]


def test_an_upstream_that_is_too_slow_is_a_504(start: Start) -> None:
    async def never() -> AsyncIterator[bytes]:
        await asyncio.sleep(60)
        yield b""

    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        answer = start(upstream=url, read_timeout_s=0.05).post(CHAT, json=body(1))
    assert (answer.status_code, answer.headers["x-tamis-error"]) == (504, "timeout")


def test_an_agent_that_hangs_up_is_not_answered_further(start: Start) -> None:
    proxy = start()
    ended: list[str] = []

    async def endless() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"data: {}\n\n"
                await asyncio.sleep(0.001)
        finally:
            ended.append("yes")

    proxy.upstream.script = lambda b, n: StreamingResponse(endless(), media_type="text/event-stream")
    with httpx.stream("POST", f"{proxy.url}{CHAT}", json=body(1, stream=True)) as answer:
        pieces = answer.iter_bytes()
        next(pieces)
    until(lambda: bool(ended))
    until(lambda: 'tamis_proxy_cut_off_total{by="client"} 1.0' in proxy.metrics())
    assert httpx.get(f"{proxy.url}/healthz").json()["running"] == 0


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("Raises", "MethodFailed"),
        ("BreaksArchive", "BadArchive"),
        ("BreaksProxy", "error"),
        ("Dies", "worker-lost"),
    ],
)
def test_what_breaks_inside_leaves_the_original(start: Start, method: str, reason: str) -> None:
    proxy = start(method=f"{FAILING}:{method}")
    raw = json.dumps(body()).encode()
    answer = proxy.post(CHAT, content=raw)
    assert (answer.headers["x-tamis-fallback"], answer.status_code) == (reason, 200)
    assert proxy.upstream.raw == [raw]


def test_a_worker_that_is_lost_is_replaced(start: Start) -> None:
    proxy = start(method=f"{FAILING}:DiesOnce")
    assert proxy.post(CHAT, json=body()).headers["x-tamis-fallback"] == "worker-lost"
    assert proxy.post(CHAT, json=body()).headers["x-tamis-decision"] == "compacted"


def test_a_method_that_holds_the_interpreter_holds_no_request(start: Start) -> None:
    proxy = start(method=f"{FAILING}:Hangs", decide_timeout_s=0.5, method_timeout_s=0.5)
    raw = json.dumps(body()).encode()
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(proxy.post(CHAT, content=raw)))
    asking.start()
    until(lambda: httpx.get(f"{proxy.url}/healthz").json()["running"] == 1)
    assert proxy.post(CHAT, json=body(1)).headers["x-tamis-reason"] == "fits"  # while the other is worked on
    asking.join()
    assert (answers[0].headers["x-tamis-fallback"], proxy.upstream.raw[-1]) == ("too-slow", raw)
    until(lambda: proxy.post(CHAT, content=raw).headers["x-tamis-fallback"] == "worker-lost")


def test_after_a_failure_it_goes_on_with_the_last_brief(start: Start) -> None:
    proxy = start(method=f"{FAILING}:BreaksArchiveLater")
    proxy.post(CHAT, json=body(16))
    answer = proxy.post(CHAT, json=body(34))
    assert (answer.headers["x-tamis-decision"], answer.headers["x-tamis-reason"]) == (
        "replayed",
        "BadArchive",
    )
