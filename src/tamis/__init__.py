"""Compress an AI agent's session into a token budget, and prove what survived.

    import tamis

    session = tamis.read("session.jsonl")
    result = tamis.compact(session, budget=4_000)
    result.tokens_before, result.tokens_after, result.messages

Names are loaded when they are first used, so that importing costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamis._version import __version__

if TYPE_CHECKING:
    from tamis.api import Compacted, compact
    from tamis.archive import Archive
    from tamis.compactors import (
        Budget,
        Compaction,
        CompactionRequest,
        Compactor,
        check_method,
        get_method,
        parse_budget,
    )
    from tamis.context import Context
    from tamis.errors import TamisError
    from tamis.evals import evaluate
    from tamis.ledger import read_ledger
    from tamis.messages import (
        Media,
        Message,
        Session,
        Text,
        Thinking,
        ToolCall,
        ToolResult,
        get_counter,
    )
    from tamis.sessions import read, read_all, write

__all__ = [
    "Archive",
    "Budget",
    "Compacted",
    "Compaction",
    "CompactionRequest",
    "Compactor",
    "Context",
    "Media",
    "Message",
    "Session",
    "TamisError",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolResult",
    "__version__",
    "check_method",
    "compact",
    "evaluate",
    "get_counter",
    "get_method",
    "parse_budget",
    "read",
    "read_all",
    "read_ledger",
    "write",
]

_HOMES = {
    "tamis.api": ["Compacted", "compact"],
    "tamis.archive": ["Archive"],
    "tamis.compactors": [
        "Budget",
        "Compaction",
        "CompactionRequest",
        "Compactor",
        "check_method",
        "get_method",
        "parse_budget",
    ],
    "tamis.context": ["Context"],
    "tamis.errors": ["TamisError"],
    "tamis.evals": ["evaluate"],
    "tamis.ledger": ["read_ledger"],
    "tamis.messages": [
        "Media",
        "Message",
        "Session",
        "Text",
        "Thinking",
        "ToolCall",
        "ToolResult",
        "get_counter",
    ],
    "tamis.sessions": ["read", "read_all", "write"],
}
"""Where each exported name lives."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
