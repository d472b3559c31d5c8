"""The words of a text as a reader compares them: names in their pieces, scripts without blanks in pairs.

`loadTable`, `load_table` and `load table` share their pieces, and each also stands for itself; `src/io.py` is
found by `io.py`, `io` and `src`. Words that say nothing are left out, the others taken without their ending.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from tamis.archive.search_terms import UNSPACED
from tamis.ledger.speech.subjects import key_words

_CHUNK = re.compile(r"(?:[\w$]|(?<![./:@'’\\-])@)(?:[./:@'’\\-]*+\w)*+")
_PIECE = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)|(?P<number>\d+(?:\.\d+)*)"
    rf"|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z{UNSPACED}]+"
)
_APOSTROPHE = re.compile(r"['’]")


def terms_in(text: str) -> list[str]:
    """The terms of a text, each as often as it stands there.

    >>> terms_in("The loadRow of src/io.py, 端口号")
    ['loadrow', 'load', 'row', 'io.py', 'src', 'io', 'py', '端口', '口号']
    """
    return [term for chunk in _CHUNK.findall(text) for term in _terms(chunk)]


@lru_cache(maxsize=1 << 17)
def _terms(chunk: str) -> tuple[str, ...]:
    """The terms of one run of word characters; looked up again and again, so worked out once."""
    if _APOSTROPHE.search(chunk):
        return tuple(sorted(key_words(chunk)))
    pieces = list(_PIECE.finditer(chunk))
    found: list[str] = []
    if len(pieces) > 1 and chunk.isascii():
        name = re.split(r"[/\\:]", chunk)[-1].lower()
        if not name.isdigit() and len(name) > 1:
            found.append(name)
    for piece in pieces:
        if piece["unspaced"]:
            found.extend(_pairs(piece["unspaced"]))
        elif piece["number"]:
            found.append(piece["number"])
        else:
            found.extend(sorted(key_words(piece.group())))
    return tuple(dict.fromkeys(found))


def _pairs(run: str) -> Iterator[str]:
    """Pairs of neighbouring characters, which is what words of such scripts are mostly made of."""
    if len(run) == 1:
        yield run
    yield from (run[i : i + 2] for i in range(len(run) - 1))
