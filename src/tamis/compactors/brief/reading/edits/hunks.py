"""What a call changes in a file, in its telling lines: old and new told apart."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from itertools import groupby

from tamis.compactors.brief.reading.deeds.call_text import (
    BREAK,
    GAP,
    LINE_CHARS,
    shortened,
)
from tamis.compactors.brief.reading.edits.code_lines import (
    BRANCH,
    IMPORT,
    REMARK,
    differing,
    set_in,
    shared,
    telling_lines,
    weight,
)
from tamis.ledger.files.definitions import definition, is_source

SCRATCH_CHARS = 200
SOURCE_CHARS = 420
"""Characters for what is new in a file that the session made, and in one that was there before."""

MOST_PAIRS, LEAST_ALIKE, LEAST_REWRITTEN = 3, 2, 8
SAME_CHARS, COMMAND_CHARS = 40, 180
OUT, LEAST_SHARED = 0.5, 4
"""What lines count that are only taken out; one that came in the place of another has so many parts of it."""

REWRITTEN = "rewritten whole"
SKIPPED = "…"
"""Stands among lines that are new, or gone, where others stay between them."""

_SECTION = re.compile(r"(?m)^(?=\*\*\* (?:Add|Update|Delete) File: |diff --git |--- \S+\n\+\+\+ )")

_CONDITION = re.compile(r"\A(?:(?:\}? ?else |el)?if|case|except|\}? ?catch)\b.*[{:]\Z")
_HEADING = re.compile(r"(?m)^#{1,6} [^\n]{1,120}")
_SAYS = re.compile(r"\A(?!\s{0,80}(?:```|~~~)).*\w")  # the fence of a code block says nothing
_WORD = re.compile(r"\w+")
_NOTHING = re.compile(r"pass|\.{3}")
_NUMBER = re.compile(r"\A\d{1,3}[.)] ")
_JUMP = re.compile(r"(?:return|raise|throw|continue|break)\b")


def patched(patch: str, path: str, room: int) -> str:
    """What a patch changes in a file."""
    pairs = changes_of(_lines_about(patch, path))
    if not pairs and (plus := put_in_by(patch, path)):
        return f"moved `{shortened(plus.splitlines()[0].strip(), LINE_CHARS)}`"
    return told_pairs(pairs, path, room)


def put_in_by(patch: str, path: str) -> str:
    """The lines that a patch puts into a file."""
    lines = _lines_about(patch, path)
    return "\n".join(text[1:] for text in lines if text.startswith("+") and not text.startswith("+++"))


def _lines_about(patch: str, path: str) -> list[str]:
    name = path.rpartition("/")[2]
    sections = [own for own in _SECTION.split(patch) if name in own.split("\n@@", 1)[0]]
    return "".join(sections or [patch]).splitlines()


def changes_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    """What comes in the place of what in the lines of a diff, but for lines that only moved."""
    lines = [text for text in lines if not text.startswith(("+++", "---"))]
    plus, minus = ({text[1:] for text in lines if text.startswith(sign)} for sign in "+-")
    both = {text for text in plus & minus if text.strip()}
    pairs = []
    for is_change, run in groupby(lines, key=lambda text: text[:1] in ("+", "-")):
        own = [*run] if is_change else []
        sides = [[text[1:] for text in own if text.startswith(sign)] for sign in "-+"]
        within = set[str]() if sorted(sides[0]) == sorted(sides[1]) else {*sides[0]} & {*sides[1]}
        moved = both - within
        old, new = ("\n".join(text for text in side if text not in moved) for side in sides)
        pairs += [(old, new)] if old.strip() or new.strip() else []
    return pairs


def told_pairs(pairs: Sequence[tuple[str, str]], path: str, room: int) -> str:
    """What comes in the place of what at each place; of many, those that tell most."""
    a, b = ([line.strip() for pair in pairs for line in pair[side].splitlines()] for side in (0, 1))
    if len(a) == len(b) and (alike := _alike([("replace", 0, len(a), 0, len(b))], a, b, room)):
        return alike
    if len(pairs) == 1:
        return compared(*pairs[0], path, room)
    return _told(pairs, path, room) or "renumbered" * any(old.split() != new.split() for old, new in pairs)


def compared(old: str, new: str, path: str, room: int) -> str:
    r"""What comes in the place of what, in the lines that tell most of it.

    >>> compared("a = 1\nb = 2", "a = 1\nb = 3", "x.py", 100)
    '`b = 2` → `b = 3`'
    """
    a = [line.strip() for line in old.splitlines() if line.strip()]
    b = _as_numbered([line.strip() for line in new.splitlines() if line.strip()], a)
    if a == b and old.split() != new.split():
        return "renumbered"
    steps = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    if b and a == [*b, b[-1]]:
        return f"removed a second `{shortened(b[-1], room)}`"
    changed = [step for step in steps if step[0] != "equal"]
    removed = [line for _, i, j, _, _ in changed for line in a[i:j]]
    if moved := _moved(removed, b, [at for _, _, _, k, m in changed for at in range(k, m)]):
        return moved
    return _alike(steps, a, b, room) or _told([(old, new)], path, room)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _places(a: Sequence[str], b: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """The lines that come in the place of others, at each place, as they are set in.

    What was there before is told with a condition, or a branch, that is new. Lines that only moved are
    neither put in nor taken out.
    """
    before, after = _bare(a), _as_numbered(_bare(b), _bare(a))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    lost, fresh = Counter(before) - Counter(after), Counter(after) - Counter(before)
    places: list[tuple[list[str], list[str]]] = []
    for i, j, k, m in _parted(steps, after):
        old, new = [*a[i:j]], [*b[k:m]]
        if fresh and not lost:
            old, new = [], [line for line in new if fresh[line.strip()] or BRANCH.fullmatch(line.strip())]
        if new and places and BRANCH.fullmatch(after[k - 1]):
            new.insert(0, b[k - 1])
        first = next((line for line in b[m:] if not REMARK.match(line.strip())), None)
        opens = bool(new) and bool(_CONDITION.match(new[-1].strip()) or BRANCH.fullmatch(new[-1].strip()))
        if opens and first is not None:
            opened = bool(old) and _CONDITION.match(old[-1].strip()) is not None
            if not opened or _JUMP.match(first.strip()):
                new.append(first)
                old += [first] * opened
        if not (old and new and _are_alike(old, new)):  # a line that stands elsewhere now is not taken out
            old = [line for line in old if lost[line.strip()] or line == first]
        sides = [side if any(map(_SAYS.search, side)) else [] for side in (old, new)]
        places += [(sides[0], sides[1])] if any(sides) else []
    return places


def _told(pairs: Sequence[tuple[str, str]], path: str, room: int) -> str:
    """What comes in the place of what: of several places that which tells most, and others told whole."""
    places = [place for old, new in pairs for place in _places(_lines(old), _lines(new))]
    if is_source(path) and (gone := _undefined(pairs, path)):
        return _without(gone, pairs, places, path, room)
    sections = _sections_gone(pairs) if path.endswith(".md") else []
    told = [f"removed `{_first_of(sections)}`"] if sections else []
    places = [(old, new) for old, new in places if new or old[0].strip() not in sections]
    ranked = sorted(places, key=lambda place: _worth(place, path), reverse=True)
    left = room - sum(map(len, told))
    for old, new in ranked:
        if told and _worth((old, new), path) <= IMPORT:
            break
        text = _swapped(old, new, path, room)
        if not told or (len(told) < MOST_PAIRS and len(text) <= left and SKIPPED not in text):
            told.append(text)
            left = max(left - len(text), LINE_CHARS)
    return " ; ".join([*told, *[SKIPPED] * (len(told) - bool(sections) < len(places))])


def _sections_gone(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The headings of sections that are taken out of a document."""
    sides = ([line.strip() for pair in pairs for line in _HEADING.findall(pair[n])] for n in (0, 1))
    old, new = sides
    return [line for line in dict.fromkeys(old) if line not in new] if len(old) > len(new) else []


def _undefined(pairs: Sequence[tuple[str, str]], path: str, *, new: bool = False) -> list[str]:
    """The lines that defined what is not defined any more; with `new`, those that define what was not."""
    sides = (
        {name: line for pair in pairs for line in _lines(pair[n]) if (name := definition(path, line))}
        for n in (0, 1)
    )
    gone, kept = [*sides][:: -1 if new else 1]
    return [line.strip() for name, line in gone.items() if name not in kept]


def _without(
    gone: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    places: Sequence[tuple[list[str], list[str]]],
    path: str,
    room: int,
) -> str:
    """Definitions that are taken out, and those that are put in, or else what is: none became the other."""
    lines = sum(len(old) for old, _ in places)
    told = f"removed `{_first_of(gone)}`" + f" ({lines} lines)" * (lines > len(gone))
    put_in = max((new for _, new in places), key=len)
    if made := _undefined(pairs, path, new=True):
        return f"{told} ; put in `{_first_of(made)}`"
    return f"{told} ; put in `{telling_lines(put_in, path, room)}`" if put_in else told


def _first_of(lines: Sequence[str]) -> str:
    return GAP.join(shortened(line, LINE_CHARS) for line in lines[:MOST_PAIRS]) + GAP.rstrip() * (
        len(lines) > MOST_PAIRS
    )


def _swapped(old: Sequence[str], new: Sequence[str], path: str, room: int) -> str:
    """What one place came to."""
    if not new:
        told = telling_lines(old, path, room // 3) or shortened(old[0].strip(), room // 3)
        return f"removed `{told}`" + f" ({len(old)} lines)" * (told.endswith(SKIPPED) and len(old) > 1)
    if not old:
        return f"added `{telling_lines(new, path, room) or shortened(new[0].strip(), room)}`"
    before, after = (BREAK.join(set_in(side)) for side in (old, new))
    same = shared(before, after)
    if len(before) > LINE_CHARS and same > SAME_CHARS:
        start = before.rfind(" ", 0, same - SAME_CHARS // 2) + 1  # what differs is to be seen
        before, after = (f"…{text[start:]}" if start else text for text in (before, after))
        after = shortened(after, max(190, room - LINE_CHARS))
    else:
        after = telling_lines(new, path, room, beside=_bare(old)) or after
    before = shortened(before, LINE_CHARS)
    return f"`{before}` → `{after}`" if _are_alike(old, new) else f"removed `{before}` ; put in `{after}`"


def _worth(place: tuple[list[str], list[str]], path: str) -> float:
    """What the most telling line of a place tells."""
    old, new = place
    stay = {*_bare(old)} if new else set()
    weights = [weight(line, path) for line in new or old if line.strip() not in stay and _SAYS.search(line)]
    return max(weights, default=0.0) * (1 if new else OUT)


def _are_alike(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether lines came in the place of others that say something like them, not by chance."""
    words = [{*_WORD.findall(" ".join(side))} for side in (old, new)]
    only_remarks = [all(map(REMARK.match, _bare(side))) for side in (old, new)]
    alike = len(words[0] & words[1]) * LEAST_SHARED >= min(map(len, words))
    alike = alike or len(old) == len(new) == 1 or all(map(_NOTHING.fullmatch, _bare(old)))
    return alike and only_remarks[0] >= only_remarks[1]


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines]


def rewritten(old: str, new: str, path: str, about: Set[str]) -> str:
    """What a file that is written whole came to; of one of which little stays, that, and what is new."""
    a, b = ([line.strip() for line in text.splitlines() if _SAYS.search(line)] for text in (old, new))
    stay = sum((Counter(a) & Counter(b)).values())
    if min(len(a), len(b)) < LEAST_REWRITTEN or 3 * stay > max(len(a), len(b)):
        return compared(old, new, path, SOURCE_CHARS)
    return f"{REWRITTEN}: `{telling_lines(new.splitlines(), path, SOURCE_CHARS, about=about)}`"


def _as_numbered(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    """The lines; one of a list that only has another number as it was before."""
    was = {_NUMBER.sub("", line): line for line in before if _NUMBER.match(line)}
    return [was.get(_NUMBER.sub("", line), line) if _NUMBER.match(line) else line for line in lines]


def _alike(
    steps: Sequence[tuple[str, int, int, int, int]], a: Sequence[str], b: Sequence[str], room: int
) -> str:
    """What several lines have in common that changed, told once; empty where they changed otherwise."""
    changed = [step for step in steps if step[0] != "equal"]
    pairs = [pair for _, i, j, k, m in changed if j - i == m - k for pair in zip(a[i:j], b[k:m], strict=True)]
    if len(pairs) < LEAST_ALIKE or len(pairs) < sum(m - k for _, _, _, k, m in changed):
        return ""
    cores = {differing(*pair) for pair in pairs}
    if len(cores) > 1:
        return ""
    if max(map(len, pairs[0])) > LINE_CHARS:  # what differs is to be seen
        pairs[:1] = cores
    before, after = shortened(pairs[0][0], LINE_CHARS), shortened(pairs[0][1], max(190, room - LINE_CHARS))
    change = f"`{before}` → `{after}`" if "……" not in (before, after) else ""
    change = change or (f"put in `{after}`" if before == "……" else f"removed `{before}`")
    return f"{change} (so in {len(pairs)} lines)"


def _parted(
    steps: Sequence[tuple[str, int, int, int, int]], lines: Sequence[str]
) -> list[tuple[int, int, int, int]]:
    """Where something changed; places between which no more than brackets stay are one."""
    places: list[tuple[int, int, int, int]] = []
    joins = False
    for tag, i, j, k, m in steps:
        if tag != "equal":
            begins = places.pop() if joins else (i, j, k, m)
            places.append((begins[0], j, begins[2], m))
        joins = tag == "equal" and bool(places) and not any(map(_SAYS.search, lines[k:m]))
    return places


def _moved(removed: Sequence[str], lines: Sequence[str], places: Sequence[int]) -> str:
    """Which lines stand behind which others now, where only remarks are new; `places` are the new ones'."""
    told: list[str] = []
    for at in places:
        before = [line for line in lines[:at] if not REMARK.match(line)]
        behind = [line for line in lines[at + 1 :] if not REMARK.match(line)]
        if lines[at] in removed and (before or behind):
            where = f"behind `{shortened(before[-1], LINE_CHARS)}`" if before else f"before `{behind[0]}`"
            told.append(f"moved `{shortened(lines[at], LINE_CHARS)}` {where}")
        elif not REMARK.match(lines[at]):
            return ""
    return " ; ".join(told[:MOST_PAIRS])
