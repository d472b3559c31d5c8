"""The clause of a sentence that states its value, and whether two of them speak of two things.

Around what it states a sentence says who told it, in which meeting, that it is new: "Talked to accounting
this morning: the cache size will be 930 MB." Of that only the clause with the value is compared.
"""

import re
from collections.abc import Set
from itertools import pairwise

from tamis.ledger.speech.claims import NAME_WORD, Claim, read_claim, root

_CLAUSE = re.compile(r"[,;:(]\s+|\s[-–—]\s|\s(?:and|so|but|that)\s(?=(?:the|our|my|we|it)\s)|[.!]\s+")


def value_clause(claim: Claim) -> Claim:
    """The clause with a value and with words that say of what, or the whole sentence where none has both.

    >>> told = read_claim("Talked to accounting this morning: the cache size will be 930 MB.")
    >>> value_clause(told).text
    'the cache size will be 930 MB.'
    """
    for words in reversed(_CLAUSE.split(claim.text)):
        found = read_claim(words) if len(words) < len(claim.text) else None
        if found is not None and found.values and found.about:
            return found
    return claim


def stand_apart(new: Claim, old: Claim, shared: Set[str]) -> bool:
    """Whether a word of its own says of each which one it is: "the read timeout", "the connect timeout".

    >>> one, other = (read_claim(f"The {word} timeout is 30 seconds.") for word in ("read", "connect"))
    >>> stand_apart(one, other, one.about & other.about)
    True
    """
    own_new, own_old = new.about - shared, old.about - shared
    if any(map(_numbered, own_new)) and any(map(_numbered, own_old)):
        return True  # "order 7", "order 8"
    ours, theirs = _qualifiers(new), _qualifiers(old)
    return any(
        ours[head] != theirs[head] and ours[head] in own_new and theirs[head] in own_old
        for head in ours.keys() & theirs.keys()
    )


def _numbered(word: str) -> bool:
    return any(map(str.isdigit, word))


def _qualifiers(claim: Claim) -> dict[str, str]:
    """Of each word that says what a claim is about the one right before it that does, too."""
    words = [root(word) for word in NAME_WORD.findall(claim.text)]
    told = claim.about | claim.light
    return {word: before for before, word in pairwise(words) if {before, word} <= told}
