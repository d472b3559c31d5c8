"""Edits whose session does not say what they changed, told in the words that announced them."""

import re
from collections.abc import Sequence

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, tells_nothing
from tamis.text.terms import terms_of

LEAST_TERMS, MOST_CHARS = 4, 240
"""Words that announce an edit tell of it with so many terms, and no more characters."""

MOST_TURNS = 2
"""Messages from the words to the edit: some logs give each a message of its own."""

_LEAD_IN = re.compile(
    r"\A(?:(?:now|next|then|first|second|finally|also|and|ok(?:ay)?|good|great|so)\b[,:.!]?\s+){0,3}"
    r"(?:(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|i['’]m)\s+)?(?:now\s+)?",
    re.IGNORECASE,
)

_MISTAKE = re.compile(
    r"\b(?:edit|change|command)\w{0,3}\b[^.\n]{0,60}\b(?:the wrong (?:file|place|function|lines?)\b"
    r"|(?:accidentally|mistakenly|inadvertently|unintentionally) (?!not\b)\w+)"
    r"|\bI (?:\w+ )?(?:accidentally|mistakenly|inadvertently|unintentionally) "
    r"(?:edit|chang|modif|replac|overwr|remov|delet|appl|insert|add)",
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
            if said is not None and near and s.kind == "changed" and tells_nothing(s, s.text):
                words = _LEAD_IN.sub("", said.text).rstrip(" :.")
                if _announces(said) and len(words) <= MOST_CHARS and len(terms_of(words)) >= LEAST_TERMS:
                    found[id(s)] = words
            said = None
    return found


def owned_up(statements: Sequence[Statement]) -> dict[int, str]:
    """What there is to add to an edit of which the agent said next that it went wrong, by its identity."""
    notes: dict[int, str] = {}
    edits: list[Statement] = []
    for s in statements:
        if s.kind == "changed":
            edits = [*(e for e in edits if (e.turn, e.key) == (s.turn, s.key)), s]
        elif s.kind in WORDS and edits and edits[-1].turn < s.turn <= edits[-1].turn + MOST_TURNS:
            notes |= {id(e): f"by mistake, as said in #{s.turn}" for e in edits if _MISTAKE.search(s.text)}
    return notes


def _announces(said: Statement) -> bool:
    return bool({"opens", "announces"} & {*said.flags}) and "\n" not in said.text
