"""Finding an expected item in a text, and telling whether the text denies it there.

Word boundaries are those of names: a letter, a digit or an underscore goes on, a Chinese character does not,
as names stand unspaced in Chinese prose.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from tamis.evals.probing.probes import Expected
from tamis.ledger.files.paths import same_file
from tamis.text.cues.vocabulary import DENIALS, NOT_ENDING

WORD = "A-Za-z0-9_\u00c0-\u024f\u0370-\u04ff"
"""Characters that go on with a word or a number, for a character class. Chinese ones do not."""

_UNITS: dict[str, tuple[str, float]] = {}
for _names, _dimension, _factor in (
    ("ms millisecond", "time", 0.001),
    ("s sec second 秒", "time", 1),
    ("min minute 分钟", "time", 60),
    ("h hr hour 小时", "time", 3_600),
    ("d day 天", "time", 86_400),
    ("b byte", "size", 1),
    ("kb kib", "size", 1_024),
    ("mb mib", "size", 1_024**2),
    ("gb gib", "size", 1_024**3),
    ("% percent", "share", 1),
):
    for _name in _names.split():
        _UNITS[_name] = (_dimension, _factor)

_WORDS = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<![{WORD}.,-])(?P<sign>-?)[$€£¥]?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?:(?P<scale>[kKM])(?![{WORD}])|\s?(?P<unit>{_WORDS})s?(?![{WORD}]))?(?![{WORD}]|[.,]\d)",
    re.IGNORECASE,
)
_SCALES = {"k": 1_000, "m": 1_000_000}


class Quantity(NamedTuple):
    """An amount in the base unit of its dimension (None: a bare number), and where it stands."""

    amount: float
    dimension: str | None
    start: int
    end: int

    def same_as(self, other: "Quantity") -> bool:
        """Whether both mean the same amount; a bare number is not one with a unit."""
        return self.dimension == other.dimension and math.isclose(self.amount, other.amount, rel_tol=1e-9)


def find_quantities(text: str) -> Iterator[Quantity]:
    """Every amount in the text; a version number such as 1.2.3 is none.

    >>> [(q.amount, q.dimension) for q in find_quantities("1,200 rows in 5 min, 2k more, not v1.2.3")]
    [(1200.0, None), (300.0, 'time'), (2000.0, None)]
    """
    for match in _QUANTITY.finditer(text):
        amount = float(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").lower(), 1)
        dimension, factor = _UNITS.get((match["unit"] or "").lower(), (None, 1))
        sign = -1 if match["sign"] else 1
        yield Quantity(sign * amount * factor, dimension, match.start(), match.end())


MAX_PATH_CHARS = 400
_BEFORE_NAME = re.compile(r"(?<![\w./~@+%$:\\-])[\w./~@+%$:\\-]*+\Z")
_BEFORE_ASCII_NAME = re.compile(r"(?<![A-Za-z0-9_./~@+%$:\\-])[A-Za-z0-9_./~@+%$:\\-]*+\Z")
_NAME_GOES_ON = re.compile(rf"[{WORD}@+%$-]|[./\\](?=[{WORD}])")
_DIFF_SIDE = re.compile(r"\A[ab]/")  # what `git diff` puts before the two names of a file

_VERSION = re.compile(r"\Av?(?P<bare>\d+(?:\.\d+)+[\w.-]*)")
_WORD_BEFORE = re.compile(rf"[{WORD}]-?\Z|\d\.\Z")
_WORD_AFTER = re.compile(rf"[{WORD}]|-[{WORD}]|\.\d")

_CLAUSE_END = re.compile(r"[.;:!?。；！？](?=\s|$)|[。；！？]|\n|,\s|\bbut\b|，|但")
_NOT_THIS = re.compile(
    rf"(?:\b(?:{DENIALS}|used to be|(?<=\()was)|{NOT_ENDING}"
    r"|不是|不再|而不是|不|原来是|以前是)(?:\s+\w+){0,2}[\s`'\"]*$",
    re.IGNORECASE,
)
"""Ends right before what it denies, or a word or two before: `not port 80`, but not `not found: a.py`."""

_FROM = re.compile(r"\bfrom[\s`'\"]*$|从\s*$", re.IGNORECASE)
_TO = re.compile(r"^[\s`'\"]*(?:to\b|→|->|=>|=+>|已?改[为成]|变[为成]|换成)", re.IGNORECASE)
_ARROW = re.compile(r"^[\s`'\"]*(?:→|->|=>|已?改[为成]|变[为成]|换成)")
_VALUE = r"\s+[`'\"]?[\w./-]*[\d_./]"
_GONE = re.compile(
    r"\b(?:superseded|replaced|obsolete|outdated|until then|any ?more)\b"
    rf"|\b(?:no longer|formerly|previously)\b(?!{_VALUE})"
    r"|^[\s`'\")]*(?:is|was|are|were) not (?:used|valid|right|correct|true|in use)\b"
    rf"|^[\s`'\"]*\((?:old|former|was)\b(?!{_VALUE})|^[\s`'\"]*before\s*$|已(?:废弃|作废|过时|取代)",
    re.IGNORECASE,
)
"""Says of what stands before it that it is gone; `(no longer 3.7.0)` says it of what stands behind."""


def find_places(item: Expected, text: str) -> Iterator[tuple[int, int]]:
    """Where the item stands in the text; a `text` is looked for to the letter."""
    if item.type == "path":
        return _path_places(item.value, text)
    if item.type == "number" and (wanted := next(find_quantities(item.value), None)):
        return ((q.start, q.end) for q in find_quantities(text) if q.same_as(wanted))
    version = _VERSION.fullmatch(item.value)
    if version:
        return _word_places(version["bare"], text, may_follow="v")
    return _word_places(item.value, text)


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the clause around a place says that it does not hold: `not 80`, `80 -> 90`, `80 (replaced)`."""
    begin = max((m.end() for m in _CLAUSE_END.finditer(text, 0, start)), default=0)
    stop = _CLAUSE_END.search(text, end)
    before, after = text[begin:start], text[end : stop.start() if stop else len(text)]
    given_up = _ARROW.search(after) or (_FROM.search(before) and _TO.search(after))
    return bool(given_up or _NOT_THIS.search(before) or _GONE.search(after))


def gives_up(sentence: str) -> bool:
    """Whether a sentence tells of something that held once."""
    return bool(_GONE.search(sentence))


def _path_places(path: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the path or the end of it stands: around each place of its last part."""
    name = re.split(r"[/\\]", path.rstrip("/"))[-1]
    reach = _BEFORE_ASCII_NAME if path.isascii() else _BEFORE_NAME
    at = text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        before = reach.search(text, max(0, at - MAX_PATH_CHARS), at)
        start = before.start() if before else at
        written = text[start:end]
        named = same_file(written, path) or same_file(_DIFF_SIDE.sub("", written), path)
        if named and not _NAME_GOES_ON.match(text, end):
            yield start, end
        at = text.find(name, end)


def _word_places(word: str, text: str, *, may_follow: str = "") -> Iterator[tuple[int, int]]:
    """Where the word stands as itself: not as a piece of a longer name, version or number."""
    at = text.find(word) if word else -1
    while at >= 0:
        end = at + len(word)
        before = text[max(0, at - 2) : at].removesuffix(may_follow)
        joined = _is_word(word[0]) and _WORD_BEFORE.search(before)
        if not joined and not (_is_word(word[-1]) and _WORD_AFTER.match(text, end)):
            yield at, end
        at = text.find(word, at + 1)


def _is_word(char: str) -> bool:
    return bool(re.match(rf"[{WORD}]", char))
