"""Measuring at both sides of a proxy: what the command asks of it, and what it asks of the API.

Both arms are measured here, alike. Which of the API's answers belongs to which request of the command is
known by the task that handles it, so that a command may ask for several things at once.
"""

from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from functools import partial
from typing import cast

import httpx
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.ab.trial import ApiCall, TrialTurn
from tamis.ab.usage import parsed, usage_of
from tamis.api import get_api
from tamis.messages import Counter, count_messages
from tamis.proxy.dialects import Dialect, UnsupportedRequest, find_dialect

_TURN: ContextVar[TrialTurn | None] = ContextVar("turn", default=None)


class Meter:
    """Counts one trial's requests; give `on_answer` to the proxy, and put `around` the proxy's application.

    Args:
        counter: counts what an API gives no figures for.
    """

    def __init__(self, counter: Counter) -> None:
        self.turns: list[TrialTurn] = []
        self._counter = counter

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application, with each request to a model noted."""

        async def metered(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or find_dialect(scope["method"], scope["path"]) is None:
                await app(scope, receive, send)
                return
            turn = TrialTurn()
            self.turns.append(turn)
            _TURN.set(turn)

            async def heard(message: Message) -> None:
                if message["type"] == "http.response.start":
                    _note_decision(turn, message)
                await send(message)

            await app(scope, receive, heard)

        return metered

    async def on_answer(self, response: httpx.Response) -> None:
        """Listen to an answer of the API's as it passes."""
        turn = _TURN.get()
        dialect = find_dialect(response.request.method, response.request.url.path)
        if turn is not None and dialect is not None:
            stream = cast(httpx.AsyncByteStream, response.stream)
            response.stream = _Overheard(stream, partial(self._note, turn, dialect, response))

    def _note(self, turn: TrialTurn, dialect: Dialect, response: httpx.Response, content: bytes) -> None:
        usage = usage_of(response, content)
        if usage is not None:
            turn.calls.append(
                ApiCall(
                    status=response.status_code,
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                    cached_tokens=usage.cached_tokens,
                )
            )
        elif response.status_code == httpx.codes.OK:
            tokens = self._count(dialect, response.request.content)
            turn.calls.append(ApiCall(status=response.status_code, input_tokens=tokens, counted=True))
        else:  # refused: nothing was read
            turn.calls.append(ApiCall(status=response.status_code, input_tokens=0, output_tokens=0))

    def _count(self, dialect: Dialect, request: bytes) -> int | None:
        """The tokens of what was asked, as the tokenizer has them."""
        asked = parsed(request)
        try:
            messages = get_api(dialect.name).decode(dialect.items(asked)).messages
        except UnsupportedRequest:
            return None
        beside = [str(value) for value in dialect.beside(asked)]
        return sum(count_messages(messages, self._counter)) + sum(self._counter.count_many(beside))


class _Overheard(httpx.AsyncByteStream):
    """A stream that tells what passed through it when it ends, or is left."""

    def __init__(self, stream: httpx.AsyncByteStream, tell: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._tell = tell

    async def __aiter__(self) -> AsyncIterator[bytes]:
        passed: list[bytes] = []
        try:
            async for piece in self._stream:
                passed.append(piece)
                yield piece
        finally:
            self._tell(b"".join(passed))

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._stream.aclose()


def _note_decision(turn: TrialTurn, message: Message) -> None:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
    turn.status = message["status"]
    turn.decision = headers.get("x-tamis-decision", "")
    turn.reason = headers.get("x-tamis-fallback") or headers.get("x-tamis-reason", "")
    turn.error = headers.get("x-tamis-error", "")
    if added := headers.get("x-tamis-added-ms"):
        turn.added_ms = float(added)
    if tokens := headers.get("x-tamis-tokens"):
        before, after = tokens.split(" to ")
        turn.tokens_before, turn.tokens_after = int(before), int(after)
