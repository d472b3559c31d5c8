"""The past of one loop: ended iterations, their digests, and the patterns across them.

Iterations are taken in order, each read once; work per iteration does not grow with how many there were.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from tamis.ledger import LedgerReader, State
from tamis.ledger.mentions import Mentions
from tamis.memory.iteration_digest import Digest, condense
from tamis.memory.iterations import Iteration
from tamis.memory.patterns import Patterns
from tamis.memory.settings import Levels
from tamis.messages import Counter, count_messages

MAX_NAMES = 5_000
"""Names of the session kept ready for a pass, the likeliest to be needed again."""

MAX_DIGESTS = 50
"""Digests kept, for those iterations that there is room to tell one by one."""

MOST_MENTIONS = 8
HALF_LIFE = 40
"""Messages after which a mention counts half; beyond so many mentions more say nothing."""

MAX_NAMES_OF_ONE = 150
"""The same of one iteration."""


class History:
    """Reads iterations as they end.

    `digests` are those of the newest iterations; `tokens` those of all messages read; `names` the names of
    the session, the likeliest to be needed again first.
    """

    def __init__(self, counter: Counter, levels: Levels) -> None:
        self._counter = counter
        self._reader = LedgerReader()
        self._mentions = Mentions()
        self.patterns = Patterns()
        self.digests: deque[Digest] = deque(maxlen=max(levels.iterations, MAX_DIGESTS))
        self.tokens = 0
        self.last = 0
        self.names: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """What holds after the iterations read so far."""
        return self._reader.state

    def was_said(self, name: str) -> bool:
        """Whether a name stands in an iteration read so far."""
        return name in self._mentions.names

    def start_of(self, number: int) -> int:
        """The position among all messages read at which an iteration that is still told begins."""
        behind = sum(digest.messages for digest in self.digests if digest.number >= number)
        return self._mentions.messages - behind

    def was_said_since(self, name: str, position: int) -> bool:
        """Whether a message at this position or behind it has the name."""
        known = self._mentions.names.get(name)
        return known is not None and known.last >= position

    def read(self, iteration: Iteration) -> Digest:
        """Take in the next iteration and condense it."""
        events = [event for message in iteration.messages for event in self._reader.read(message)]
        first = self._mentions.messages
        for message in iteration.messages:
            self._mentions.read(message)
        tokens = sum(count_messages(iteration.messages, self._counter))
        state = self.state
        self.patterns.read(iteration.number, events, state)
        ranked = self._likeliest()
        here = [name for name in ranked if self._mentions.names[name].last >= first]
        digest = condense(iteration, events, state, names=here[:MAX_NAMES_OF_ONE], tokens_before=tokens)
        self.digests.append(digest)
        self.tokens += tokens
        self.last = iteration.number
        self.names = tuple(ranked[:MAX_NAMES])
        return digest

    def replace(self, digest: Digest) -> None:
        """Put another digest in the place of the one with its number, where that is still told."""
        for place, known in enumerate(self.digests):
            if known.number == digest.number:
                self.digests[place] = digest

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON values; `from_json` gives the same back."""
        return {
            "ledger": self._reader.snapshot(),
            "mentions": self._mentions.to_json(),
            "patterns": self.patterns.to_json(),
            "digests": [digest.to_json() for digest in self.digests],
            "tokens": self.tokens,
            "last": self.last,
            "names": list(self.names),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], counter: Counter, levels: Levels) -> History:
        """What `to_json` gave."""
        history = cls(counter, levels)
        history._reader = LedgerReader.restore(data["ledger"])
        history._mentions = Mentions.from_json(data["mentions"])
        history.patterns = Patterns.from_json(data["patterns"])
        history.digests.extend(Digest.from_json(digest) for digest in data["digests"])
        history.tokens, history.last = data["tokens"], data["last"]
        history.names = tuple(data["names"])
        return history

    def _likeliest(self) -> list[str]:
        now = self._mentions.messages

        def heat(name: str) -> float:
            mention = self._mentions.names[name]
            return float(min(mention.total, MOST_MENTIONS) * 0.5 ** ((now - mention.last) / HALF_LIFE))

        return sorted(self._mentions.names, key=lambda name: (-heat(name), name))
