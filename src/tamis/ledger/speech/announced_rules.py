"""Rules that are announced: under "House rules:" whatever is said is one, in whatever form."""

import re

from tamis.ledger.speech.prose import ProsePart
from tamis.text import Sentence

MAX_CHARS = 300
"""A longer sentence under such a line explains; it lays nothing down."""

_WORD = r"(?:rules|constraints|conventions|guidelines|guardrails|规则|约束|约定)"
_HEADING = re.compile(rf"{_WORD}\W*\Z", re.IGNORECASE)
_OPENER = re.compile(rf"(?i)\b(?:{_WORD})(?:[^:：.!?]{{0,80}})[:：](?=\s|\Z)")
_ASKS = re.compile(r"[?？]\W*\Z|[:：]\W*\Z|\A(?:[Ss]tart|[Bb]egin) (?:by|with) ")


def announced_rules(passage: ProsePart) -> frozenset[int]:
    """Where the sentences begin that stand under an announcement of rules.

    Under a heading all of its part; under a line that ends with a colon the list or the lines behind it;
    behind a colon within a line the rest of the line.
    """
    found: set[int] = set()
    under: str | None = None
    before: Sentence | None = None
    for sentence in passage.sentences:
        text = passage.text[sentence.body : sentence.end].rstrip("*_ ")
        gap = passage.text[before.end : sentence.start] if before else ""
        if sentence.kind == "heading":
            under = "heading" if _HEADING.search(text) else None
        elif opener := _OPENER.search(text):
            under = "list" if opener.end() == len(text) else "line"
            if under == "line":
                found.add(sentence.start)
        elif (under == "line" and "\n" in gap) or (under == "list" and _ends_list(sentence, before, gap)):
            under = None
        elif under and sentence.kind in ("item", "prose") and len(text) <= MAX_CHARS:
            found.update([] if _ASKS.search(text) else [sentence.start])
        before = sentence
    return frozenset(found)


def _ends_list(sentence: Sentence, before: Sentence | None, gap: str) -> bool:
    """Whether a list of rules, or of lines, is over: prose behind items, or behind a blank line."""
    return sentence.kind != "item" and (before is None or before.kind == "item" or gap.count("\n") != 1)
