"""Numbers in figures or written out, in English and Chinese: "1,200", "2k", "five hundred", 三千五百."""

import re

from tamis.text.cues import zh


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
