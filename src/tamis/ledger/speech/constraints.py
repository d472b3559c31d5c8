"""Rules: what must or must not be, in the words it was said.

A sentence is a rule where its main clause commands, forbids or sets a limit. Questions, tales of what
happened, quoted words, reasons and conditions are put aside first; what is left is tried against the cues. A
sentence that takes back or changes a rule that stands replaces it, even where it holds no cue of its own.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from tamis.ledger.events import Constraint, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.announced_rules import announced_rules
from tamis.ledger.speech.harness import formal_start, is_rule_file
from tamis.ledger.speech.prose import ProsePart, Speaker, asides, passages, said, speaker
from tamis.ledger.speech.rule_polarity import (
    PROMISED,
    Polarity,
    commands,
    lays_down,
    main_clause,
    polarity_of,
    rule_polarity,
)
from tamis.ledger.speech.sentence_acts import is_idle, only_talked
from tamis.ledger.speech.standing import Subjects, own_subject
from tamis.messages import Message
from tamis.text import Sentence
from tamis.text.cues import changes, rules
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.discourse_cues import is_frame
from tamis.text.cues.phrases import either

MAX_RULES = {"user": 24, "system": 48, "assistant": 4}
"""Rules taken from one message, by speaker; a manual pasted whole is not a list of rules."""

MIN_RULE_CHARS, MAX_RULE_CHARS = 4, 600
MAX_SCANNED_CHARS = 60_000

MAX_OPENING_CHARS = 80
"""Of a line that opens a list, so much of its end says what is in it."""

MOST_IDLE = 0.2
"""With a smaller chance of being a rule or a fact, a sentence in a talk is no rule, whatever cue it holds."""

LEAST_BELOW_TITLE = 3
"""Sentences below a first line without a full stop that make it the title of what they tell."""


_DESCRIBES_BELOW = either(asking.DESCRIBES_BELOW)
_FOLLOWS_BELOW = either(
    r"\b(?:(?:this|that|which|it)\s+(?:then\s+)?(?:means|meant|leads?\s+to|led\s+to|results?\s+in|causes?|caused)"
    r"|as\s+a\s+(?:result|consequence)|consequences)\W*$"
)
_ENDS_RULE = re.compile(
    r"(?:(?:and )?(?:once|after|when|then|afterwards?)\b.{0,90}\b(?:back|again|revert|undo|restore|normal)\b"
    r"|unless\b|except\b|until\b)",
    re.IGNORECASE,
)
"""Begins a sentence that takes back, or bounds, what the rule before it asks for."""
_SO = re.compile(r"(?:this|that) (?:also )?(?:means|implies)(?: that)?,? (?=\w)", re.IGNORECASE)
"""Begins what follows from the sentence before: the rule is what stands behind it."""
_REMARK = re.compile(r"No [a-z]")
"""Begins what says why, behind a sentence that asks for nothing: `It is made from counts. No user data.`"""
_PRINTED = re.compile(r"\A\W{0,9}[\w.]{0,120}?(?:Error|Exception|Warning): \S")
"""Begins what a program printed; it goes on to the end of the line."""
_NO_RISK = re.compile(r"No (?:\w+ )?(?:risks?|impact|side.effects?)\b")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_ENDED = re.compile(r"[.!?。！？]\W{0,3}$")
_CHECKS_BELOW = either(
    r"\b(?:address|discuss|pay\s+attention\s+to|confirm\s+(?:that\s+)?(?:\w+\s+){1,3}(?:is|are))\W*$",
    r"\b(?:check|look|test|scan|search|watch)(?:ing)?\s+(?:for|that|whether|if)\W*$",
    r"\b(?:he|she|they|the\s+\w{3,20})\s+(?:proposes?|suggests?)\b",
    r"^(?:verification|test\s+plan)\W*$",
)
"""Opens what is to be found, or judged: somebody else's proposal binds nobody yet."""
_HINTS = either(rules.HINT, changes.UPDATES, changes.LIFTS)
_ACKNOWLEDGED = either(rules.ACKNOWLEDGED)
_CHANGE = either(changes.UPDATES, changes.LIFTS)


_POINTS = either(
    r"^(?:(?:no|ok(?:ay)?|please|so|but|and|oh|yes),?\s+){0,3}(?:don['’]?t|do\s+not|never)\s+(?:\w+\s+){0,2}\w+\s+"
    r"(?:it|that|this|them|those|these)(?:\s+(?:then|please|now|yet|again))?\W*$",
    r"^(?:each|every|any|some)\s+(?:one|of\s+(?:them|these|those))\b",
)
"""What goes back to something that was just spoken of: by itself it says nothing."""

_REPORTS = re.compile(r"Secondly|(?:These|Those|This|That) [a-z]{3,20} should")
"""Begins, in an issue, what is amiss with what was just told of."""

_CLAUSE = re.compile(r"[,;:][ \t]+(?:and[ \t]+|but[ \t]+)?|[ \t][-–—][ \t]+")
_SMALL = re.compile(r"[a-z]")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def extract_constraints(message: Message, context: ReadContext) -> Iterable[EventDraft]:
    """The rules in a message, each on the subject of the one that it changes, if there is one.

    >>> from tamis.messages import Message, Text
    >>> message = Message(id="1", role="user", parts=(Text(text="Fix it. Never touch the lock file!"),))
    >>> [(d.value.text, d.value.polarity) for d in extract_constraints(message, ReadContext())]
    [('Never touch the lock file!', 'must_not')]
    """
    by = "system" if message.origin == "meta" and is_rule_file(message.text) else speaker(message)
    if by is None:
        return
    subjects = Subjects(context)
    talks = only_talked(message, context)
    left = MAX_RULES[by]
    for passage in passages(message):
        formal = formal_start(getattr(message.parts[passage.part], "text", "")) if by == "user" else None
        if by == "assistant" and not _may_promise(passage.text):
            continue
        told = _told(passage) if by == "user" else {}
        announced = announced_rules(passage) if by == "user" else frozenset()
        for sentence in _readable(passage):
            if left == 0 or sentence.start > MAX_SCANNED_CHARS:
                break
            text = passage.text[sentence.body : sentence.end]
            formally = bool(formal) and sentence.start >= (formal or 0)  # what a nudge forbids holds of all
            is_announced = sentence.start in announced and not formally
            is_told = is_announced or (talks and sentence.kind != "heading" and lays_down(text))
            if not MIN_RULE_CHARS <= len(text) <= MAX_RULE_CHARS or not (is_told or _hints(text)):
                continue
            is_label = formal and not formally and sentence.kind == "prose"
            is_label = is_label and bool(_REPORTS.match(text) or not _ENDED.search(text))
            if by == "user" and (is_label or _POINTS.search(text)):  # of an issue, no whole
                continue
            if (
                talks
                and not is_announced
                and is_idle(text, most=MOST_IDLE)
                and not (commands(text) or _changes(text))
            ):
                continue
            rule = _read(text, sentence, by, subjects, is_told=is_told)
            is_said = commands(text) or (talks and lays_down(text) and not _NO_RISK.match(text))
            if rule is None or (rule[0] in told.get(sentence.start, ()) and not is_said):
                continue
            left -= 1
            polarity, subject = rule
            end = _end_of_block(passage, sentence) if by == "user" else sentence.end
            start = so.end() if (so := _SO.match(passage.text, sentence.body, end)) else sentence.body
            set_by: Speaker = "system" if formally else by  # a harness speaks in the user's place
            yield EventDraft(
                kind="constraint",
                subject=subject,
                value=Constraint(text=passage.text[start:end], polarity=polarity, by=set_by),
                source=Source(message_id=message.id, part=passage.part, start=start, end=end),
            )


def _readable(passage: ProsePart) -> Iterator[Sentence]:
    """The sentences; of one that does not end, the clauses."""
    for sentence in chain(said(passage), asides(passage)):
        if sentence.end - sentence.body <= MAX_RULE_CHARS:
            yield sentence
            continue
        start = sentence.body
        for comma in _CLAUSE.finditer(passage.text, start, sentence.end):
            yield Sentence(start, comma.start(), sentence.kind, start)
            start = comma.end()
        yield Sentence(start, sentence.end, sentence.kind, start)


def _told(passage: ProsePart) -> dict[int, tuple[str, ...]]:
    """Where sentences begin that lay nothing down, and what they may not be taken for.

    Below "Problem", or in a list below "because:", it is told how things are; below "check for:" what to
    find; below "This means:" what follows, of a rule or of a mishap. The title of an issue names its trouble.
    """
    found: dict[int, tuple[str, ...]] = {}
    if (title := _title(passage)) is not None:
        found[title.start] = ("must", "must_not")
    below_heading: tuple[str, ...] = ()
    below_opening: tuple[str, ...] = ()
    before, ended, printed = "", 0, False
    for sentence in passage.sentences:
        text = passage.text[sentence.body : sentence.end].rstrip("*_ ")
        end = text[-MAX_OPENING_CHARS:]
        opens = text.endswith((":", "：")) and (sentence.kind != "item" or _CHECKS_BELOW.search(end))
        if sentence.kind == "heading" or opens:
            below_opening = ("must",) if _DESCRIBES_BELOW.search(end) else ()
            if _CHECKS_BELOW.search(end) or (_FOLLOWS_BELOW.search(end) and rule_polarity(before) is None):
                below_opening = ("must", "must_not")
            if sentence.kind == "heading":
                below_heading, below_opening = below_opening, ()
                if all(word[0].isupper() for word in _LONG_WORD.findall(text)) and _SMALL.search(text):
                    found[sentence.start] = ("must", "must_not")  # it names a section: "No Built-in Tasks"
        elif sentence.kind not in ("item", "quote") and _ENDED.search(text):
            below_opening = ()  # lines without a full stop are a list that lost its marks
        if below := below_heading or below_opening:
            found.setdefault(sentence.start, below)
        goes_on = before and "\n" not in passage.text[ended : sentence.start]
        if goes_on and _REMARK.match(text) and (_NO_RISK.match(text) or not _binds(before)):
            found[sentence.start] = ("must", "must_not")
        printed = _PRINTED.match(text) is not None or bool(goes_on and printed)
        if printed:
            found[sentence.start] = ("must", "must_not")
        before, ended = text, sentence.end
    return found


def _title(passage: ProsePart) -> Sentence | None:
    """The first line of a report: no full stop, and a text below it."""
    spoken = [s for s in passage.sentences if not is_frame(passage.text[s.body : s.end])]
    if len(spoken) <= LEAST_BELOW_TITLE or spoken[0].kind != "prose":
        return None
    first = passage.text[spoken[0].body : spoken[0].end].rstrip("*_ ")
    return None if _ENDED.search(first) or first.endswith((":", "：")) else spoken[0]


def _binds(text: str) -> bool:
    return commands(text) or rule_polarity(text) is not None


def _end_of_block(passage: ProsePart, rule: Sentence) -> int:
    """Where a rule ends: behind the code that it opens, and behind the sentence that bounds it in time."""
    following = next((s for s in passage.sentences if s.start >= rule.end), None)
    if following is None or following.end - rule.body > MAX_RULE_CHARS:
        return rule.end
    if _ENDS_RULE.match(passage.text, following.body, following.end) and not _BLANK_LINE.search(
        passage.text, rule.end, following.start
    ):
        return following.end
    if not passage.text[rule.body : rule.end].rstrip("*_ ").endswith((":", "：")):
        return rule.end
    return following.end if following.kind == "code" else rule.end


def retold_rule(text: str, source: Source, context: ReadContext, *, by: Speaker) -> EventDraft:
    """A rule that is known to be one, as an earlier brief tells it."""
    polarity = rule_polarity(text, by=by) or polarity_of(text)
    subject = Subjects(context).add("constraint", text, by=by, rule=polarity)
    return EventDraft(
        kind="constraint",
        subject=subject,
        value=Constraint(text=text, polarity=polarity, by=by),
        source=source,
    )


def _may_promise(text: str) -> bool:
    return bool(_ACKNOWLEDGED.match(text) and PROMISED.search_lower(text.lower()))


@lru_cache(maxsize=1024)
def _hints(sentence: str) -> bool:
    """Whether a sentence is worth a closer look."""
    return _HINTS.search_lower(sentence.lower()) is not None


def _read(
    text: str, sentence: Sentence, by: Speaker, subjects: Subjects, *, is_told: bool
) -> tuple[Polarity, str] | None:
    """Polarity and subject of what a sentence rules, changes or takes back; None where it does nothing."""
    polarity = rule_polarity(text, by=by) or (polarity_of(text) if is_told else None)
    if polarity is None and (by != "user" or sentence.kind == "heading" or not _changes(text)):
        return None
    if by == "system":
        return polarity or "must", own_subject("constraint", text)  # nobody but its author changes it
    replaced = subjects.replaced_by(text, by=by, kind="constraint", rule=polarity)
    if polarity is None and not (replaced and main_clause(text)):
        return None
    if by == "assistant" and subjects.says_already(text):
        return None  # the user's own words stand
    polarity = polarity or "must"
    return polarity, subjects.add("constraint", text, by=by, rule=polarity, replaced=replaced)


@lru_cache(maxsize=1024)
def _changes(sentence: str) -> bool:
    return _CHANGE.search_lower(sentence.lower()) is not None
