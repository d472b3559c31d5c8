"""What a call changes in a file, in its telling lines: old and new told apart."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from itertools import groupby

from tamis.compactors.brief.reading.deeds.call_text import (
    JOINT,
    LINE_CHARS,
    picked,
    shortened,
)
from tamis.compactors.brief.reading.edits.code_lines import (
    BRANCH,
    REMARK,
    differing,
    set_in,
    shared,
    telling_lines,
)
from tamis.ledger.files.definitions import definition

SCRATCH_CHARS = 200
SOURCE_CHARS = 420
"""Characters for what is new in a file that the session made, and in one that was there before."""

MOST_PAIRS, LEAST_ALIKE, LEAST_REWRITTEN = 3, 2, 8
SAME_CHARS, COMMAND_CHARS = 40, 180
REWRITTEN = "rewritten whole"
SKIPPED = "…"
"""Stands among lines that are new, or gone, where others stay between them."""

_SECTION = re.compile(r"(?m)^(?=\*\*\* (?:Add|Update|Delete) File: |diff --git |--- \S+\n\+\+\+ )")

_CONDITION = re.compile(r"\A(?:(?:\}? ?else |el)?if|case|except|\}? ?catch)\b.*[{:]\Z")
_SAYS = re.compile(r"\w")
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
    """What comes in the place of what at each place; of many places those where most is new."""
    a, b = ([line.strip() for pair in pairs for line in pair[side].splitlines()] for side in (0, 1))
    if len(a) == len(b) and (alike := _alike([("replace", 0, len(a), 0, len(b))], a, b, room)):
        return alike
    most = sorted(range(len(pairs)), key=lambda at: -len(pairs[at][1]))[:MOST_PAIRS]
    told = _shared_out([pairs[at] for at in sorted(most)], path, room)
    return " ; ".join(filter(None, [*told, "…" * (len(pairs) > MOST_PAIRS)]))


def _shared_out(pairs: Sequence[tuple[str, str]], path: str, room: int) -> list[str]:
    """What comes in the place of what at each place; what short ones leave of the room, longer ones take."""
    told = [""] * len(pairs)
    for left, at in enumerate(sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))):
        told[at] = compared(*pairs[at], path, room // (len(pairs) - left))
        room -= min(len(told[at]), room // (len(pairs) - left))
    return told


def compared(old: str, new: str, path: str, room: int) -> str:
    r"""What comes in the place of what, in the lines that tell most of it.

    >>> compared("a = 1\nb = 2", "a = 1\nb = 3", "x.py", 100)
    '`b = 2` → `b = 3`'
    """
    a = [line.strip() for line in old.splitlines() if line.strip()]
    b = _as_numbered([line.strip() for line in new.splitlines() if line.strip()], a)
    if a == b and old.split() != new.split():
        return "renumbered"
    removed: list[str] = []
    added: list[str] = []
    places: list[int] = []
    steps = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    for tag, i, j, k, m in steps:
        if tag != "equal":
            removed += [*([SKIPPED] if removed and i < j else []), *a[i:j]]
            added += [SKIPPED] if added and k < m else []
            added += b[k - 1 : k] if added and k and BRANCH.fullmatch(b[k - 1]) else []
            added += b[k:m]
            places += range(k, m)
        elif added and (
            _CONDITION.match(added[-1]) or BRANCH.fullmatch(added[-1])
        ):  # what was there before is done on another condition
            first = next((line for line in b[k:m] if not REMARK.match(line)), "")
            is_new = not (removed and _CONDITION.match(removed[-1]))
            if _JUMP.match(first) or is_new:
                added[-1] = b[k - 1] = f"{added[-1]} {first}"
                if not is_new:
                    removed[-1] = a[i - 1] = f"{removed[-1]} {first}"
    if not added:
        if removed and b and a == [*b, b[-1]]:
            return f"removed a second `{telling_lines(removed, path, room // 2) or removed[0]}`"
        told = telling_lines(_lost(removed, added, b, path) or removed, path, room // 4) if removed else ""
        return _taken_out(removed, told or shortened(removed[0], room // 2)) if removed else ""
    if moved := _moved(removed, b, places):
        return moved
    if alike := _alike(steps, a, b, room):
        return alike
    fresh = Counter(b) - Counter(a)
    if removed and fresh and not Counter(a) - Counter(b):  # what only moved is neither put in nor taken out
        stay = {line for line in a if not (fresh[line] or BRANCH.fullmatch(line))}
        removed, added = [], [SKIPPED if line in stay else line for line in added]
    if removed and (told := _apart(steps, a, b, path, room)):
        return told
    if removed and len(removed) <= 3 and len(added) <= 4:
        before, after = _in_one(removed, old), _in_one(added, new)
        same = shared(before, after)
        if len(before) > LINE_CHARS and same > SAME_CHARS:
            start = before.rfind(" ", 0, same - SAME_CHARS // 2) + 1  # what differs is to be seen
            before, after = (f"…{text[start:]}" if start else text for text in (before, after))
        before, after = shortened(before, LINE_CHARS), shortened(after, max(190, room - LINE_CHARS))
        return (
            f"`{before}` → `{after}`"
            if "replace" in {tag for tag, *_ in steps}
            else f"removed `{before}` ; put in `{after}`"
        )
    if gone := _lost(removed, added, b, path):
        put_in = telling_lines([SKIPPED if line in old else line for line in added], path, room)
        told = _taken_out(removed, telling_lines(gone, path, room // 2))
        return told + f" ; put in `{put_in}`" * bool(put_in)
    if removed:
        before = telling_lines(removed, path, LINE_CHARS) or shortened(removed[0], LINE_CHARS)
        after = telling_lines(_as_in(added, new), path, room, beside=a)
        own = {definition(path, line) for line in a} - {None}
        apart = len([step for step in steps if step[0] != "equal"]) > 1
        if apart or len(own | {definition(path, line) for line in b} - {None}) > 1:  # none became the other
            return f"removed `{before}` ; put in `{after}`"
        return f"`{before}` → `{after}`"
    told = telling_lines(_as_in(added, new), path, room, beside=a)
    return f"added `{told}`" if told and (a or len(added) == 1) else told


def rewritten(old: str, new: str, path: str, about: Set[str]) -> str:
    """What a file that is written whole came to; of one of which little stays, that, and what is new."""
    a, b = ([line.strip() for line in text.splitlines() if _SAYS.search(line)] for text in (old, new))
    stay = sum((Counter(a) & Counter(b)).values())
    if min(len(a), len(b)) < LEAST_REWRITTEN or 3 * stay > max(len(a), len(b)):
        return compared(old, new, path, SOURCE_CHARS)
    return f"{REWRITTEN}: `{telling_lines(new.splitlines(), path, SOURCE_CHARS, about=about)}`"


def _taken_out(removed: Sequence[str], told: str) -> str:
    """Lines that are taken out as they are told, with their number where they are not all told."""
    lines = [line for line in removed if line != SKIPPED]
    is_part = sum(map(bool, map(_SAYS.search, lines))) > len(JOINT.split(told.strip("… ")))
    return f"removed `{told}`" + f" ({len(lines)} lines)" * is_part


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


def _apart(
    steps: Sequence[tuple[str, int, int, int, int]], a: Sequence[str], b: Sequence[str], path: str, room: int
) -> str:
    """What came in the place of what, what was taken out and what was put in, each at places of its own."""
    places = [(a[i:j], b[k:m]) for i, j, k, m in _parted(steps, b)]
    swapped = [*dict.fromkeys((tuple(old), tuple(new)) for old, new in places if old and new)]
    gone, fresh = ([t for p in places if not p[1 - side] for t in (*p[side], SKIPPED)] for side in (0, 1))
    moved = any(" " in line for line in {*gone} & {*b} | {*fresh} & {*a})
    long = len(swapped) < 2 and any(len(lines) > MOST_PAIRS for pair in swapped for lines in pair)
    if moved or long or len(swapped) > MOST_PAIRS or len(swapped) + sum(map(bool, (gone, fresh))) < 2:
        return ""
    share = room - SAME_CHARS * len(swapped) if len(swapped) > 1 else room
    told = _shared_out([("\n".join(old), "\n".join(new)) for old, new in swapped], path, share)
    if len(told) > 1 and sum(map(len, told)) > room + 2 * LINE_CHARS:
        return ""
    for verb, lines, most_chars in (("removed", gone, room // 3), ("put in", fresh, room)):
        left = max(most_chars - sum(map(len, told)), LINE_CHARS)
        if any(map(_SAYS.search, lines)):
            beside = a if lines is fresh else ()
            told.append(f"{verb} `{telling_lines(lines, path, left, beside) or shortened(lines[0], left)}`")
    return " ; ".join(told)


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


def _in_one(lines: Sequence[str], text: str) -> str:
    kept = [at for at, line in enumerate(lines) if line != SKIPPED]
    return picked(_as_in(lines, text), kept, SOURCE_CHARS, set_in)


def _as_in(lines: Sequence[str], text: str) -> list[str]:
    """The lines, in their order, as they are set in where they stand in the text."""
    rest, told, begin, lead = text.splitlines(), list[str](), 0, ""
    for line in lines:
        for at in range(begin, len(rest) if line != SKIPPED else begin):
            own = rest[at].strip()
            if own == line or (own.endswith((":", "{")) and line.startswith(own)):
                begin, lead = at + 1, rest[at][: rest[at].find(own)]
                break
        told.append(lead + line)
    return told


def _lost(removed: Sequence[str], added: Sequence[str], lines: Sequence[str], path: str) -> list[str]:
    """The lines of definitions that are taken out, with their gaps, where no other comes in their place."""
    if any(definition(path, line) for line in added):
        return []
    left = {definition(path, line) for line in lines}
    gone = [(name := definition(path, line)) and name not in left for line in removed]
    return [line if own else SKIPPED for line, own in zip(removed, gone, strict=True)] if any(gone) else []


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
