"""Messages as OpenAI's chat API takes them."""

from tamis.sessions.formats.openai_chat.format import OpenAIChat

__all__ = ["OpenAIChat"]
