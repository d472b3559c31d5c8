"""What the agent said and later took back: a thought, a place of the fault, a claim, a value."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT
from tamis.text.terms import terms_of

NEAR_CHARS = 80
"""How far from a verb the name stands that it is about."""

_TURNS = re.compile(
    r"\A(?:(?:but|oh|hmm+|no)[,.]? )?(?:wait|actually|hold on|on second thought)\b", re.IGNORECASE
)
_DECIDES = re.compile(
    r"\A(?:for now,|(?:but )?let'?s keep it simple|i(?:'ll| will) keep it simple)", re.IGNORECASE
)
_WEIGHS = re.compile(r"\b(?:i|we) (?:could|might)\b|\Aalternatively\b", re.IGNORECASE)
_LIES_IN = re.compile(
    r"\b(?:problem|issue|bug|cause|culprit) (?:is|was|lies|seems to be|must be|appears to be)"
    r" (?:actually )?in (?:the )?`?([\w./]{3,80})",
    re.IGNORECASE,
)
_CLAIMS = re.compile(r"\b(?P<verb>has|exists|uses|contains|supports|calls|returns|accepts|needs|sets)\b")
_DENIES = re.compile(
    r"\b(?:do(?:es)?n['’]t|do(?:es)? not|did(?:n['’]t| not)|may or may not|might not)(?: actually| even)? "
    r"(?P<verb>have|exist|use|contain|support|call|return|accept|need|set)\b"
)
_SUPPOSES = re.compile(r"\b(?:if|when|whether|where)\b", re.IGNORECASE)
_NAME = re.compile(r"[~\w][\w./~-]{2,120}")
_IS_NAME = re.compile(r"[a-z][A-Z]|\w[_/]\w")
_VALUE = re.compile(r"\b(?P<name>\w{3,60}) ?:?= ?(?P<value>\"[^\"`]{1,60}\"|\d[\d_.]{0,20})(?![\w.])")
_EMPTY = frozenset({"announces", "question", "vague", "courtesy"})


def taken_back(statements: Sequence[Statement]) -> set[int]:
    """The statements, by identity, that a later one of the agent's takes back.

    "Actually, ..." takes back the sentence before it where both name the same, and "For now, ..." what was
    weighed before; a later place of the fault takes back an earlier one, and "does not have `x`" "has `x`".
    """
    gone: set[int] = set()
    before: Statement | None = None
    weighed: list[Statement] = []
    places: list[tuple[str, Statement]] = []
    claims: dict[tuple[str, str], list[Statement]] = {}
    for s in statements:
        if s.kind == "asked":
            places.clear()
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
            gone |= {id(o) for name, o in places if name.rstrip(".") not in text and o.turn < s.turn}
            places.append((found[1], s))
        for denied in _about(text, _DENIES):
            gone |= {id(o) for o in claims.pop(denied, ()) if o is not s}
        for claimed in _about(text, _CLAIMS):
            claims.setdefault(claimed, []).append(s)
    gone -= {id(s) for s in statements if "\n" in s.text}  # a list says more than what is taken back of it
    for s in statements:  # what leans on nothing else goes, too
        if s.leads and all(id(lead) in gone for lead in s.leads):
            gone.add(id(s))
    return gone


def replaced_values(statements: Sequence[Statement]) -> Mapping[str, tuple[str, str, int]]:
    """Of each name that a change gave another value: the old, the new, and the turn of the newest change."""
    values: dict[tuple[str, str], str] = {}
    replaced: dict[str, tuple[str, str, int]] = {}
    for s in statements:
        if s.kind != "changed" or "outline" in s.flags:
            continue
        for side in s.text.split(" → "):
            given = _VALUE.findall(side)
            for name, value in given:
                before = values.get((s.key, name), value)
                if before != value and sum(name == other for other, _ in given) == 1:
                    replaced[name] = before, value, s.turn
                values[s.key, name] = value
    return replaced


def with_new_values(statement: Statement, values: Mapping[str, tuple[str, str, int]]) -> str:
    """The text of a statement; behind a value that was replaced since stands what it is now."""
    text = statement.text
    for name, (old, new, turn) in values.items():
        if statement.turn >= turn or old not in text or new in text or "code" in statement.flags:
            continue
        if set(terms_of(name)) - {name.lower()} <= set(terms_of(text)) and (old[0] == '"' or name in text):
            text = re.sub(
                rf"({re.escape(old)}`?)", rf"\1 (now {new.replace(chr(92), chr(92) * 2)})", text, count=1
            )
    return text


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


def _names(text: str) -> Iterator[str]:
    """The identifiers and paths in a text; of `row.fieldName` the last part."""
    for found in _NAME.findall(text):
        name = found.rstrip("./-")
        if _IS_NAME.search(name):
            yield name if "/" in name else name.rpartition(".")[2]
