"""Compaction methods behind one protocol, one file each, and the guarantees that hold for all of them."""

from tamis.compactors.budget import Budget, parse_budget
from tamis.compactors.check import CheckReport, check_method
from tamis.compactors.protocol import (
    Compaction,
    CompactionRequest,
    Compactor,
    Fate,
    Fated,
    Outcome,
    Usage,
)
from tamis.compactors.registry import METHODS, MODEL_METHODS, get_method, list_plugins
from tamis.compactors.running import run_compactor

__all__ = [
    "METHODS",
    "MODEL_METHODS",
    "Budget",
    "CheckReport",
    "Compaction",
    "CompactionRequest",
    "Compactor",
    "Fate",
    "Fated",
    "Outcome",
    "Usage",
    "check_method",
    "get_method",
    "list_plugins",
    "parse_budget",
    "run_compactor",
]
