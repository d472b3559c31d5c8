"""What the session itself disproved: wrong names, causes that were none, runs that came to nothing."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tamis.compactors.brief.reading.settling.looked_into import looked_into
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT, leans
from tamis.text.terms import terms_of

_TICKED = re.compile(r"`([^`\n]{2,80})`")
_FILE = re.compile(r"`([\w./-]{1,200}\.\w{1,8})(?::\d{1,6})?`")
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
RULES_OUT = re.compile(
    r"(?i)\b(?:already (?:have|has|had|set)|despite|isn['’]t that|(?:different|other) (?:repo|project))\b"
)
MENDS = re.compile(r"\b(?:fix is|root cause|likely (?:caus|why)|could explain (?:why|how))", re.IGNORECASE)
_DID_NOTHING = re.compile(
    r"(?:(?:hmm+|oh|unfortunately|ok(?:ay)?|but)[,.]? )?(?:it (?:seems|looks like) )?"
    r"(?:(?:the|that|this|my) [\w-]{2,20}|it|that|this) did(?:n['’]t| not) (?:actually |seem to )?"
    r"(?:work|apply|take effect|(?:change|do) anything)\b",
    re.IGNORECASE,
)
"""Says of what was run last that it came to nothing, whatever it printed."""

_LOST = re.compile(
    r"\b(?:might|may|could) be (?:(?:named|located|placed|structured|organi[sz]ed|called) )?"
    r"(?:\w{2,12} ){0,3}(?:differently|different from|elsewhere|unexpected (?:place|location))"
    r"|\b(?:seems|appears|looks like)\b[^.]{1,200} not (?:\w{2,12}ly )?\w{3,20} in this (?:class|file)\b"
    r"|(?:\.\.\.|…)\Z",
    re.IGNORECASE,
)
"""Guesses where something is or is not, or trails off: the next look tells."""
_DENIED = re.compile(
    r"\b(?:is|are|was|were|been|being)(?:n['’]t| not)(?: \w{2,12}ly| been| being)? "
    r"(?P<verb>[a-z]{2,30}(?:ed|en|t|d))\b"
)
_AFFIRMED = re.compile(
    r"\b(?i:is|are|was|were|been|being|now) (?:\w{2,12}ly |now |also |already )?"
    r"(?P<verb>[a-z]{2,30}(?:ed|en|t|d))\b"
)
_UNSURE = re.compile(
    r"n['’]t\b|\b(?:not?|never|if|when|whether|[cw]ould|should|unless|until|yet|may|might)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[,;:—(]")
MOST_DENIED = 100
SHORT_CHARS = 240
"""A longer sentence affirms more than what was denied."""
_WITHDRAWS = re.compile(
    r"\bi (?:had )?(?:previously|earlier|originally|initially) "
    r"(?:skipped|left out|rejected|dismissed|advised against|argued against|ruled out)\b",
    re.IGNORECASE,
)
_ADVISES_AGAINST = re.compile(
    r"\bi(?:['’]d| would) (?:skip|leave out|avoid|not|drop|defer)\b|\bi wouldn['’]t\b|\bnot worth\b",
    re.IGNORECASE,
)

_DOES_NOT = re.compile(r"\b(?:it|they) ([a-z]{4,20}),? not ([a-z]{4,20})\b", re.IGNORECASE)
_WILL_NOT = re.compile(
    r"\b(?:won['’]t|will not|doesn['’]t|does not)(?: actually| just)? (?:build|load|pass|run|start|work)\b",
    re.I,
)
_DOES_NOW = re.compile(
    r"\b(?:now (?:build|load|pass|run|start|work)e?s|(?:build|load|pass|run|start|work)e?s now)\b", re.I
)
_SUPPOSES = re.compile(r"\b(?:if|in case|when)\b", re.IGNORECASE)
_ANEW = re.compile(
    r"\b(?:corrected|revised) (?:analysis|design|plan|summary)\b"
    r"|\b(?:analysis|design|plan|summary) \((?:corrected|revised)\b",
    re.IGNORECASE,
)
"""Says what a thing does in truth, what would not do and what now does, and heads a report made anew."""
_NOT_FIGURE = re.compile(r"\d[^.;\n]{0,60}?,? not (?:about |roughly )?[~+-]?(\d[\d.,]*\d\w{0,3})\b")
_NAME = re.compile(r"[A-Za-z_]\w{6,80}")
IN_VAIN = " → nothing found"
VERDICT_WITHIN = 3
"""The sentences of an answer that the others rest on."""


def disproved(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a later name, run or finding shows to be wrong."""
    yield from _misnamed(statements)
    yield from _ruled_out(statements)
    yield from _found_since(statements)
    yield from looked_into(statements)
    spoken = [s for s in statements if s.kind in WORDS]
    yield from _withdrawn(spoken)
    yield from _figured_anew([s for s in spoken if "\n" not in s.text and s.kind != "thought"])
    yield from _affirmed_since(s for s in spoken if "\n" not in s.text)


def _found_since(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Searches in vain for a name that is told of later: they were put wrongly, or looked elsewhere."""
    later: set[str] = set()
    for s in reversed(statements):
        if s.kind == "ran" and s.text.endswith(IN_VAIN):
            sought = _NAME.findall(s.text.partition("`")[2].partition("`")[0])
            if sought and later.issuperset(sought):
                yield s
        else:
            later.update(_NAME.findall(s.text))


def overturned(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """Answers that a later message shows to be wrong, whole, and reports of which one is made anew."""
    messages = [list(own) for _, own in groupby(spoken, key=lambda s: s.turn)]
    for at, own in enumerate(messages):
        for s in own:
            text = s.text[:LOOKED_AT]
            if found := _DOES_NOT.search(text):
                does, wrong = (word.lower()[:-1] for word in found.groups())
                about = {*terms_of(text)}
                for before in messages[:at]:
                    rest_on = [o for o in before if wrong in o.text.lower() and does not in o.text.lower()]
                    rest_on = [o for o in rest_on if not about.isdisjoint(terms_of(o.text))]
                    rest_on = [o for o in rest_on if not _SUPPOSES.search(o.text[:LOOKED_AT])]
                    verdict = any(o in before[:VERDICT_WITHIN] for o in rest_on)
                    yield from before if verdict else rest_on
            elif now := {*_TICKED.findall(text)} if _DOES_NOW.search(text) else None:
                earlier = (
                    o for before in messages[:at] for o in before if _WILL_NOT.search(o.text[:LOOKED_AT])
                )
                yield from (o for o in earlier if now & {*_TICKED.findall(o.text.partition("\n")[0])})
            elif "heading" in s.flags and _ANEW.search(text):
                made = (o for o in reversed(messages[:at]) if sum("heading" in p.flags for p in o) > 1)
                yield from next(made, ())


def _figured_anew(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """What gives a figure that a later message, on the same thing, gives as the wrong one."""
    for at, s in enumerate(spoken):
        if figure := _NOT_FIGURE.search(s.text[:LOOKED_AT]):
            given, about = re.compile(rf"(?<![\w.]){re.escape(figure[1])}"), {*terms_of(s.text)}
            earlier = (o for o in spoken[:at] if o.turn < s.turn and given.search(o.text))
            yield from (o for o in earlier if len(about.intersection(terms_of(o.text))) >= LEAST_SHARED)


def told_anew(spoken: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """What the agent made, and told of the same files beside it, with where it tells how they are now."""
    for at, s in enumerate(spoken):
        about = {*terms_of(s.text)} if "prose" in s.flags and " now " in s.text[:LOOKED_AT] else set()
        for o in (o for o in spoken[:at] if about and {"prose", "change"} <= {*o.flags} and o.turn < s.turn):
            names, shared = _TICKED.findall(o.text), about.intersection(terms_of(o.text))
            if names and all(name in s.text for name in names) and 2 * len(shared) >= len(about):
                now = " ".join(p.text for p in spoken[at:] if p.turn == s.turn)
                files = {p: _FILE.findall(p.text) for p in spoken[:at] if p.turn == o.turn}
                yield from (
                    (p, s) for p, own in files.items() if p is o or (own and all(f in now for f in own))
                )


def _affirmed_since(spoken: Iterable[Statement]) -> Iterator[Statement]:
    """What was said not to be done or so, where a later message says of the same that it is."""
    denied: dict[str, deque[tuple[Statement, set[str]]]] = {}
    for s in spoken:
        text = s.text[:LOOKED_AT]
        terms = set(terms_of(text))
        for found in _AFFIRMED.finditer(text) if len(text) <= SHORT_CHARS and denied else ():
            if not _UNSURE.search(_CLAUSE_END.split(text[: found.start()])[-1]):
                for o, about in denied.get(found["verb"], ()):
                    shared = len(about & terms)
                    if o.turn < s.turn and shared > LEAST_SHARED and 2 * shared >= len(about):
                        yield o
        for found in _DENIED.finditer(text):
            denied.setdefault(found["verb"], deque(maxlen=MOST_DENIED)).append((s, terms))


def _withdrawn(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent advised against and then came to want; guesses where a thing lies, before the last."""
    against: list[Statement] = []
    for s in spoken:
        text = s.text[:LOOKED_AT]
        if "prose" in s.flags and _LOST.search(text) and s.turn < spoken[-1].turn:
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
    failures: list[Statement] = []
    here: list[Statement] = []  # what its message says so far
    for s in statements:
        if s.kind in ("asked", "changed"):
            causes, failures, here = [], [], []
        if s.kind not in WORDS:
            continue
        here = [*here, s] if here and here[0].turn == s.turn else [s]
        text = s.text[:LOOKED_AT]
        if _NOT_SEEN.search(text) and not MENDS.search(text):
            yield from (o for o in (*causes, *failures) if o.turn < s.turn)
        elif _NOT_IT.search(text):
            about = {t for o in here for t in terms_of(o.text)}
            earlier = (o for o in causes if o.turn < s.turn)
            yield from (o for o in earlier if len(about.intersection(terms_of(o.text))) >= LEAST_SHARED)
        elif _tells_cause(s):
            causes.append(s)
            failures += here[-2:-1] if leans(text) else []  # what it takes for the cause
        elif _tells_more(here) or s.kind == "thought":  # what was seen on the way, the deeds tell
            failures += [] if RULES_OUT.search(text) else [s]


def _tells_cause(s: Statement) -> bool:
    return "cause" in s.flags or MENDS.search(s.text[:LOOKED_AT]) is not None


def _tells_more(here: Sequence[Statement]) -> bool:
    """Whether the newest sentence of a message says more of the cause that the one before it gives."""
    if len(here) < 2 or not _tells_cause(before := here[-2]):
        return False
    s = here[-1]
    if "announces" in s.flags or s.kind == "reported":
        return False
    shared = set(terms_of(before.text)).intersection(terms_of(s.text))
    return "vague" in before.flags or len(shared) >= LEAST_SHARED
