"""Corrections: what the user says that replaces what the user said before, in whatever words.

Each sentence of the user's that states a value or lays down a rule stands until a later one on the same
subject says otherwise. The pair is an event of its own, so that whoever quotes the session knows that the
older words no longer hold, be they a rule, a fact, or a part of a request.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from tamis.ledger.events import Correction, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.claims import (
    MAX_CHARS,
    Claim,
    ClaimPolarity,
    holds,
    read_claim,
    root,
    takes_back,
)
from tamis.ledger.speech.prose import asides, passages, said, speaker
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.ledger.speech.sentence_acts import is_idle, only_talked
from tamis.ledger.speech.subjects import key_words
from tamis.ledger.speech.supersession import ONE_AT_A_TIME, changed_kinds, drops_value, replacement_strength
from tamis.messages import Message
from tamis.text.cues import claim_cues as tellings
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.phrases import either

_DIRECTIVE = either(asking.DIRECTIVE)
_TAKES_BACK = either(tellings.TAKES_BACK)
_TAKES_QUESTION_BACK = either(tellings.TAKES_QUESTION_BACK)
_CLAUSE_END = re.compile(r"[,;:]\s|\s[-–—]\s|\s(?=because\s)")

_OF_IT = re.compile(
    r"(?:it|it['’]s|make\s(?:it|that)|that['’]s|(?=.{0,60}\d)[^.?!]{1,24}\s(?:is|are)\s(?:right|correct|it)\b)\b",
    re.IGNORECASE,
)
"""Gives a value to what the sentence before speaks of."""

_PRINTED = re.compile(r"[\[{<|>]|[^\w\s\"'“‘«„(`$€£¥/*#.~¿¡-]")
"""Begins what a program wrote: a prompt, a tick, the place of an image."""

_CONSENTS = re.compile(r"(?:yes|sure|ok(?:ay)?)\b[,.!]? (?:please|go ahead|that|it)\b", re.IGNORECASE)
"""Who agrees to what was offered takes nothing back."""

MAX_STANDING = 300
"""Sentences that can still be replaced; the oldest are let go, so that work per message stays the same."""

MAX_SENTENCES = 60
"""Sentences of one message that are compared; a text that was pasted is no list of corrections."""

MAX_STATED = 90
"""Where work is done, a longer sentence explains, and states no new value."""

MAX_SAID_LAST = 40
"""Sentences that can be taken back without a word on what they said."""

REACH = 6
"""How many messages back "make that 45" may reach."""


def extract_corrections(message: Message, context: ReadContext) -> Iterable[EventDraft]:
    """What a user message replaces of what was said before.

    >>> from tamis.messages import Text
    >>> context, found = ReadContext(), []
    >>> for text in ("The timeout is 30 seconds.", "Timeout should be 45 seconds now."):
    ...     found += extract_corrections(Message(id="1", role="user", parts=(Text(text=text),)), context)
    ...     context.turn += 1
    >>> [(draft.value.old, draft.value.new) for draft in found]
    [('The timeout is 30 seconds.', 'Timeout should be 45 seconds now.')]
    """
    if speaker(message) != "user":
        return
    standing: list[dict[str, Any]] = context.memory.setdefault("corrections", [])
    sentences = list(_sentences(message))
    talks = only_talked(message, context)
    yield from _taken_back(sentences, context.memory.setdefault("said_last", []))
    for text, source in _joined(sentences, message):
        telling = read_claim(text)
        if telling is None:
            continue
        tells = talks and not is_idle(text)
        polarity = rule_polarity(text) or ("must" if _DIRECTIVE.stands_in(text) else None)
        old = None
        if not _CONSENTS.match(text):
            older = _not_said_beside(text, standing)
            if not talks:
                older = [record for record in older if _may_replace(telling, record, rule=polarity)]
            old = _replaced(telling, older, context.turn, rule=polarity, tells=tells) or _by_clause(
                telling, older, context.turn, rule=polarity
            )
        while old is not None:
            standing.remove(old)
            yield _correction(old["text"], text, old["source"], source)
            # What was said twice is replaced twice.
            old = next((record for record in standing if record["text"] == old["text"]), None)
        if telling.values or polarity or tells or holds(text):
            place = asdict(source)
            record = {"text": text, "rule": polarity, "turn": context.turn, "source": place, "tells": tells}
            standing.append(record | {"firm": bool(telling.values or polarity)})
    over = len(standing) - MAX_STANDING
    if over > 0:  # talk without a value or a rule is let go first
        loose = [at for at, record in enumerate(standing) if not record.get("firm", True)]
        gone = set(loose[:over]) or set(range(over))
        standing[:] = [record for at, record in enumerate(standing) if at not in gone][-MAX_STANDING:]


def _joined(sentences: list[tuple[str, Source]], message: Message) -> Iterator[tuple[str, Source]]:
    """The sentences; one that gives a value to "it" with the one before it, which says to what."""
    before: Source | None = None
    for text, source in sentences:
        if (
            _OF_IT.match(text)
            and before
            and before.part == source.part
            and 0 <= source.start - before.end <= 2
        ):
            whole = message.parts[source.part].text[before.start : source.end]  # type: ignore[union-attr]
            if len(whole) <= MAX_CHARS:
                text, source = whole, replace(source, start=before.start)
        yield text, source
        before = source


def _taken_back(sentences: list[tuple[str, Source]], before: list[list[Any]]) -> Iterator[EventDraft]:
    """What was said before and is taken back: the last message, or the question that is named."""
    once = True  # what a message takes back in two sentences is the same one
    for text, source in sentences:
        gone: list[list[Any]] = []
        if named := _TAKES_QUESTION_BACK.search(text):
            words = key_words(named["about"] or named["which"])
            asked = [old for old in before if old[0].rstrip().endswith(("?", "？"))]
            gone = [old for old in asked if words & key_words(old[0])][-1:] or asked[-1:]
        elif once and before and _TAKES_BACK.search(text):
            once = False
            gone = [old for old in before if old[1]["message_id"] == before[-1][1]["message_id"]]
        for record in gone:
            before.remove(record)
            yield _correction(record[0], "", record[1], source)
    before += [[text, asdict(source)] for text, source in sentences]
    del before[:-MAX_SAID_LAST]


def _correction(old: str, new: str, old_place: dict[str, Any], source: Source) -> EventDraft:
    old_source = Source(**old_place)
    return EventDraft(
        kind="correction",
        subject=f"{old_source.message_id} {old_source.part} {old_source.start}",
        value=Correction(old=old, new=new, old_source=old_source),
        source=source,
    )


def _sentences(message: Message) -> Iterator[tuple[str, Source]]:
    left = MAX_SENTENCES
    for passage in passages(message):
        for sentence in chain(said(passage), asides(passage)):
            if left == 0:
                return
            left -= 1
            text = passage.text[sentence.body : sentence.end]
            if _PRINTED.match(text):
                continue
            source = Source(message_id=message.id, part=passage.part, start=sentence.body, end=sentence.end)
            yield text, source


def _replaced(
    new: Claim, standing: list[dict[str, Any]], turn: int, *, rule: ClaimPolarity, tells: bool = False
) -> dict[str, Any] | None:
    """The sentence that the new one replaces, the newest where several are as likely."""
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


def _may_replace(new: Claim, record: dict[str, Any], *, rule: ClaimPolarity) -> bool:
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


def _by_clause(
    new: Claim, standing: list[dict[str, Any]], turn: int, *, rule: ClaimPolarity
) -> dict[str, Any] | None:
    """The sentence that a clause of the new one replaces: "every 20 seconds, 5 drains the battery"."""
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
            if found := _replaced(clause, [record], turn, rule=rule):
                return found
    return None


def _meant(new: Claim, standing: list[dict[str, Any]], turn: int) -> dict[str, Any] | None:
    """What "make that 45 seconds" means: the only value of its kind that was said of late."""
    if new.about or new.tags or not (new.replaces and new.values):
        return None
    kinds = {value.kind for value in new.values}
    late = [
        record
        for record in standing
        if turn - record["turn"] <= REACH
        and (old := read_claim(record["text"]))
        and any(value.kind in kinds and value not in new.values for value in old.values)
    ]
    return late[-1] if len(late) == 1 else None


def _not_said_beside(text: str, standing: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What did not stand beside the same words before: a request that is repeated corrects nothing of it."""
    beside = {record["source"]["message_id"] for record in standing if record["text"] == text}
    return [record for record in standing if record["source"]["message_id"] not in beside]
