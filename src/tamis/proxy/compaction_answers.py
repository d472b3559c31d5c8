"""Answers to requests for a compaction that tamis can make; other requests go upstream."""

import json
from dataclasses import dataclass
from typing import Final

from tamis.archive import Archive
from tamis.messages import Counter
from tamis.proxy.brief_maker import NotCompacted
from tamis.proxy.responses_compaction import (
    as_compaction,
    as_events,
    as_response,
    compact_request,
    is_triggered,
)
from tamis.proxy.settings import ProxySettings

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
_TRIGGER = b'"compaction_trigger"'


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactionAnswer:
    """What the client is answered, and the tokens before and after."""

    content: bytes
    media_type: str
    tokens_before: int
    tokens_after: int


def may_ask(raw: bytes) -> bool:
    """Whether a request can be one that asks for a compaction with an item. Cheap: nothing is parsed.

    >>> may_ask(b'{"input": []}')
    False
    """
    return _TRIGGER in raw


def answer_compaction(
    raw: bytes, settings: ProxySettings, counter: Counter, archive: Archive | None, *, always: bool
) -> CompactionAnswer:
    """The answer to a request's body, our own items in it unpacked.

    With `always` the request's path says that it asks for nothing else.

    Raises:
        NotCompacted: it asks for no compaction, or for one that cannot be made here.
        TamisError: the method or the archive failed.
    """
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise NotCompacted("unreadable") from None
    if not isinstance(body, dict) or not (always or is_triggered(body)):
        raise NotCompacted("not-asked")
    made = compact_request(body, settings, counter, archive)
    media_type = JSON
    if always:
        content = json.dumps(as_compaction(made)).encode()
    elif body.get("stream"):
        content, media_type = as_events(as_response(made, body)), EVENTS
    else:
        content = json.dumps(as_response(made, body)).encode()
    return CompactionAnswer(
        content=content,
        media_type=media_type,
        tokens_before=made.tokens_before,
        tokens_after=made.tokens_after,
    )
