"""What the agent said and later took back: a thought, a place of the fault, a claim, a formula."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile

from tamis.compactors.brief.reading.settling.disproved import MENDS, RULES_OUT, disproved, overturned
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT
from tamis.text.terms import terms_of

LEAST_SHARED = 2
"""Terms that two accounts of one thing share."""

MANY_TURNS = 3
"""A message that turns so often only leads up to its end."""

NEAR_CHARS = 80
"""How far from a verb the name stands that it is about."""

_TURNS = re.compile(
    r"\A(?:(?:but|oh|hmm+|no|so)[,.]? )?(?:wait|actually|hold on|on second thought|hm{2,9})\b", re.IGNORECASE
)
_IS_FINE = re.compile(
    r"\A[^.;:]{0,20}?\b(?:this is|(?:that|it)(?:['’]s| is))(?: actually| probably)? "
    r"(?:fine|ok(?:ay)?|right|not an issue)\b",
    re.IGNORECASE,
)
"""Takes back all doubts before it."""
_SORRY = re.compile(
    r"\A(?:you['’]?re (?:absolutely )?right\b"
    r"|(?:i apologi[sz]e|sorry) for (?:the|my) (?:oversight|confusion|mistake|error)"
    r"|my (?:mistake|bad)\b|i (?:was wrong|was mistaken|misread|misunderstood|misspoke)\b)",
    re.IGNORECASE,
)
_MISSTATED = re.compile(
    r"\bmy (?:original|earlier|previous|initial|first) (?:\w+ ){1,3}?(?:incorrect|wrong|mistaken)(?:ly)?\b"
    r"|\bI (?:had )?(?:incorrectly|wrongly|mistakenly) \w+ed\b",
    re.IGNORECASE,
)
LEAST_MISSTATED = 3
"""Terms that what was wrong shares with the request that asks about it, and the answer."""
_APPROVES = re.compile(
    r"\b(?:is|are|that's|it's)(?: actually| already| still)? (?:the )?(?:correct|right|fine|as intended)\b",
    re.IGNORECASE,
)
_OBLIGES = re.compile(r"\b(?:should|must|needs?|ha(?:s|ve) to)\b", re.IGNORECASE)
_DECIDES = re.compile(
    r"(?i)\A(?:for now,|(?:but )?let'?s keep it simple|i(?:'ll| will) keep it simple"
    r"|but (?:i|we) (?:should|need to|must) (?:\w{2,12} )?(?:focus|go back|step back))"
)
_ONCE_DONE = re.compile(r"\b(?:after|once) (?:add|committ|deploy|merg|push)(?:ing|ed)\b", re.IGNORECASE)
_OF_IT = re.compile(
    r"(?:this|that|these|those)(?:['’]s| (?:is|are|was|were|comes?|came|ha[sd]|have))\b", re.I
)
"""Begins what nobody understands without the sentence before."""

_WEIGHS = re.compile(r"(?i)\b(?:i|we) (?:could|might)\b|\A(?:alternatively|maybe the|perhaps the)\b")
_LIES_IN = re.compile(
    r"\b(?:(?:problem|issue|bug|cause|culprit) (?:is|was|lies|seems to be|must be|appears to be)"
    r" (?:actually )?in|fix is to (?:change|modify|update))"
    r" (?:the )?(?=`?(?P<first>[\w./]{3,80}))(?P<rest>.{0,120})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w./]{3,80}")
_TICKED = re.compile(r"`([^`\n]{2,80})`")
_CLAIMS = re.compile(r"\b(?P<verb>has|exists|uses|contains|supports|calls|returns|accepts|needs|sets)\b")
_DENIES = re.compile(
    r"\b(?:do(?:es)?n['’]t|do(?:es)? not|did(?:n['’]t| not)|may or may not|might not)(?: actually| even)? "
    r"(?P<verb>have|exist|use|contain|support|call|return|accept|need|set)\b"
)
_UNSEEN = re.compile(r"\b(?:do(?:n['’]t| not)|can(?:['’]t|not)) (?:see|find)\b[^`.]{0,60}`(?P<name>\w{3,60})")
_MISSES = re.compile(
    r"\bI (?:still |also )?(?:do|can|could|did)(?:n['’]t|['’]t| ?not) (?:see|find)\b"
    r"|\b(?:is|are|was|were|got) (?:\w{2,12}ly )?(?:truncated|cut (?:off|short))\b"
    r"|\b(?:is|are)(?:n['’]t| not) (?:yet )?(?:covered|tested)\b"
)
_FORESEES = re.compile(r"\b(?:would|should|will)\b")
_VERIFIES = re.compile(r"(?i)\blet (?:me|us) (?:check|confirm|see|test|verify)(?: this| that| it)?\W*\Z")
_SEEN = re.compile(r"\b(?:there (?:is|are)|[Ff]ound \d|line \d|matches)")
AGREES = re.compile(
    r"\W{0,3}(?:y(?:es|ep|up|eah)|ok(?:ay)?|sure|go (?:ahead|for)|do (?:it|that|both|all)|both|all of|proceed"
    r"|please do|lgtm|sounds good|approved|agreed)\b",
    re.IGNORECASE,
)
_NO_ACCOUNT = frozenset({"change", "announces", "heading"})
_ENDS = re.compile(r"(?<=[.!?]) ")
_FORECASTS = re.compile(
    r"\bi['’]d\b|\b(?:would|should|could)\b(?!(?: not|n['’]t)? have\b)|\bto [~≈] ?\d"
    r"|\bsay,? (?:every |about |around )?\d|\bnone of (?:this|it)\b",
    re.IGNORECASE,
)
"""Says what is to be done and what may come of it."""
_SUPPOSES = re.compile(r"\b(?:if|when|whether|where)\b", re.IGNORECASE)
_IS_FILE = re.compile(r"\A(?:[-*] )?`/?((?:[\w.-]{1,80}/){1,20})[\w-]{1,80}(\.\w{1,12})`\Z")
"""Names a file, and says no more."""
_NAME = re.compile(r"[~\w][\w./~-]{2,120}")
_IS_NAME = re.compile(r"[a-z][A-Z]|\w[_/]\w")
_FORMULA = re.compile(r"`(\w{1,40}[_.]\w{1,40})(?: ?= ?([^`\n]{8,160})`|`: )")
"""Says what a thing is made of: `` `row_id = sha256(place)` ``, or in words: ``- `Row.id`: a hash of it``."""
_EMPTY = frozenset({"announces", "question", "vague", "courtesy"})


def taken_back(statements: Sequence[Statement]) -> set[int]:
    """The statements, by identity, that a later one takes back.

    "Actually, ..." takes back the sentence before it where both name the same, and "For now, ..." what was
    weighed before; a later place of the fault takes back an earlier one, "does not have `x`" "has `x`", and
    what shows `x` "I don't see `x`".
    """
    gone: set[int] = set()
    before: Statement | None = None
    weighed: list[Statement] = []
    shapes, asked = list[Statement](), -1
    places: list[tuple[frozenset[str], Statement]] = []
    claims: dict[tuple[str, str], list[Statement]] = {}
    unseen: dict[str, list[Statement]] = {}
    for s in statements:
        if s.kind == "asked":
            asked = s.turn
            places.clear()
        elif s.kind == "changed" and "source" in s.flags:
            gone |= {id(o) for o in shapes if o.turn < asked}  # the change shows how it is to look
        elif (s.kind in WORDS and "code" in s.flags and any(_OBLIGES.search(o.text) for o in s.leads)) or (
            shapes and shapes[-1].turn == s.turn and _ONCE_DONE.search(s.text[:LOOKED_AT])
        ):
            shapes.append(s)
        if not (missed := _UNSEEN.search(s.text[:LOOKED_AT])) and unseen and _SEEN.search(s.text):
            shown = _words_of(s.text) & unseen.keys()
            gone |= {
                id(o) for name in shown for o in unseen.pop(name) if s.kind not in WORDS or o.turn < s.turn
            }
        if missed and s.kind in WORDS:
            unseen.setdefault(missed["name"], []).append(s)
        if s.kind not in WORDS:
            continue
        text = s.text[:LOOKED_AT]
        if before is not None and _follows(before, s) and _turns(before, s):
            gone.add(id(before))
        before = s
        if _DECIDES.match(text):
            gone |= {id(o) for o in weighed if (o.turn, o.place[0]) == (s.turn, s.place[0])}
        weighed = [s] if _WEIGHS.search(text) else weighed
        if found := _LIES_IN.search(text):
            here = frozenset(_TICKED.findall(found["rest"]) or [found["first"].rstrip(".")])
            gone |= {
                id(o) for names, o in places if names - _words_of(text) and here - names and o.turn < s.turn
            }
            places.append((here, s))
        for denied in _about(text, _DENIES):
            gone |= {id(o) for o in claims.pop(denied, ()) if o is not s}
        for claimed in _about(text, _CLAIMS):
            claims.setdefault(claimed, []).append(s)
    gone |= {id(s) for s in (*disproved(statements), *_made_otherwise(statements))}
    gone |= {id(s) for s in _owned_up([s for s in statements if s.kind in ("said", "found")])}
    owning = {s.turn for s in statements if _SORRY.match(s.text)}
    owning &= {s.turn for s in statements if s.kind == "found" and "cause" in s.flags}
    gone |= {id(s) for s in statements if s.kind == "thought" and s.turn in owning}  # how it came to own up
    gone |= {id(s) for s in (*_misstated(statements), *_looked_for(statements))}
    listed = (s for s in statements if "\n" in s.text and "code" not in s.flags)
    listed = (s for s in listed if not MENDS.search(s.text.partition("\n")[0]))
    gone -= {id(s) for s in listed}  # a list says more than what is taken back of it
    gone |= {id(s) for s in _drafts([s for s in statements if s.kind in ("said", "found", "asked")])}
    spoken = [s for s in statements if s.kind in WORDS]
    works = any(s.kind in DEEDS for s in statements)
    newest = spoken[-1].turn if works and spoken else -1
    gone |= {id(s) for s in (*_thought_aloud(spoken, newest), *overturned(spoken))}
    for s in statements:  # what leans on nothing else goes, too
        clears = "named" in s.flags and RULES_OUT.search(s.text[:LOOKED_AT]) and not _OF_IT.match(s.text)
        if s.leads and not clears and all(id(lead) in gone for lead in s.leads):
            gone.add(id(s))
    return gone


def agreed_and_done(statements: Sequence[Statement]) -> set[int]:
    """What the agent proposed and the user agreed to, where the agent told later that it made the change."""
    done: set[int] = set()
    proposed: list[Statement] = []
    agreed: list[Statement] = []
    answered, is_changed = -1, False
    for s in statements:
        if s.kind in ("said", "found"):
            proposed = [*proposed, s] if proposed and proposed[-1].turn == s.turn else [s]
            if "change" in s.flags and is_changed:
                done |= {id(o) for o in agreed}
        elif s.kind == "asked" and s.turn != answered:
            answered, is_changed = s.turn, False
            agreed = proposed if AGREES.match(s.text) else []
            proposed = []
        elif s.kind == "changed" and "source" in s.flags:
            is_changed = True
    return done


def without_forecasts(text: str) -> str:
    """What was proposed and is done, without what was forecast, and what a line says of it."""
    if not _FORECASTS.search(text):
        return text
    parts = (takewhile(lambda p: not _FORECASTS.search(p), _ENDS.split(line)) for line in text.split("\n"))
    told = (" ".join(own) for own in parts)
    lines = [line for line in told if any(map(str.isalpha, line))]
    return "" if lines and lines[-1].endswith(":") and "\n" in text else "\n".join(lines)


def _owned_up(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent, owning up, gives another account of in its next message, and what one message turns."""
    messages = [list(own) for _, own in groupby(spoken, key=lambda s: s.turn)]
    for before, own in pairwise(messages):
        if "the wrong file" in " ".join(s.text for s in own):  # it did not edit what it said
            yield from (s for s in before if s.kind == "said")
        at = next((n for n, s in enumerate(own) if _SORRY.match(s.text)), None)
        if at is not None and any("cause" in s.flags for s in own[at:]):
            own, before = own[at:], [*before, *own[:at]]
            said = {term for s in own for term in terms_of(s.text)}
            accounts = (s for s in before if "cause" in s.flags or not _NO_ACCOUNT & {*s.flags})
            yield from (s for s in accounts if len(said.intersection(terms_of(s.text))) >= LEAST_SHARED)
        elif _TURNS.match(own[0].text) and _APPROVES.search(own[0].text):
            yield from (s for s in before if _OBLIGES.search(s.text))
    approved: list[Statement] = []
    for s in spoken:
        if _TURNS.match(s.text) and _OBLIGES.search(s.text):
            about = set(terms_of(s.text))
            for o in approved:
                if o.turn == s.turn or not about.isdisjoint(terms_of(o.text)):
                    yield from (o, *(lead for lead in o.leads if lead.kind in WORDS))
        elif _APPROVES.search(s.text):
            approved.append(s)


def _thought_aloud(spoken: Sequence[Statement], newest: int) -> Iterator[Statement]:
    """What a message that thinks aloud says before its last "Actually, ...", from what it takes up on.

    A list that it begins with tells what was just seen; what it weighs in the `newest` is where the work
    stands.
    """
    for (at, _), own in groupby(spoken, key=lambda s: (s.turn, s.place[0])):
        message = list(own)
        turns = [n for n, s in enumerate(message) if _TURNS.match(s.text)]
        turn = turns[-1] if turns and at != newest else 0
        told = [s for s in message[turn:] if _EMPTY.isdisjoint(s.flags)]
        about = {name for s in told for name in _subjects(s.text)} if turn else set()
        again = (n for n, s in enumerate(message[:turn]) if not about.isdisjoint(_subjects(s.text)))
        is_over = len(turns) >= MANY_TURNS or _IS_FINE.match(message[turn].text)
        seen = max((n + 1 for n, s in enumerate(message[:2]) if "item" in s.flags), default=0)
        start = max(seen, 0 if is_over else next(again, turn))
        if turn and told:
            yield from message[start : turn + ("vague" in message[turn].flags)]


def _drafts(spoken: Sequence[Statement]) -> Iterator[Statement]:
    """Lists that the agent, agreed with, writes out in its next message under a heading sharing a word."""
    messages = [list(own) for _, own in groupby(spoken, key=lambda s: s.turn)]
    for before, (answer, *_), own in zip(messages, messages[1:], messages[2:], strict=False):
        said: dict[Statement, set[str]] = {}
        for s in own if answer.kind == "asked" != own[0].kind and AGREES.match(answer.text) else ():
            for head in (lead for lead in s.leads[:1] if "heading" in lead.flags):
                said.setdefault(head, set()).update(terms_of(s.text))
        for s in (s for s in before if said and s.kind in WORDS and "item" in s.flags and "\n" in s.text):
            first, terms = {*terms_of(s.text.partition("\n")[0])}, {*terms_of(s.text)}
            anew = (own for head, own in said.items() if not first.isdisjoint(terms_of(head.text)))
            if any(3 * len(terms & own) >= len(terms) for own in anew):
                yield s


def _made_otherwise(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Names of files that the agent meant to make, where it then made others of the kind in that folder."""
    made = {f"/{s.key}": s.turn for s in statements if s.kind == "changed" and s.text[:6] == "wrote "}
    known = [f"/{s.key}" for s in statements if s.kind in DEEDS]
    for s in statements:
        if s.kind in WORDS and (found := _IS_FILE.match(s.text)):
            folder, kind = f"/{found[1]}", found[2]
            others = (p for p, turn in made.items() if turn > s.turn and folder in p and p.endswith(kind))
            named = found[0].strip("-* `/")
            if any(others) and not any(path.endswith(f"/{named}") or f" {named}" in path for path in known):
                yield s


def _looked_for(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent did not see, found untested or foresaw, and went on to: what it then saw is told."""
    for s, then in pairwise(s for s in statements if s.kind in WORDS):
        if "announces" in then.flags and _follows(s, then) and then.turn < statements[-1].turn:
            misses = _FORESEES if _VERIFIES.search(then.text[:LOOKED_AT]) else _MISSES
            yield from [s] * (misses.search(s.text[:LOOKED_AT]) is not None)


def _misstated(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What the agent said of what it is asked about, and thought, where it answers that it was wrong."""
    asked: list[Statement] = []
    for at, s in enumerate(statements):
        if s.kind == "asked":
            asked = [s, *(o for o in asked if o.turn == s.turn)]
        elif asked and s.kind in ("said", "found") and _MISSTATED.search(s.text):
            about = "\n".join([s.text, *(o.text for o in asked)])
            terms = set(terms_of(about))
            for o in statements[:at]:
                names = set(_names(o.text)) if o.turn < asked[0].turn and o.kind in WORDS else set()
                named = names and "heading" not in o.flags and all(name in about for name in names)
                if (named and len(terms.intersection(terms_of(o.text))) >= LEAST_MISSTATED) or (
                    o.kind == "thought" and asked[0].turn < o.turn
                ):
                    yield o


def _words_of(text: str) -> set[str]:
    return {word.rstrip(".") for word in _WORD.findall(text)}


def newest_formulas(statements: Sequence[Statement]) -> Mapping[str, tuple[str, int]]:
    """Of each name that the agent gave a formula: the newest, and where that was said."""
    return {
        name.lower().replace(".", "_"): (formula, s.turn)
        for s in statements
        if s.kind in WORDS
        for name, formula in _FORMULA.findall(s.text)
        if formula
    }


def without_replaced(text: str, turn: int, formulas: Mapping[str, tuple[str, int]]) -> str:
    """The text without the lines with a formula that was replaced since; "…" vouches for no other."""
    kept = lines = text.split("\n")
    for line in lines:
        for name, formula in _FORMULA.findall(line):
            newest, since = formulas.get(name.lower().replace(".", "_"), (formula, turn))
            parts = {*re.split(r"\W|_", newest)} if not formula else set()
            is_told = len(parts.intersection(terms_of(line.partition("`: ")[2]))) >= LEAST_SHARED
            if newest != formula and since > turn and not is_told:  # words that the formula spells out stand
                kept = ["…" if one == line else one for one in kept]
    told = re.sub(r"(?:\n…(?=\n|\Z))+", " …", "\n".join(kept))
    return text if kept == lines else "" if told == "…" or told.endswith(": …") else told


def _follows(before: Statement, s: Statement) -> bool:
    here = (before.turn, before.place[0]) == (s.turn, s.place[0])
    return here and before.key.isdigit() and s.key == str(int(before.key) + 1)


def _turns(before: Statement, s: Statement) -> bool:
    """Whether a sentence takes back the one before it."""
    if _EMPTY.intersection(s.flags) or not _TURNS.match(s.text):
        return False
    return not set(_names(before.text[:LOOKED_AT])).isdisjoint(_names(s.text[:LOOKED_AT]))


def _about(text: str, verbs: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """What is claimed or denied, as the verb and the name that it is about."""
    for found in verbs.finditer(text):
        if _SUPPOSES.search(text, max(0, found.start() - NEAR_CHARS), found.start()):
            continue
        verb = "have" if found["verb"] == "has" else found["verb"].removesuffix("s")
        near = text[found.end() : found.end() + NEAR_CHARS]
        if verb == "exist":
            near = text[max(0, found.start() - NEAR_CHARS) : found.start()]
        if name := next(_names(near.partition(". ")[0]), None):
            yield verb, name


def _subjects(text: str) -> set[str]:
    """What a text is about: the names in it, and the words of its quoted code."""
    ticked = " ".join(_TICKED.findall(text))
    return {*_names(text), *re.findall(r"\w{2,80}", ticked)}


def _names(text: str) -> Iterator[str]:
    """The identifiers and paths in a text; of `row.fieldName` the last part."""
    for found in _NAME.findall(text):
        name = found.rstrip("./-")
        if _IS_NAME.search(name):
            yield name if "/" in name else name.rpartition(".")[2]
