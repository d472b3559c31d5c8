"""Words of a text as statements are compared by them: lower case, lightly stemmed, identifiers in pieces.

`hasAnyLiveSession` gives itself and `has`, `any`, `live`, `session`, so that code and prose about it meet.
Function words carry no weight, but they tell a sentence from a heap of names.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\d_]\w*(?:[.\-/:@]+\w+)*|_\w+|\d\w*(?:[.,:\-/]\w+)*"
    r"|[=+*<>{}()|&!~;]+|[→⇒≥≤≠×✓✗]"
)
_OPERATOR = re.compile(r"\A[=+*<>{}()|&!~;→⇒≥≤≠×✓✗]+$")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]$")
_PLAIN = re.compile(r"\A[^\W\d_]+$")
_SUFFIX = re.compile(r"(?:ations?|ings?|ed|ies|es|(?<!s)s|e|y)$")
_DOUBLED = re.compile(r"([bdgklmnprtv])\1$")
MAX_TOKEN_CHARS = 120  # longer runs are blobs

FUNCTION_WORDS = frozenset(
    """
    a an the of to in on at by for and or nor not no is are was were be been being am it its this
    that these those with from as into onto than then there their theirs them they he him his she
    her hers you your we our us i me my will would can could should may might must shall do does did
    done doing has have had having but so if when while where which who whom whose what how why all
    any each every both either neither few more most other others some such only own same too very
    just also still yet already about after before over under again further once here out up down
    off via per through during until since because between against without within now never ever s t
    re ll ve d m don doesn didn won isn aren wasn 的 了 是 在 和 与 不 有 也 就 都 而 及 或 被 把 对
    """.split()  # noqa: SIM905 - read more easily as text
)
"""Words that hold a sentence together and say nothing alone. Numerals are not among them."""


class Token(NamedTuple):
    """A word as it is matched: its forms, the whole first, or none where it only holds others together."""

    forms: tuple[str, ...]
    binds: bool


def tokens(text: str) -> list[Token]:
    """The words and operators of a text, in order.

    >>> [token.forms for token in tokens("The parse_args calls fail")]
    [(), ('parse_args', 'pars', 'arg'), ('cal',), ('fail',)]
    """
    return [_token(match.group()) for match in _TOKEN.finditer(text)]


@lru_cache(maxsize=1 << 17)
def _token(raw: str) -> Token:
    if _OPERATOR.match(raw):
        return Token((), True)
    lowered = raw.lower()
    if lowered in FUNCTION_WORDS:
        return Token((), True)
    if len(raw) > MAX_TOKEN_CHARS:
        return Token((), False)
    if _PLAIN.match(raw) and not re.search(r"[a-z][A-Z]", raw):
        return Token((stem(lowered),) if len(lowered) > 1 or _CJK.match(raw) else (), False)
    pieces = [stem(p.lower()) for p in _PIECE.findall(raw)]
    kept = tuple(dict.fromkeys(p for p in pieces if (len(p) > 1 or p.isdigit()) and p not in FUNCTION_WORDS))
    whole = lowered.rstrip(".:-/@,")
    if kept == (whole,) or not kept:
        return Token((whole,), False)
    return Token((whole, *kept), False)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without its commonest endings; crude on purpose, the same on both sides.

    >>> [stem(w) for w in ("fixes", "fixing", "stops", "stopped", "used", "classes", "class")]
    ['fix', 'fix', 'stop', 'stop', 'use', 'class', 'class']
    """
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    cut = _SUFFIX.sub("", word)
    if len(cut) < 3:
        cut = word[:-1] if word[-1] in "sd" and word[-2] == "e" else word
    return _DOUBLED.sub(r"\1", cut) if len(cut) > 3 else cut
