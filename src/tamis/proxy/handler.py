"""One proxied request, from its first byte to its answer's last."""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from tamis.archive import Archive
from tamis.errors import TamisError
from tamis.proxy.counters import Counters, write_line
from tamis.proxy.dialects import Dialect, find_dialect
from tamis.proxy.recall_rounds import RecallExchange
from tamis.proxy.responses_compaction import has_own_items, is_compact_path, may_ask, opened
from tamis.proxy.rewriter import RewriteResult
from tamis.proxy.settings import ProxySettings
from tamis.proxy.upstream import (
    ClientDisconnected,
    Headers,
    Hook,
    Upstream,
    UpstreamUnreachable,
    request_headers,
    response_headers,
    unless_gone,
)
from tamis.proxy.workshop import Workshop

CONVERSATION_HEADER = "x-tamis-conversation"
MAX_WATCHING = 16
REFUSALS = (400, 413, 422)
"""Answers that may be the fault of what was put into a request: it is sent once more, as it came."""

GONE = Response(status_code=499)
"""What nobody reads: the client has hung up."""


class TooLarge(Exception):
    """The request's body is larger than the limit."""


class Handler:
    """What all requests share: the upstream, the archive, the workshop that compacts."""

    def __init__(self, settings: ProxySettings, counters: Counters, on_answer: Hook | None = None) -> None:
        self._settings = settings
        self._counters = counters
        is_active = settings.mode == "active"
        self._archive = Archive.open(settings.archive) if settings.archive and is_active else None
        self.workshop = Workshop(settings, counters.monitor.note)
        self._upstream = Upstream(settings, on_answer)
        self._watching: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Let running work end, then let go of everything."""
        await asyncio.gather(*self._watching, return_exceptions=True)
        await self._upstream.close()
        await self.workshop.close()
        if self._archive is not None:
            self._archive.close()

    async def handle(self, request: Request) -> Response:
        """The answer for the agent."""
        try:
            return await self._answered(request)
        except TooLarge:
            self._counters.refused.labels(reason="too-large").inc()
            most = self._settings.max_body_bytes
            limit = f"the request is larger than the {most} bytes that --max-body allows"
            return _trouble(413, "too-large", limit)
        except UpstreamUnreachable as error:
            self._counters.answers.labels(status=error.kind).inc()
            write_line("not-reached", kind=error.kind)
            return _trouble(error.status, error.kind, str(error))
        except (ClientDisconnected, ClientDisconnect):
            self._counters.cut_off.labels(by="client").inc()
            return GONE

    async def _answered(self, request: Request) -> Response:
        dialect = find_dialect(request.method, request.url.path)
        compacts = is_compact_path(request.method, request.url.path)
        if (dialect is None and not compacts) or "content-encoding" in request.headers:
            return await self._passed_through(request, reason="encoded" if dialect else "")
        came = b"".join([piece async for piece in self._pieces(request)])
        raw = await asyncio.to_thread(opened, came) if has_own_items(came) else came
        if (compacts or may_ask(raw)) and (answer := await self._compaction(raw, always=compacts)):
            return answer
        if dialect is None:
            marks = {"x-tamis-fallback": "not-compacted"}
            response = await self._sent(request, raw, new_body=raw is not came)
            return self._streamed(response, response.aiter_raw(), marks, new_body=False)
        arrived = time.perf_counter()
        rewritten = await self._decide(raw, dialect, request)
        added_s = time.perf_counter() - arrived
        self._counters.decided(dialect.name, rewritten, added_s=added_s, queue=self.workshop.in_hand)
        added = {"x-tamis-added-ms": f"{added_s * 1000:.2f}"}
        if rewritten.body is not None:
            answer = await self._shortened(request, dialect, rewritten, added)
            if answer is not None:
                return answer
            rewritten = RewriteResult(decision="fallback", reason="upstream-refused")
            self._counters.fell_back(rewritten.reason)
        response = await self._sent(request, raw, new_body=raw is not came)
        return self._streamed(response, response.aiter_raw(), _marks(rewritten) | added, new_body=False)

    async def _compaction(self, raw: bytes, *, always: bool) -> Response | None:
        """The compaction that a request asks for; None where it asks for none that can be made here."""
        if self._settings.mode != "active":
            return None
        try:
            made = await self.workshop.compact(raw, always=always)
        except TamisError as error:  # the provider is asked instead
            write_line("not-compacted", reason=str(error))
            return None
        write_line("compacted", tokens_before=made.tokens_before, tokens_after=made.tokens_after)
        marks = {
            "x-tamis-decision": "compacted",
            "x-tamis-tokens": f"{made.tokens_before} to {made.tokens_after}",
        }
        return Response(made.content, media_type=made.media_type, headers=marks)

    async def _shortened(
        self, request: Request, dialect: Dialect, rewritten: RewriteResult, added: dict[str, str]
    ) -> Response | None:
        """The answer to the shortened request; None where the upstream does not take it as it is."""
        body, marks = rewritten.body or b"", _marks(rewritten) | added
        response = await self._sent(request, body, new_body=True)
        if response.status_code in REFUSALS:
            await response.aclose()
            return None
        if rewritten.sessions is None or self._archive is None:
            return self._streamed(response, response.aiter_raw(), marks, new_body=False)
        exchange = RecallExchange(
            dialect=dialect,
            body=body,
            ask=partial(self._sent, request, new_body=True),
            archive=self._archive,
            sessions=rewritten.sessions,
            max_rounds=self._settings.max_recall_rounds,
            keep=partial(self._remember, asked=rewritten.asked),
        )
        return await self._with_recall(request, exchange, response, marks=marks)

    async def _decide(self, raw: bytes, dialect: Dialect, request: Request) -> RewriteResult:
        """What to send; in shadow mode the original, and what would have been sent is found out beside it."""
        if await self.workshop.surely_fits(raw):
            return RewriteResult(decision="untouched", reason="fits")
        name = request.headers.get(CONVERSATION_HEADER, "")
        if self._settings.mode == "active":
            return await self.workshop.rewrite(raw, dialect, name)
        if len(self._watching) < MAX_WATCHING:
            task = asyncio.create_task(self._watch(raw, dialect, name))
            self._watching.add(task)
            task.add_done_callback(self._watching.discard)
        else:
            self._counters.refused.labels(reason="shadow-behind").inc()
        return RewriteResult(decision="untouched", reason="shadow")

    async def _watch(self, raw: bytes, dialect: Dialect, name: str) -> None:
        started = time.perf_counter()
        would = await self.workshop.rewrite(raw, dialect, name)
        added_s = time.perf_counter() - started
        api = f"{dialect.name} (shadow)"
        self._counters.decided(api, would, added_s=added_s, queue=self.workshop.in_hand)

    async def _with_recall(
        self, request: Request, exchange: RecallExchange, response: httpx.Response, *, marks: dict[str, str]
    ) -> Response:
        """The answer with recalls answered on the way."""
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            return self._streamed(response, exchange.stream(response), marks, new_body=True)
        try:
            answer = await unless_gone(exchange.whole(response), request.receive)
        except httpx.HTTPError as error:
            raise UpstreamUnreachable(502, "cut-off", "the upstream's answer broke off") from error
        self._counters.answers.labels(status=str(answer.response.status_code)).inc()
        made = Response(answer.content, status_code=answer.response.status_code)
        told = _encoded({"content-length": str(len(answer.content)), **marks})
        made.raw_headers = [*response_headers(answer.response.headers.raw, new_body=True), *told]
        return made

    async def _remember(self, exchange: RecallExchange, asked: str) -> None:
        """Hold what was recalled before the agent can ask again."""
        self._counters.recalls.inc(exchange.recalls)
        exchange.recalls = 0
        write_line("recalled", rounds=exchange.rounds)
        try:
            await self.workshop.keep_recalled(asked, exchange.hidden, exchange.dialect.name)
        except TamisError as error:  # the model may have to ask again; the agent has its answer
            self._counters.recalls_not_kept.inc()
            write_line("recall-not-kept", detail=str(error))

    async def _passed_through(self, request: Request, *, reason: str) -> Response:
        """Any other request, piece by piece as it comes."""
        headers = request_headers(request.headers.raw, new_body=False)
        has_body = "content-length" in request.headers or "transfer-encoding" in request.headers
        content = self._pieces(request) if has_body else None
        url = self._upstream.url(request.scope["raw_path"], request.scope["query_string"])
        response = await self._upstream.send(request.method, url, headers, content)
        self._counters.requests.labels(api="other", decision="untouched").inc()
        marks = {"x-tamis-decision": "untouched", "x-tamis-reason": reason or "other-path"}
        return self._streamed(response, response.aiter_raw(), marks, new_body=False)

    async def _sent(self, request: Request, content: bytes, *, new_body: bool) -> httpx.Response:
        headers = request_headers(request.headers.raw, new_body=new_body)
        url = self._upstream.url(request.scope["raw_path"], request.scope["query_string"])
        sending = self._upstream.send(request.method, url, headers, content)
        return await unless_gone(sending, request.receive)

    def _streamed(
        self, response: httpx.Response, pieces: AsyncIterator[bytes], marks: dict[str, str], *, new_body: bool
    ) -> Response:
        """The answer, handed on as it comes, no faster than the agent reads it."""
        self._counters.answers.labels(status=str(response.status_code)).inc()
        made = StreamingResponse(self._until_closed(response, pieces), status_code=response.status_code)
        made.raw_headers = [*response_headers(response.headers.raw, new_body=new_body), *_encoded(marks)]
        return made

    async def _until_closed(
        self, response: httpx.Response, pieces: AsyncIterator[bytes]
    ) -> AsyncIterator[bytes]:
        """What breaks off upstream breaks off here: an answer cut short never looks like a whole one."""
        ended_by = "client"
        try:
            async for piece in pieces:
                yield piece
            ended_by = ""
        except (httpx.HTTPError, UpstreamUnreachable) as error:
            ended_by = "upstream"
            write_line("cut-off", by="upstream", kind=type(error).__name__)
            raise
        finally:
            if ended_by:
                self._counters.cut_off.labels(by=ended_by).inc()
            await response.aclose()

    async def _pieces(self, request: Request) -> AsyncIterator[bytes]:
        size = 0
        async for piece in request.stream():
            size += len(piece)
            if size > self._settings.max_body_bytes:
                raise TooLarge
            yield piece


def _marks(rewritten: RewriteResult) -> dict[str, str]:
    """What the agent's owner can read of the decision in the answer's headers."""
    marks: dict[str, str] = {"x-tamis-decision": rewritten.decision}
    if rewritten.reason:
        name = "x-tamis-fallback" if rewritten.decision == "fallback" else "x-tamis-reason"
        marks[name] = rewritten.reason
    if rewritten.conversation:
        marks["x-tamis-conversation"] = rewritten.conversation
    if rewritten.tokens_after is not None:
        marks["x-tamis-tokens"] = f"{rewritten.tokens_before} to {rewritten.tokens_after}"
    return marks


def _encoded(marks: dict[str, str]) -> Headers:
    return [(name.encode(), value.encode("latin-1", "replace")) for name, value in marks.items()]


def _trouble(status: int, kind: str, message: str) -> Response:
    """An error of the gateway's own, in the form that both APIs' clients read."""
    error = {"type": "api_error", "code": kind, "message": f"tamis proxy: {message}"}
    return JSONResponse(
        {"type": "error", "error": error}, status_code=status, headers={"x-tamis-error": kind}
    )
