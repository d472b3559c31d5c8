"""Answering the model's recalls before the agent sees the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from tamis.archive import Archive, answer_call
from tamis.archive.recall_tool import TOOL_NAME
from tamis.proxy.counters import write_line
from tamis.proxy.dialects import Dialect, RecallCall, Splicer
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.rewriter import encode_body
from tamis.proxy.sse import ServerSentEvent, json_object, read_events

SendUpstream = Callable[[bytes], Awaitable[httpx.Response]]
"""Sends a body upstream and gives the answer, its body still to come."""

MAX_ANSWER_CHARS = 40_000
_ENOUGH = "Nothing more can be recalled in this turn; go on with what you have."


@dataclass(kw_only=True)
class RecallExchange:
    """One request of the agent's, and the rounds with the model that it takes.

    `hidden` are the recalls and what they gave, which the agent does not see and the next request must have:
    `keep` is told whenever there is more of it, before the agent sees what came of it.
    """

    dialect: Dialect
    body: bytes
    ask: SendUpstream
    archive: Archive
    sessions: tuple[str, ...]
    max_rounds: int
    keep: Callable[[RecallExchange], Awaitable[None]]
    rounds: int = 0
    recalls: int = 0
    hidden: Items = field(default_factory=list)

    async def whole(self, response: httpx.Response) -> FinalAnswer:
        """The last answer of the rounds that begin with this one; an error ends them as it came."""
        while True:
            content = await _read(response)
            reply = json_object(content) if response.status_code == httpx.codes.OK else None
            calls = self.dialect.recall_calls(reply) if reply is not None else []
            if reply is None or not calls:
                return FinalAnswer(response=response, content=content)
            if self.rounds > self.max_rounds:
                content = encode_body(self.dialect.without_recalls(reply))
                return FinalAnswer(response=response, content=content)
            turn = self.dialect.turn(reply)
            await self._go_on(turn, calls, unseen=turn)
            response = await self.ask(self.body)

    async def stream(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The events of all rounds as one answer.

        Where a later round fails, the stream ends with the API's own event for that.
        """
        splicer = self.dialect.splicer()
        while True:
            try:
                async for event in read_events(response.aiter_bytes()):
                    was_finished = splicer.is_finished
                    shown = _fed(splicer, event)
                    if splicer.is_finished and not was_finished:
                        await self._note_late(splicer)  # before the client can take its leave
                    for each in shown:
                        yield each.raw
            finally:
                await response.aclose()
            if not splicer.calls:
                return
            turn, calls = splicer.turn(), splicer.calls
            await self._go_on(turn, calls, unseen=splicer.unseen_turn())
            response = await self.ask(self.body)
            if response.status_code != httpx.codes.OK:
                said = json_object(await _read(response))
                told = said or {"message": f"upstream status {response.status_code}"}
                yield splicer.failure(told).raw
                return
            splicer.begin_round(is_last=self.rounds > self.max_rounds)

    async def _go_on(self, turn: Items, calls: Sequence[RecallCall], *, unseen: Items) -> None:
        """Put the answers behind the model's turn; when it was often enough, say so instead."""
        self.rounds += 1
        answers = [(call, await self._answer(call)) for call in calls]
        results = self.dialect.results(answers)
        self.body = await asyncio.to_thread(self._grown, [*turn, *results])
        self.hidden += [*unseen, *results]
        await self.keep(self)

    def _grown(self, more: Items) -> bytes:
        body: dict[str, Any] = json.loads(self.body)
        return encode_body(self.dialect.with_items(body, [*self.dialect.items(body), *more]))

    async def _note_late(self, splicer: Splicer) -> None:
        """A recall beside another call is answered in front of it, for the next request."""
        if late := splicer.late_calls:
            answers = [(call, await self._answer(call)) for call in late]
            self.hidden += [*self.dialect.recall_only(late), *self.dialect.results(answers)]
            await self.keep(self)

    async def _answer(self, call: RecallCall) -> str:
        if self.rounds > self.max_rounds:
            return _ENOUGH
        self.recalls += 1
        arguments = json_object(call.arguments) or {}
        text = await asyncio.to_thread(answer_call, self.archive, TOOL_NAME, arguments, self.sessions)
        if len(text) <= MAX_ANSWER_CHARS:
            return text
        return f"{text[:MAX_ANSWER_CHARS]}\n[{len(text) - MAX_ANSWER_CHARS} more characters are not shown]"


@dataclass(frozen=True, kw_only=True, slots=True)
class FinalAnswer:
    """The upstream's last answer, and the body that the agent gets."""

    response: httpx.Response
    content: bytes


def _fed(splicer: Splicer, event: ServerSentEvent) -> list[ServerSentEvent]:
    """What the client may see of an event; one that is not of this API goes through as it came."""
    try:
        return splicer.feed(event)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        write_line("event-not-read", kind=type(error).__name__)
        return [event]


async def _read(response: httpx.Response) -> bytes:
    try:
        return await response.aread()
    finally:
        await response.aclose()
