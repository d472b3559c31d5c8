"""The room that a loop's past is given, from what the use of that past shows.

A context begins with the target share of its past. Every iteration that missed something widens it at once, a
run of iterations that missed nothing narrows it step by step. A short past is given the most, and every past
the published size. Of what goes beyond that size half is for the newest messages word for word, half for the
block.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from tamis.memory.iteration_digest import Digest
from tamis.memory.settings import Thresholds
from tamis.messages import Counter, Message, count_messages

WIDER = 1.5
NARROWER = 0.8
SHORT = 8_000
"""Up to so many tokens a past is given the most at once: it costs little, and nothing is known of its use."""

CALM = 10
"""Iterations in a row without a miss before the room is narrowed."""


class Room:
    """The share of the past that a loop is given now; between half the target and the most.

    >>> room = Room(Thresholds(target_compression_ratio=0.3, max_share=0.6))
    >>> room.tokens(4_000), room.tokens(100_000)
    (2400, 30000)
    >>> room.learn(missed=True)
    >>> room.tokens(100_000), room.is_at_most
    (45000, False)
    """

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self._least = min(thresholds.max_share, thresholds.target_compression_ratio / 2)
        self._calm = 0
        self.share = min(thresholds.max_share, thresholds.target_compression_ratio)

    @property
    def is_at_most(self) -> bool:
        """Whether it cannot be widened any more."""
        return self.share >= self._thresholds.max_share

    def tokens(self, past_tokens: int) -> int:
        """What L1 to L3 and the newest messages may take together."""
        most = min(SHORT, int(self._thresholds.max_share * past_tokens))
        return max(self._thresholds.max_compressed_size, most, round(self.share * past_tokens))

    def learn(self, *, missed: bool) -> None:
        """Take in how an iteration went."""
        self._calm = 0 if missed else self._calm + 1
        if missed:
            self.share = min(self._thresholds.max_share, self.share * WIDER)
        elif self._calm == CALM:
            self._calm = 0
            self.share = max(self._least, self.share * NARROWER)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recent:
    """The newest ended iterations, whole; what of them the loop shows itself is left out."""

    iterations: frozenset[int] = frozenset()
    messages: tuple[Message, ...] = field(default=(), repr=False)
    tokens: int = 0


def pick_recent(
    digests: Iterable[Digest],
    ended: Mapping[int, tuple[Message, ...]],
    *,
    shown: Collection[str],
    room_tokens: int,
    counter: Counter,
) -> Recent:
    """The newest iterations that fit, without gaps.

    Args:
        digests: of ended iterations, the newest first.
        ended: their messages.
        shown: ids of messages that the loop shows itself.
        room_tokens: what they may take.
        counter: what counts tokens.
    """
    numbers: set[int] = set()
    messages: tuple[Message, ...] = ()
    taken = 0
    for digest in digests:
        own = ended.get(digest.number, ())
        rest = tuple(message for message in own if message.id not in shown)
        tokens = digest.tokens_before if len(rest) == len(own) else sum(count_messages(rest, counter))
        if taken + tokens > room_tokens:
            break
        taken += tokens
        numbers.add(digest.number)
        messages = rest + messages
    return Recent(iterations=frozenset(numbers), messages=messages, tokens=taken)
