"""When a live context is compacted, and why one compaction does not set off the next."""

from dataclasses import dataclass
from typing import Literal

from tamis.errors import InputError

LEAST_SHARE, MOST_SHARE = 0.5, 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """Compact when any of these is reached: a share of the window, so many tokens, so many messages.

    Raises:
        InputError: a share outside 0.5 to 0.9, or a number below 1.
    """

    share: float | None = None
    tokens: int | None = None
    messages: int | None = None

    def __post_init__(self) -> None:
        if self.share is not None and not LEAST_SHARE <= self.share <= MOST_SHARE:
            raise InputError(
                f"a trigger at {self.share:g} of the window; give {LEAST_SHARE} to {MOST_SHARE}: below, the "
                "prompt cache is lost too often, above, the next answer may not fit"
            )
        for name, value in (("tokens", self.tokens), ("messages", self.messages)):
            if value is not None and value < 1:
                raise InputError(f"a trigger at {value} {name} would always fire; give 1 or more")

    def token_limit(self, window: int) -> int:
        """The tokens at which it fires; the window itself where only messages count."""
        share = window if self.share is None else int(self.share * window)
        return min(window, share, self.tokens or window)


@dataclass(kw_only=True, slots=True)
class Latch:
    """Fires at a limit, and then not again before there is enough new to be worth it.

    After an attempt, whatever came of it, `rearm` sets the floors: half a budget of tokens, or a quarter of
    the message limit, must come in before the next one.
    """

    token_limit: int
    message_limit: int | None
    token_step: int
    token_floor: int = 0
    message_floor: int = 0

    def fired(self, *, tokens: int, messages: int) -> Literal["tokens", "messages"] | None:
        """What says that it is time, if anything does."""
        if tokens >= max(self.token_limit, self.token_floor):
            return "tokens"
        too_many = self.message_limit is not None and messages >= max(self.message_limit, self.message_floor)
        return "messages" if too_many else None

    def rearm(self, *, tokens: int, messages: int) -> None:
        """Set the floors anew after an attempt, by what it left."""
        self.token_floor = tokens + self.token_step
        self.message_floor = messages + max(1, (self.message_limit or 0) // 4)
