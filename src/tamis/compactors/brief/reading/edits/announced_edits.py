"""Edits whose session does not say what they changed, told in the words that announced them."""

import re
from collections.abc import Sequence

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, tells_nothing
from tamis.ledger.files.paths import is_attempt
from tamis.text.terms import terms_of

LEAST_TERMS, MOST_CHARS = 4, 240
"""Words that announce an edit tell of it with so many terms, and no more characters."""

MOST_TURNS = 2
"""Messages from the words to the edit: some logs give each a message of its own."""

_OF_ANY = terms_of(
    "a new simple simpler final quick small more script test tests file case cases create make write run let"
    " try reproduces reproduction verify check issue problem bug error fix work works change changes behavior"
    " exact PR"
)
"""Words in which any script can be announced."""

_LEAD_IN = re.compile(
    r"\A(?:(?:now|next|then|first|second|finally|also|and|ok(?:ay)?|good|great|so)\b[,:.!]?\s+){0,3}"
    r"(?:(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|i['’]m)\s+)?(?:now\s+)?",
    re.IGNORECASE,
)


def announced_edits(statements: Sequence[Statement]) -> dict[int, str]:
    """What was said right before each edit of which nothing but its file is known, by its identity.

    The words of one announcement tell of the first edit behind it, and of no other.
    """
    found: dict[int, str] = {}
    said: Statement | None = None
    for s in statements:
        if s.kind in WORDS and s.kind != "thought":
            said = s
        elif s.kind in DEEDS:
            near = said is not None and s.turn - said.turn <= MOST_TURNS
            if said is not None and near and s.kind == "changed":
                words = _LEAD_IN.sub("", said.text).rstrip(" :.")
                if _announces(said) and len(words) <= MOST_CHARS and len(terms_of(words)) >= LEAST_TERMS:
                    found |= {id(s): words} if tells_nothing(s, s.text) or _tells_more(words, s) else {}
            said = said if s.kind == "changed" and "outline" in s.flags else None
    return found


def _tells_more(words: str, s: Statement) -> bool:
    """Whether words tell more of a script that only tries something out than some lines of it."""
    return s.text.startswith("wrote ") and "…" in s.text and is_attempt(s.key) and is_particular(words, s.key)


def is_particular(words: str, path: str) -> bool:
    """Whether words say of a script what not any script could be announced by.

    >>> is_particular("create a test that reproduces the issue", "a.py")
    False
    >>> is_particular("test rows that hold neither a key nor a value", "a.py")
    True
    """
    return len({*terms_of(words)} - {*_OF_ANY, *terms_of(path.rpartition("/")[2])}) >= LEAST_TERMS


def _announces(said: Statement) -> bool:
    return bool({"opens", "announces"} & {*said.flags}) and "\n" not in said.text
