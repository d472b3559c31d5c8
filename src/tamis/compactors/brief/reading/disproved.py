"""What the session itself disproved: wrong names, causes that were none, runs that came to nothing."""

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT
from tamis.text.terms import terms_of

LEAST_SHARED = 2
"""Terms that a cause shares with what rules it out."""

_RENAMES = re.compile(
    r"\bit(?:['’]s| is) (?:actually )?`?(?P<right>[\w.]{3,60})`?,? not `?(?P<wrong>[\w.]{3,60})"
    r"|\bas (?P<kind>an? \w{3,30})\b[^.,;\n]{0,40},? (?:and )?not (?:as )?(?P<other>an? \w{3,30})\b",
    re.IGNORECASE,
)
"""Names a thing rightly that was named wrongly before."""
RENAMED_WITHIN = 24
"""Messages back in which the wrong name is looked for."""
_OF_ERROR = re.compile(r"\b(?:error|exception|failure|problem|issue)\b", re.IGNORECASE)
_NOT_IT = re.compile(
    r"\bthe (?:issue|problem|cause|error|culprit) (?:is|was)(?:n['’]t| not)\b"
    r"|\bnot the (?:cause|culprit|issue|problem)\b",
    re.IGNORECASE,
)
_NOT_SEEN = re.compile(
    r"\bwork(?:s|ing) (?:\w{2,12} )?when i (?:call|run|test|try)\b"
    r"|\b(?:can(?:not|['’]t)|unable to) reproduce\b"
    r"|\bnot (?:reproducible|(?:crash|err?or|fail)ing (?:in my tests|when i|here))\b",
    re.IGNORECASE,
)
"""Says that what was looked for does not happen: no cause that was thought of is one."""
_MENDS = re.compile(r"\b(?:fix is|root cause|likely (?:caus|why))", re.IGNORECASE)
_DID_NOTHING = re.compile(
    r"(?:(?:hmm+|oh|unfortunately|ok(?:ay)?|but)[,.]? )?(?:it (?:seems|looks like) )?"
    r"(?:(?:the|that|this|my) [\w-]{2,20}|it|that|this) did(?:n['’]t| not) (?:actually |seem to )?"
    r"(?:work|apply|take effect|(?:change|do) anything)\b",
    re.IGNORECASE,
)
"""Says of what was run last that it came to nothing, whatever it printed."""

_LOST = re.compile(
    r"\b(?:might|may|could) be (?:(?:named|located|placed|structured|organi[sz]ed|called) )?"
    r"(?:\w{2,12} ){0,3}(?:differently|different from|elsewhere|unexpected (?:place|location))",
    re.IGNORECASE,
)
"""Guesses why something was not found: the next look tells."""
_WITHDRAWS = re.compile(
    r"\bi (?:had )?(?:previously|earlier|originally|initially) "
    r"(?:skipped|left out|rejected|dismissed|advised against|argued against|ruled out)\b",
    re.IGNORECASE,
)
_ADVISES_AGAINST = re.compile(
    r"\bi(?:['’]d| would) (?:skip|leave out|avoid|not|drop|defer)\b|\bi wouldn['’]t\b|\bnot worth\b",
    re.IGNORECASE,
)


def disproved(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a later name, run or finding shows to be wrong."""
    yield from _misnamed(statements)
    yield from _uncured(statements)
    yield from _ruled_out(statements)
    yield from _withdrawn([s for s in statements if s.kind in WORDS])


def _withdrawn(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent advised against and then came to want; guesses where a thing lies, before the last."""
    against: list[Statement] = []
    for s in spoken:
        text = s.text[:LOOKED_AT]
        if _LOST.search(text) and s.turn < spoken[-1].turn:
            yield s
        if _WITHDRAWS.search(text):
            about = set(terms_of(text))
            yield from (o for o in against if len(about.intersection(terms_of(o.text))) >= LEAST_SHARED)
        elif _ADVISES_AGAINST.search(text):
            against.append(s)


def _misnamed(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Accounts under a name that a later one calls wrong ("it's `a`, not `b`"); runs that did nothing."""
    said: list[Statement] = []
    ran: Statement | None = None
    for s in statements:
        if s.kind in DEEDS:
            ran = ran if "reads" in s.flags else s if s.kind in ("tested", "ran") else None
        if s.kind not in WORDS:
            continue
        text = s.text[:LOOKED_AT]
        if ran is not None and ran.turn < s.turn and _DID_NOTHING.match(text):
            yield ran
        if found := _RENAMES.search(text):
            wrong, right = found["wrong"] or found["other"], found["right"] or found["kind"]
            said = [o for o in said if o.turn >= s.turn - RENAMED_WITHIN]
            for o in said:
                named = re.search(rf"(?<!\w){re.escape(wrong)}\b", o.text) and right not in o.text
                shared = not set(terms_of(o.text)).isdisjoint(terms_of(text))
                if named and shared and ("cause" in o.flags or found["other"]):
                    yield o
        said.append(s)


def _ruled_out(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Causes that the agent thought of before it changed anything, and found to be none."""
    causes: list[Statement] = []
    here: list[Statement] = []  # what its message says so far
    for s in statements:
        if s.kind in ("asked", "changed"):
            causes, here = [], []
        if s.kind not in WORDS:
            continue
        here = [*here, s] if here and here[0].turn == s.turn else [s]
        text = s.text[:LOOKED_AT]
        if _NOT_SEEN.search(text) or _NOT_IT.search(text):
            about = set() if _NOT_SEEN.search(text) else {t for o in here for t in terms_of(o.text)}
            yield from (
                o
                for o in causes
                if o.turn < s.turn
                and (not about or len(about.intersection(terms_of(o.text))) >= LEAST_SHARED)
            )
        elif "cause" in s.flags or _MENDS.search(text):
            causes.append(s)


def _uncured(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Causes given for an error, where after what was changed the same run failed the same way."""
    failed: dict[str, str] = {}
    causes: list[Statement] = []
    newest, is_changed = "", False
    for s in statements:
        if s.kind == "changed":
            is_changed = True
        elif s.kind == "failed" and s.key and " → " in s.text:
            if is_changed and failed.get(s.key) == s.text and newest == s.key:
                yield from causes
            if is_changed or newest != s.key:
                causes = []
            failed[s.key] = s.text
            newest, is_changed = s.key, False
        elif s.kind in ("tested", "ran") and "reads" not in s.flags:
            newest = ""
        elif (
            newest and not is_changed and s.kind in WORDS and "cause" in s.flags and _OF_ERROR.search(s.text)
        ):
            causes.append(s)
