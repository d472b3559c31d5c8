"""What was said and still stands, and which of it a new sentence replaces.

Two lists of it are kept in the reader's memory, as records with the words (`text`), which way they point as a
rule (`rule`) and when they were said (`turn`): each sentence of the user's that states something
(`corrections.py`), and, under a subject of its own, each rule and decision that was read (`Subjects`). Which
record a new sentence replaces is found in the same way in both.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tamis.ledger.extract import ReadContext
from tamis.ledger.speech.claims import Claim, ClaimPolarity, ClaimValue, holds, read_claim, root, takes_back
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.ledger.speech.supersession import (
    AMOUNTS,
    NAMES,
    ONE_AT_A_TIME,
    changed_kinds,
    drops_value,
    replacement_strength,
    says_the_same,
)
from tamis.text.cues import changes
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.phrases import either
from tamis.text.key_words import key_words

MAX_OPEN = 192
"""Rules and decisions that can still be replaced; the oldest are let go, so that work per message stays the
same."""

REACH, REACH_OF_RULES = 6, 24
"""How many messages back "make that 45" may reach."""

MAX_STATED = 90
"""Where work is done, a longer sentence explains, and states no new value."""

_DIRECTIVE = either(asking.DIRECTIVE)
_UPPER = either(changes.UPPER_BOUND)
_LOWER = either(changes.LOWER_BOUND)
_CLAUSE_END = re.compile(r"[,;:]\s|\s[-–—]\s|\s(?=because\s)")

Record = dict[str, Any]


def find_replaced(
    new: Claim, standing: Sequence[Record], turn: int, *, rule: ClaimPolarity, tells: bool = False
) -> Record | None:
    """The record that a sentence replaces, the newest where several are as likely; None where there is none.

    `rule` says which way the new sentence points, if it is a rule; `tells`: it is said where nobody works.

    >>> said = [{"text": text, "rule": None, "turn": 0} for text in ("The cap is $800.", "We fly on Friday.")]
    >>> new = read_claim("The cap is $500 now.")
    >>> find_replaced(new, said, turn=3, rule=None)["text"]
    'The cap is $800.'
    """
    if not (new.values or new.replaces or new.lifts):
        return None
    best, strength = None, 0
    at_once = takes_back(new.text)
    for record in standing:
        if record["turn"] == turn and not at_once:
            continue  # a list in one message: each stands
        old = read_claim(record["text"])
        if old is None or old.text == new.text or (new.about and new.common.isdisjoint(old.common)):
            continue
        if _is_task(old) and not (new.replaces or new.lifts or (rule and old.values)):
            continue  # what is amiss with the work takes the task not back
        in_talk = tells and record.get("tells", False)
        found = replacement_strength(new, old, rules=(rule, record["rule"]), in_talk=in_talk)
        if found and found >= strength:
            best, strength = record, found
    return best or _meant(new, standing, turn)


def find_replaced_by_clause(
    new: Claim, standing: Sequence[Record], turn: int, *, rule: ClaimPolarity
) -> Record | None:
    """The record that a clause of the new sentence replaces: "every 20 seconds, 5 drains the battery"."""
    for words in _CLAUSE_END.split(new.text):
        clause = read_claim(words)
        if clause is None or not clause.about or clause.text == new.text:
            continue
        about = clause.about - {root(clause.first or "")}
        rest = new.text.replace(words, " ").lower()
        for record in reversed(standing):
            old = read_claim(record["text"])
            if old is None or old.about - {root(old.first or "")} != about:
                continue
            named_again = any(value.text in rest for value in old.values) or (old.first or "\n") in rest
            clause = replace(clause, replaces=new.replaces or named_again, drops=new.drops, adds=False)
            if found := find_replaced(clause, [record], turn, rule=rule):
                return found
    return None


def may_replace_at_work(new: Claim, record: Record, *, rule: ClaimPolarity) -> bool:
    """Whether a sentence may replace an older one where work is done: a figure, a rule, an order, a "not X".

    Between reports, pasted reviews and logs, two sentences on one thing are seldom a value and its update.
    """
    old = read_claim(record["text"])
    if old is None:
        return False
    kinds = changed_kinds(new, old)
    if new.lifts or kinds & ONE_AT_A_TIME or drops_value(new, old):
        return True
    states = all(len(claim.text) <= MAX_STATED and holds(claim.text) for claim in (new, old))
    return (rule is not None or states) and (record["rule"] is not None or (new.replaces and bool(kinds)))


def _is_task(claim: Claim) -> bool:
    """Whether a sentence asks for a piece of work, and rules nothing."""
    return bool(_DIRECTIVE.stands_in(claim.text)) and rule_polarity(claim.text) is None


def _meant(new: Claim, standing: Iterable[Record], turn: int) -> Record | None:
    """What "make that 45 seconds" or "keep it under 45" means: the only value of its kind said of late.

    A rule that says of nothing what it bounds ("the cap is $800") may stand further back.
    """
    bound = _bound(new.text)
    named = any(value.kind in NAMES and value.choice is None for value in new.values)
    if new.about or named or not new.values or not (new.replaces or bound):
        return None
    bare, late = [], []
    for record in standing:
        old = read_claim(record["text"])
        if old is None or not any(_is_another(v, w, bound) for v in new.values for w in old.values):
            continue
        alike = _bound(old.text) in (bound, None if record["rule"] else bound)
        if not new.replaces and not (alike and new.light <= old.light):
            continue
        if record["rule"] and not old.about:
            bare.append(record)
        if turn - record["turn"] <= (REACH_OF_RULES if record["rule"] else REACH):
            late.append(record)
    return next((found[0] for found in (bare, late) if len(found) == 1), None)


def _is_another(new: ClaimValue, old: ClaimValue, bound: str | None) -> bool:
    """Whether they are two values of one kind; a number that is bounded may be of any amount."""
    of_any = bound and new.kind == "number" and old.kind in AMOUNTS
    return new.text != old.text and bool(of_any or (new.kind, new.choice) == (old.kind, old.choice))


def _bound(text: str) -> str | None:
    return "lower" if _LOWER.stands_in(text) else "upper" if _UPPER.stands_in(text) else None


class Subjects:
    """The rules and decisions that stand, and who does what, each under its subject.

    >>> context = ReadContext()
    >>> subject = Subjects(context).add("constraint", "Never push to main.", by="user", rule="must_not")
    >>> context.turn = 4
    >>> older = Subjects(context).replaced_by("You can push to main now.", by="user", kind="constraint")
    >>> older["subject"] == subject
    True
    """

    def __init__(self, context: ReadContext) -> None:
        self._open: list[Record] = context.memory.setdefault("statements", [])
        self._turn = context.turn

    def replaced_by(self, text: str, *, by: str, kind: str, rule: ClaimPolarity = None) -> Record | None:
        """The record that a statement replaces or says again, as it was `add`ed; None where there is none.

        The assistant does not replace what the user said.
        """
        new = read_claim(text)
        if new is None:
            return None
        records = [r for r in self._open if r["kind"] == kind and (r["by"] == by or by != "assistant")]
        alike = (record for record in reversed(records) if record["rule"] == rule)
        again = (record for record in alike if says_the_same(new, read_claim(record["text"])))
        return find_replaced(new, records, self._turn, rule=rule) or next(again, None)

    def says_already(self, text: str) -> bool:
        """Whether a record covers all that this statement is about."""
        words = key_words(text)
        return any(words and words <= key_words(record["text"]) for record in self._open)

    def holder(self, name: str, duty: frozenset[str], *, changes: bool, by: str) -> str:
        """The subject for a person with a duty: the person, or who had it before where it changed hands."""
        subject = name.lower()
        if changes and duty:
            for record in reversed(self._open):
                if record["kind"] == "entity" and frozenset(record["duty"]) == duty:
                    subject = record["subject"]
                    break
        self._note("entity", name, subject, by=by, duty=sorted(duty))
        return subject

    def add(
        self,
        kind: str,
        text: str,
        *,
        by: str,
        rule: ClaimPolarity = None,
        replaced: Record | None = None,
    ) -> str:
        """Remember a statement and give its subject: that of the one it replaces, or its own."""
        subject = replaced["subject"] if replaced else own_subject(kind, text)
        self._note(kind, text, subject, by=by, rule=rule)
        return subject

    def _note(self, kind: str, text: str, subject: str, **more: Any) -> None:
        others = [r for r in self._open if r["subject"] != subject or r["kind"] != kind]
        record = {"kind": kind, "text": text, "subject": subject, "turn": self._turn, "rule": None} | more
        self._open[:] = [*others[-MAX_OPEN + 1 :], record]


def own_subject(kind: str, text: str) -> str:
    """The subject of a statement that nothing replaces but itself, said again."""
    digest = hashlib.sha256(" ".join(text.lower().split()).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{kind}: {' '.join(sorted(key_words(text))[:6])} {digest}"
