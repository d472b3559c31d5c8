"""Texts made for a pattern, from what it is looking for: they make it work where everyday ones do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _constants as c  # type: ignore[attr-defined]
from typing import Any

from attacks.steps import REPEATS, SINGLE, Matcher, matcher_of

_CHARS = ("a", "A", "0", " ", "\n", "/", ".", "-", "`", "中")
_SAMPLES = "aA0 \n/.-_\"'`<>()[]{}#*+=:;,|\\!?$%&@~^\t中"
_MOST_WAYS = 3
_MOST_COPIES = 24
_MOST_BEGINNINGS = 8
_OP = type(c.LITERAL)


def texts_for(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """A beginning and what is repeated behind it: everyday characters, and what the pattern looks for."""
    texts = beginnings_of(pattern)
    signs = [sign for sign in signs_of(pattern) if sign not in _CHARS][:12]
    long = sorted(texts, key=len)[:: max(1, len(texts) // _MOST_BEGINNINGS)]
    yield from (("", piece) for piece in (*_CHARS, *signs, *long))
    yield from (("", f"{piece}{other}") for piece in [*long[:4], *signs[:4]] for other in (" ", "a"))
    yield from ((text, char) for text in long for char in ("a", " ", "0", *signs[:1]))
    yield from (("", f"a{sign}") for sign in signs)


def signs_of(pattern: re.Pattern[Any]) -> list[str]:
    """The characters that a pattern names and that are no letters, in the order in which they stand there.

    >>> signs_of(re.compile("<a>.*?[-+]</a>"))
    ['<', '>', '-', '+', '/']
    """
    named = [chr(node[1]) for node in _nodes(matcher_of(pattern).tree) if node[0] is c.LITERAL]
    return list(dict.fromkeys(char for char in named if not char.isalnum()))


def repeats_beyond(pattern: re.Pattern[Any], most: int) -> bool:
    """Whether something in a pattern may repeat more often than that; else its work per character is bounded.

    >>> repeats_beyond(re.compile(r"a{1,3}b"), 8)
    False
    """
    return any(node[0] in REPEATS and node[1][1] > most for node in _nodes(matcher_of(pattern).tree))


def beginnings_of(pattern: re.Pattern[Any]) -> list[str]:
    r"""The shortest texts that a pattern takes the first nodes of: what it looks for the rest behind.

    >>> beginnings_of(re.compile(r'echo\s+"(.+)"|<a>.*?</a>'))
    ['echo', 'echo ', 'echo "', 'echo "a', 'echo "a"', '<a>', '<a>a', '<a>a</a>', '<a></a>']
    """
    found: dict[str, None] = {}
    for least in (1, 0):
        _begin(matcher_of(pattern).tree, "", least, found)
    return list(found)


def _begin(nodes: Sequence[Any], text: str, least: int, found: dict[str, None]) -> None:
    for number, node in enumerate(nodes):
        op, given = node
        if op is c.BRANCH:
            for way in given[1][:_MOST_WAYS]:
                _begin(way.data, text, least, found)
        elif op is c.SUBPATTERN and len(given[3].data) == 1 and given[3].data[0][0] is c.BRANCH:
            _begin(given[3].data, text, least, found)
        text += _sample(node, least)
        is_inside = op is c.LITERAL and number + 1 < len(nodes) and nodes[number + 1][0] is c.LITERAL
        if len(text) > 1 and not is_inside:
            found.setdefault(text)


def _sample(node: Any, least: int) -> str:
    """A short text that a node takes; what may stand in it any number of times stands `least` times."""
    op, given = node
    if op is c.LITERAL:
        return chr(given)
    if op in REPEATS:
        copies = max(least, min(given[0], _MOST_COPIES))
        return _samples(given[2].data, least) * copies if copies else ""
    if op is c.SUBPATTERN:
        return _samples(given[3].data, least)
    if op is c.ATOMIC_GROUP:
        return _samples(given.data, least)
    if op is c.BRANCH:
        return _samples(given[1][0].data, least)
    if op in SINGLE:
        matcher = Matcher([node], re.NOFLAG)
        return next((char for char in _SAMPLES if matcher.takes(node, char)), "")
    return ""


def _samples(nodes: Sequence[Any], least: int) -> str:
    return "".join(_sample(node, least) for node in nodes)


def _nodes(tree: Any) -> Iterator[Any]:
    """Every node of a tree, however deep."""
    for each in tree:
        if isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], _OP):
            yield each
        if isinstance(each, tuple | list) or hasattr(each, "data"):
            yield from _nodes(each)
