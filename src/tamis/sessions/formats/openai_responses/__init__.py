"""Items as OpenAI's Responses API takes them."""

from tamis.sessions.formats.openai_responses.format import OpenAIResponses

__all__ = ["OpenAIResponses"]
