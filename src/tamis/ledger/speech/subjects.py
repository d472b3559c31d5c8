"""What a statement is about, so that a later one replaces an earlier one, also in other words.

A statement is reduced to its topic (stemmed key words, synonyms made one), the values it states (amounts,
days, versions, choices: see `measures.py`), whether it forbids, and the cues that it changes something. A new
statement replaces an open one when

- both state a value of the same kind, about the same topic ("the cap is $800", "keep it under five hundred");
- it takes back or turns round what the other rules, on the same topic ("never call X", "you may call X now");
- it names the other's value as what is given up ("use Y instead of X");
- it says the same again.

A topic is the same when one of the two says nothing that the other does not. Where both have words of their
own ("the hotel budget", "the flight budget") they are two subjects: a wrong merge loses a rule, a missed one
only leaves an old line standing beside the new.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tamis.ledger.extract import ReadContext
from tamis.text import find_measures
from tamis.text.cues import changes, vocabulary, zh
from tamis.text.cues.phrases import either

MAX_OPEN = 192
"""Statements that can still be replaced; the oldest are let go, so that work per message stays the same."""

ANAPHORA_TURNS = 24
"""How many messages back "it" may reach for a statement that has a topic of its own."""

_NUMERIC = ("money", "percent", "size", "duration", "count", "bare")
_WORD = re.compile(r"[A-Za-zÀ-ӿ][A-Za-zÀ-ӿ0-9_+#]*(?:['’./-][A-Za-zÀ-ӿ0-9_+#]+)*|[\u4e00-\u9fff]+")
_UPPER = either(changes.UPPER_BOUND)
_LOWER = either(changes.LOWER_BOUND)
_UPDATE = either(changes.UPDATES)
_LIFT = either(changes.LIFTS)
_ADDITIVE = either(changes.ADDS)
_REASON = either(changes.REASON_TAIL)
_GIVEN_UP = either(changes.GIVEN_UP)
_SUFFIXES = ("ments", "ment", "ings", "ing", "ations", "ation", "ies", "ers", "ed", "es", "s", "e")
_CJK_STOP = re.compile("|".join(sorted(zh.STOP, key=len, reverse=True)))


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending, in the spelling of its synonym group.

    >>> stem("deployments") == stem("release"), stem("files") == stem("file")
    (True, True)
    """
    word = word.lower().removesuffix("'s").removesuffix("’s")
    root = _root(word)
    return _GROUPS.get(word) or _GROUPS.get(root) or root


def _root(word: str) -> str:
    if not word.isalpha() or not word.isascii():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            if suffix in ("ing", "ed", "ings") and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


_GROUPS = {
    form: line.split()[0]
    for line in vocabulary.SYNONYMS
    for word in line.split()
    for form in (word, _root(word))
}
_STOPPED = vocabulary.STOP_WORDS | vocabulary.LIMIT_WORDS


@dataclass(frozen=True, kw_only=True, slots=True)
class SubjectStatement:
    """A sentence as far as replacing and being replaced goes."""

    topic: frozenset[str]
    measures: dict[str, str] = field(default_factory=dict)
    bound: str | None = None
    forbids: bool = False
    updates: bool = False
    lifts: bool = False
    adds: bool = False
    given_up: frozenset[str] = frozenset()


def key_words(text: str) -> frozenset[str]:
    """The words that say what a text is about. Chinese is cut into pairs of characters.

    >>> sorted(key_words("Please never call the vendor's API"))
    ['api', 'call', 'vendor']
    """
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0] >= "\u4e00":
            found.update(_han_words(word))
        elif word.lower().replace("’", "'").split("'")[0] not in _STOPPED:
            found.add(stem(word))
    return frozenset(found)


@lru_cache(maxsize=1024)
def read_statement(text: str, *, forbids: bool = False) -> SubjectStatement:
    """What a sentence says, for comparison with others."""
    main = _REASON.sub("", text) or text
    measures = find_measures(main)
    rest = main
    for measure in measures:
        rest = rest[: measure.start] + " " * (measure.end - measure.start) + rest[measure.end :]
    rest = _UPDATE.sub(" ", _LIFT.sub(" ", rest))
    given_up = frozenset(
        stem(word)
        for match in _GIVEN_UP.finditer(main)
        for word in (match[1] or match[2] or "").split()
        if word.lower() not in _STOPPED
    )
    # The value named first is the one that holds: "Memcached instead of Redis".
    stated: dict[str, str] = {}
    for measure in measures:
        if stem(measure.value) not in given_up:
            stated.setdefault(measure.kind, measure.value)
    return SubjectStatement(
        topic=key_words(rest) - given_up,
        measures=stated,
        bound="lower" if _LOWER.search(main) else "upper" if _UPPER.search(main) else None,
        forbids=forbids,
        updates=bool(_UPDATE.search(main)),
        lifts=bool(_LIFT.search(main)),
        adds=bool(_ADDITIVE.search(main)),
        given_up=given_up,
    )


def _strength(new: SubjectStatement, old: SubjectStatement) -> int:
    """0: two subjects. 1: one subject if "it" can mean nothing else. 2 and more: one subject."""
    if not (_covers(new.topic, old.topic) or _covers(old.topic, new.topic)):
        return 0
    shared = len(new.topic & old.topic)
    if new.given_up & (old.topic | {stem(v) for v in old.measures.values()}):
        return 4 + shared
    strengths = [_of_values(kind, new, old, shared) for kind in _changed(new, old)]
    if strengths:
        return max(strengths)
    if new.measures and old.measures and new.measures != old.measures and not _common(new, old):
        return 0
    if new.lifts or new.forbids != old.forbids:
        return _of_turning(new, old, shared)
    same = new.measures == old.measures and new.topic == old.topic
    return 2 + shared if same and (shared >= 2 or (shared and new.measures)) else 0


def _of_values(kind: str, new: SubjectStatement, old: SubjectStatement, shared: int) -> int:
    """Both state a value of this kind, not the same one; the topics do not speak against it."""
    if kind.split(":")[0] in _NUMERIC:
        if old.bound is None or new.bound not in (old.bound, None) or not (new.bound or new.updates):
            return 0
        return 2 + shared if shared else int(not new.topic)
    if new.adds and not new.updates:
        return 0
    if shared and (new.topic == old.topic or new.updates):
        return 2 + shared
    if kind.startswith("version") and (new.updates or new.lifts):
        return 2
    return int(not new.topic and (new.updates or not old.topic))


def _of_turning(new: SubjectStatement, old: SubjectStatement, shared: int) -> int:
    """The new one forbids what was to be done, or lets be done what was forbidden."""
    if not shared or not _covers(new.topic, old.topic) or (new.lifts and new.forbids and old.forbids):
        return 0
    if shared >= 2 or (len(old.topic) <= 2 and (new.updates or new.lifts)):
        return 2 + shared
    return 0


def _common(new: SubjectStatement, old: SubjectStatement) -> list[str]:
    kinds = [kind for kind in new.measures if kind in old.measures]
    if "bare" in new.measures and len(new.measures) == 1 and old.bound:
        kinds += [kind for kind in old.measures if kind.split(":")[0] in _NUMERIC and kind != "bare"]
    return kinds


def _changed(new: SubjectStatement, old: SubjectStatement) -> list[str]:
    return [k for k in _common(new, old) if new.measures.get(k, new.measures.get("bare")) != old.measures[k]]


def _covers(inner: frozenset[str], outer: frozenset[str]) -> bool:
    """Whether `outer` says all that `inner` says. Pairs of Chinese characters may miss where words meet."""
    missing = inner - outer
    if not missing:
        return True
    han = sum(word[0] >= "\u4e00" for word in inner)
    return all(word[0] >= "\u4e00" for word in missing) and len(missing) <= 0.25 * han


def _han_words(run: str) -> Iterable[str]:
    for piece in _CJK_STOP.sub(" ", run).split():
        for form, group in _HAN_GROUPS:
            if form in piece:
                yield group
                piece = piece.replace(form, " ")
        for rest in piece.split():
            if len(rest) == 1:
                yield rest
            yield from (rest[i : i + 2] for i in range(len(rest) - 1))


_HAN_GROUPS = sorted(
    ((form, group) for form, group in _GROUPS.items() if form[0] >= "\u4e00" and len(form) > 1),
    key=lambda pair: (-len(pair[0]), pair),
)


class Subjects:
    """The open statements of a session, kept in the reader's memory.

    Rules, decisions and facts share it: a decision may replace what was a rule.
    """

    def __init__(self, context: ReadContext) -> None:
        self._open: list[dict[str, Any]] = context.memory.setdefault("subjects", [])
        self._turn = context.turn

    def replaced_by(self, new: SubjectStatement, *, by: str, kind: str) -> dict[str, Any] | None:
        """The open statement that the new one replaces, as it was `add`ed; None where there is none.

        The assistant does not replace what the user said.
        """
        best, best_strength = None, 1
        pronoun = []
        for record in self._open:
            if record["kind"] != kind or (record["by"] != by and by == "assistant"):
                continue
            if not _comparable(new, record):
                continue
            old = _restored(record)
            strength = _strength(new, old)
            if record["turn"] == self._turn and not (new.updates or new.given_up):
                continue  # a list of rules in one message: each stands
            if strength > 1 and strength >= best_strength:
                best, best_strength = record, strength
            elif strength == 1:
                pronoun.append((old, record))
        return best or self._meant(pronoun)

    @staticmethod
    def own(kind: str, text: str) -> str:
        """The subject of a statement that nothing replaces but itself, said again."""
        return _name(kind, text, SubjectStatement(topic=frozenset()))

    def says_already(self, new: SubjectStatement) -> bool:
        """Whether an open statement covers all that this one says."""
        return any(new.topic and _covers(new.topic, frozenset(record["topic"])) for record in self._open)

    def holder(self, name: str, duty: frozenset[str], *, changes: bool, by: str) -> str:
        """The subject for a person with a duty: the person, or who had it before where it changed hands."""
        subject = name.lower()
        if changes and duty:
            for record in reversed(self._open):
                if record["kind"] == "entity" and frozenset(record["topic"]) == duty:
                    subject = record["subject"]
                    break
        held: dict[str, Any] = {"subject": subject, "bound": None, "topic": []}
        self.add("entity", name, SubjectStatement(topic=duty), by=by, replaced=held)
        return subject

    def _meant(self, candidates: list[tuple[SubjectStatement, dict[str, Any]]]) -> dict[str, Any] | None:
        """What "it" stands for: the only value without a topic, else the only one of late."""
        bare = [record for old, record in candidates if not old.topic]
        late = [record for _, record in candidates if self._turn - record["turn"] <= ANAPHORA_TURNS]
        for found in (bare, late):
            if len(found) == 1:
                return found[0]
        return None

    def add(
        self, kind: str, text: str, statement: SubjectStatement, *, by: str, replaced: dict[str, Any] | None
    ) -> str:
        """Remember a statement and give its subject: that of the one it replaces, or its own."""
        topic = statement.topic or (replaced["topic"] if replaced else ())
        subject = replaced["subject"] if replaced else _name(kind, text, statement)
        others = [r for r in self._open if r["subject"] != subject or r["kind"] != kind]
        self._open[:] = others[-MAX_OPEN + 1 :]
        self._open.append(
            {
                "kind": kind,
                "subject": subject,
                "by": by,
                "turn": self._turn,
                "topic": sorted(topic),
                "measures": statement.measures,
                "bound": statement.bound or (replaced["bound"] if replaced else None),
                "forbids": statement.forbids,
            }
        )
        return subject


def _comparable(new: SubjectStatement, record: dict[str, Any]) -> bool:
    """Whether anything at all is common to both: a quick look before they are compared in full."""
    return (
        not new.topic.isdisjoint(record["topic"])
        or not new.given_up.isdisjoint(record["topic"])
        or (bool(record["measures"]) and bool(new.measures or new.given_up))
    )


def _restored(record: dict[str, Any]) -> SubjectStatement:
    return SubjectStatement(
        topic=frozenset(record["topic"]),
        measures=record["measures"],
        bound=record["bound"],
        forbids=record["forbids"],
    )


def _name(kind: str, text: str, statement: SubjectStatement) -> str:
    words = [*sorted(statement.topic)[:6], *sorted(statement.measures)]
    digest = hashlib.sha256(" ".join(text.lower().split()).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{kind}: {' '.join(words)} {digest}"
