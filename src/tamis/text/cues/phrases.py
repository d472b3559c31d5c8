"""Turning lists of phrases into patterns, so that the lists stay readable.

A phrase is a piece of a regular expression, with two liberties: a blank stands for any white space, and the
phrases of a list stand on lines of their own or between ` | `.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

Match = re.Match[str]


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
            if not any(sign in squeezed for sign in self._signs):
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


def word_set(lines: str) -> frozenset[str]:
    """The words in some lines of text."""
    return frozenset(lines.split())
