"""Digests that name a conversation by its content: one for every beginning of a list of items.

Two requests have the digest at position n in common if, and only if, their first n items say the same. Marks
that agents move about from request to request (`cache_control`) say nothing and do not count.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

PASSING_MARKS = frozenset({"cache_control"})


def item_digest(item: Mapping[str, Any]) -> bytes:
    """SHA-256 over what an item says.

    >>> item_digest({"role": "user", "cache_control": {"type": "ephemeral"}}) == item_digest({"role": "user"})
    True
    """
    text = json.dumps(without_marks(item), separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).digest()


def prefix_digests(items: Sequence[bytes], seed: str) -> list[str]:
    """One digest for each beginning of the items, the empty one first: `len(items) + 1` of them."""
    rolling = hashlib.sha256(seed.encode("utf-8", "surrogateescape"))
    digests = [rolling.hexdigest()]
    for digest in items:
        rolling.update(digest)
        digests.append(rolling.hexdigest())
    return digests


def without_marks(value: Any) -> Any:
    """The value without the marks, at any depth of blocks, but not within a tool's own arguments.

    >>> without_marks({"input": {"cache_control": 1}, "cache_control": 2})
    {'input': {'cache_control': 1}}
    """
    if isinstance(value, dict):
        return {
            key: inner if key in ("input", "arguments") and isinstance(inner, dict) else without_marks(inner)
            for key, inner in value.items()
            if key not in PASSING_MARKS
        }
    if isinstance(value, list):
        return [without_marks(inner) for inner in value]
    return value
