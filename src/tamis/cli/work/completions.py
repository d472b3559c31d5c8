"""Completions that the shell offers."""

from __future__ import annotations

from tamis.cli.work.compact import TEXT
from tamis.compactors import METHODS, MODEL_METHODS, list_plugins, peers
from tamis.sessions import all_formats


def methods(incomplete: str) -> list[str]:
    """The names of methods that begin so."""
    asking = (f"{name}@" for name in (*MODEL_METHODS, *peers.MODEL_PEERS, *peers.FOLDER_PEERS))
    known = (*METHODS, *peers.PEERS, *asking, *list_plugins())
    return [name for name in known if name.startswith(incomplete)]


def formats(incomplete: str) -> list[str]:
    """The names of formats that begin so."""
    return [name for name in (*(known.name for known in all_formats()), TEXT) if name.startswith(incomplete)]
