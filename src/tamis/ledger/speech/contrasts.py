"""Whether a sentence tells of another thing than the older one does, by how the two are built.

Words alone do not say it: "the mail relay" and "the relay for mail" are one thing. Four things do: another
word in the same place of a sentence built alike, an owner that the older one does not know, a subject of its
own where nothing is said to have changed, and a tale of how something was.
"""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from tamis.ledger.speech.claims import Claim, root
from tamis.ledger.speech.value_clauses import value_clause
from tamis.text.cues import claim_cues as tellings
from tamis.text.cues.phrases import either, word_set
from tamis.text.cues.vocabulary import STOP_WORDS

MAX_LABEL_WORDS = 2
"""What says which of two things is meant is short."""

LEAST_ALIKE = 0.5
"""Of the shorter sentence's words the part that stands in both, in one order, where they are built alike."""

_TOKEN = re.compile(r"[^\s,;()\"“”]+")
_ENDS = ".:!?"
_LEAD = re.compile(
    r"(?i)(?:(?:and|but|so|also|btw|fyi|ok|well)[,:]?\s{1,9}){0,4}(?:the|our|my|a|an|some|most|many)\s{1,9}"
)
_OWNER = re.compile(r"(?i)\b([a-z]\w+)['’]s\s+(?=[a-z])(?!(?:been|now|going|not|on|at|in|to)\b|\w+ed\b)")
_STATES = either(tellings.STATES)
_TALE = re.compile(
    r"(?i)\b(?:was|were|had(?!\s+to\b))\b(?!\s+(?:(?:been|just|now|since|all)\s+)*"
    r"(?:\w+ed|been|cut|set|put|brought|made|taken|given|wrong|mistaken|off|too|so|full|not|only)\b)"
    r"|\b(?:i wish|used to)\b"
)
_OF_NOW = re.compile(
    r"(?i)\b(?:is|are|be|now|will|should|must|can|has|(?<!to )have|instead|rather|not|no|actually|sorry)\b"
    r"|['’](?:s|re|ll)\b|n['’]t\b"
)
_TURNS = (
    re.compile(r"(?i)\b(?:begin|start|open|arriv|check.?in)(?:s|es|ing)?\b"),
    re.compile(r"(?i)\b(?:end|finish|clos|stop|leav|depart|check.?out)(?:s|es|ing)?\b"),
)
"""How something begins, and how it ends."""
_OTHER = re.compile(r"(?i)\b(?:the|my|our|an)\s?other\s+[a-z]|^(?:some|most|many|other)\s+[a-z]")
_PLAIN = STOP_WORDS | word_set("""
    new current correct right actual final latest last updated revised usual normal whole
""")
"""Before a noun these do not say which one is meant."""


def tells_of_another(new: Claim, old: Claim) -> bool:
    """Whether the new sentence tells of something else, so that it leaves the older one as it is.

    >>> from tamis.ledger.speech.claims import read_claim
    >>> old = read_claim("The ferry to Naxos leaves at 8:02.")
    >>> [tells_of_another(read_claim(text), old) for text in (
    ...     "The ferry to Paros leaves at 9:15 now.", "The ferry to Naxos leaves at 9:15 now.")]
    [True, False]
    """
    if is_tale(new.text) or (_OTHER.search(new.text) and not _OTHER.search(old.text)):
        return True
    known = old.about | old.light | {root(tag) for tag in (*old.tags, old.first or "")}
    if any(root(owner) in new.about - known for owner in _OWNER.findall(new.text)):
        return True
    if any(begins.search(old.text) and ends.search(new.text) for begins, ends in (_TURNS, _TURNS[::-1])):
        return True
    return _has_own_subject(new, old) or _contrasted(value_clause(new), value_clause(old))


@lru_cache(maxsize=1024)
def is_tale(text: str) -> bool:
    """Whether a sentence only tells how something was.

    >>> is_tale("Last year the rent was 900 euros."), is_tale("The rent was raised to 900 euros.")
    (True, False)
    """
    return _TALE.search(text) is not None and _OF_NOW.search(text) is None


def _has_own_subject(new: Claim, old: Claim) -> bool:
    """Whether somebody else does it, and nothing is said to have changed: "the museum charges 15 euros"."""
    lead = None if new.replaces else _LEAD.match(new.text)
    words = _TOKEN.findall(new.text, lead.end())[:2] if lead else []
    return (
        len(words) > 1 and root(words[0]) in new.about - old.about and bool(_STATES.match(words[1].lower()))
    )


def _contrasted(new: Claim, old: Claim) -> bool:
    """Whether another word stands in the same place of both, beside the value: "to Naxos", "to Paros"."""
    theirs, ours = _words(old.text), _words(new.text)
    were, are = ([root(word) or word for word in words] for words in (theirs, ours))
    alike = SequenceMatcher(None, were, are, autojunk=False)
    if sum(block.size for block in alike.get_matching_blocks()) < LEAST_ALIKE * min(len(were), len(are)):
        return False
    shared = (old.about | old.light) & (new.about | new.light)
    figures = labels = 0
    for tag, i, i_end, j, j_end in alike.get_opcodes():
        if tag != "replace":
            continue
        sides = (_telling(theirs[i:i_end], old, new), _telling(ours[j:j_end], new, old))
        if any(
            word in _figures(claim) for side, claim in zip(sides, (old, new), strict=True) for word in side
        ):
            figures += 1
        elif all(0 < len(side) <= MAX_LABEL_WORDS for side in sides):
            labels += 1
        elif i_end < len(theirs) and were[i_end] in shared and not _STATES.match(theirs[i_end]):
            labels += not {theirs[i_end - 1], ours[j_end - 1]} & _PLAIN
    return labels > 1 or bool(labels and figures)


def _words(text: str) -> list[str]:
    words = (word.strip("$€£" + _ENDS) for word in _TOKEN.findall(text.lower()))
    return [word.removesuffix("'s").removesuffix("’s") for word in words if word]


def _telling(words: list[str], claim: Claim, other: Claim) -> list[str]:
    """Those of the words that are, or belong to, a value or the subject, and that the other claim lacks."""
    parts = {part for value in claim.values for part in value.text.split()}

    def tells(word: str) -> bool:
        own = word in parts or word == claim.first or root(word) in claim.about
        return own and root(word) not in other.about and not _STATES.match(word)

    return [word for word in words if word in _figures(claim) or tells(word)]


@lru_cache(maxsize=1024)
def _figures(claim: Claim) -> frozenset[str]:
    """The words of its values that are neither names nor one of a set."""
    told = (value.text for value in claim.values if value.kind not in ("name", "ident", "choice"))
    return frozenset(part for text in told for part in text.split())
