"""Whether a planted sentence stands in a text: its content in one place, not its words here and there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from filler.conversations import Conversation, Planted

COVERED = 0.75
"""The share of a sentence's words that have to stand in one place."""

_WORD = re.compile(r"[\w$€£#][\w./'’:-]*")
_COMMON = frozenset(
    {"a", "an", "the", "is", "are", "was", "were", "be", "to", "of", "in", "on", "at", "for", "and", "or"}
    | {"it", "its", "that", "this", "with", "by", "from", "as", "has", "have", "had"}
)


def words(text: str) -> list[str]:
    """The words that carry a text, in lower case."""
    found = (word.lower().rstrip(".,:;'’-/") for word in _WORD.findall(text))
    return [word for word in found if word not in _COMMON]


def stands(sentence: str, text: str, *, value: str = "") -> bool:
    """Whether the words of a sentence, its value among them, stand in one place of a text."""
    wanted, had = set(words(sentence)), words(text)
    must = set(words(value))
    room = len(words(sentence)) + 4
    spots = [i for i, word in enumerate(had) if word in (must or wanted)]
    for spot in spots:
        for start in {max(0, spot - room + 1), max(0, spot - room // 2), spot}:
            window = set(had[start : start + room])
            if must <= window and len(wanted & window) >= COVERED * len(wanted):
                return True
    return False


def blanked(sentence: str, text: str) -> str:
    """The text without a sentence, however it was wrapped."""
    pattern = r"\s+".join(re.escape(word) for word in sentence.split())
    return re.sub(pattern, " ", text)


_WAS = re.compile(r"\((?:was|before|formerly|replaces|in place of)[^()]*\)|(?:\bwas|~~)[^\n]*")


@dataclass
class Tally:
    """How many were kept, of how many."""

    kept: int = 0
    of: int = 0

    def count(self, kept: bool) -> None:
        """One more, kept or not."""
        self.kept += kept
        self.of += 1

    def __str__(self) -> str:
        return f"{100 * self.kept / self.of:5.1f}" if self.of else "   – "


def tally(talk: Conversation, text: str, into: dict[str, Tally]) -> None:
    """Count what a compacted text holds of what was planted."""
    for item in talk.planted:
        for name, kept in _judged(item, text):
            into.setdefault(name, Tally()).count(kept)


def _judged(item: Planted, text: str) -> list[tuple[str, bool]]:
    if item.kind in ("rule", "fact", "neutral"):
        return [(item.kind, stands(item.sentences[0], text))]
    old, new = item.sentences
    if item.kind == "neighbours":
        return [("neighbours", stands(old, text)), ("neighbours", stands(new, text))]
    if item.kind == "lift":
        return [("lift", not old_stands(item, text))]
    new_stands = stands(new, text, value=item.values[1])
    gone = not old_stands(item, text)
    return [("update: new", new_stands), ("update: old gone", gone), ("update", new_stands and gone)]


def old_stands(item: Planted, text: str) -> bool:
    """Whether the older of two statements still stands as if it held: not where it is told as what was."""
    old, new = item.sentences
    rest = blanked(new, _WAS.sub(" ", text))
    return stands(old, rest, value=item.values[0] if item.values else "")
