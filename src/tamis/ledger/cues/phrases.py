"""Turning lists of phrases into patterns, so that the lists stay readable.

A phrase is a piece of a regular expression, with two liberties: a blank stands for any white space, and the
phrases of a list stand on lines of their own or between ` | `.
"""

from __future__ import annotations

import re


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


def either(*patterns: str) -> re.Pattern[str]:
    """One compiled pattern for several, letter case aside."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def word_set(lines: str) -> frozenset[str]:
    """The words in some lines of text."""
    return frozenset(lines.split())
