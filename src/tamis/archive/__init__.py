"""What was taken out of sessions, kept byte for byte in one file, and found again by id or by words."""

from tamis.archive.recall_tool import answer_call, tool_definitions
from tamis.archive.store import Archive, ArchiveStats, Hit

__all__ = ["Archive", "ArchiveStats", "Hit", "answer_call", "tool_definitions"]
