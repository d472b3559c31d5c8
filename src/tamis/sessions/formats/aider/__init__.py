"""aider's chat history."""

from tamis.sessions.formats.aider.reader import Aider

__all__ = ["Aider"]
