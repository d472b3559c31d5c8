"""What goes wrong: upstreams that fail, agents that hang up, disks that refuse, requests that are none."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import socket
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import JSONResponse, Response, StreamingResponse

from proxy import conversations
from proxy.conftest import Proxied, Start
from proxy.upstream import Say
from tamis.archive import Archive
from tamis.errors import BadBudget, InputError
from tamis.proxy import ProxySettings

CHAT = "/v1/chat/completions"
FAILING = Path(__file__).with_name("failing_methods.py")


def body(turns: int = 16, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": conversations.chat(turns), **more}


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
    _until(lambda: 'tamis_proxy_cut_off_total{by="client"} 2.0' in proxy.metrics())
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
    _until(lambda: bool(ended))
    _until(lambda: 'tamis_proxy_cut_off_total{by="client"} 1.0' in proxy.metrics())
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
    _until(lambda: httpx.get(f"{proxy.url}/healthz").json()["running"] == 1)
    assert proxy.post(CHAT, json=body(1)).headers["x-tamis-reason"] == "fits"  # while the other is worked on
    asking.join()
    assert (answers[0].headers["x-tamis-fallback"], proxy.upstream.raw[-1]) == ("too-slow", raw)
    _until(lambda: proxy.post(CHAT, content=raw).headers["x-tamis-fallback"] == "worker-lost")


def test_after_a_failure_it_goes_on_with_the_last_brief(start: Start) -> None:
    proxy = start(method=f"{FAILING}:BreaksArchiveLater")
    proxy.post(CHAT, json=body(16))
    answer = proxy.post(CHAT, json=body(34))
    assert (answer.headers["x-tamis-decision"], answer.headers["x-tamis-reason"]) == (
        "replayed",
        "BadArchive",
    )


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{not json" + b" " * 9_000, "not-json"),
        (json.dumps({"messages": "hello " * 2_000}).encode(), "no-messages"),
        (json.dumps({"messages": ["hello " * 2_000]}).encode(), "odd-messages"),
    ],
)
def test_a_request_that_speaks_another_dialect_goes_through_as_it_is(
    start: Start, raw: bytes, reason: str
) -> None:
    proxy = start()
    proxy.upstream.script = lambda b, n: Response(b"whatever")
    answer = proxy.post(CHAT, content=raw)
    assert answer.headers["x-tamis-reason"] == reason


def test_a_conversation_that_is_kept_upstream_is_left_alone(start: Start) -> None:
    proxy = start()
    given = {"model": "m", "previous_response_id": "resp_1", "input": conversations.responses(16)}
    raw = json.dumps(given).encode()
    assert proxy.post("/v1/responses", content=raw).headers["x-tamis-reason"] == "kept-upstream"
    assert proxy.upstream.raw == [raw]


def test_any_other_path_goes_through(start: Start) -> None:
    proxy = start()
    listed = httpx.get(f"{proxy.url}/v1/models?limit=2")
    assert listed.json() == {"path": "/v1/models", "query": "limit=2"}
    assert listed.headers["x-tamis-decision"] == "untouched"
    raw = json.dumps(body()).encode()
    assert proxy.post("/v1/messages/count_tokens", content=raw).json()["got"] == len(raw)
    assert proxy.upstream.raw[-1] == raw


def test_a_compressed_request_goes_through(start: Start) -> None:
    import gzip

    proxy = start()
    proxy.upstream.script = lambda b, n: Say(text="x")
    raw = gzip.compress(json.dumps(body()).encode())
    answer = httpx.post(f"{proxy.url}/other", content=raw, headers={"content-encoding": "gzip"})
    assert answer.headers["x-tamis-decision"] == "untouched"


def test_a_request_larger_than_allowed_is_refused(start: Start) -> None:
    proxy = start(max_body_bytes=10_000)
    answer = proxy.post(CHAT, json=body())
    assert (answer.status_code, answer.headers["x-tamis-error"]) == (413, "too-large")
    assert proxy.upstream.raw == []


def test_more_requests_than_allowed_are_told_to_come_back(start: Start) -> None:
    proxy = start(max_concurrent=1)

    async def slow() -> AsyncIterator[bytes]:
        while True:
            yield b"."
            await asyncio.sleep(0.001)

    proxy.upstream.script = lambda b, n: StreamingResponse(slow())
    with httpx.stream("POST", f"{proxy.url}{CHAT}", json=body(1)) as first:
        pieces = first.iter_bytes()
        next(pieces)
        second = proxy.post(CHAT, json=body(1))
        assert httpx.get(f"{proxy.url}/healthz").status_code == 200
    assert (second.status_code, second.headers["retry-after"]) == (503, "1")


def test_a_shadow_sends_the_original_and_records_what_it_would_have_sent(
    start: Start, tmp_path: Path
) -> None:
    proxy = start(mode="shadow")
    raw = json.dumps(body()).encode()
    answer = proxy.post(CHAT, content=raw)
    assert (answer.headers["x-tamis-reason"], proxy.upstream.raw) == ("shadow", [raw])
    wanted = 'tamis_proxy_requests_total{api="openai-chat (shadow)",decision="compacted"} 1.0'
    _until(lambda: wanted in proxy.metrics())
    assert not (tmp_path / "a.tamis").exists()


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"upstream": "api.openai.com"}, InputError, "https://api.openai.com"),
        ({"host": "0.0.0.0"}, InputError, "127.0.0.1"),
        ({"trigger": 0.2}, InputError, "0.5"),
        ({"budget": "70%"}, BadBudget, "larger window"),
        ({"max_concurrent": 0}, InputError, "1 or more"),
        ({"mode": "passive"}, InputError, "shadow"),
    ],
)
def test_a_setting_that_cannot_be_says_what_can(
    given: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        ProxySettings(**{"upstream": "http://127.0.0.1:9"} | given)


def test_no_key_and_no_word_stands_in_the_log(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    proxy = start()
    with caplog.at_level("INFO", logger="tamis.proxy"):
        proxy.post(CHAT, json=body(), headers={"authorization": "Bearer sk-secret-key"})
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "tamis.proxy"]
    assert [line["decision"] for line in lines if line["event"] == "decision"] == ["compacted"]
    assert "sk-secret" not in caplog.text
    assert "totals.py" not in caplog.text


def _until(holds: Any) -> None:
    """Wait for something that happens in another thread; the test fails where it does not."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def test_keys_are_nowhere_on_the_disk(start: Start, tmp_path: Path) -> None:
    proxy: Proxied = start()
    proxy.post(CHAT, json=body(), headers={"authorization": "Bearer sk-secret-key"})
    assert not any(b"sk-secret" in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "example.org"},
        {"host": "127.0.0.1:1"},
        {"origin": "https://example.org"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("path", ["/metrics", "/healthz", CHAT])
def test_a_strangers_page_gets_no_answer(start: Start, path: str, headers: dict[str, str]) -> None:
    proxy = start()
    answer = httpx.post(f"{proxy.url}{path}", json=body(1), headers=headers)
    assert (answer.status_code, answer.headers["x-tamis-error"]) == (403, "stranger")
    assert proxy.upstream.raw == []


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_its_own_address_has_several_names(start: Start, name: str) -> None:
    proxy = start()
    port = proxy.url.rpartition(":")[2]
    headers = {"host": f"{name}:{port}", "origin": f"http://{name}:3000", "sec-fetch-site": "same-site"}
    assert httpx.get(f"{proxy.url}/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize("path", [CHAT, "/v1/files"])
@pytest.mark.parametrize("said", [1, 10_000])
def test_a_length_beside_a_transfer_encoding_is_not_believed(start: Start, path: str, said: int) -> None:
    proxy = start()
    raw = json.dumps(body(1)).encode()
    port = int(proxy.url.rpartition(":")[2])
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n"
    head += f"transfer-encoding: chunked\r\ncontent-length: {said}\r\n\r\n{len(raw):x}\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sent:
        sent.sendall(head.encode() + raw + b"\r\n0\r\n\r\n")
        answer = b"".join(iter(lambda: sent.recv(65536), b""))
    assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 400"))
    assert proxy.upstream.raw in ([raw], [])
