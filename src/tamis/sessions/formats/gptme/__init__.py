"""gptme's conversation logs."""

from tamis.sessions.formats.gptme.reader import Gptme

__all__ = ["Gptme"]
