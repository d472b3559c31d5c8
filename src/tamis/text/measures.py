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
from tamis.text.numerals import NUMBER, read_number

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_NO_PRODUCT = r"""
    at|to|by|of|in|on|is|are|than|under|over|about|with|within|below|above|only|max|min|and|or|the|step|option|phase|part
    |no|number|item|lines?|pages?|chapter|section|point|issue|pr|ticket|task|level|top|first|last|next|least|most|every
    |each|per|version|v|port|for|from|be|after|before|between|exactly|around|cycle|round|case|use|keep|limit|cap|budget
    |down|up|not|allow|wait|send|run|poll|retry|try|take|give|set|make|add|store|show|want|need|have|get|book|buy
    |order|reserve|rent|spend|cache|rotate|pick|choose|invite
"""
"""Words that may stand before a number without being a product with a version."""

# All but the version, which is told by its capitals, are looked for in lower case: several times faster.
_DAY = Cue(
    rf"""(?x)
      \d{{4}}-\d\d-\d\d | \b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b | {zh.DATE}
    | \b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?
    | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b
    | (?<=\bthe\s)\d{{1,2}}(?:st|nd|rd|th)\b(?=\W*(?:$|[.,;)]|(?:at|in|if|then|instead|now|so|because)\b))
    | \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b | \btomorrow\b | \bnext\s(?:week|month|year|quarter)\b
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
