"""The three APIs: where the conversation stands in a request, and how a recall is seen and answered."""

from tamis.proxy.dialects.anthropic import AnthropicDialect
from tamis.proxy.dialects.chat import OpenAIChatDialect
from tamis.proxy.dialects.dialect import Dialect, RecallCall, Splicer, UnsupportedRequest
from tamis.proxy.dialects.responses import OpenAIResponsesDialect

__all__ = ["DIALECTS", "Dialect", "RecallCall", "Splicer", "UnsupportedRequest", "find_dialect"]

DIALECTS: tuple[Dialect, ...] = (OpenAIChatDialect(), OpenAIResponsesDialect(), AnthropicDialect())


def find_dialect(method: str, path: str) -> Dialect | None:
    """The API that a request speaks; None where it is passed through whatever it is.

    >>> find_dialect("POST", "/v1/chat/completions").name
    'openai-chat'
    >>> find_dialect("POST", "/v1/messages/count_tokens") is None
    True
    """
    if method != "POST":
        return None
    path = path.rstrip("/")
    return next((known for known in DIALECTS if path.endswith(known.path)), None)
