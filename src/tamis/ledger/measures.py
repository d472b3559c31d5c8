"""Values with a kind, read off a sentence: amounts, times, dates, versions, and choices that exclude each other.

A rule or a fact that states one is replaced by a later one of the same kind on the same subject, whatever
words it comes in. Numbers may be written out ("five hundred", 五百).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.ledger.cues.vocabulary import EXCLUSIVE

_ONES = {
    w: n
    for n, w in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        ).split()
    )
}
_TENS = {
    w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "grand": 1_000, "dozen": 12}
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}

_WRITTEN = rf"(?:{'|'.join([*_ONES, *_TENS, *_SCALES])}|a (?:hundred|thousand|million|dozen))"
_NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?(?:\s?[km](?![a-z\d])|万|千|百)?"
    rf"|{_WRITTEN}(?:[\s-]+(?:and\s+)?{_WRITTEN})*"
    r"|[零一二三四五六七八九十百千万亿两]+)"
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"

_NOT_PRODUCTS = (
    "at|to|by|of|in|on|is|are|than|under|over|about|with|within|below|above|only|max|min|and|or|the|step|option|phase|part|no"
    "|number|item|lines?|pages?|chapter|section|point|issue|pr|ticket|task|level|top|first|last|next|least|most|every|each|per"
    "|version|v|port|for|from|be|after|before|between|exactly|around|cycle|round|case|use|keep|limit|cap|budget|down|up|not"
)
"""Words that may stand before a number without being a product with a version."""

_PATTERN = re.compile(
    rf"""(?xi)
      (?P<money>[$€£¥￥]\s?{_NUMBER} | {_NUMBER}\s?(?:dollars?|usd|eur|euros?|bucks|pounds|gbp|yuan|rmb|cny|元|块钱?|美元|美金|人民币))
    | (?P<percent>{_NUMBER}\s?(?:%|percent\b|per\ cent\b) | 百分之{_NUMBER})
    | (?P<size>{_NUMBER}\s?(?:[kmgt]i?b\b|(?:kilo|mega|giga|tera)?bytes?\b|字节|兆))
    | (?P<day>\d{{4}}-\d\d-\d\d | \d{{4}}年\d{{1,2}}月\d{{1,2}}[日号]? | \d{{1,2}}月\d{{1,2}}[日号]
        | \b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})? | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b
        | \b(?:{"|".join(_DAYS)})s?\b | (?:周|星期|礼拜)[一二三四五六日天] | \btomorrow\b | \bnext\ (?:week|month|year|quarter)\b
        | 明天|后天|下周|下个?月 | \b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b)
    | (?P<clock>\b\d{{1,2}}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.)(?![a-z]) | \b\d{{1,2}}:\d\d\b | \b(?:noon|midnight)\b
        | (?:上午|下午|早上|晚上|中午)?{_NUMBER}[点點]半?)
    | (?P<duration>{_NUMBER}[\s-]?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?)\b
        | {_NUMBER}(?:个)?(?:毫秒|秒|分钟|小时|天|周|星期|月|年))
    | (?P<port>\bport\s+(?:number\s+)?(?:is\s+|to\s+|:\s*)?\d{{2,5}}\b | 端口(?:号)?(?:是|为|改成|改为|:|：)?\s*\d{{2,5}})
    | (?P<version>\b(?!(?:{_NOT_PRODUCTS})\b)
        (?: (?P<product>[a-z][a-z+#.-]*[a-z+#])[ ]?v?(?P<number>\d+(?:\.(?:\d+|x))+)
          | (?P<capital>(?-i:[A-Z])[\w+#.-]*[a-z+#])[ ]?v?(?P<major>\d+) )(?![\w:/%]|\.\d) )
    | (?P<count>{_NUMBER}[\s-]+(?P<noun>[a-z]{{3,}}) | {_NUMBER}(?P<unit>[行字条次人张台页份轮]))
    | (?P<bare>(?<![\w.#-]){_NUMBER}(?![a-z0-9_]|[.:/-]+\w) | (?<=[\u4e00-\u9fff]){_NUMBER}(?![个a-z0-9_]))
    """
)
_CHOICES = {word: kind for kind, line in EXCLUSIVE.items() for word in line.split()}
_CHOICE = re.compile(
    r"(?i)(?<![a-z0-9_-])(?:"
    + "|".join(sorted((re.escape(w) for w in _CHOICES if w.isascii()), key=len, reverse=True))
    + r")(?![a-z0-9_-])"
    "|" + "|".join(w for w in _CHOICES if not w.isascii())
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A value and its kind: `money`, `day`, `count:word`, `version:python`, `choice:cache` ... and its place."""

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
    for match in _PATTERN.finditer(text):
        kind = _kind(match)
        value = _value(kind, match)
        if kind == "bare" and value in ("0", "1"):  # "one", 一: hardly ever a value
            continue
        found.append(Measure(kind, value, match.start(), match.end()))
    for match in _CHOICE.finditer(text):
        if not any(m.start <= match.start() < m.end and m.kind.startswith("version") for m in found):
            word = match.group().lower()
            found.append(Measure(f"choice:{_CHOICES[word]}", word, match.start(), match.end()))
    return sorted(found, key=lambda m: m.start)


def number(text: str) -> float | None:
    """The number that a text begins with or consists of; None where there is none.

    >>> number("$1,200"), number("twenty-five"), number("三千五百"), number("2k")
    (1200.0, 25.0, 3500.0, 2000.0)
    """
    text = text.lower().strip("$€£¥￥ ")
    if match := re.match(r"(\d[\d,]*(?:\.\d+)?)\s?([km](?![a-z])|万|千|百)?", text):
        scale = {"k": 1e3, "m": 1e6, "万": 1e4, "千": 1e3, "百": 1e2}.get(match[2] or "", 1)
        return float(match[1].replace(",", "")) * scale
    if text and text[0] in "零一二三四五六七八九十百千万亿两〇":
        return _han_number(text)
    return _written_number(text)


def _written_number(text: str) -> float | None:
    total, current, seen = 0, 0, False
    for word in re.split(r"[\s-]+", text):
        if word in ("and", "a"):
            continue
        if word in _ONES or word in _TENS:
            current += _ONES.get(word, _TENS.get(word, 0))
        elif word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, current = total + current, 0
        else:
            break
        seen = True
    return float(total + current) if seen else None


def _han_number(text: str) -> float | None:
    total, section, digit = 0, 0, 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_SCALES:
            scale = _HAN_SCALES[char]
            if scale >= 10_000:
                total, section, digit = total + max(section + digit, 1) * scale, 0, 0
            else:
                section, digit = section + max(digit, 1) * scale, 0
        else:
            break
    return float(total + section + digit)


def _kind(match: re.Match[str]) -> str:
    if match["version"]:
        return f"version:{(match['product'] or match['capital']).lower()}"
    if match["count"]:
        noun = (match["noun"] or match["unit"] or "").lower()
        return f"count:{noun.rstrip('s')}"
    for kind in ("money", "percent", "size", "day", "clock", "duration", "port"):
        if match[kind]:
            return kind
    return "bare"


def _value(kind: str, match: re.Match[str]) -> str:
    text = match.group().lower().strip()
    if kind.startswith("version"):
        return match["number"] or match["major"]
    if kind == "day":
        return re.sub(r"(?<=day)s$|\s+", "", re.sub("星期|礼拜", "周", text))
    if kind == "clock":
        return re.sub(r"[\s.]", "", text)
    if kind == "port":
        return re.sub(r"\D", "", text)
    value = number(text.removeprefix("百分之"))
    if kind == "duration":
        unit = re.search(r"[a-z]+|毫秒|秒|分钟|小时|天|周|星期|月|年", text.replace("个", ""))
        return f"{value:g} {unit.group() if unit else ''}" if value is not None else text
    return f"{value:g}" if value is not None else text
