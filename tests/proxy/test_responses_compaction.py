"""A client of OpenAI Responses asks for a compaction: by its path, and by an item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI
from openai.types.responses import ResponseCompactionItem

from proxy.conftest import Proxied, Start
from proxy.upstream import Upstream
from tamis.archive import Archive
from tamis.proxy.responses_compaction import MARK, opened, pack

RULE = "Never change prices.csv, another program writes it."
LONG = "It reads the ledger of the shop line by line and writes what it found into the log. " * 30


def conversation(turns: int = 12) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [
        {"role": "developer", "content": "You are careful."},
        {"role": "user", "content": f"Make rows.py skip empty rows. {RULE}"},
    ]
    for n in range(turns):
        call = {
            "type": "function_call",
            "call_id": f"c{n}",
            "name": "shell",
            "arguments": '{"command": "ls"}',
        }
        items += [call, {"type": "function_call_output", "call_id": f"c{n}", "output": f"file{n}.py {LONG}"}]
        items += [
            {"role": "assistant", "content": f"file{n}.py is read."},
            {"role": "user", "content": "Go on."},
        ]
    return items


@pytest.fixture
def proxied(start: Start) -> Proxied:
    return start(window=20_000, budget=1_000)


@pytest.fixture
def client(proxied: Proxied) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{proxied.url}/v1", api_key="sk", max_retries=0) as client:
        yield client


def sealed(item: object) -> dict[str, Any]:
    assert isinstance(item, ResponseCompactionItem)
    return item.model_dump(exclude_none=True)


def test_the_endpoint_is_answered_without_the_provider(client: OpenAI, upstream: Upstream) -> None:
    made = client.responses.compact(model="gpt-5", input=conversation())  # type: ignore[arg-type]
    assert made.object == "response.compaction"
    assert made.usage.output_tokens < made.usage.input_tokens / 3
    assert sealed(made.output[0])["encrypted_content"].startswith(MARK)
    assert upstream.bodies == []


def test_the_provider_gets_what_is_in_the_item(client: OpenAI, upstream: Upstream) -> None:
    made = client.responses.compact(model="gpt-5", input=conversation())  # type: ignore[arg-type]
    given = [sealed(made.output[0]), {"role": "user", "content": "And now?"}]
    client.responses.create(model="gpt-5", input=given)  # type: ignore[arg-type]
    sent = upstream.bodies[-1]["input"]
    assert RULE in str(sent)
    assert sent[-1] == {"role": "user", "content": "And now?"}
    assert MARK not in str(sent)
    calls = {item["call_id"] for item in sent if item.get("type") == "function_call"}
    assert calls == {item["call_id"] for item in sent if item.get("type") == "function_call_output"}


def test_the_item_that_triggers_is_answered_in_the_stream(client: OpenAI, upstream: Upstream) -> None:
    given = [*conversation(), {"type": "compaction_trigger"}]
    events = list(client.responses.create(model="gpt-5", input=given, stream=True))  # type: ignore[call-overload]
    assert [event.type for event in events][-1] == "response.completed"
    assert sealed(events[-1].response.output[0])["encrypted_content"].startswith(MARK)
    assert upstream.bodies == []


def test_the_next_compaction_goes_on_from_the_last(
    client: OpenAI, proxied: Proxied, upstream: Upstream
) -> None:
    first = client.responses.compact(model="gpt-5", input=conversation())  # type: ignore[arg-type]
    more = [{"role": "user", "content": f"Look at more{n}.py. {LONG}"} for n in range(12)]
    again = [sealed(first.output[0]), *more]
    second = client.responses.compact(model="gpt-5", input=again)  # type: ignore[arg-type]
    client.responses.create(model="gpt-5", input=[sealed(second.output[0])])  # type: ignore[arg-type]
    sent = str(upstream.bodies[-1]["input"])
    assert RULE in sent
    assert "more0.py" in sent
    assert sent.count("Brief of the work so far") == 1


def test_what_was_taken_out_is_in_the_archive(client: OpenAI, proxied: Proxied) -> None:
    client.responses.compact(model="gpt-5", input=conversation())  # type: ignore[arg-type]
    assert proxied.settings.archive is not None
    with Archive.open(proxied.settings.archive, read_only=True) as archive:
        assert archive.search("file0.py")


def test_what_is_too_short_is_the_provider_s(client: OpenAI, proxied: Proxied, upstream: Upstream) -> None:
    answer = proxied.post(
        "/v1/responses/compact", json={"model": "gpt-5", "input": [{"role": "user", "content": "Hi"}]}
    )
    assert answer.headers["x-tamis-fallback"] == "not-compacted"
    assert len(upstream.bodies) == 1


def test_in_shadow_nothing_is_answered_here(start: Start, upstream: Upstream) -> None:
    proxied = start(window=20_000, budget=1_000, mode="shadow")
    proxied.post("/v1/responses/compact", json={"model": "gpt-5", "input": conversation()})
    assert len(upstream.bodies) == 1


@pytest.mark.parametrize("content", ["", "other", MARK, f"{MARK}!!!!", f"{MARK}eJwDAAAAAAE="])
def test_an_item_that_is_not_ours_or_is_damaged_stays(content: str) -> None:
    item = pack([]) | {"encrypted_content": content}
    raw = f'{{"input": [{{"type": "compaction", "encrypted_content": "{content}"}}]}}'.encode()
    assert item["type"] == "compaction"
    assert opened(raw) == raw
