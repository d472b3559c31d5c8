"""Live regret in the proxy: needs of the model for what the proxy took out of its conversation.

An agent sends its whole history each time. A conversation is followed from its first compaction on, under the
digest of what was read of it so far, so each message is judged once, however often it is sent; one that
branches is followed on the branch that comes first. It is done behind the request, in a thread of its own.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tamis.api import get_api
from tamis.context.listener import tell
from tamis.messages import Counter, Message
from tamis.monitoring import Monitor
from tamis.monitoring.entries import RunMode
from tamis.monitoring.live_regret import ConversationRegret
from tamis.monitoring.quality import ReplacedSpan
from tamis.proxy.brief_maker import RequestItem
from tamis.proxy.dialects.dialect import Items
from tamis.proxy.states import CompactedPrefix, LRUCache

MAX_FOLLOWED = 64
MAX_WAITING = 256


@dataclass(frozen=True, kw_only=True)
class TrackedRequest:
    """A request whose beginning is replaced, as it is told to whoever follows the conversation.

    `before` stood behind the earlier brief, `pieces` stand behind the one that is sent; they differ where
    this request was compacted, and `taken_out` is then what was.
    """

    form: str
    lead: Items
    digests: Sequence[str]
    state: CompactedPrefix
    before: Sequence[RequestItem]
    pieces: Sequence[RequestItem]
    taken_out: tuple[Message, ...] = ()


@dataclass(kw_only=True)
class _Followed:
    """A follower, how many items it has read, and how many hidden ones behind those."""

    follower: ConversationRegret
    read: int = 0
    hidden: int = 0


class RegretTracker:
    """Follows the newest conversations. Whatever goes wrong here, no request hears of it."""

    def __init__(self, monitor: Monitor, counter: Counter, mode: RunMode) -> None:
        self._monitor = monitor
        self._counter = counter
        self._mode: RunMode = mode
        self._followed: LRUCache[_Followed] = LRUCache(MAX_FOLLOWED)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tamis-follow")
        self._room = threading.Semaphore(MAX_WAITING)

    def sent(self, talk: TrackedRequest) -> None:
        """A request was sent with a brief in it; returns at once."""
        self._later(lambda: self._read(talk))

    def recalled(self, digest: str, hidden: Items, form: str) -> None:
        """The model recalled; `hidden` is all that it did behind this beginning, so far."""
        items = list(hidden)
        self._later(lambda: self._read_hidden(digest, items, form))

    def close(self) -> None:
        """Read what waits, and stop."""
        self._thread.shutdown(wait=True)

    def _later(self, work: Callable[[], None]) -> None:
        """Do it in the thread; where too much waits already, not at all: the next request tells it, too."""
        if self._room.acquire(blocking=False):
            self._thread.submit(tell, work).add_done_callback(lambda _: self._room.release())

    def _read(self, talk: TrackedRequest) -> None:
        known = self._find(talk.digests)
        if known is not None:
            self._append(known, talk, talk.before)
        if talk.taken_out:
            shown = [*_messages(talk.lead, talk.form), *talk.state.made.messages]
            shown += _messages([piece.item for piece in talk.pieces], talk.form)
            if known is None:
                session = talk.state.sessions[0][:12]
                known = _Followed(follower=ConversationRegret(self._counter, source="proxy", session=session))
            known.follower.compacted(talk.taken_out, shown)
            span, seen = talk.taken_out, tuple(shown)
            self._monitor.replaced(ReplacedSpan(source="proxy", mode=self._mode, span=span, shown=seen))
        if known is not None:
            known.read, known.hidden = len(talk.digests) - 1, 0
            self._followed.put(talk.digests[-1], known)

    def _append(self, known: _Followed, talk: TrackedRequest, pieces: Sequence[RequestItem]) -> None:
        """Let the follower read what is new: behind the last item that it has read, less what was hidden."""
        start = next((n + 1 for n, p in enumerate(pieces) if p.at is not None and p.at == known.read - 1), 0)
        new = [piece for piece in pieces[start:] if not piece.is_carried]
        skipped = min(known.hidden, next((n for n, p in enumerate(new) if p.at is not None), len(new)))
        messages = _messages([piece.item for piece in new[skipped:]], talk.form)
        for entry in known.follower.append(messages, self._mode):
            self._monitor.note(entry)

    def _read_hidden(self, digest: str, hidden: Items, form: str) -> None:
        known = self._followed.get(digest)
        if known is None:
            return
        for entry in known.follower.append(_messages(hidden[known.hidden :], form), self._mode):
            self._monitor.note(entry)
        known.hidden = len(hidden)

    def _find(self, digests: Sequence[str]) -> _Followed | None:
        """Who has read the longest beginning of this; taken away from there, as it reads on."""
        for digest in reversed(digests):
            if (known := self._followed.pop(digest)) is not None:
                return known
        return None


def _messages(items: Items, form: str) -> list[Message]:
    return list(get_api(form).decode(items).messages) if items else []
