"""Compaction methods behind one protocol, one file each, and the guarantees that hold for all of them."""

from tamis.compactors.budget import Budget, parse_budget
from tamis.compactors.check import CheckReport, check_method
from tamis.compactors.gate import GateMode, guard
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.packing import first_that_fit, newest_that_fit
from tamis.compactors.protocol import (
    AccountEntry,
    Compaction,
    CompactionRequest,
    Compactor,
    Fate,
    Outcome,
    Usage,
)
from tamis.compactors.registry import METHODS, MODEL_METHODS, get_method, list_plugins
from tamis.compactors.secrets import secrets_of
from tamis.compactors.sync import run_compactor

__all__ = [
    "METHODS",
    "MODEL_METHODS",
    "AccountEntry",
    "Budget",
    "CannotFit",
    "CheckReport",
    "Compaction",
    "CompactionRequest",
    "Compactor",
    "Fate",
    "GateMode",
    "Material",
    "Method",
    "Outcome",
    "Replacement",
    "Usage",
    "check_method",
    "first_that_fit",
    "get_method",
    "guard",
    "list_plugins",
    "newest_that_fit",
    "parse_budget",
    "run_compactor",
    "secrets_of",
]
