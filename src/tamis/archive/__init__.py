"""What was taken out of sessions, kept byte for byte in one file, and found again by id or by words."""

from tamis.archive.store import Archive, ArchiveStats, Hit
from tamis.archive.tools import answer_call, tool_definitions

__all__ = ["Archive", "ArchiveStats", "Hit", "answer_call", "tool_definitions"]
