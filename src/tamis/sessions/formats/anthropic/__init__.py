"""Messages as Anthropic's API takes them."""

from tamis.sessions.formats.anthropic.format import Anthropic

__all__ = ["Anthropic"]
