"""Texts made for a pattern, to make it work more than the text grows, and whether they do."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from attacks.steps import MOST_STEPS, count_steps, literals_of

SIZES = (32, 64, 128, 256)
"""Characters: a size, doubled three times."""
MOST_GROWTH = 2.7
"""Twice the text may take so many times the steps: 2 where it is linear, 4 where it is quadratic."""

_CHARS = ("a", "A", "0", " ", "\n", "/", ".", "-", "`", "中")


@dataclass(frozen=True, kw_only=True)
class Grown:
    """A pattern that took more and more, and the shape of the text that made it."""

    where: str
    pattern: str
    shape: str
    steps: tuple[int, ...]


def patterns_in(package: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns that stand in the modules of a package, each by the name under which it does."""
    root = importlib.import_module(package)
    names = [package]
    if hasattr(root, "__path__"):
        names += [found.name for found in pkgutil.walk_packages(root.__path__, f"{package}.")]
    for name in names:
        try:
            module = importlib.import_module(name)
        except ImportError:  # a library that is not installed
            continue
        for attribute, value in vars(module).items():
            yield from _named(f"{name}.{attribute}", value)


def _named(name: str, value: object) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _named(f"{name}[{key!r}]", inner)
    elif isinstance(value, tuple | list) and len(value) < 200:
        for number, inner in enumerate(value):
            yield from _named(f"{name}[{number}]", inner)


def grown(where: str, pattern: re.Pattern[Any], *, shapes: int | None = None) -> Grown | None:
    """The first text that a pattern takes more for than the text grows; None where none is found."""
    for shape in islice(shapes_for(pattern), shapes):
        steps = [count_steps(pattern, filled(shape, size)) for size in SIZES[:2]]
        for size in SIZES[2:]:
            if steps[-1] <= MOST_GROWTH * steps[-2]:
                break
            steps.append(count_steps(pattern, filled(shape, size)))
            if steps[-1] >= MOST_STEPS:
                break
        else:
            if steps[-1] <= MOST_GROWTH * steps[-2]:
                continue
        if steps[-1] >= MOST_STEPS or (len(steps) == len(SIZES) and steps[-1] > MOST_GROWTH * steps[-2]):
            return Grown(where=where, pattern=str(pattern.pattern), shape=repr(shape), steps=tuple(steps))
    return None


def filled(shape: tuple[str, str], size: int) -> str:
    """A beginning, and behind it one text again and again, in so many characters."""
    head, again = shape
    return (head + again * (size // len(again) + 1))[:size] + "\0"


def shapes_for(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """A beginning and what is repeated behind it: everyday characters, and those that the pattern names."""
    literals = list(dict.fromkeys(literals_of(pattern)))
    words = [each for each in literals if len(each) > 1] + [each for each in literals if each.isalnum()]
    signs = [each for each in literals if len(each) == 1 and not each.isalnum()]
    pieces = [*_CHARS, *signs[:12], *words[:6]]
    yield from (("", piece) for piece in pieces)
    yield from (("", f"{piece}{other}") for piece in [*words[:4], *signs[:4]] for other in (" ", "a", "\n"))
    yield from ((word, char) for word in [*words[:4], *signs[:3]] for char in ("a", " ", "0", "\n", "."))
    yield from (("", f"a{sign}") for sign in signs[:10])
