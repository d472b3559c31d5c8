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
from tamis.ledger.speech.claims import MAX_CHARS, holds, read_claim
from tamis.ledger.speech.prose import asides, passages, said, speaker
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.ledger.speech.sentence_acts import is_idle, only_talked
from tamis.ledger.speech.standing import find_replaced, find_replaced_by_clause, may_replace_at_work
from tamis.messages import Message
from tamis.text.cues import claim_cues as tellings
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.phrases import either
from tamis.text.key_words import key_words

_DIRECTIVE = either(asking.DIRECTIVE)
_TAKES_BACK = either(tellings.TAKES_BACK)
_TAKES_QUESTION_BACK = either(tellings.TAKES_QUESTION_BACK)

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

MAX_SAID_LAST = 40
"""Sentences that can be taken back without a word on what they said."""


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
                older = [record for record in older if may_replace_at_work(telling, record, rule=polarity)]
            old = find_replaced(telling, older, context.turn, rule=polarity, tells=tells)
            old = old or find_replaced_by_clause(telling, older, context.turn, rule=polarity)
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


def _not_said_beside(text: str, standing: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What did not stand beside the same words before: a request that is repeated corrects nothing of it."""
    beside = {record["source"]["message_id"] for record in standing if record["text"] == text}
    return [record for record in standing if record["source"]["message_id"] not in beside]
