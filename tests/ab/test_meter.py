"""What APIs say of their own usage."""

from __future__ import annotations

import gzip
import json

import httpx
import pytest

from proxy.upstream import SHAPES, Say
from tamis.ab.meter import read_usage, usage_of
from tamis.ab.trial import ApiCall


@pytest.mark.parametrize("path", SHAPES)
def test_usage_is_read_of_each_api(path: str) -> None:
    whole, _ = SHAPES[path]
    content = json.dumps(whole(Say(text="done"), 1)).encode()
    found = usage_of(httpx.Response(200, headers={"content-type": "application/json"}), content)
    assert found is not None
    assert (found.input_tokens, found.output_tokens) == (10, 5)


@pytest.mark.parametrize("path", ["/v1/messages", "/responses"])
def test_usage_is_read_of_a_stream(path: str) -> None:
    _, events = SHAPES[path]
    content = "".join(events(Say(text="all is done"), 1)).encode()
    found = usage_of(httpx.Response(200, headers={"content-type": "text/event-stream"}), content)
    assert found is not None
    assert (found.input_tokens, found.output_tokens) == (10, 5)


def test_a_stream_without_usage_tells_none() -> None:
    _, events = SHAPES["/chat/completions"]
    content = "".join(events(Say(text="done"), 1)).encode()
    assert usage_of(httpx.Response(200, headers={"content-type": "text/event-stream"}), content) is None


def test_what_is_compressed_is_read() -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    content = gzip.compress(b'{"usage": {"prompt_tokens": 3, "completion_tokens": 1}}')
    assert usage_of(httpx.Response(200, headers=headers), content) == ApiCall(
        status=200, input_tokens=3, output_tokens=1
    )
    assert usage_of(httpx.Response(200, headers=headers), b"no gzip") is None


def test_what_was_cached_is_among_the_input_whichever_way_the_api_counts() -> None:
    apart = {"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5}
    within = {"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 90}}
    expected = ApiCall(status=200, input_tokens=100, cached_tokens=90)
    assert read_usage([{"usage": apart}], 200) == read_usage([{"usage": within}], 200) == expected
