"""Tellings: what a user's sentence states, so that a later one can replace it.

A sentence is about something (its key words), states values (amounts, times, dates, names, paths, choices),
and may say that it changes what was said before. Whether it lasts at all (a fact, a preference) or passes (a
tale, a guess, a question) is told by its verb and its values.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from tamis.text import Measure, find_measures
from tamis.text.cues import changes, zh
from tamis.text.cues import claim_cues as tellings
from tamis.text.cues import speech_acts as asking
from tamis.text.cues.phrases import either
from tamis.text.cues.values import NOT_PERSONS
from tamis.text.cues.vocabulary import IRREGULAR, LIMIT_WORDS, STOP_WORDS
from tamis.text.key_words import key_words, stem

MAX_NAME_CHARS = 60
ROOT_CHARS = 6
"""So much of a stem tells it from others: "approve" and "approval" are one word."""

MIN_BYTES, MAX_CHARS = 6, 240
"""Shorter or longer, a sentence is not read for what it states; a Chinese character is three bytes."""

_IDENT = re.compile(
    r"https?://[^\s\"'<>()]+|(?<![\w.+-])[\w.+-]++@[\w-]+\.[\w.]+|`[^`\n]{1,80}`|\"[^\"\n]{1,80}\"|#[\w-]{2,}"
    r"|(?<![\w/.@~-])[\w@~-]*(?:[./:_\\][\w@~+-]+)+/?|(?<![\w/.@~-])\w[\w.-]++/(?=[\s.,;]|\Z)"
    r"|(?<!\w-)\b(?=\w)(?=(?:\w|-(?!-))*?\d)(?=(?:\w|-(?!-))*?[A-Za-z])\w+(?:-\w+)*\b"
)
_NAME = re.compile(
    r"(?<![.!?:\"“(]\s)(?<=[\w,;=('\"-]\s)(?:[A-Z][\w+#’'-]*\w)(?:\s[A-Z][\w+#-]*\w)*"
    r"|(?<=[a-z]:\s)[A-Z][\w+#’'-]*\w(?:\s[A-Z][\w+#-]*\w)*(?=[.!]?\Z)"
)
_QUALIFIES = re.compile(r"(?i)\b(?:the|our|my|a|an|this|that|each|every|all)\s$")
_KIND_OF = re.compile(r"(?i)\b(?:a|an|our|my)\s$")
_NOUN = re.compile(
    r"\s(?!(?:is|are|was|were|has|have|had|will|and|or|to|in|on|at|for|by|from|with|as)\b)[a-z]{3,}"
)
_FIRST_WORD = re.compile(r"[A-Z][\w-]*")
NAME_WORD = re.compile(r"[\w+#-]+")
_GENITIVE = re.compile(r"['’]s\b")

_STATES = either(tellings.STATES)
_PREFERS = either(tellings.PREFERS)
_POSSESSED = either(tellings.POSSESSED)
_PASSING = either(tellings.PASSING)
_REPLACES = either(tellings.REPLACES, tellings.TO_A_VALUE, zh.UPDATES)
_LIFTS = either(tellings.LIFTS, zh.LIFTS)
_CHANGES = re.compile(rf"{_GENITIVE.pattern}|{zh.UPDATES}|{zh.LIFTS}")
_ADDS = either(changes.ADDS)
_QUESTION = either(r"[?？][\s\"')*_]*$", asking.QUESTION, zh.QUESTION)
_HYPOTHETICAL = either(
    r"^(?:if|when|unless|suppose|imagine|e\.g\.|for\s+example|such\s+as|let\s+me|let's\s+see)\b"
)
_TAG = re.compile(r",\s+(?:ok|okay|right|alright|all right|please|yes|deal)\s*\?\s*\Z")
"""Behind a statement: whether the other one agrees."""
_ASKS_FOR_CHANGE = re.compile(
    r"(?:\w{1,20},?\s{1,9}){0,2}?(?:can|could|would|will)\s{1,9}you\s{1,9}(?:(?:please|just|also|maybe)\s{1,9}){0,2}"
    r"(?!(?:tell|explain|show|check|remind|say|look|see|find|list|give|walk|compare|help|think|confirm)\b)\w"
)
_DECIMAL = re.compile(r"\b\d{1,12}\.\d{1,12}")
_NAMES = {"name", "ident"}
_REASON = either(changes.REASON_TAIL)
_SINCE_WHEN = re.compile(
    r"(?i)\b(?:as\s+of|starting|effective|beginning|since|from)\s+(?:(?:next|this|last|early|late|mid)\s+\w+|now|today|"
    r"tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)(?!\s\d))\b(?:\s+on(?:wards)?\b)?(?!\s+(?:to|until|till|through)\b)"
)
_UNITS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
}
_EVERY = re.compile(
    r"\bevery\s+(?P<unit>second|minute|hour|day|week|month|year)\b"
    rf"|(?<=\w\s)(?P<rate>{'|'.join(_UNITS)})(?=\W*(?:\Z|(?:now|from|instead|rather|these|going|again)\b))"
)
_MISSES = either(
    r"^(?:(?:but|so|and|now|hm+),?\s)?i\s(?:still\s)?(?:can't|cannot|don't|do\snot|didn't)\s(?:see|find)\b"
)
"""Begins what somebody does not find: it says how things look, and replaces nothing that was asked."""

LEAD_CHARS = 5
"""Behind "The" or "Our" at the beginning."""

_BOUND = either(changes.UPPER_BOUND, changes.LOWER_BOUND)
_MADE_WITH = re.compile(
    r"(?i)\b(?:is|are)\s\w+(?:ed|en|wn|ght|ilt|ept|ent|id|ut)\s(?:with|by|in|from|through|via|on|at|using|"
    r"to|into|for)\s\w"
)
_PASSED_ON = either(tellings.PASSED_ON)
_LABEL = re.compile(
    r"^(?:(?i:the|our|my)\s)?(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\s)"
    r"[A-Za-z]+\s(?P<number>#?\d+|[A-Z]{1,4}-?\d+)(?=\s[a-z])"
)
_STEP = re.compile(
    r"(?i)\b(?:steps?|phases?|tasks?|stages?|parts?|points?|items?|options?|tickets?|issues?|chapters?)\s"
    r"(?P<number>#?\d+)\b(?!\s?[%€$]|[.,:]\d)"
)
_ORDINAL = re.compile(
    r"(?i)(?<!^)\b(?:second|third|fourth|fifth)\b(?=\s[a-z])|(?<=the\s)(?:first|last)\b(?=\s[a-z])"
)
_AT_ONCE = either(tellings.AT_ONCE)
_GIVEN_UP_BEFORE = either(tellings.GIVEN_UP_BEFORE)
_GIVEN_UP_BEHIND = either(tellings.GIVEN_UP_BEHIND)
_DROPS = either(tellings.DROPS)
_DIRECTIVE = either(asking.DIRECTIVE, r"\bplease\b")
_WORDED = re.compile(r"(?s)\A[\w\"'“‘(`$€£](?!.*\]\()")
_THERE_ARE = re.compile(r"(?i)there\s(?:is|are)\b")
_WAS = re.compile(r"(?i)\b(?:was|were|has\sbeen|have\sbeen)\b")
_LIGHT = frozenset(form[:ROOT_CHARS] for word in tellings.LIGHT for form in (word, stem(word)))
SOFT = frozenset(form[:ROOT_CHARS] for word in tellings.SOFT for form in (word, stem(word)))
_SAME = {stem(word): stem(same) for word, same in tellings.SAME_LIGHT.items()}
_VAGUE_AMOUNT = re.compile(r"(?i)(?:an?|one|once)\b")
_COUNTS_ONE = re.compile(r"(?i)\bone\s.{1,40}\s(?:enough|suffices?|will\sdo)\b")
_UNIT_SHARED = re.compile(
    r"\W{0,4}\b(?:but|to|instead\sof|rather\sthan|not|or|and|it['’]s|it\sis)\s(?:\w{1,30}\s){0,2}\Z"
)
"""Between two figures of which one lends the other its unit: "30 seconds but 45", "30 to 45 seconds"."""
_LASTS = re.compile(r"(?i)\b(?:for|every|within|under|after|to|lasts?)\s\Z")

_GROUPS = {"bare": "number", "port": "number", "count": "number", "version": "version", "choice": "name"}


ClaimPolarity = Literal["must", "must_not"] | None


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """A value of a sentence: its kind, itself in lower case, and the set of which one is chosen, if known."""

    kind: str
    text: str
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence as far as it states something.

    `about` holds the key words that tell its subject from others, `light` the rest; `first` is its first word
    where that may be a name; `tags` are its names and identifiers. Of two sentences on one subject that have
    a key word at all, `common` holds something of both.
    """

    text: str
    about: frozenset[str]
    light: frozenset[str]
    values: tuple[ClaimValue, ...]
    first: str | None
    replaces: bool
    lifts: bool
    adds: bool
    supposes: bool
    drops: bool
    tags: frozenset[str]
    common: frozenset[str]


def root(word: str) -> str:
    """The beginning of a word by which its forms are known: `approve`, `approval`."""
    word = word.lower().removeprefix("re-")
    root = stem(IRREGULAR.get(word, word))[:ROOT_CHARS]
    return root[:-1] + "y" if root.endswith("i") else root


@lru_cache(maxsize=1024)
def read_claim(text: str) -> Claim | None:
    """What a sentence states; None for a question, and for what is too short or too long.

    >>> telling = read_claim("The timeout of the mail relay is 30 seconds.")
    >>> sorted(telling.about), telling.values
    (['email', 'relay', 'timeou'], (ClaimValue(kind='duration', text='30 second', choice=None),))
    """
    if len(text) > MAX_CHARS or len(text.encode("utf-8", "surrogatepass")) < MIN_BYTES:
        return None
    lowered = text.lower()
    replaces = bool(_REPLACES.search_lower(lowered))
    asked = _TAG.sub("", lowered)
    if _QUESTION.search_lower(asked) and not (replaces and _ASKS_FOR_CHANGE.match(asked)):
        return None
    rest, values = _values(text)
    told = _REASON.sub("", _without_when(text))
    if told != text:
        less, fewer = _values(told.ljust(len(text)))
        if fewer and (_kinds(values) == _kinds(fewer) or not _kinds(fewer) <= _NAMES):
            rest, values = less, fewer  # else since when is all that it gives
    if passed_on := _PASSED_ON.match(rest):
        rest = " " * passed_on.end() + rest[passed_on.end() :]
    labels = frozenset(label.group("number").lower() for label in _labels(text)) | {
        word.lower() for word in _ORDINAL.findall(text)
    }
    limits = {word for word in NAME_WORD.findall(rest.lower()) if word in LIMIT_WORDS}
    words = (
        labels
        | frozenset(root(word) for word in limits)
        | frozenset(root(_SAME.get(word, word)) for word in key_words(_CHANGES.sub(" ", rest)))
    )
    first = _FIRST_WORD.match(text)
    name = (
        first.group()
        if first and first.group().lower() not in NOT_PERSONS | STOP_WORDS | LIMIT_WORDS
        else None
    )
    heavy = frozenset(word for word in words if word not in _LIGHT)
    tags = frozenset(value.text for value in values if value.kind in ("name", "ident"))
    return Claim(
        text=text,
        about=heavy,
        light=words - heavy,
        values=values,
        first=name.lower() if name else None,
        replaces=replaces,
        lifts=bool(_LIFTS.search_lower(lowered)),
        adds=bool(_ADDS.search_lower(lowered)),
        supposes=bool(_HYPOTHETICAL.search_lower(lowered) or _MISSES.search_lower(lowered)),
        drops=bool(_DROPS.search_lower(lowered)),
        tags=tags,
        common=heavy | tags | (words & SOFT),
    )


def _kinds(values: tuple[ClaimValue, ...]) -> set[str]:
    return {value.kind for value in values}


def _without_when(text: str) -> str:
    """The sentence without the words that say since when it holds."""
    return _SINCE_WHEN.sub(lambda match: " " * len(match.group()), text)


def _values(text: str) -> tuple[str, tuple[ClaimValue, ...]]:
    """The sentence without its values, and those."""
    found: list[ClaimValue] = []
    rest = text

    def blank(start: int, end: int) -> None:
        nonlocal rest
        rest = rest[:start] + " " * (end - start) + rest[end:]

    for label in _labels(text):
        blank(*label.span("number"))
    measures = [m for m in _with_units(text, find_measures(text)) if rest[m.start : m.end].strip()]
    for match in _IDENT.finditer(rest):
        over = [m for m in measures if m.start < match.end() and match.start() < m.end and m.kind != "bare"]
        whole = any(m.start <= match.start() and match.end() <= m.end for m in over)
        if whole or any(":" not in m.kind for m in over) or _DECIMAL.fullmatch(match.group()):
            continue  # "toml" is a format, "app.toml" is a file; "3.12" is the version of Python
        found.append(ClaimValue("ident", match.group().strip("`\"'").rstrip(".,:;").lower()))
        blank(match.start(), match.end())
    for often in _EVERY.finditer(rest.lower()):
        found.append(ClaimValue("duration", f"1 {often['unit'] or _UNITS[often['rate']]}"))
        blank(*often.span())
    for measure in measures:
        if not rest[measure.start : measure.end].strip():
            continue
        vague = _VAGUE_AMOUNT.match(text, measure.start) and not _LASTS.search(text, 0, measure.start)
        if vague and not _COUNTS_ONE.search(text):
            continue
        head, _, kind = measure.kind.partition(":")
        group = _GROUPS.get(head, head)
        said = f"{kind} {measure.value}" if head == "version" else measure.value
        found.append(ClaimValue(group, said, kind if head in ("choice", "version") else None))
        # What is counted is what the sentence is about: only its number is blanked.
        end = measure.end - len(kind) - kind.isascii() if head == "count" else measure.end
        start = measure.end - len(measure.value) if head == "port" else measure.start
        blank(start, max(start + 1, end))
    for match in _NAME.finditer(text):
        name = match.group()
        if not rest[match.start() : match.end()].strip():
            continue
        says_i = name == "I" or name.startswith(("I'", "I’"))
        if says_i or (name.lower() in STOP_WORDS and not name.isupper()):
            continue
        if _QUALIFIES.search(text, 0, match.start()) and (
            _NOUN.match(text, match.end())
            or (name.isupper() and (match.start() < LEAD_CHARS or _KIND_OF.search(text, 0, match.start())))
        ):
            continue  # "the Dutch office": which office it is; "our SLA is": what the sentence is about
        found.append(ClaimValue("name", _GENITIVE.sub("", name).lower()))
        blank(match.start(), match.end())
    return rest, tuple(dict.fromkeys(found))


def _with_units(text: str, measures: list[Measure]) -> list[Measure]:
    """The measures; a bare figure beside another of which it is the contrast gets that one's unit."""
    found = list(measures)
    for at, (one, two) in enumerate(pairwise(measures)):
        if not _UNIT_SHARED.fullmatch(text, one.end, two.start):
            continue
        if two.kind == "bare":
            found[at + 1] = _like(one, two)
        elif one.kind == "bare":
            found[at] = _like(two, one)
    return found


def _like(measure: Measure, bare: Measure) -> Measure:
    _, _, unit = measure.value.partition(" ")
    return replace(bare, kind=measure.kind, value=f"{bare.value} {unit}".rstrip())


def _labels(text: str) -> list[re.Match[str]]:
    """Numbers that say which one is meant: "room 12 is ..."; none where the first word commands."""
    steps = list(_STEP.finditer(text))
    if steps or _DIRECTIVE.search(text) or _BOUND.match(text):
        return steps
    return list(_LABEL.finditer(text))


@lru_cache(maxsize=1024)
def states(text: str) -> bool:
    """Whether a sentence states something that lasts: a value and how it is held, or a preference.

    >>> states("We're on Postgres 15."), states("I read about Postgres yesterday.")
    (True, False)
    """
    lowered = text.lower()
    prefers, says = _PREFERS.search_lower(lowered), _STATES.search_lower(lowered)
    if not (prefers or says or _WAS.search(lowered)) or not _WORDED.match(text):
        return False
    telling = read_claim(text)
    if telling is None or _HYPOTHETICAL.search_lower(lowered) or _DIRECTIVE.search_lower(lowered):
        return False
    if prefers:
        return True
    if _PASSING.search_lower(lowered):
        return False
    if _POSSESSED.search_lower(lowered):
        return True
    if not (telling.values or telling.first or _MADE_WITH.search(text)):
        return False
    if says:
        return not (_THERE_ARE.match(text) and {value.kind for value in telling.values} <= {"number"})
    # "was 22 %" is worth knowing; that something "was" or "took 3" is a tale.
    return any(value.kind not in ("name", "ident", "number", "duration") for value in telling.values)


@lru_cache(maxsize=1024)
def holds(text: str) -> bool:
    """Whether a sentence says how something is, however little it says: it can be corrected."""
    return _STATES.stands_in(text) and not _PASSING.stands_in(text)


def takes_back(text: str) -> bool:
    """Whether a sentence takes back what was said right before it."""
    return _AT_ONCE.stands_in(text)


def named(text: str) -> tuple[str, str]:
    """What a sentence is about, and its values, in its own words and order.

    >>> named("Backups of the tax calculator go to eu-west-1.")
    ('Backups tax calculator', 'eu-west-1')
    """
    telling = read_claim(text)
    if telling is None:
        return text[:MAX_NAME_CHARS], ""
    words = [w for w in NAME_WORD.findall(text) if root(w) in telling.about or w.lower() == telling.first]
    held = [v.text for v in telling.values if not given_up(text, v.text)]
    places = sorted((text.lower().find(value), value) for value in held)
    values = ", ".join(text[at : at + len(value)] if at >= 0 else value for at, value in places)
    return " ".join(dict.fromkeys(words))[:MAX_NAME_CHARS] or text[:MAX_NAME_CHARS], values


def given_up(text: str, value: str) -> bool:
    """Whether a sentence names a value (lower case) as what no longer holds: "MySQL rather than Postgres"."""
    lowered, at = text.lower(), -1
    while (at := lowered.find(value, at + 1)) >= 0:
        if at and (lowered[at - 1].isalnum() or lowered[at - 1] == "_"):
            continue
        end = at + len(value)
        before, behind = text[max(0, at - 40) : at], text[end : end + 24]
        if _GIVEN_UP_BEFORE.search(before) or _GIVEN_UP_BEHIND.search(behind):
            return True
    return False
