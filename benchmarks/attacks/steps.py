"""How much work a regular expression makes, in steps and not in seconds: a backtracking matcher that counts.

It walks the same tree that Python's `re` compiles and tries the same ways in the same order, so what grows
faster than the text here does so there. It is for finding patterns whose work does, on texts of some hundred
characters; it is no regex engine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MOST_STEPS = 500_000
"""Where it gives up: a text of a thousand characters that takes more has shown what it is."""

RECURSION_LIMIT = 20_000
"""While a pattern is tried: each of its ways is a generator in another."""

REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
SINGLE = (c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN, c.RANGE, c.CATEGORY)


class TooManySteps(Exception):
    """The pattern needs more steps than are counted."""


def count_steps(pattern: re.Pattern[Any], text: str) -> int:
    """The steps that finding every match of a pattern in a text takes, as `finditer` does.

    `MOST_STEPS` where it is that or more.

    >>> count_steps(re.compile(r"a"), "bbbb") < 20
    True
    """
    matcher = matcher_of(pattern)
    matcher.text, matcher.steps = text, 0
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        start = 0
        while start <= len(text):
            matcher.groups.clear()
            end = next(matcher.walk(matcher.tree, 0, start), start)
            start = max(end, start + 1)
    except (TooManySteps, RecursionError):
        return MOST_STEPS
    finally:
        sys.setrecursionlimit(limit)
    return matcher.steps


@lru_cache(maxsize=8)
def matcher_of(pattern: re.Pattern[Any]) -> Matcher:
    """The matcher of a pattern, with its tree: what it found out about characters is kept."""
    source = pattern.pattern
    flags = pattern.flags & ~re.UNICODE if isinstance(source, bytes) else pattern.flags
    return Matcher(list(_parser.parse(source, flags & ~re.DEBUG)), flags)


class Matcher:
    """A tree of `re`, a text, and the steps that were taken."""

    def __init__(self, tree: list[Any], flags: int) -> None:
        self.tree = tree
        self.flags = flags
        self.text = ""
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}
        self.taken: dict[tuple[int, str], bool] = {}
        self.begun: dict[tuple[int, str], tuple[bool, bool]] = {}

    def walk(self, nodes: Sequence[Any], at: int, pos: int) -> Iterator[int]:
        """Every place at which the nodes from `at` on can end, in the order of trying."""
        self._count()
        if at == len(nodes):
            yield pos
            return
        if at == 0 and not any(self._begins(nodes, self.text[pos : pos + 1])):
            return
        for middle in self.one(nodes[at], pos):
            yield from self.walk(nodes, at + 1, middle)

    def one(self, node: Any, pos: int) -> Iterator[int]:
        """Every place at which one node can end."""
        op, given = node
        if self._is_single(node):
            if pos < len(self.text) and self.takes(node, self.text[pos]):
                yield pos + 1
        elif op in REPEATS:
            yield from self._repeat(op, given, pos)
        elif op is c.SUBPATTERN:
            number, _, _, inner = given
            for end in self.walk(inner.data, 0, pos):
                if number is not None:
                    self.groups[number] = (pos, end)
                yield end
        elif op is c.BRANCH:
            char = self.text[pos : pos + 1]
            for way in given[1]:
                if any(self._begins(way.data, char)):
                    yield from self.walk(way.data, 0, pos)
        elif op is c.ATOMIC_GROUP:
            for end in self.walk(given.data, 0, pos):
                yield end
                return
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from self._assert(op, given, pos)
        elif op is c.GROUPREF:
            start, end = self.groups.get(given, (0, 0))
            self.steps += end - start
            if self.text.startswith(self.text[start:end], pos):
                yield pos + end - start
        elif op is c.GROUPREF_EXISTS:
            number, yes, no = given
            way = yes if number in self.groups else no
            yield from self.walk(way.data if way else [], 0, pos)
        elif op is c.AT and self._stands(given, pos):
            yield pos

    def _repeat(self, op: Any, given: Any, pos: int) -> Iterator[int]:
        least, most, inner = given
        inner = inner.data
        most = len(self.text) + 1 if most is c.MAXREPEAT else int(most)
        if len(inner) == 1 and self._is_single(inner[0]):
            yield from self._run(op, (least, most, inner[0]), pos)
        elif op is c.POSSESSIVE_REPEAT:
            for end in self._nested(c.MAX_REPEAT, (least, most, inner), pos, 0):
                yield end
                return
        else:
            yield from self._nested(op, (least, most, inner), pos, 0)

    def _run(self, op: Any, given: tuple[int, int, Any], pos: int) -> Iterator[int]:
        """A repeat of one character: as far as it goes, and back."""
        least, most, node = given
        end = pos
        if op is c.MIN_REPEAT:
            while True:
                if end - pos >= least:
                    yield end
                self._count()
                if end - pos >= most or end >= len(self.text) or not self.takes(node, self.text[end]):
                    return
                end += 1
        while end - pos < most and end < len(self.text) and self.takes(node, self.text[end]):
            self._count()
            end += 1
        if op is c.POSSESSIVE_REPEAT:
            if end - pos >= least:
                yield end
            return
        for back in range(end, pos + least - 1, -1):
            self._count()
            yield back

    def _nested(self, op: Any, given: tuple[int, int, list[Any]], pos: int, done: int) -> Iterator[int]:
        least, most, inner = given
        self._count()
        if op is c.MIN_REPEAT and done >= least:
            yield pos
        if done < most:
            for end in self.walk(inner, 0, pos):
                if end > pos or done < least:
                    yield from self._nested(op, given, end, done + 1)
        if op is c.MAX_REPEAT and done >= least:
            yield pos

    def _assert(self, op: Any, given: Any, pos: int) -> Iterator[int]:
        direction, inner = given
        start = pos
        if direction < 0:
            start = pos - inner.getwidth()[0]
        holds = start >= 0 and any(True for _ in self.walk(inner.data, 0, start))
        if holds is (op is c.ASSERT):
            yield pos

    def _begins(self, nodes: Sequence[Any], char: str) -> tuple[bool, bool]:
        """Whether nodes may begin with a character, and whether they may take nothing."""
        key = (id(nodes), char)
        if key not in self.begun:
            self.begun[key] = self._begin_of(nodes, char)
        return self.begun[key]

    def _begin_of(self, nodes: Sequence[Any], char: str) -> tuple[bool, bool]:
        begins = False
        for node in nodes:
            op, given = node
            takes, is_empty = False, True
            if self._is_single(node):
                takes, is_empty = bool(char) and self._known(node, char), False
            elif op in (c.GROUPREF, c.GROUPREF_EXISTS):
                return True, True
            elif op in REPEATS:
                takes, is_empty = self._begins(given[2].data, char)
                is_empty = is_empty or given[0] == 0
            elif op in (c.SUBPATTERN, c.ATOMIC_GROUP):
                takes, is_empty = self._begins((given[3] if op is c.SUBPATTERN else given).data, char)
            elif op is c.BRANCH:
                ways = [self._begins(way.data, char) for way in given[1]]
                takes, is_empty = any(way[0] for way in ways), any(way[1] for way in ways)
            begins = begins or takes
            if not is_empty:
                return begins, False
        return begins, True

    def _is_single(self, node: Any) -> bool:
        return node[0] in SINGLE

    def takes(self, node: Any, char: str) -> bool:
        """Whether a node of one character takes this one."""
        self._count()
        return self._known(node, char)

    def _known(self, node: Any, char: str) -> bool:
        key = (id(node), char)
        if key not in self.taken:
            self.taken[key] = self._takes(node, char)
        return self.taken[key]

    def _takes(self, node: Any, char: str) -> bool:
        op, given = node
        folded = {char, char.lower(), char.upper()} if self.flags & re.IGNORECASE else {char}
        if op is c.ANY:
            return char != "\n" or bool(self.flags & re.DOTALL)
        if op is c.IN:
            negated = bool(given) and given[0][0] is c.NEGATE
            return negated is not any(self._in_set(each, folded) for each in given[negated:])
        if op is c.NOT_LITERAL:
            return chr(given) not in folded
        return self._in_set(node, folded)

    def _in_set(self, node: Any, chars: set[str]) -> bool:
        op, given = node
        if op is c.LITERAL:
            return chr(given) in chars
        if op is c.RANGE:
            return any(given[0] <= ord(char) <= given[1] for char in chars if len(char) == 1)
        return any(_in_category(given, char) for char in chars)

    def _stands(self, where: Any, pos: int) -> bool:
        text = self.text
        if where in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
            multiline = self.flags & re.MULTILINE and where is c.AT_BEGINNING
            return pos == 0 or bool(multiline and text[pos - 1] == "\n")
        if where in (c.AT_END, c.AT_END_STRING):
            multiline = self.flags & re.MULTILINE and where is c.AT_END
            before_last = where is c.AT_END and text[pos:] == "\n"
            return pos == len(text) or before_last or bool(multiline and text[pos] == "\n")
        before = pos > 0 and _is_word(text[pos - 1])
        after = pos < len(text) and _is_word(text[pos])
        return (before != after) is (where is c.AT_BOUNDARY)

    def _count(self) -> None:
        self.steps += 1
        if self.steps >= MOST_STEPS:
            raise TooManySteps


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _in_category(category: Any, char: str) -> bool:
    tests: dict[Any, bool] = {
        c.CATEGORY_DIGIT: char.isdecimal(),
        c.CATEGORY_SPACE: char.isspace(),
        c.CATEGORY_WORD: _is_word(char),
    }
    if category in tests:
        return tests[category]
    opposite = {
        c.CATEGORY_NOT_DIGIT: c.CATEGORY_DIGIT,
        c.CATEGORY_NOT_SPACE: c.CATEGORY_SPACE,
        c.CATEGORY_NOT_WORD: c.CATEGORY_WORD,
    }
    return not tests[opposite[category]]
