"""Turning lists of phrases into patterns, so that the lists stay readable.

A phrase is a piece of a regular expression, with two liberties: a blank stands for any white space, and the
phrases of a list stand on lines of their own or between ` | `.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

Match = re.Match[str]

_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\]){0,99}\]|[()|]")
"""What a pattern is cut by: groups and bars, but for those that are escaped or in a set of characters."""


def any_of(phrases: str) -> str:
    r"""A pattern that matches any of the phrases, as they stand.

    >>> any_of("make sure | ensure")
    '(?:make\\s+sure|ensure)'
    """
    found = [phrase.strip() for line in phrases.splitlines() for phrase in line.split(" | ")]
    return "(?:" + "|".join(phrase.replace(" ", r"\s+") for phrase in found if phrase) + ")"


def words(phrases: str) -> str:
    """The same, but whole words only."""
    return rf"\b{any_of(phrases)}\b"


class Cue:
    """A regular expression that is compiled when it is first used.

    There are many and they are large: compiling all of them would make every start wait. Its methods are
    those of the compiled expression.

    >>> Cue(r"never|don't").search("never mind") is not None
    True
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG, *, signs: Sequence[str] = ()) -> None:
        """The expression, as `re.compile` takes it; `signs` are as for `stands_in`."""
        self.pattern = pattern
        self._flags = flags
        self._signs = signs

    def stands_in(self, text: str) -> bool:
        """Whether the expression is found in a text, letter case aside.

        If there are `signs`, one of them stands in whatever it matches, in lower case and with one blank for
        any white space. To look for them first is many times faster than the expression, and most texts hold
        none.
        """
        lowered = text.lower()
        if self._signs:
            squeezed = " ".join(lowered.split())
            if not any(map(squeezed.__contains__, self._signs)):
                return False
        return self.search_lower(lowered) is not None

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    @cached_property
    def search(self) -> Callable[..., Match | None]:
        """As `re.Pattern.search`."""
        return self._compiled.search

    @cached_property
    def search_lower(self) -> Callable[..., Match | None]:
        """As `search`, of a text in lower case: several times faster than to set letter case aside.

        Only for expressions that are written in lower case themselves.
        """
        return re.compile(self.pattern, self._flags & ~re.IGNORECASE).search

    @cached_property
    def match(self) -> Callable[..., Match | None]:
        """As `re.Pattern.match`."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., Match | None]:
        """As `re.Pattern.fullmatch`."""
        return self._compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[..., Iterator[Match]]:
        """As `re.Pattern.finditer`."""
        return self._compiled.finditer

    @cached_property
    def sub(self) -> Callable[..., str]:
        """As `re.Pattern.sub`."""
        return self._compiled.sub


def either(*patterns: str, signs: Sequence[str] = ()) -> Cue:
    """One pattern for several, letter case aside."""
    return Cue("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE, signs=signs)


def looked_for(*patterns: str, leads: Sequence[str]) -> Cue:
    r"""As `either`, for what is only looked for: it tells where the first begins, not which of several it is.

    Alternatives that begin with the same of the `leads` stand together behind it, so that at most places of a
    text only the few leads are tried, in place of a hundred alternatives.

    >>> looked_for(r"\bmust|never", r"\bshall", leads=[r"\b"]).pattern
    '(?:never)|\\b(?:must|shall)'
    """

    def lead_of(alternative: str) -> str:
        return next((lead for lead in leads if alternative.startswith(lead)), "")

    alternatives = sorted((a for pattern in patterns for a in _alternatives(pattern)), key=lead_of)
    together = (
        f"{lead}(?:{'|'.join(a[len(lead) :] for a in group)})"
        for lead, group in groupby(alternatives, lead_of)
    )
    return Cue("|".join(together), re.IGNORECASE)


def _alternatives(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern that stand in no group."""
    depth = start = 0
    for piece in _PIECE.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if piece[0] == "|" and not depth:
            yield pattern[start : piece.start()]
            start = piece.end()
    yield pattern[start:]


def word_set(lines: str) -> frozenset[str]:
    """The words in some lines of text."""
    return frozenset(lines.split())
