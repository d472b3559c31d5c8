"""The words that say what a text is about: stemmed, synonyms made one, what every sentence has left out."""

import re
from collections.abc import Iterable
from functools import lru_cache

from tamis.text.cues import vocabulary, zh

_WORD = re.compile(r"[A-Za-zÀ-ӿ][A-Za-zÀ-ӿ0-9_+#]*(?:['’./-][A-Za-zÀ-ӿ0-9_+#]+)*|[\u4e00-\u9fff]+")
_SUFFIXES = ("ments", "ment", "ings", "ing", "ations", "ation", "ies", "ers", "ed", "es", "s", "e")
_CJK_STOP = re.compile("|".join(sorted(zh.STOP, key=len, reverse=True)))


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending, in the spelling of its synonym group.

    >>> stem("deployments") == stem("release"), stem("files") == stem("file")
    (True, True)
    """
    word = word.lower().removesuffix("'s").removesuffix("’s")
    root = _root(word)
    return _GROUPS.get(word) or _GROUPS.get(root) or root


def _root(word: str) -> str:
    if not word.isalpha() or not word.isascii():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            if suffix in ("ing", "ed", "ings") and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


_GROUPS = {
    form: line.split()[0]
    for line in vocabulary.SYNONYMS
    for word in line.split()
    for form in (word, _root(word))
}
_STOPPED = vocabulary.STOP_WORDS | vocabulary.LIMIT_WORDS


def key_words(text: str) -> frozenset[str]:
    """The words that say what a text is about. Chinese is cut into pairs of characters.

    >>> sorted(key_words("Please never call the vendor's API"))
    ['api', 'call', 'vendor']
    """
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0] >= "\u4e00":
            found.update(_han_words(word))
        elif word.lower().replace("’", "'").split("'")[0] not in _STOPPED:
            found.add(stem(word))
    return frozenset(found)


def _han_words(run: str) -> Iterable[str]:
    for piece in _CJK_STOP.sub(" ", run).split():
        for form, group in _HAN_GROUPS:
            if form in piece:
                yield group
                piece = piece.replace(form, " ")
        for rest in piece.split():
            if len(rest) == 1:
                yield rest
            yield from (rest[i : i + 2] for i in range(len(rest) - 1))


_HAN_GROUPS = sorted(
    ((form, group) for form, group in _GROUPS.items() if form[0] >= "\u4e00" and len(form) > 1),
    key=lambda pair: (-len(pair[0]), pair),
)
