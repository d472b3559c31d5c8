"""Rewriting a request: the same bytes, or the conversation with a brief in it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.api import get_api
from tamis.archive import Archive
from tamis.errors import TamisError
from tamis.messages import Counter, count_messages, get_counter
from tamis.monitoring.entries import Choice
from tamis.proxy.brief_maker import BriefMaker, NotCompacted, RequestItem
from tamis.proxy.dialects import Dialect, UnsupportedRequest
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.regret_tracker import TrackedRequest
from tamis.proxy.settings import ProxySettings
from tamis.proxy.sse import json_object
from tamis.proxy.states import CompactedPrefix, LRUCache, PrefixStore, item_digest, prefix_digests

REMEMBERED_COUNTS = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class RewriteResult:
    """What became of a request.

    `body` is what to send, None for the original. `sessions` is set where the recall tool is offered, and
    `asked` then names the conversation up to here. Tokens are None where nothing was counted. `talk` is for
    whoever follows the conversation.
    """

    decision: Choice
    reason: str = ""
    detail: str = ""
    conversation: str = ""
    body: bytes | None = None
    sessions: tuple[str, ...] | None = None
    asked: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    warnings: int = 0
    talk: TrackedRequest | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class _Conversation:
    """A request read: instructions in front, what is behind them, and a digest for each beginning of that."""

    body: dict[str, Any]
    dialect: Dialect
    lead: Items
    rest: Items
    keys: Sequence[bytes]
    digests: Sequence[str]
    tokens: Sequence[int] = field(default=())
    fixed: int = 0

    @property
    def total(self) -> int:
        return self.fixed + sum(self.tokens)


class Rewriter:
    """Decides what is sent. Holds what was compacted before; safe to use from several threads."""

    def __init__(self, settings: ProxySettings, archive: Archive | None) -> None:
        self._settings = settings
        self._counter: Counter = get_counter(settings.tokenizer)
        self._counter.count(" ")  # it builds its tables now, not while the first request waits
        kept = archive if settings.mode == "active" else None
        self._briefs = BriefMaker(settings, self._counter, kept)
        self.states = PrefixStore(settings.max_conversations, kept, self._briefs.method)
        self._offers_recall = kept is not None
        self._counts: LRUCache[int] = LRUCache(REMEMBERED_COUNTS)
        self._floors: LRUCache[int] = LRUCache(settings.max_conversations * 4)

    def rewrite(self, raw: bytes, dialect: Dialect, name: str = "") -> RewriteResult:
        """What to send for a request's body. Never raises for what a request says.

        `name` is what the agent calls the conversation, where it does.
        """
        try:
            talk = self._read(raw, dialect, name)
        except UnsupportedRequest as not_ours:
            return RewriteResult(decision="untouched", reason=not_ours.reason)
        if talk.total < self._settings.limit_tokens:
            return RewriteResult(decision="untouched", reason="fits", tokens_before=talk.total)
        state = self.states.find(talk.digests)
        pieces = self._pieces(talk, state)
        try:
            return self._shortened(talk, state, pieces)
        except (NotCompacted, TamisError) as error:
            reason = error.reason if isinstance(error, NotCompacted) else type(error).__name__
            step = max(1, self._settings.budget_tokens // 2)  # so much must come in before it is tried again
            self._floors.put(_root(talk, state), self._size(talk, state, pieces) + step)
            why = str(error)
            if state is not None:
                return self._sent(talk, state, pieces, decision="replayed", reason=reason, detail=why)
            return RewriteResult(decision="fallback", reason=reason, detail=why, tokens_before=talk.total)

    def _shortened(
        self, talk: _Conversation, state: CompactedPrefix | None, pieces: Sequence[RequestItem]
    ) -> RewriteResult:
        floor = self._floors.get(_root(talk, state)) or 0
        if self._size(talk, state, pieces) < max(self._settings.limit_tokens, floor):
            if state is None:
                return RewriteResult(decision="fallback", reason="failed-before", tokens_before=talk.total)
            return self._sent(talk, state, pieces, decision="replayed")
        made = self._briefs.make(state, pieces, talk.digests, form=talk.dialect.name, fixed=talk.fixed)
        self.states.keep(made.state)
        rewritten = self._sent(talk, made.state, self._pieces(talk, made.state), decision="compacted")
        told = rewritten.talk and replace(rewritten.talk, before=pieces, taken_out=made.taken_out)
        return replace(rewritten, talk=told, warnings=len(made.state.made.warnings))

    def _sent(
        self,
        talk: _Conversation,
        state: CompactedPrefix,
        pieces: Sequence[RequestItem],
        *,
        decision: Choice,
        reason: str = "",
        detail: str = "",
    ) -> RewriteResult:
        brief = talk.dialect.joined(state.brief, [piece.item for piece in pieces])
        body = talk.dialect.with_items(talk.body, [*talk.lead, *brief])
        offered = talk.dialect.with_recall(body) if self._offers_recall else None
        return RewriteResult(
            decision=decision,
            reason=reason,
            detail=detail,
            conversation=state.sessions[0][:12],
            body=encode_body(offered or body),
            sessions=state.sessions if offered else None,
            asked=talk.digests[-1],
            tokens_before=talk.total,
            tokens_after=self._size(talk, state, pieces),
            talk=TrackedRequest(
                form=talk.dialect.name,
                lead=talk.lead,
                digests=talk.digests,
                state=state,
                before=pieces,
                pieces=pieces,
            ),
        )

    def _read(self, raw: bytes, dialect: Dialect, name: str) -> _Conversation:
        body = json_object(raw)
        if body is None:
            raise UnsupportedRequest("not-json")
        items = dialect.items(body)
        lead = dialect.lead(items)
        rest = items[lead:]
        keys = [item_digest(item) for item in rest]
        beside = [json.dumps(value, ensure_ascii=False) for value in dialect.beside(body)]
        return _Conversation(
            body=body,
            dialect=dialect,
            lead=items[:lead],
            rest=rest,
            keys=keys,
            digests=prefix_digests(keys, f"{dialect.name}\0{name}"),
            tokens=self._count(rest, keys, dialect.name),
            fixed=sum(self._count(items[:lead], [item_digest(i) for i in items[:lead]], dialect.name))
            + sum(self._count_text(text) for text in beside),
        )

    def _pieces(self, talk: _Conversation, state: CompactedPrefix | None) -> list[RequestItem]:
        """What stands behind a state: what it carries, the rest, and in it what was recalled."""
        pieces: list[RequestItem] = []
        if state is not None:
            pieces += self._unseen(talk, state.carried, is_carried=True)
        start = state.boundary if state else 0
        for at in range(start, len(talk.rest)):
            if at > start or state is None:
                pieces += self._unseen(talk, self.states.recalled(talk.digests[at]))
            pieces.append(RequestItem(item=talk.rest[at], tokens=talk.tokens[at], at=at))
        return pieces

    def _unseen(self, talk: _Conversation, items: Items, *, is_carried: bool = False) -> list[RequestItem]:
        counts = self._count(items, [item_digest(item) for item in items], talk.dialect.name)
        return [
            RequestItem(item=item, tokens=tokens, at=None, is_carried=is_carried)
            for item, tokens in zip(items, counts, strict=True)
        ]

    def _size(self, talk: _Conversation, state: CompactedPrefix | None, pieces: Sequence[RequestItem]) -> int:
        brief = state.made.tokens_after if state else 0
        return talk.fixed + brief + sum(piece.tokens for piece in pieces)

    def _count(self, items: Items, keys: Sequence[bytes], form: str) -> list[int]:
        """The tokens of each item, counted once for each that says the same."""
        known = [self._counts.get(key) for key in keys]
        new = [n for n, tokens in enumerate(known) if tokens is None]
        if new:
            api = get_api(form)
            messages = [message for n in new for message in api.decode([items[n]]).messages]
            if len(messages) != len(new):
                raise UnsupportedRequest("odd-messages")
            for n, tokens in zip(new, count_messages(messages, self._counter), strict=True):
                self._counts.put(keys[n], tokens)
                known[n] = tokens
        return [tokens or 0 for tokens in known]

    def _count_text(self, text: str) -> int:
        tokens = self._counts.get(text_key := hash(text))
        if tokens is None:
            tokens = self._counter.count(text)
            self._counts.put(text_key, tokens)
        return tokens


def encode_body(body: dict[str, Any]) -> bytes:
    """JSON as it goes upstream: keys in the agent's order, so that what did not change keeps its bytes."""
    return json.dumps(body, separators=(",", ":")).encode()


def _root(talk: _Conversation, state: CompactedPrefix | None) -> str:
    """What a failure is remembered by: where the conversation stands, or how it begins."""
    return state.digest if state else talk.digests[min(1, len(talk.digests) - 1)]
