"""States that replace a conversation's beginning, found by its digest.

Nothing else identifies a conversation: whoever sends a beginning that was compacted before gets the brief of
it, and of the archive only what that beginning said. Two conversations are apart from their first difference
on, a rewound one falls back to an earlier brief, and a second proxy on the same archive finds what the first
one made.

There is a digest for every beginning of a list of items: two requests have the digest at position n in common
if, and only if, their first n items say the same. Marks that agents move about from request to request
(`cache_control`) say nothing and do not count.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tamis.archive import Archive
from tamis.compactors import Compaction
from tamis.context.snapshot import Snapshot, snapshot_from_json, snapshot_to_json
from tamis.proxy.dialects.dialect import Items
from tamis.sessions import plain

T = TypeVar("T")
FORMAT = "tamis-proxy/1"


@dataclass(frozen=True, kw_only=True, slots=True)
class CompactedPrefix:
    """A compacted beginning.

    `digest` names the first `boundary` items, in whose place `brief` stands, always the same bytes. `carried`
    are the items right behind it that stay word for word: what the model recalled. `sessions` are the names
    under which the archive keeps what was taken out, the newest last.
    """

    digest: str
    boundary: int
    made: Compaction
    brief: Items
    carried: Items
    sessions: tuple[str, ...]


class LRUCache(Generic[T]):
    """So many values, the least recently used of which goes first. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Any, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Any) -> T | None:
        """The value, which has then been used."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: Any, value: T) -> None:
        """Hold a value."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)

    def pop(self, key: Any) -> T | None:
        """The value, which is then gone."""
        with self._lock:
            return self._values.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)


class PrefixStore:
    """The states in memory, and behind them those in the archive.

    So many as `size` are held in memory; in shadow mode and without an archive they are kept nowhere else.
    The `method` is the name and version of the compactor; a state of another one is not gone on with.
    """

    def __init__(self, size: int, archive: Archive | None, method: tuple[str, str]) -> None:
        self._states: LRUCache[CompactedPrefix] = LRUCache(size)
        self._recalled: LRUCache[Items] = LRUCache(size * 16)
        self._archive = archive
        self._method = method

    def __len__(self) -> int:
        return len(self._states)

    def find(self, digests: Sequence[str]) -> CompactedPrefix | None:
        """The state of the longest beginning that has one."""
        for digest in reversed(digests):
            if digest in self._states and (state := self._states.get(digest)) is not None:
                return state
        if self._archive is None:
            return None
        for boundary in range(len(digests) - 1, 0, -1):
            data = self._archive.load_snapshot(digests[boundary])
            if data is not None and (state := self._loaded(digests[boundary], boundary, data)) is not None:
                for behind in digests[boundary:]:
                    held = self._archive.load_snapshot(_recall_key(behind))
                    if held is not None and held.get("format") == FORMAT:
                        self._recalled.put(behind, held["items"])
                self._states.put(state.digest, state)
                return state
        return None

    def keep(self, state: CompactedPrefix) -> None:
        """Hold a state; it is in the archive before it is used. Raises BadArchive where that fails."""
        if self._archive is not None:
            self._archive.save_snapshot(state.digest, _to_json(state))
        self._states.put(state.digest, state)

    def recalled(self, digest: str) -> Items:
        """What the model recalled behind this beginning, unseen by the agent."""
        return self._recalled.get(digest) or []

    def keep_recalled(self, digest: str, items: Items) -> None:
        """Hold what was recalled for the next request; raises BadArchive where it cannot be written."""
        if self._archive is not None:
            self._archive.save_snapshot(_recall_key(digest), {"format": FORMAT, "items": items})
        self._recalled.put(digest, items)

    def _loaded(self, digest: str, boundary: int, data: dict[str, Any]) -> CompactedPrefix | None:
        """The state that was saved; None where it is another version's or method's, and is made anew."""
        if data.get("format") != FORMAT or data.get("boundary") != boundary:
            return None
        made = snapshot_from_json(data["context"]).previous
        if made is None or (made.method, made.version) != self._method:
            return None
        return CompactedPrefix(
            digest=digest,
            boundary=boundary,
            made=made,
            brief=data["brief"],
            carried=data["carried"],
            sessions=tuple(data["sessions"]),
        )


def _recall_key(digest: str) -> str:
    return f"recalled behind {digest}"


def _to_json(state: CompactedPrefix) -> dict[str, Any]:
    context = Snapshot(appended=state.boundary, form=None, system=(), body=(), previous=state.made)
    return {
        "format": FORMAT,
        "boundary": state.boundary,
        "brief": plain(state.brief),
        "carried": plain(state.carried),
        "sessions": list(state.sessions),
        "context": snapshot_to_json(context),
    }


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
