"""Names that edits put others in the place of."""

import re
from collections.abc import Mapping, Sequence

from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.files.definitions import is_source

MOST_RENAMED = 3
"""Names that one edit puts others in the place of at most, to be told as one that renames."""

_PAIR = re.compile(r"`([^`]+)` → `([^`]+)`")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BARE = re.compile(r"[\w.:]{1,120}\(?")
"""A name that stands alone, with where it is from: `shop.read(`."""

_DEFINES = re.compile(
    r"\b(?:const|let|var|def|func|fn|function|class|type|interface|struct|enum) (?:\([^()]{0,80}\) )?(\w+)"
    r"|(?:\A|[,(⏎] ?)(\w{1,80}) ?(?::=|=(?!=)|: )"
)
_IS_NAME = re.compile(r"[a-z][A-Z]|\w[_/]\w")


def renamed(statements: Sequence[Statement]) -> Mapping[str, tuple[str, int, int]]:
    """Of each name that edits replaced by another: the new name, and the first and last turn of it.

    One edit may put in a name that was there before; two, of which one is of its definition, or one of the
    bare name rename it.
    """
    places: dict[tuple[str, str], list[int]] = {}
    sure = set[tuple[str, str]]()
    back: dict[str, int] = {}  # where a name was last put in
    for s in statements:
        if s.kind != "changed" or "outline" in s.flags or not is_source(s.key):
            continue
        for pair, is_bare, defines in _name_pairs(s):
            places.setdefault(pair, []).extend([s.turn] * (1 + is_bare))
            sure |= {pair} if is_bare or defines else set()
        back |= dict.fromkeys(_TOKEN.findall(s.text.rpartition(" → ")[2]), s.turn)
    told = {
        pair: at
        for pair, at in places.items()
        if pair in sure and len(at) > 1 and back.get(pair[0], -1) < at[-1]
    }
    now = dict(sorted(told, key=lambda pair: told[pair][-1]))
    return {old: (now.get(new, new), told[old, new][0], told[old, new][-1]) for old, new in now.items()}


def renaming(statements: Sequence[Statement]) -> set[int]:
    """The edits that only put names in the place of others, where `renamed` tells of all of them."""
    names = renamed(statements)
    only = set[tuple[int, str]]()
    for s in statements if names else ():
        if s.kind == "changed" and (pairs := _name_pairs(s)):
            told = all(is_bare and pair[0] in names for pair, is_bare, _ in pairs)
            only |= {(s.turn, s.key)} if told and len(pairs) == s.text.count(" → ") else set()
    return {id(s) for s in statements if s.kind == "changed" and (s.turn, s.key) in only}


def _name_pairs(s: Statement) -> list[tuple[tuple[str, str], bool, bool]]:
    """Each name that an edit puts another in the place of, if they stand alone, and if that defines it."""
    found = []
    for old, new in _PAIR.findall(s.text):
        before, after = _TOKEN.findall(old), _TOKEN.findall(new)
        pairs = zip(before, after, strict=True) if len(before) == len(after) else ()
        differing = {pair for pair in pairs if pair[0] != pair[1]}
        few = differing if len(differing) <= MOST_RENAMED else set()
        own = {
            (a[1] or a[2], b[1] or b[2]) for a, b in [(_DEFINES.search(old), _DEFINES.search(new))] if a and b
        }
        gone = (p for p in few | own if p[0] not in after)
        names = (p for p in gone if _IS_NAME.search(p[0]) and all(map(str.isidentifier, p)))
        found += [(pair, _BARE.fullmatch(old) is not None, pair in own) for pair in sorted(names)]
    return found
