"""Edits whose session does not say what they changed, told in the words that announced them."""

import re
from collections.abc import Sequence

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, tells_nothing
from tamis.text.terms import terms_of

LEAST_TERMS, MOST_CHARS = 4, 240
"""Words that announce an edit tell of it with so many terms, and no more characters."""

MOST_TURNS = 2
"""Messages from the words to the edit: some logs give each a message of its own."""

ATTEMPT = re.compile(r"(?:\A|[/_-])(?:test|repro|check|verif|demo|debug)[\w-]{0,60}\.\w{1,4}\Z")
_OF_ANY = terms_of(
    "new simple simpler final quick small more script test file case create make write run let try reproduces"
    " reproduction verify check fix issue problem bug error work change behavior exact PR"
)
"""Names scripts that try something out, `run_test2.py`; words in which any of them can be announced."""

_LEAD_IN = re.compile(
    r"\A(?:(?:now|next|then|first|second|finally|also|and|ok(?:ay)?|good|great|so)\b[,:.!]?\s+){0,3}"
    r"(?:(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|i['’]m)\s+)?(?:now\s+)?",
    re.IGNORECASE,
)

_OF_IT = re.compile(r"\w{1,20} (?:it|them)\b")
"""What is changed stands in a sentence that is not told."""


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
                tells = len(words) <= MOST_CHARS and len(terms_of(words)) >= LEAST_TERMS
                if _announces(said) and tells and not _OF_IT.match(words):
                    found |= {id(s): words} if tells_nothing(s, s.text) or _tells_more(words, s) else {}
            said = said if s.kind == "changed" and "outline" in s.flags else None
    return found


def _tells_more(words: str, s: Statement) -> bool:
    """Whether words tell more of a script that only tries something out than some lines of it."""
    own = {*terms_of(words)} - {*_OF_ANY, *terms_of(s.key.rpartition("/")[2])}
    is_sampled = s.text.startswith("wrote ") and "…" in s.text
    return is_sampled and ATTEMPT.search(s.key) is not None and len(own) >= LEAST_TERMS


def _announces(said: Statement) -> bool:
    return bool({"opens", "announces"} & {*said.flags}) and "\n" not in said.text
