"""A budget as people give it: tokens, or a share of the span.

A whole number is tokens; a percentage, or a number with a decimal point, is a share of what is replaced.
"""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from tamis.errors import BadBudget

_TOKENS = re.compile(r"\d[\d_,]{0,17}")
_SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)")
_ACCEPTED = "give tokens (4000), a percentage of the span (5%), or a share below 1 (0.05)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """How much a compaction may take: `tokens`, or a `share` of the span (over 0, up to 1)."""

    tokens: int | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if (self.tokens is None) == (self.share is None):
            raise BadBudget(f"a budget is tokens or a share, one of the two; {_ACCEPTED}")
        if self.tokens is not None and self.tokens < 1:
            raise BadBudget(f"a budget of {self.tokens} tokens holds nothing; {_ACCEPTED}")
        if self.share is not None and not 0 < self.share <= 1:
            raise BadBudget(f"a budget of {_percent(self.share)} is not within 0% and 100%; {_ACCEPTED}")

    def resolve(self, span_tokens: int) -> int:
        """The budget in tokens for a span of so many, a share rounded down.

        Raises:
            BadBudget: less than one token of so small a span.

        >>> Budget(share=0.05).resolve(18_000), Budget(tokens=4_000).resolve(18_000)
        (900, 4000)
        """
        if self.tokens is not None:
            return self.tokens
        assert self.share is not None
        tokens = int(Decimal(str(self.share)) * span_tokens)
        if tokens < 1:
            raise BadBudget(f"{self} of {span_tokens} tokens is less than one token; give a larger budget")
        return tokens

    def __str__(self) -> str:
        return str(self.tokens) if self.share is None else _percent(self.share)


def parse_budget(given: str | int | float | Budget) -> Budget:
    """Understand a budget as it is written on the command line or handed to the library.

    Raises:
        BadBudget: zero, negative, over 100 %, not a number; the message says what is accepted.

    >>> [str(parse_budget(given)) for given in ("4000", "5%", "1.4%", 0.05, 8_000)]
    ['4000', '5%', '1.4%', '5%', '8000']
    """
    if isinstance(given, Budget):
        return given
    if isinstance(given, bool):
        raise BadBudget(f"{given} is not a budget; {_ACCEPTED}")
    if isinstance(given, int):
        return Budget(tokens=given)
    if isinstance(given, float):
        if given > 1:
            raise BadBudget(f"{given} is not a share of the span; {_ACCEPTED}")
        return Budget(share=given)
    if not isinstance(given, str):
        raise BadBudget(f"{given!r:.60} is not a budget; {_ACCEPTED}")
    text = given.strip()
    if _TOKENS.fullmatch(text):
        return Budget(tokens=int(text.replace("_", "").replace(",", "")))
    if match := _SHARE.fullmatch(text):
        number = Decimal(match[1])
        return Budget(share=float(number / 100 if match[2] else number))
    raise BadBudget(f"{text[:40]!r} is not a budget; {_ACCEPTED}")


def _percent(share: float) -> str:
    if not math.isfinite(share):
        return str(share)
    return f"{(Decimal(str(share)) * 100).normalize():f}%"
