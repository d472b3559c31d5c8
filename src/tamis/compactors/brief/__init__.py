"""The brief: what stands in for a span, and how it is made."""

from tamis.compactors.brief.writing.frame import (
    BRIEF_HEADER,
    FRAME,
    HEADER,
    NOTE,
    brief_message,
    fence,
    mark_briefs,
    one_line,
    unfenced_lines,
)

__all__ = [
    "BRIEF_HEADER",
    "FRAME",
    "HEADER",
    "NOTE",
    "brief_message",
    "fence",
    "mark_briefs",
    "one_line",
    "unfenced_lines",
]
