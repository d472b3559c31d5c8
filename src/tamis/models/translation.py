"""Foreign errors into the tree of `errors.py`: the one place where that is done.

Providers' clients agree on HTTP statuses and on little else, so a status decides where there is one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tamis.errors import (
    ModelError,
    ModelRateLimited,
    ModelServerError,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    RequestRejected,
    TamisError,
    UnknownModel,
    UnusableReply,
)

_TOO_LONG = {"context_length_exceeded", "exceed_context_size", "context length", "context window"}
_TOO_LONG |= {"context size", "prompt is too long"}
"""How servers say that a prompt does not fit; none of them has a status of its own for it."""

MAX_SAID_CHARS = 300


@contextmanager
def translated(model: str) -> Iterator[None]:
    """Raise whatever a client raises inside as a `ModelError`; what tamis raised, and bugs, go through."""
    try:
        yield
    except TamisError:
        raise
    except Exception as error:
        known = translate(error, model)
        if known is None:
            raise
        raise known from error


def translate(error: Exception, model: str) -> TamisError | None:
    """The error as one of tamis's own; None where it is none that a client raises.

    >>> translate(TimeoutError(), "m")
    ModelTimeout('m: no answer in time')
    """
    name, said = type(error).__name__, _said(error)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & {"TimeoutError", "ModelTimeoutError", "ModelRequestTimeout", "APITimeoutError"}:
        return ModelTimeout(f"{model}: no answer in time")
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and kinds & {"APIStatusError", "ModelHTTPError"}:
        return from_status(status, said, model=model, retry_after_s=_retry_after(error))
    if "ModelQuotaExceededError" in kinds or "ModelRequestRejectedError" in kinds:
        return _rejected(said, model)
    if "ModelRateLimitError" in kinds:
        return ModelRateLimited(f"{model}: {said}", retry_after_s=_retry_after(error))
    if kinds & {"ModelServerError", "ModelUnavailableError"}:
        return ModelServerError(f"{model}: {said}", retry_after_s=_retry_after(error))
    if kinds & {"ModelConnectionError", "APIConnectionError", "ConnectionError", "TransportError"}:
        return ModelUnreachable(f"{model} cannot be reached: {said or name}")
    if kinds & {"UnexpectedModelBehavior", "APIResponseValidationError", "JSONDecodeError"}:
        return UnusableReply(f"{model} answered with something else than an answer: {said}")
    if "UserError" in kinds:
        return UnknownModel(f"{model}: {said}")
    if kinds & {"ModelAPIError", "APIError", "AgentRunError", "OpenAIError", "AnthropicError"}:
        return ModelError(f"{model}: {name}: {said}")
    return None


def from_status(status: int, said: str, *, model: str, retry_after_s: float | None = None) -> ModelError:
    """What an HTTP status of an answer means.

    >>> from_status(503, "busy", model="m")
    ModelServerError('m: status 503: busy')
    """
    message = f"{model}: status {status}: {said}"
    if status == 429 and "insufficient_quota" not in said:
        return ModelRateLimited(message, retry_after_s=retry_after_s)
    if status in (408, 504):
        return ModelTimeout(message, retry_after_s=retry_after_s)
    if status >= 500:
        return ModelServerError(message, retry_after_s=retry_after_s)
    return _rejected(f"status {status}: {said}", model)


def _rejected(said: str, model: str) -> RequestRejected:
    kind = PromptTooLong if any(words in said.lower() for words in _TOO_LONG) else RequestRejected
    return kind(f"{model}: {said}")


def _said(error: Exception) -> str:
    """What the server said, on one line and not endlessly."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        body = body.get("error", body)
    if isinstance(body, dict):
        told = [str(body[key]) for key in ("message", "type", "code") if body.get(key)]
        body = " ".join(told) if body.get("message") else None
    return " ".join(str(body or error).split())[:MAX_SAID_CHARS]


def _retry_after(error: Exception) -> float | None:
    given = getattr(error, "retry_after", None)
    if given is None:
        headers = getattr(getattr(error, "response", None), "headers", {})
        given = headers.get("retry-after")
    try:
        return None if given is None else float(given)
    except ValueError:
        return None  # a date; the backoff of our own is used
