"""Measuring at both sides of a proxy: what the command asks of it, and what it asks of the API.

Both arms are measured here, alike. Which of the API's answers belongs to which request of the command is
known by the task that handles it, so that a command may ask for several things at once.
"""

import json
import re
import threading
from collections import Counter as Count
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.ab.trial import ApiCall, Compression, TrialArm, TrialRegret, TrialTurn
from tamis.api import get_api
from tamis.errors import InputError
from tamis.messages import Counter, count_messages
from tamis.monitoring.decision_log import LogReader
from tamis.monitoring.entries import QualityEntry, RegretEntry, TurnsEntry
from tamis.proxy import ProxySettings
from tamis.proxy.dialects import Dialect, UnsupportedRequest, find_dialect
from tamis.proxy.server import listen, make_app
from tamis.proxy.sse import parse_event

_BETWEEN_EVENTS = re.compile(rb"\r\n\r\n|\n\n|\r\r")


def usage_of(response: httpx.Response, content: bytes) -> ApiCall | None:
    """The usage in an answer, from its bytes as they came; None where it tells none or was cut off."""
    try:
        content = httpx.Response(200, headers=response.headers, content=content).content
    except httpx.DecodingError:
        return None
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        events = map(parse_event, filter(bytes.strip, _BETWEEN_EVENTS.split(content)))
        values = [event.data for event in events if event.data is not None]
    else:
        values = [parsed(content)]
    return read_usage(values, response.status_code)


def read_usage(values: Iterable[Mapping[str, Any]], status: int) -> ApiCall | None:
    """The usage that an answer, or the events of one, tell.

    >>> read_usage([{"usage": {"prompt_tokens": 7, "completion_tokens": 2}}], 200).input_tokens
    7
    """
    said: dict[str, Any] = {}
    for value in values:
        for holder in (value, value.get("message"), value.get("response")):
            usage = holder.get("usage") if isinstance(holder, Mapping) else None
            if isinstance(usage, Mapping):
                said |= {name: given for name, given in usage.items() if given is not None}
    read = _number(said, "prompt_tokens", "input_tokens")
    if read is None:
        return None
    details = said.get("prompt_tokens_details") or said.get("input_tokens_details") or {}
    cached = _number(said, "cache_read_input_tokens")
    apart = (cached or 0) + (_number(said, "cache_creation_input_tokens") or 0)  # Anthropic counts them apart
    return ApiCall(
        status=status,
        input_tokens=read + apart,
        output_tokens=_number(said, "completion_tokens", "output_tokens"),
        cached_tokens=cached if cached is not None else _number(details, "cached_tokens"),
    )


def parsed(content: bytes) -> dict[str, Any]:
    """A JSON object; an empty one where it is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _number(values: Mapping[str, Any], *names: str) -> int | None:
    return next((values[name] for name in names if isinstance(values.get(name), int)), None)


_TURN: ContextVar[TrialTurn | None] = ContextVar("turn", default=None)


class Meter:
    """Counts one trial's requests; give `on_answer` to the proxy, and put `around` its application."""

    def __init__(self, counter: Counter) -> None:
        """`counter` counts what an API gives no figures for."""
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
        status, call = response.status_code, usage_of(response, content)
        if call is None and status == httpx.codes.OK:
            tokens = self._count(dialect, response.request.content)
            call = ApiCall(status=status, input_tokens=tokens, counted=True)
        # what was refused was not read
        turn.calls.append(call or ApiCall(status=status, input_tokens=0, output_tokens=0))

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
        self._stream, self._tell = stream, tell

    async def __aiter__(self) -> AsyncIterator[bytes]:
        passed: list[bytes] = []
        try:
            async for piece in self._stream:
                passed.append(piece)
                yield piece
        finally:
            self._tell(b"".join(passed))

    async def aclose(self) -> None:
        await self._stream.aclose()


def _note_decision(turn: TrialTurn, message: Message) -> None:
    headers = {name: value.decode("latin-1") for name, value in message["headers"]}
    turn.status = message["status"]
    turn.decision = headers.get(b"x-tamis-decision", "")
    if added := headers.get(b"x-tamis-added-ms"):
        turn.added_ms = float(added)


NEVER = 1_000_000_000
"""A window that nothing reaches: the proxy of the arm without compression passes everything on."""

HOST = "127.0.0.1"
DECISIONS = "decisions.jsonl"


def proxy_settings(compression: Compression, arm: TrialArm, folder: Path) -> ProxySettings:
    """The settings of one trial's proxy, with an archive and a log of its own; errors are the proxy's."""
    if arm == "off":
        return ProxySettings(upstream=compression.upstream, window=NEVER, budget=1, quality_every=0)
    wanted = asdict(compression)
    return ProxySettings(**wanted, archive=folder / "archive.tamis", log=folder / DECISIONS, quality_every=1)


def passage(settings: ProxySettings, meter: Meter) -> AbstractContextManager[str]:
    """A measured proxy that runs while this does; its URL."""
    return served(meter.around(make_app(settings, on_answer=meter.on_answer)))


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Any application, at a free port of this machine while this lasts; its URL.

    Raises:
        InputError: it did not start.
    """
    with listen(HOST, 0) as listening:
        config = uvicorn.Config(
            app, log_level="error", server_header=False, date_header=False, timeout_graceful_shutdown=5
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            while not server.started:
                thread.join(0.01)
                if not thread.is_alive():
                    raise InputError("the server of the trial did not start")
            yield f"http://{HOST}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def read_needs(log: Path) -> TrialRegret | None:
    """What the decision log of a trial tells; None where nothing was taken out."""
    if not log.exists():
        return None
    turns = regret_turns = tokens = looked_for = found = 0
    kinds: Count[str] = Count()
    reader = LogReader(log)
    for line in reader.read():
        match line.entry:
            case TurnsEntry() as some:
                turns += some.turns
            case RegretEntry() as regret:
                kinds[regret.kind] += 1
                tokens += regret.tokens
                regret_turns += regret.new_turn
            case QualityEntry() as check:
                looked_for += check.demanded + check.asked
                found += check.there + check.found
    reader.close()
    if not turns and not looked_for:
        return None
    return TrialRegret(
        turns=turns,
        regret_turns=regret_turns,
        kinds=dict(sorted(kinds.items())),
        tokens=tokens,
        looked_for=looked_for,
        found=found,
    )
