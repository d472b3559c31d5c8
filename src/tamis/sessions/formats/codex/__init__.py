"""Codex rollouts."""

from tamis.sessions.formats.codex.reader import Codex

__all__ = ["Codex"]
