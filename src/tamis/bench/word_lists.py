"""Word lists, and texts that are composed from them.

An entry of a list is a text that may name other lists (`{service}`), a range of numbers (`{1024-65535}`) or a
run of hexadecimal digits (`{x7}`); braces around anything else stand for themselves. A generator of a
template's variable is the name of a list.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeVar

from tamis.errors import InputError
from tamis.yaml_files import YamlDocument, read_documents

T = TypeVar("T")


class Draws:
    """A sequence of draws that depends on its key alone.

    >>> Draws("a").choice("xyz") == Draws("a").choice("xyz")
    True
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, `limit`; 128 bits of digest make the bias negligible."""
        digest = hashlib.sha256(f"{self.key}#{self._drawn}".encode()).digest()
        self._drawn += 1
        return int.from_bytes(digest[:16], "big") % limit

    def between(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def named(self, name: str) -> Draws:
        """Draws of their own for a part, so that what one part draws never shifts another's."""
        return Draws(f"{self.key}/{name}")


MAX_TRIES = 200
_SLOT = re.compile(r"\{([a-z][a-z_]*|\d+-\d+|x\d+|=[a-z_]+)\}")


class Words:
    """Lists of texts by name."""

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self.lists = lists

    def draw(self, name: str, draws: Draws) -> str:
        """A text of this list, with everything in it drawn."""
        return self.fill(draws.choice(self.lists[name]), draws)

    def draw_other(self, name: str, draws: Draws, taken: Collection[str]) -> str:
        """A text of this list that neither holds one of those taken nor is held by one.

        Raises:
            InputError: the list has no other; it is too short for what is drawn from it.
        """
        for _ in range(MAX_TRIES):
            text = self.draw(name, draws)
            if not any(overlaps(text, other) for other in taken):
                return text
        raise InputError(f"the word list {name!r} is too short for {len(taken) + 1} values; add to it")

    def fill(self, text: str, draws: Draws, given: Mapping[str, str] | None = None) -> str:
        """The text with what stands in braces drawn; `{=name}` is taken from `given`."""

        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if slot.startswith("="):
                return (given or {})[slot[1:]]
            if slot[0].isdigit():
                low, _, high = slot.partition("-")
                return str(draws.between(int(low), int(high)))
            if slot[0] == "x" and slot[1:].isdigit():
                return "".join(draws.choice("0123456789abcdef") for _ in range(int(slot[1:])))
            return self.draw(slot, draws)

        return _SLOT.sub(value, text)

    def unknown_in(self, text: str, given: Collection[str] = ()) -> str | None:
        """The first thing in braces that names nothing, if there is one."""
        for slot in _SLOT.findall(text):
            if slot.startswith("="):
                known = slot[1:] in given
            else:
                known = slot[0].isdigit() or slot in self.lists or bool(re.fullmatch(r"x\d+", slot))
            if not known:
                return f"{{{slot}}}"
        return None


def overlaps(one: str, other: str) -> bool:
    """Whether one of two values could be mistaken for the other: the same, or a part of it.

    >>> overlaps("8080", "18080"), overlaps("Ana", "Ben")
    (True, False)
    """
    a, b = one.casefold(), other.casefold()
    return a in b or b in a


def read_words(paths: Iterable[Path], base: Words | None = None) -> Words:
    """The word lists of YAML files, added to those of `base`.

    Raises:
        InputError: not a mapping of names to lists of texts, or an entry names a list that is not there.
    """
    lists: dict[str, list[str]] = {}
    seen: list[tuple[YamlDocument, str]] = []
    for path in paths:
        for document in read_documents(path):
            if not isinstance(document.data, dict):
                raise document.error((), "word lists are a mapping of names to lists of texts")
            for name, entries in document.data.items():
                if (
                    not isinstance(entries, list)
                    or not entries
                    or not all(isinstance(e, str) for e in entries)
                ):
                    raise document.error((name,), "a word list is a list of texts, not empty")
                lists[name] = entries
                seen.append((document, name))
    words = Words({**(base.lists if base else {}), **lists})
    for document, name in seen:
        for at, entry in enumerate(lists[name]):
            if missing := words.unknown_in(entry):
                raise document.error((name, at), f"{missing} names no word list; add it or correct the name")
    return words


@cache
def own_words() -> Words:
    """The word lists that ship with this package."""
    with as_file(files("tamis.bench") / "word_lists") as folder:
        return read_words(sorted(folder.glob("*.yaml")))
