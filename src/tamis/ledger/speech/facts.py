"""Facts: values that somebody stated, or that were printed beside a name.

A version, a port, an amount, a date, an id, a URL counts where a label says what it is ("port 8443",
`version: 1.2.3`, 订单号是W123); a bare number does not. Tool output is read only where a line is a label and
a value, and only its beginning. Who has which role is read in `entities.py`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from tamis.ledger.events import Entity, Fact, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.claims import named, states
from tamis.ledger.speech.entities import find_entities
from tamis.ledger.speech.prose import WORDED, asides, looks_pasted, passages, speaker
from tamis.ledger.speech.sentence_acts import is_idle, is_talk, only_talked, sentence_act
from tamis.ledger.speech.standing import Subjects, own_subject
from tamis.messages import Message, ToolResult
from tamis.text.cues import changes, values, zh
from tamis.text.cues.phrases import either
from tamis.text.cues.vocabulary import STOP_WORDS
from tamis.text.key_words import key_words

MAX_STATED = 12
"""Facts and entities taken from one message that somebody wrote."""

MAX_PRINTED = 8
"""Facts taken from one tool result."""

SURE_FACT = 0.6
"""So likely a sentence tells a fact that it needs neither a label nor a cue."""

MAX_STATED_CHARS = 20_000
MAX_PRINTED_CHARS = 4_000
MAX_SENTENCE_CHARS = 600

_VALUE = r"""(?:
    https?://[^\s"'<>()，。]+ | [\w.+-]+@[\w-]+\.[\w.]+
  | [$€£¥]\s?\d[\d,.]*(?:\s?[kKmM]\b)?
  | \#?[A-Za-z]{0,8}[-_/]?\d[\w.:/-]*
    (?:\s?(?:%|ms|seconds?|minutes?|hours?|days?|weeks?|months?|[KMGT]i?B|dollars|USD|EUR)\b)?
  | `[^`\n]{1,80}` | "[^"\n]{1,80}" | [A-Z][A-Z0-9_-]{2,}\b | [A-Za-z]+(?:[-_.][A-Za-z0-9]+)+
)"""
_LABELLED = re.compile(
    rf"""(?x)
    \b (?P<label>(?i:{values.FACT_LABELS})) s?\b
    (?: \s*(?:\*\*)?
        (?: [:=] | -> | → | (?i:\b(?:is|are)(?:\s(?:now|currently|set\ to|going\ to\ be))?\b)
          | (?i:\b(?:was|has\ been)\s(?:changed|set|raised|bumped|moved)\sto\b | \bchanged\sto\b) )
        (?:\*\*)?\s* (?:(?:at|on|the|about)\s)?
      | \s+(?=\#?[A-Z]*\d|\#) )
    (?P<value>{_VALUE})
    """
)
_HAN_LABELLED = re.compile(zh.LABELLED)
_VERSIONED = re.compile(r"\b(?P<label>[A-Z][\w+#.-]*[A-Za-z+#])[ ]v?(?P<value>\d+(?:\.\d+)+)(?![\w:/%])")
_SETTING = re.compile(
    r"(?<![\w$])(?P<label>[A-Z][A-Z0-9]*_[A-Z0-9_]+|DEBUG|PORT|HOST|REGION|STAGE)="
    r"(?P<value>[^\s;,`'\"，。]+|\"[^\"\n]{1,80}\")"
)
_PRINTED = re.compile(
    r"""(?mx)
    ^[\ \t{,]*["']? (?P<label>[A-Za-z][\w\ .-]{0,40}?) ["']?[\ \t]*[:=][\ \t]*
    ["']? (?P<value>https?://[^\s"'<>]+
      | [$€£¥]?(?=[\w.\#@+/-]*\d)[\w.\#@+/-]++(?:[:%][\w.:@+/%-]*+)?) ["']?,?[\ \t]*$
    """
)
_LABEL_END = re.compile(rf"(?i)(?:^|[\s_.-]){values.FACT_LABELS}$")
_WORDS = re.compile(r"[a-z]+")
_WHOLE_WORDS = re.compile(r"\w+")
_DOTTED_NUMBER = re.compile(r" v?\d+\.\d")
_LABEL_WORDS = frozenset(_WORDS.findall(values.FACT_LABELS)) | {
    f"{word}s" for word in _WORDS.findall(values.FACT_LABELS)
}
_HAS_VALUE = re.compile(r"\d|https?://|=[A-Za-z\"]|@|`|[A-Z]{3,}|[a-z]-[a-z]|" + zh.NUMERALS)
_WAVERING = either(
    r"[?？]\s*$",
    r"^(?:if|what|which|is|are|does|do|did|should|could|can|would|e\.g\.|for\s+example|such\s+as|suppose|imagine|maybe)\b",
)
_NOW = either(changes.UPDATES)
_QUALIFIER = re.compile(r"(?:^|[^\w'’-])-*+((?:[A-Za-z][\w-]*[ ]+){1,3})$")
_SHARES_OUT = re.compile(
    r"\b[A-Z][a-z]{1,20} (?:will|is going to|takes|does|handles|covers) [^.;\n]{3,160}"
    r"(?:,|;|\band|\bwhile) [A-Z][a-z]{1,20} (?:will|is going to|takes|does|handles|covers) [a-z]"
    r"|\b[A-Z][a-z]{1,20} ?(?:->|→) ?[\w`]"
)
"""Who does what: of two people, or with an arrow."""

_KNOWN_BY_VALUE = values.IDENTITY_LABELS - {"id", "number", "code"}
_PORT_OWNER = re.compile(
    r"(?i)(?:^|\b(?:the|our|my)\s+)([\w-]+(?: [\w-]+)?)\s+(?:(?:now|still|also)\s+)?"
    r"(?:runs?|listens?|is running|is listening|is served|is|serves|binds?|starts?)(?: now)? (?:on|at|to)\s+"
    r"(?:the )?$"
)


def extract_facts(message: Message, context: ReadContext) -> Iterable[EventDraft]:
    """The facts and entities in a message, printed or said.

    >>> from tamis.messages import Message, Text
    >>> text = "The gateway runs on port 8443. Dana owns billing."
    >>> message = Message(id="1", role="user", parts=(Text(text=text),))
    >>> [(d.kind, d.value.name, d.value.text) for d in extract_facts(message, ReadContext())]
    [('fact', 'gateway port', 'The gateway runs on port 8443.'), ('entity', 'Dana', 'Dana owns billing.')]
    """
    by = speaker(message)
    if message.origin == "conversation":
        for index, part in enumerate(message.parts):
            if isinstance(part, ToolResult):
                yield from _printed(part.text, message.id, index)
    if by is None or by == "system":
        return
    subjects = Subjects(context)
    talks, in_few_words = only_talked(message, context), is_talk(message, context)
    left = MAX_STATED
    stated: list[EventDraft] = []
    for passage in passages(message):
        for sentence in chain(passage.sentences, asides(passage)):
            if left <= 0 or sentence.start > MAX_STATED_CHARS:
                break
            text = passage.text[sentence.body : sentence.end]
            if sentence.kind not in WORDED or len(text) > MAX_SENTENCE_CHARS or _wavers(text):
                continue
            source = Source(message_id=message.id, part=passage.part, start=sentence.body, end=sentence.end)
            found: list[EventDraft] = []
            if not looks_pasted(text):
                for subject, fact in _stated(text):
                    value = replace(fact, text=text)
                    found.append(EventDraft(kind="fact", subject=subject, value=value, source=source))
            elif by == "user":
                found += _printed(text, message.id, passage.part, offset=sentence.body)
            for entity in find_entities(text):
                subject = subjects.holder(entity.name, _duty(entity), changes=_NOW.stands_in(text), by=by)
                person = replace(entity, text=text)
                found.append(EventDraft(kind="entity", subject=subject, value=person, source=source))
            may_tell = by == "user" and not found and sentence.kind != "heading"
            may_tell = may_tell and not (in_few_words and is_idle(text))
            if may_tell and (states(text) or _SHARES_OUT.search(text) or (talks and tells_fact(text))):
                found = [telling(text, source)]
            stated += found
            left -= len(found)
    yield from _without_lists(stated)


def tells_fact(text: str) -> bool:
    """Whether a sentence said in a talk tells a fact, in whatever form, but how many there are of a thing."""
    return sentence_act(text).fact >= SURE_FACT and not text.lower().startswith("there ")


def is_learned(fact: Fact) -> bool:
    """Whether nothing but what was learned of sentences says that it is a fact: no label, no cue."""
    return (fact.name, fact.value) == named(fact.text) and not (
        states(fact.text) or _SHARES_OUT.search(fact.text)
    )


def telling(text: str, source: Source) -> EventDraft:
    """A fact without a label of its own: the sentence says it all. Said again, it is the same fact."""
    name, value = named(text)
    return EventDraft(
        kind="fact",
        subject=own_subject("fact", text),
        value=Fact(name=name, value=value, text=text),
        source=source,
    )


def _without_lists(stated: list[EventDraft]) -> Iterator[EventDraft]:
    """All but what a message states several times over, each time otherwise: a price list is no fact."""
    said: dict[str, set[str]] = {}
    for draft in stated:
        if isinstance(draft.value, Fact):
            said.setdefault(draft.value.name.lower(), set()).add(draft.value.value)
    for draft in stated:
        if isinstance(draft.value, Fact):
            name = draft.value.name.lower()
            if len(said[name]) > 1 and name.split()[-1] not in values.IDENTITY_LABELS:
                continue
        yield draft


@lru_cache(maxsize=1024)
def _wavers(sentence: str) -> bool:
    return _WAVERING.stands_in(sentence)


@lru_cache(maxsize=1024)
def _stated(text: str) -> tuple[tuple[str, Fact], ...]:
    """The facts of one sentence with their subjects, each place in it read once."""
    if not _HAS_VALUE.search(text):
        return ()
    found: list[tuple[str, Fact]] = []
    taken: list[range] = []
    for pattern in _patterns_for(text):
        for match in _labelled(text) if pattern is _LABELLED else pattern.finditer(text):
            if any(match.start("value") in span or match.start() in span for span in taken):
                continue
            taken.append(range(match.start(), match.end()))
            value = match["value"].strip("`\"'").rstrip(".,:;)-/")
            label = _qualified(text, match) if pattern is _LABELLED else match["label"]
            if pattern is _VERSIONED:
                label = f"{label} version"
            if value and _tells(label, value, linked=match.end("label") + 1 < match.start("value")):
                found.append(_fact(label, value, says_new=_NOW.stands_in(text)))
    return tuple(found)


def _patterns_for(text: str) -> Iterator[re.Pattern[str]]:
    """Only those that can match: most sentences hold no label at all."""
    if "=" in text:
        yield _SETTING
    if not _LABEL_WORDS.isdisjoint(_WORDS.findall(text.lower())):
        yield _LABELLED
    if not text.isascii():
        yield _HAN_LABELLED
    if _DOTTED_NUMBER.search(text):
        yield _VERSIONED


def _labelled(text: str) -> Iterator[re.Match[str]]:
    """What `_LABELLED` finds, tried only where a word of a label stands: it is slow to fail elsewhere."""
    end = 0
    for word in _WHOLE_WORDS.finditer(text):
        known = word.start() >= end and word.group().lower() in _LABEL_WORDS
        if known and (match := _LABELLED.match(text, word.start())):
            yield match
            end = match.end()


def _printed(text: str, message_id: str, part: int, *, offset: int = 0) -> Iterator[EventDraft]:
    seen = set()
    for match in _PRINTED.finditer(text, 0, MAX_PRINTED_CHARS):
        label, value = match["label"].replace("_", " ").strip(), match["value"].rstrip(".,:;")
        if label in seen or label.lower().split()[-1] in values.PASSING_LABELS:
            continue
        if not _LABEL_END.search(label) or not any(char.isdigit() for char in value):
            continue
        seen.add(label)
        source = Source(
            message_id=message_id,
            part=part,
            start=offset + match.start("label"),
            end=offset + match.end("value"),
        )
        subject, fact = _fact(label, value, says_new=False)
        yield EventDraft(kind="fact", subject=subject, value=fact, source=source)
        if len(seen) == MAX_PRINTED:
            return


def _fact(label: str, value: str, *, says_new: bool) -> tuple[str, Fact]:
    """A fact and its subject."""
    words = sorted(key_words(label)) or [label.lower()]
    # "order W1" and "order W2" are two orders; "the gateway port is 9000 now" is the same port.
    noun = label.lower().split()[-1]
    many = len(words) < 2 and (
        noun in values.IDENTITY_LABELS or (noun in values.MANY_LABELS and not says_new)
    )
    subject = " ".join([*words, value.lower()] if many else words)
    return subject, Fact(name=label, value=value)


def _duty(entity: Entity) -> frozenset[str]:
    return key_words(re.sub(rf"(?i)\b{values.ROLE_VERBS}\b|{zh.DUTY}", " ", entity.role))


def _tells(label: str, value: str, *, linked: bool) -> bool:
    """Whether the label can mean the value: it cannot in "booking 1", nor in "in this order: ..."."""
    noun = label.lower().split()[-1]
    if noun in values.CODED_LABELS and not (value[0] not in "$€£¥" and any(char.isdigit() for char in value)):
        return False
    if noun == "order" and not any(char.isdigit() for char in value[:3]):
        return False
    return linked or noun in ("port", "version") or value.startswith("#") or len(value) >= 3


def _qualified(text: str, match: re.Match[str]) -> str:
    """The label with the words before it that say which: "the batch size", "gateway port"."""
    label = match["label"]
    before = text[: match.start("label")]
    if label.lower() == "port" and (owner := _PORT_OWNER.search(before)):
        words = [word for word in owner[1].split() if word.lower() not in STOP_WORDS]
        return " ".join([*words, label])
    kept: list[str] = []
    if label.lower() in _KNOWN_BY_VALUE:
        return label
    if qualifier := _QUALIFIER.search(before):
        for word in reversed(qualifier[1].split()):
            if word.lower() in STOP_WORDS or word.lower() in values.VERBS:
                break
            kept.insert(0, word)
    return " ".join([*kept, label])
