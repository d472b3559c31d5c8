"""The callback in LiteLLM's own client, against a scripted API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from integrations.anthropic_endpoint import Endpoint, anthropic_endpoint
from integrations.requests_sent import check_archive
from tamis.archive import Archive

pytest.importorskip("litellm", reason="needs tamis[litellm]")

import litellm

from tamis.integrations.litellm import compaction_logger

RULE = "Never change b.txt, another program writes it."
LONG = "It reads the ledger of the shop line by line and writes what it found into the log. " * 20


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with anthropic_endpoint() as served:
        yield served


@pytest.fixture
def callback(kept: Archive, monkeypatch: pytest.MonkeyPatch) -> Any:
    made = compaction_logger(window=6_000, budget=800, archive=kept)
    monkeypatch.setattr(litellm, "callbacks", [made])
    return made


async def talk(endpoint: Endpoint, turns: int) -> list[Any]:
    """A conversation that the caller keeps whole, as LiteLLM's users do."""
    messages: list[Any] = [{"role": "user", "content": f"Make rows.py skip empty rows. {RULE}"}]
    for n in range(turns):
        answer = await litellm.acompletion(
            model="anthropic/scripted", messages=messages, api_base=endpoint.url, api_key="sk"
        )
        messages += [answer.choices[0].message, {"role": "user", "content": f"And file{n}.py? {LONG}"}]
    return messages


async def test_every_request_stays_within_the_window(
    endpoint: Endpoint, callback: Any, kept: Archive
) -> None:
    messages = await talk(endpoint, 25)
    sizes = [len(json.dumps(request["messages"])) for request in endpoint.requests]
    assert len(endpoint.requests) == 25
    assert max(sizes) < 6_000 * 5
    assert sum(len(str(m)) for m in messages) > 2 * max(sizes)
    assert RULE in json.dumps(endpoint.requests[-1]["messages"])
    check_archive(kept, f"And file0.py? {LONG}")


async def test_the_proxy_s_hook_shortens_what_it_is_given(callback: Any) -> None:
    messages = [{"role": "user", "content": f"Make rows.py skip empty rows. {RULE}"}]
    for n in range(30):
        messages += [
            {"role": "assistant", "content": "Done."},
            {"role": "user", "content": f"file{n}.py {LONG}"},
        ]
    data = await callback.async_pre_call_hook(None, None, {"messages": messages, "model": "m"}, "acompletion")
    assert len(data["messages"]) < len(messages)
    assert data["messages"][-1] == messages[-1]
    assert data["model"] == "m"


async def test_what_is_no_chat_is_left_alone(callback: Any) -> None:
    data = {"input": ["text"], "model": "m"}
    assert await callback.async_pre_call_hook(None, None, data, "aembedding") == data
