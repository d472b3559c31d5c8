"""Compaction as clients of OpenAI Responses ask for it: `/responses/compact`, or the item for it.

Both are answered here, without a model: with one item of the type `compaction`. A provider seals what is in
it for itself; ours holds the brief and what stays word for word, packed, and the proxy unpacks it wherever a
later request hands it back. Nothing has to be remembered for that.

https://platform.openai.com/docs/api-reference/responses/compact
"""

import base64
import hashlib
import json
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamis.api import get_api
from tamis.archive import Archive
from tamis.compactors.brief import mark_briefs
from tamis.context import Context
from tamis.errors import InputError
from tamis.messages import Counter
from tamis.proxy.brief_maker import NotCompacted
from tamis.proxy.dialects.dialect import Items, objects
from tamis.proxy.settings import ProxySettings
from tamis.proxy.sse import json_object

FORM = "openai-responses"
MARK = "tamis1."
"""What the content of our items begins with; it is packed, not secret."""

MOST_UNPACKED_BYTES = 64 * 1024 * 1024
_LEAD = ("system", "developer")
_TRIGGER = "compaction_trigger"


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactedItem:
    """The item that stands for the conversation, and its tokens before and after."""

    item: dict[str, Any]
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionAnswer:
    """What the client is answered, and the tokens before and after."""

    content: bytes
    media_type: str
    tokens_before: int
    tokens_after: int


def is_compact_path(method: str, path: str) -> bool:
    """Whether a request asks for nothing but a compaction.

    >>> is_compact_path("POST", "/v1/responses/compact")
    True
    """
    return method == "POST" and path.rstrip("/").endswith("/responses/compact")


def may_ask(raw: bytes) -> bool:
    """Whether a request can be one that asks for a compaction with an item. Cheap: nothing is parsed.

    >>> may_ask(b'{"input": []}')
    False
    """
    return f'"{_TRIGGER}"'.encode() in raw


def has_own_items(raw: bytes) -> bool:
    """Whether a request can hold items of ours. Cheap: nothing is parsed."""
    return MARK.encode() in raw


def opened(raw: bytes) -> bytes:
    """The request with our own items unpacked; the same bytes where there are none.

    What only looks like one of ours, or is damaged, stays as it is: the provider says what it thinks of it.
    """
    body = (json_object(raw) if has_own_items(raw) else None) or {}
    given = body.get("input")
    if not isinstance(given, list):
        return raw
    items = [unpacked for item in given for unpacked in _unpacked(item)]
    return raw if items == given else json.dumps({**body, "input": items}, ensure_ascii=False).encode()


def answer_compaction(
    raw: bytes, settings: ProxySettings, counter: Counter, archive: Archive | None, *, always: bool
) -> CompactionAnswer:
    """The answer to a request's body, our own items in it unpacked.

    With `always` the request's path says that it asks for nothing else.

    Raises:
        NotCompacted: it asks for no compaction, or for one that cannot be made here.
        TamisError: the method or the archive failed.
    """
    body = json_object(raw)
    if body is None:
        raise NotCompacted("unreadable")
    given = body.get("input")
    last = given[-1] if isinstance(given, list) and given else None
    if not always and not (isinstance(last, dict) and last.get("type") == _TRIGGER):
        raise NotCompacted("not-asked")
    made = compact_request(body, settings, counter, archive)
    is_stream = not always and bool(body.get("stream"))
    said = as_compaction(made) if always else as_response(made, body)
    return CompactionAnswer(
        content=as_events(said) if is_stream else json.dumps(said).encode(),
        media_type="text/event-stream" if is_stream else "application/json",
        tokens_before=made.tokens_before,
        tokens_after=made.tokens_after,
    )


def compact_request(
    body: Mapping[str, Any], settings: ProxySettings, counter: Counter, archive: Archive | None
) -> CompactedItem:
    """The item for the conversation behind a request's instructions; raises as `answer_compaction`."""
    given = [item for item in objects(body.get("input")) if item.get("type") != _TRIGGER]
    if body.get("previous_response_id") or body.get("conversation") or not given:
        raise NotCompacted("kept-upstream" if given else "no-messages")
    items = [item for item in given if item.get("role") not in _LEAD]
    begins = json.dumps(items[:1], sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    key = body.get("prompt_cache_key") or hashlib.sha256(begins).hexdigest()[:16]
    context, new = _taken_up(items, f"responses:{key}", settings, counter, archive)
    context.extend(new)
    before = context.tokens
    made = context.compact_now()
    if made is None or made.outcome != "fits":
        raise NotCompacted("nothing-to-replace" if made is None else f"method-{made.outcome}")
    return CompactedItem(item=pack(context.messages()), tokens_before=before, tokens_after=context.tokens)


def pack(items: Items) -> dict[str, Any]:
    """Items as one of the type `compaction`.

    >>> item = pack([{"role": "user", "content": "Go on."}])
    >>> item["type"], _unpacked(item)
    ('compaction', [{'role': 'user', 'content': 'Go on.'}])
    """
    plain = json.dumps(items, ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(plain).hexdigest()[:32]
    content = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode()
    return {"type": "compaction", "id": f"cmp_{digest}", "encrypted_content": MARK + content}


def as_compaction(made: CompactedItem) -> dict[str, Any]:
    """The answer of `/responses/compact`."""
    return {
        "id": made.item["id"].replace("cmp_", "resp_"),
        "object": "response.compaction",
        "created_at": int(time.time()),
        "output": [made.item],
        "usage": _usage(made),
    }


def as_response(made: CompactedItem, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request that ended with `compaction_trigger`."""
    return {
        "id": made.item["id"].replace("cmp_", "resp_"),
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": body.get("model"),
        "output": [made.item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "usage": _usage(made),
    }


def as_events(response: Mapping[str, Any]) -> bytes:
    """The same as a stream."""
    (item,) = response["output"]
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    told = [{**event, "sequence_number": number} for number, event in enumerate(events)]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in told).encode()


def _usage(made: CompactedItem) -> dict[str, Any]:
    """No model was asked, so nothing was used; clients read the sizes off it."""
    return {
        "input_tokens": made.tokens_before,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": made.tokens_after,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": made.tokens_before + made.tokens_after,
    }


def _taken_up(
    items: Items, name: str, settings: ProxySettings, counter: Counter, archive: Archive | None
) -> tuple[Context, Any]:
    """The context as the last compaction left it and what came since, or a new one and all of it."""
    given: dict[str, Any] = {
        "window": settings.window,
        "budget": settings.budget_tokens,
        "method": settings.method,
        "keep_last": settings.keep_last,
        "tokenizer": counter,
        "trigger": None,
        "format": FORM,
        "timeout_s": settings.method_timeout_s,
    }
    if archive is not None:
        try:
            context = Context.resume(archive, name, **given)
        except InputError:  # of another version: the request says it all
            context = Context(**given)
        left = context.messages()
        if left and left == items[: len(left)]:
            return context, items[len(left) :]
    messages = mark_briefs(get_api(FORM).decode(items).messages)
    return Context(archive=archive, session_id=name, **given), messages


def _unpacked(item: Any) -> Items:
    content = item.get("encrypted_content") if isinstance(item, dict) else None
    if not isinstance(content, str) or not content.startswith(MARK):
        return [item]
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(base64.urlsafe_b64decode(content[len(MARK) :]), MOST_UNPACKED_BYTES)
        found = json.loads(plain)
    except (ValueError, RecursionError, zlib.error):
        return [item]
    return objects(found) or [item]
