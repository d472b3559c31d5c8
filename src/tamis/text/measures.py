"""Values with a kind, read off a sentence: amounts, times, dates, versions, mutually exclusive choices.

A rule or a fact that states one is replaced by a later one of the same kind on the same subject, whatever
words it comes in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.text.cues import zh
from tamis.text.cues.phrases import Cue
from tamis.text.cues.vocabulary import EXCLUSIVE


def _numbered(words: str, *, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + step * n for n, word in enumerate(words.split())}


_ONES = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    start=0,
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", start=20, step=10)
_SCALES = {"hundred": 100, "dozen": 12, "thousand": 1_000, "grand": 1_000, "million": 1_000_000}
_HAN_DIGITS = _numbered(zh.DIGITS, start=0) | {"两": 2}
_SHORT_SCALES = {"k": 1_000, "m": 1_000_000} | zh.SHORT_SCALES

_WORD = rf"(?:{'|'.join([*_ONES, *_TENS, *_SCALES])})"
NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?(?:\s?[km](?![a-z\d])|[百千万])?"
    rf"|\b(?:a\s+)?{_WORD}\b(?:[\s-]+(?:and\s+)?{_WORD}\b)*"
    r"|\ban?(?=\s(?:second|minute|hour|day|week|month|year)\b)"
    rf"|[{''.join([*_HAN_DIGITS, *zh.SCALES])}]+)"
)
"""A pattern for what `read_number` reads; letter case aside."""

_FIGURES = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([km](?![a-z])|[百千万])?")


def read_number(text: str) -> float | None:
    """The number that a text begins with; None where there is none.

    >>> read_number("1,200"), read_number("twenty-five"), read_number("三千五百"), read_number("2k")
    (1200.0, 25.0, 3500.0, 2000.0)
    """
    text = text.lower().strip()
    if match := _FIGURES.match(text):
        return float(match[1].replace(",", "")) * _SHORT_SCALES.get(match[2] or "", 1)
    if text[:1] in _HAN_DIGITS or text[:1] in zh.SCALES:
        return _read_han(text)
    return _read_words(text)


def _read_words(text: str) -> float | None:
    if text in ("a", "an"):
        return 1.0
    total, current, seen = 0, 0, False
    for word in re.split(r"[\s-]+", text):
        if word in ("and", "a"):
            continue
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, current = total + current, 0
        elif word in _ONES or word in _TENS:
            current += _ONES.get(word, _TENS.get(word, 0))
        else:
            break
        seen = True
    return float(total + current) if seen else None


def _read_han(text: str) -> float:
    total, section, digit = 0, 0, 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char not in zh.SCALES:
            break
        elif (scale := zh.SCALES[char]) >= 10_000:
            total, section, digit = total + max(section + digit, 1) * scale, 0, 0
        else:
            section, digit = section + max(digit, 1) * scale, 0
    return float(total + section + digit)


_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_BEHIND_DAY = (
    r"(?:at|in|if|then|instead|now|so|because|from|since|as|these|nowadays|going|rather|for|every|each)\b"
)
"""What may stand behind "the 5th" where that is a day."""

_NO_PRODUCT = r"""
    at|to|by|of|in|on|is|are|than|under|over|about|with|within|below|above|only|max|min|and|or|the|step|option|phase|part
    |no|number|item|lines?|pages?|chapter|section|point|issue|pr|ticket|task|level|top|first|last|next|least|most|every
    |each|per|version|v|port|for|from|be|after|before|between|exactly|around|cycle|round|case|use|keep|limit|cap|budget
    |down|up|not|allow|wait|send|run|poll|retry|try|take|give|set|make|add|store|show|want|need|have|get|book|buy
    |order|reserve|rent|spend|cache|rotate|pick|choose|invite|weighs?|costs?|takes?|measures?|lasts?|equals?|was|were
"""
"""Words that may stand before a number without being a product with a version."""

# All but the version, which is told by its capitals, are looked for in lower case: several times faster.
_DAY = Cue(
    rf"""(?x)
      \d{{4}}-\d\d-\d\d | \b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b | {zh.DATE}
    | \b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?
    | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b
    | (?<=\bthe\s)\d{{1,2}}(?:st|nd|rd|th)\b(?=\W*(?:$|[.,;)]|{_BEHIND_DAY}))
    | \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b | \btomorrow\b | \bnext\s(?:week|month|year|quarter)\b
    | (?:(?<=\bin\s)|(?<=\bby\s)|(?<=\buntil\s)|(?<=\bbefore\s))(?:{_MONTHS})\b(?!\s\d)
    | {zh.DAYS}
    """
)
_CLOCK = Cue(
    rf"""(?x)
      \b\d{{1,2}}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.)(?![a-z]) | \b\d{{1,2}}:\d\d\b | \b(?:noon|midnight)\b
    | {zh.HOUR_BEFORE}(?<!\d)(?<!\d,){NUMBER}{zh.HOUR_BEHIND}
    """
)
_PORT = Cue(r"\bport\s+(?:number\s+)?(?:is\s+|to\s+|:\s*)?(?P<port>\d{2,5})\b|" + zh.PORT)
_VERSION = Cue(
    rf"""(?x)
    \b(?!(?i:{_NO_PRODUCT})\b)
    (?: (?P<product>[A-Za-z][A-Za-z+\#.-]{{0,40}}[A-Za-z+\#])[ ]?v?(?P<number>\d+(?:\.(?:\d+|x))+)
      | (?P<capital>[A-Z][A-Za-z+\#.-]{{0,40}}[A-Za-z+\#])[ ]v?(?P<major>\d+) )(?![\w:/%]|\.\d)
    """
)
_QUANTITY = Cue(
    rf"""(?x)
    (?<![\w.\#-])(?P<currency>[$€£¥￥]\s?)?(?P<number>(?<![a-z0-9]){NUMBER})
    (?: \s?(?P<money>(?:dollars?|usd|eur|euros?|bucks|pounds|gbp|yuan|rmb|cny)\b|{zh.MONEY})
      | \s?(?P<percent>%|percent\b|per\scent\b)
      | \s?(?P<size>[kmgt]i?b\b|(?:kilo|mega|giga|tera)?bytes?\b|{zh.SIZE})
      | [\s-]?(?P<duration>
            (?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?)\b
          | {zh.DURATION})
      | [\s-]?(?P<extent>(?:kg|km|cm|mm|px|ml|lbs?|oz|[kmg]?hz|kwh?|fps|rpm)\b)
      | [\s-]+(?P<noun>[a-z]{{3,}}) | (?P<unit>{zh.UNIT})
      | (?P<bare>(?![个a-z0-9_]|[.:/-]+\w)) )
    """.replace(r"(?<![\w.\#-])", r"(?<![a-z0-9_.\#-])")
)
_DIGIT = re.compile(r"\d")
_CHOICES = {word: kind for kind, line in EXCLUSIVE.items() for word in line.split()}
_CHOICE = Cue(
    r"(?<![a-z0-9_-])(?:"
    + "|".join(sorted((re.escape(word) for word in _CHOICES if word.isascii()), key=len, reverse=True))
    + r")(?![a-z0-9_-])|"
    + "|".join(word for word in _CHOICES if not word.isascii())
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A value, its place, and its kind: `money`, `day`, `count:word`, `version:python`, `choice:cache` ..."""

    kind: str
    value: str
    start: int
    end: int


def find_measures(text: str) -> list[Measure]:
    """Every measure in a sentence, in order.

    >>> [(m.kind, m.value) for m in find_measures("keep it under five hundred dollars by Friday, on Redis")]
    [('money', '500'), ('day', 'friday'), ('choice:cache', 'redis')]
    """
    found: list[Measure] = []
    for measure in _read(text):
        if all(measure.end <= other.start or other.end <= measure.start for other in found):
            found.append(measure)
    return sorted(found, key=lambda measure: measure.start)


def _read(text: str) -> Iterator[Measure]:
    """The measures, the more telling first where two overlap."""
    lowered = text.replace("İ", "I").lower()  # the only letter that is two in lower case
    for match in _DAY.finditer(lowered):
        yield Measure("day", _day(match.group()), match.start(), match.end())
    for match in _CLOCK.finditer(lowered):
        yield Measure("clock", re.sub(r"[\s.]", "", match.group()), match.start(), match.end())
    if _DIGIT.search(text):
        for match in _PORT.finditer(lowered):
            yield Measure("port", match["port"] or match["han"], match.start(), match.end())
        for match in _VERSION.finditer(text):
            product, value = match["product"] or match["capital"], match["number"] or match["major"]
            yield Measure(f"version:{product.lower()}", value, match.start(), match.end())
    for match in _QUANTITY.finditer(lowered):
        if quantity := _quantity(lowered, match):
            yield quantity
    for match in _CHOICE.finditer(lowered):
        word = match.group()
        yield Measure(f"choice:{_CHOICES[word]}", word, match.start(), match.end())


def _quantity(text: str, match: re.Match[str]) -> Measure | None:
    value = read_number(match["number"])
    if value is None:
        return None
    kind = "money" if match["currency"] else match.lastgroup or "bare"
    said = f"{value:g}"
    if kind in ("noun", "unit"):
        kind = f"count:{match[kind].lower().rstrip('s')}"
    elif kind == "extent":
        said = f"{said} {match['extent'].lower()}"
    elif kind == "duration":
        unit = match["duration"].lower().removeprefix("个")
        said = f"{said} {unit.removesuffix('s') if len(unit) > 2 else unit}"
    elif kind == "bare" and text[: match.start()].endswith(zh.PERCENT):
        kind = "percent"
    elif kind == "bare" and value < 2:  # "one", 一: hardly ever a value
        return None
    return Measure(kind, said, match.start(), match.end())


def _day(text: str) -> str:
    day = re.sub(r"\s+", "", re.sub(zh.WEEK, "周", text.lower()))
    return day.removesuffix("s") if day.endswith("days") else day
