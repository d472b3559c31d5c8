"""Answers the requests that ask for a compaction, where tamis can make it; what it cannot goes upstream."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Executor
from typing import Any

from starlette.responses import JSONResponse, Response

from tamis.archive import Archive
from tamis.errors import TamisError
from tamis.messages import Counter
from tamis.proxy.compacting import NotCompacted
from tamis.proxy.counters import write_line
from tamis.proxy.responses_compaction import (
    Compacted,
    as_compaction,
    as_events,
    as_response,
    compact_request,
    is_triggered,
)
from tamis.proxy.settings import ProxySettings

_TRIGGER = b'"compaction_trigger"'


class CompactionAnswers:
    """Makes compactions that a client asks for, in the threads that compact."""

    def __init__(
        self, settings: ProxySettings, counter: Counter, archive: Archive | None, threads: Executor
    ) -> None:
        self._settings = settings
        self._counter = counter
        self._archive = archive
        self._threads = threads

    async def answer(self, raw: bytes, *, compacts: bool) -> Response | None:
        """The answer; None where the request asks for no compaction, or for one that cannot be made here.

        Args:
            raw: the request's body, our own items unpacked.
            compacts: whether its path says that it asks for nothing else.
        """
        if self._settings.mode != "active" or not (compacts or _TRIGGER in raw):
            return None
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if not isinstance(body, dict) or not (compacts or is_triggered(body)):
            return None
        made = await self._made(body)
        if made is None:
            return None
        marks = {
            "x-tamis-decision": "compacted",
            "x-tamis-tokens": f"{made.tokens_before} to {made.tokens_after}",
        }
        if compacts:
            return JSONResponse(as_compaction(made), headers=marks)
        response = as_response(made, body)
        if body.get("stream"):
            return Response(as_events(response), media_type="text/event-stream", headers=marks)
        return JSONResponse(response, headers=marks)

    async def _made(self, body: dict[str, Any]) -> Compacted | None:
        loop = asyncio.get_running_loop()
        try:
            made = await loop.run_in_executor(
                self._threads, compact_request, body, self._settings, self._counter, self._archive
            )
        except (NotCompacted, TamisError) as error:
            reason = error.reason if isinstance(error, NotCompacted) else type(error).__name__
            write_line("not-compacted", reason=reason)
            return None
        except Exception as error:  # one proxied request: whatever it is, the provider is asked instead
            write_line("error", kind=type(error).__name__)
            return None
        write_line("compacted", tokens_before=made.tokens_before, tokens_after=made.tokens_after)
        return made
