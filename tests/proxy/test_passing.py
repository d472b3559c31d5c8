"""What the proxy hands on, refuses, and keeps to itself."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import Response, StreamingResponse

from proxy import conversations
from proxy.conftest import Proxied, Start
from proxy.conversations import CHAT, body, until
from proxy.upstream import Say
from tamis.errors import BadBudget, InputError
from tamis.proxy import ProxySettings


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
    until(lambda: wanted in proxy.metrics())
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
