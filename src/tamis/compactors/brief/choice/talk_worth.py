"""What words are worth where somebody is served in a talk: by the values that they tell.

Whoever goes on with such a talk needs again what the user gave (who he is, which order, which day) and the
newest that he was told (ids, prices, times). Neither the learned chance nor the grade counts: both were
learned from work.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from tamis.compactors.brief.reading.statement import WORDS, Statement

GIVEN, GIVEN_LASTS = 3.5, 0.93
"""What a token with a value is worth that the user gave in his newest message, and what is left of that a
message of his earlier."""

TOLD, TOLD_LASTS = 5.0, 0.6
"""The same of what the agent told; a message with no value overtakes nothing."""

NO_VALUE = 0.2
"""What a token counts that stands with no value; with several, their square root."""

KEEPS_GOING = 0.3
"""What a token of a greeting, an offer of help or a heading counts."""

OVERTAKEN = 0.5
"""What is left of a token that something newer overtook: a question that was answered."""

_COURTEOUS = frozenset({"heading", "courtesy"})
_VALUE = re.compile(
    r"""(?x)
    [$€£]\s?\d[\d,.]*                                                  # an amount
    | \#?(?<![\w-])(?=[\w-]*\d)[\w-]{2,}(?:[:.,/]\d+)*                 # an id, a date, a time, a number
    | (?<=\w\ )[A-Z][a-z]{2,}(?:\ [A-Z][a-z]{2,})+\b                   # a name within a sentence
    """
)


def values_in(text: str) -> set[str]:
    """The numbers, ids, amounts, dates and names that a text tells.

    >>> sorted(values_in("Is order #W77 of Ann Lee, $5, for you?"))
    ['#W77', '$5', 'Ann Lee']
    >>> values_in("My Ann has 2 cats.")
    set()
    """
    return {found.group().rstrip(".,") for found in _VALUE.finditer(text)}


def talk_worths(
    statements: Sequence[Statement], tokens: Sequence[int], worths: Sequence[float]
) -> list[float]:
    """The worths with those of the user's and the agent's words in their place, in the same measure."""
    told = [len(values_in(s.text)) if _is_said(s) else 0 for s in statements]
    asked = sorted({s.turn for s in statements if s.kind == "asked"})
    spoke = sorted({s.turn for s, n in zip(statements, told, strict=True) if n and s.kind in WORDS})
    made = []
    for s, size, n, worth in zip(statements, tokens, told, worths, strict=True):
        if not _is_said(s):
            made.append(worth)
            continue
        each, lasts, turns = (GIVEN, GIVEN_LASTS, asked) if s.kind == "asked" else (TOLD, TOLD_LASTS, spoke)
        each *= lasts ** (len(turns) - bisect_right(turns, s.turn))
        each *= n**0.5 if n else NO_VALUE
        each *= OVERTAKEN if "stale" in s.flags else 1
        made.append(size * each * (1 if _COURTEOUS.isdisjoint(s.flags) else KEEPS_GOING))
    return made


def _is_said(s: Statement) -> bool:
    return (s.kind == "asked" or s.kind in WORDS) and "boilerplate" not in s.flags
