"""The state of a longer beginning, made from that of a shorter one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from tamis.api import gated, get_api, open_with_user
from tamis.archive import Archive
from tamis.compactors import Compaction, CompactionRequest, run_compactor
from tamis.context.compaction_plan import (
    CompactionPlan,
    WindowMessage,
    is_recalled,
    parse_keep,
    plan_compaction,
    with_own_id,
)
from tamis.messages import Counter, Message
from tamis.messages.tokens import MESSAGE_OVERHEAD_TOKENS
from tamis.proxy.settings import ProxySettings
from tamis.proxy.states import CompactedPrefix, without_marks


class NotCompacted(Exception):
    """There is nothing to put in the place of the original; `reason` is a word, the text says more."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestItem:
    """An item with its tokens. `at` is its place in the request; None where the agent has never seen it."""

    item: dict[str, Any]
    tokens: int
    at: int | None
    is_carried: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPrefix:
    """A new state, and the messages that are gone with it."""

    state: CompactedPrefix
    taken_out: tuple[Message, ...]


class BriefMaker:
    """Makes briefs, and puts what they replace into the archive first."""

    def __init__(self, settings: ProxySettings, counter: Counter, archive: Archive | None) -> None:
        self._settings = settings
        self._counter = counter
        self._archive = archive
        self._method = gated(settings.method, gate="repair", mask_secrets=False)
        keep = parse_keep(settings.keep_last, settings.window)
        self._keep = replace(keep, messages=max(1, keep.messages))  # what came last has not been read yet

    @property
    def method(self) -> tuple[str, str]:
        """Name and version of the compactor."""
        return self._method.name, self._method.version

    def make(
        self,
        previous: CompactedPrefix | None,
        pieces: Sequence[RequestItem],
        digests: Sequence[str],
        *,
        form: str,
        fixed: int,
    ) -> NewPrefix:
        """The state in which more of the conversation is replaced.

        The pieces are what the previous state carries, and all behind it; each beginning of the request has a
        digest. `fixed` are the tokens of what stays in front or beside.

        Raises:
            NotCompacted: nothing can be replaced, the method did not meet the budget, or an item was not
                understood.
            TamisError: the method or the archive failed.
        """
        held = _held(pieces, form, previous.made.messages if previous else ())
        room = (self._settings.limit_tokens - fixed - self._settings.budget_tokens) * 3 // 4
        plan = plan_compaction(held, self._keep, max(0, room))
        if not plan.span:
            raise NotCompacted("nothing-to-replace")
        ends = list(accumulate(_width(h.message) for h in held))
        cut = ends[plan.until - 1]
        start = next((n for n, piece in enumerate(pieces) if n >= cut and piece.at is not None), None)
        if start is None:
            raise NotCompacted("newest-too-large")
        made = self._compacted(previous, plan, [h.message for h in held[plan.until :]])
        boundary = pieces[start].at or 0
        own = digests[boundary]
        if self._archive is not None:
            self._archive.put(own, [h.message for h in plan.span])
        api = get_api(form)
        recalled = api.encode([h.message for h in plan.recalled]) if plan.recalled else []
        state = CompactedPrefix(
            digest=own,
            boundary=boundary,
            made=replace(made, account=(), state=None),
            brief=api.encode(made.messages),
            carried=[*recalled, *(piece.item for piece in pieces[cut:start])],
            sessions=(*(s for s in (previous.sessions if previous else ()) if s != own), own),
        )
        return NewPrefix(state=state, taken_out=tuple(h.message for h in plan.span))

    def _compacted(
        self, previous: CompactedPrefix | None, plan: CompactionPlan, rest: Sequence[Message]
    ) -> Compaction:
        tail = (*(h.message for h in plan.recalled), *rest)
        request = CompactionRequest(
            span=tuple(h.message for h in plan.span),
            counts=tuple(h.tokens for h in plan.span),
            budget_tokens=self._settings.budget_tokens,
            counter=self._counter,
            previous=previous.made if previous else None,
            tail=tail,
        )
        timeout_s = self._settings.method_timeout_s
        made = run_compactor(self._method, request, timeout_s=timeout_s)
        made = open_with_user(self._method, request, made, tail, timeout_s=timeout_s)
        if made.outcome != "fits":
            raise NotCompacted(f"method-{made.outcome}")  # the warnings may quote the conversation
        return made


def _held(pieces: Sequence[RequestItem], form: str, before: Sequence[Message]) -> list[WindowMessage]:
    """The messages that the pieces make up, with their tokens, each under an id of its own."""
    session = get_api(form).decode([without_marks(piece.item) for piece in pieces])
    widths = [_width(message) for message in session.messages]
    if session.unread or sum(widths) != len(pieces):
        reasons = "; ".join(unread.reason for unread in session.unread)
        raise NotCompacted("unread-items", reasons)
    taken = {message.id for message in before}
    held: list[WindowMessage] = []
    start = 0
    for message, width in zip(session.messages, widths, strict=True):
        own = pieces[start : start + width]
        tokens = sum(piece.tokens for piece in own) - MESSAGE_OVERHEAD_TOKENS * (width - 1)
        recalled = is_recalled(message) and not any(piece.is_carried for piece in own)
        held.append(WindowMessage(message=with_own_id(message, taken), tokens=tokens, recalled=recalled))
        start += width
    return held


def _width(message: Message) -> int:
    """How many items a message was read from."""
    record = message.native.record if message.native is not None else None
    return len(record) if isinstance(record, list) else 1
