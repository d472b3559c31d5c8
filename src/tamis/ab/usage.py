"""Usage as an API's answer states it, whole or streamed."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from tamis.proxy.sse import parse_event

_BETWEEN_EVENTS = re.compile(rb"\r\n\r\n|\n\n|\r\r")


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiUsage:
    """Tokens as the API counted them; `input_tokens` with what was cached."""

    input_tokens: int
    output_tokens: int | None
    cached_tokens: int | None


def usage_of(response: httpx.Response, content: bytes) -> ApiUsage | None:
    """The usage in an answer, from its bytes as they came; None where it tells none or was cut off."""
    try:
        content = httpx.Response(200, headers=response.headers, content=content).content
    except httpx.DecodingError:
        return None
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        events = map(parse_event, filter(bytes.strip, _BETWEEN_EVENTS.split(content)))
        return read_usage(event.data for event in events if event.data is not None)
    return read_usage([parsed(content)])


def read_usage(values: Iterable[Mapping[str, Any]]) -> ApiUsage | None:
    """The usage that an answer, or the events of one, tell.

    >>> read_usage([{"usage": {"prompt_tokens": 7, "completion_tokens": 2}}])
    ApiUsage(input_tokens=7, output_tokens=2, cached_tokens=None)
    """
    said: dict[str, Any] = {}
    for value in values:
        for holder in (value, value.get("message"), value.get("response")):
            usage = holder.get("usage") if isinstance(holder, Mapping) else None
            if isinstance(usage, Mapping):
                said |= {name: given for name, given in usage.items() if given is not None}
    read = _number(said, "prompt_tokens", "input_tokens")
    if read is None:
        return None
    details = said.get("prompt_tokens_details") or said.get("input_tokens_details") or {}
    cached = _number(said, "cache_read_input_tokens")
    apart = (cached or 0) + (_number(said, "cache_creation_input_tokens") or 0)  # Anthropic counts them apart
    return ApiUsage(
        input_tokens=read + apart,
        output_tokens=_number(said, "completion_tokens", "output_tokens"),
        cached_tokens=cached if cached is not None else _number(details, "cached_tokens"),
    )


def parsed(content: bytes) -> dict[str, Any]:
    """A JSON object; an empty one where it is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _number(values: Mapping[str, Any], *names: str) -> int | None:
    return next((values[name] for name in names if isinstance(values.get(name), int)), None)
