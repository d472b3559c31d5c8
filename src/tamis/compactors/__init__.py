"""Compaction methods behind one protocol, one file each, and the guarantees that hold for all of them."""

from tamis.compactors.budget import Budget, parse_budget
from tamis.compactors.protocol import (
    Compaction,
    CompactionRequest,
    Compactor,
    Fate,
    Fated,
    Outcome,
    Usage,
)

__all__ = [
    "Budget",
    "Compaction",
    "CompactionRequest",
    "Compactor",
    "Fate",
    "Fated",
    "Outcome",
    "Usage",
    "parse_budget",
]
