"""Markdown that SpecStory writes."""

from tamis.sessions.formats.specstory.reader import SpecStory

__all__ = ["SpecStory"]
