"""The words by which statements are compared: content words and pieces of identifiers, lightly stemmed."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import chain

from tamis.text.cues.phrases import word_set

_TOKEN = re.compile(r"[A-Za-z_][\w.]*\w|\d[\w.]*|[A-Za-z]|[\u3400-\u9fff]{1,2}")
_WORD = re.compile(r"\w+")
_PIECES = re.compile(r"[._/]|(?<=[a-z])(?=[A-Z])")
_ENDING = re.compile(r"(?:ing|ed|es|s)$")

_FUNCTION_WORDS = word_set("""
    a an the of to in on at by for and or not no is are was were be been it its this that these those
    with from as into than then there their they them he she you we i will would can could should may
    might do does did done has have had but so if when which who what how all any each every one more
    most other some such only own same too very just also both about after before over under again now
    further once here out up down off via per let me my your our us
""")


@lru_cache(maxsize=4_096)
def _forms(token: str) -> tuple[str, ...]:
    if token.isalpha() and token[1:].islower():  # a plain word, as most are
        word = token.lower()
        return () if word in _FUNCTION_WORDS else (_ENDING.sub("", word) if len(word) > 4 else word,)
    forms = {token.lower()}
    if len(token) > 3:
        forms.update(piece.lower() for piece in _PIECES.split(token) if len(piece) > 2)
    return tuple(
        sorted(
            _ENDING.sub("", form) if len(form) > 4 and form.isalpha() else form
            for form in forms
            if form not in _FUNCTION_WORDS
        )
    )


def all_terms_of(text: str) -> Iterator[str]:
    """The terms of a text as they come: for texts that nobody asks for twice."""
    return chain.from_iterable(map(_forms, _TOKEN.findall(text)))


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text, each once, sorted.

    >>> terms_of("It fails in src/io.py: readRows returned None")
    ('fail', 'io.py', 'none', 'read', 'readrow', 'return', 'rows', 'src')
    """
    return tuple(sorted(set(all_terms_of(text))))


def run_of(text: str) -> str:
    """The words of a text and nothing else, to see whether a text stands in another.

    >>> run_of("- Never touch `src/tax.py`!")
    'never touch src tax py'
    """
    return " ".join(_WORD.findall(text.casefold()))


def rarity(documents: Iterable[Collection[str]]) -> Mapping[str, float]:
    """How much each term says, by the share of the documents that hold it (inverse document frequency)."""
    counts: Counter[str] = Counter()
    total = 0
    for document in documents:
        counts.update(document)
        total += 1
    return {term: math.log(1 + total / (1 + count)) for term, count in counts.items()}


def weight_of(terms: Iterable[str], weights: Mapping[str, float], among: Set[str] | None = None) -> float:
    """What terms weigh together; only those `among` some, if these are given."""
    counted = terms if among is None else filter(among.__contains__, terms)
    return sum(map(weights.__getitem__, counted))
