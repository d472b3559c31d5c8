"""What the agent said on its way that its next deeds or words settled: a lack, a failure, a step, a place."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.text.cues.discourse_cues import LOOKED_AT

SOON = 8
"""Messages from a fault in a file of its own to the edit that mends it."""

_STILL = re.compile(
    r"\bstill (?:\w{2,8} )?(?:\w{2,8} )?(?:its|the|their) (?:old|original|previous|wrong)\b"
    r"|\bneeds? (?:the same|to be)\b"
    r"|\b(?:I|[Ww]e)(?:['’](?:m|re)| am| are) (?:also |still )?missing an? \w"
)
_FAILED = re.compile(r"\b(?:failed|errored|did(?:n['’]t| not) work)\b")
_AGAIN = re.compile(r"\b(?:retry|re-?run|try another|again|instead)\b")
_BEHIND = re.compile(r"\b(?:is|are) (?:\w{2,12} )?(?:stale|behind|out[- ]of[- ]date|outdated)\b")
_CATCHES_UP = re.compile(r"\bgit (?:-C \S{1,200} )?(?:rebase|pull|merge)\b")
_AMISS = re.compile(r"\b(?:errors?|(?:mixed|messed) up|broken|missing|incorrect|wrong|accidental|mistake)")
_SLIP = re.compile(
    r"(?i)\b(?:changes?|edits?|code|files?) (?:look|seem|appear)s? [^.;\n]{1,40}\bbut\b"
    r"|\b(?:problem|issue|mistake|error) with (?:the|our|my) (?:last )?(?:edit|change|indentation)s?\b"
)
"""Finds fault with what was just edited."""
_ASTRAY = re.compile(r"(?i)\b(?:editing|in|on) the wrong (?:file|place|line)s?\b")
"""Says that the wrong thing was open, or edited, in the agent's own words about itself."""

_MISTAKEN = re.compile(
    r"\b(?:edit|change|command|insertion|replacement|code|i)s?\b(?![^.;\n]{0,40}(?:n['’]t|not)\b)[^.;\n]{0,40}"
    r"\b(?:the wrong file|(?:accidentally|mistakenly) (?:\w+ed|overwrote|wrote)\b[^;\n]{0,80}\binstead)\b",
    re.IGNORECASE,
)
"""Owns up that an edit went to another file than it should."""

PASSES = re.compile(
    r"(?i)\b(?:tests?|suite|lint(?:er|ing)?|builds?|checks)\b[^:;\n]{0,40}\b(?:pass(?:es|ed|ing)?|clean|green)\b"
)
"""Says how checks went."""

_PROGRESS = re.compile(
    r"(?:I|[Ww]e)(?:['’](?:ve|m))?(?: now)?(?: have| am)? (?:now |just |already )?"
    r"(?:(?:full|complete) (?:reads?|views?)|read|reviewed|gone through|ready to|drafted)\b[^:;—]{0,120}\Z"
)
"""Says how far the reading, or a text, is."""

_LINES = re.compile(
    r"(?<![\w/.-])((?:[\w.-]{1,80}/){0,12}[\w.-]{1,80}\.\w{1,8}):\d{1,6}(?:[-–]\d{1,6})?(?![\w:])"
)


def put_right(statements: Sequence[Statement], born: Collection[str]) -> Iterator[Statement]:
    """What was amiss, by a message whose own calls, or the next, put it right; `born`: files it made."""
    edits: dict[int, set[str]] = defaultdict(set)
    changed = {s.turn for s in statements if s.kind == "changed"}
    for s in statements:
        if s.kind == "changed" and s.key in born:
            edits[s.turn].add(s.key.rpartition("/")[2])
    for turn, group in groupby(statements, key=lambda s: s.turn):
        own = list(group)
        well = [s for s in own if s.kind in DEEDS] if all(s.kind != "failed" for s in own) else []
        soon = {name for at in range(turn, turn + SOON + 1) for name in edits.get(at, ())}
        rebased = any(_CATCHES_UP.search(s.text) for s in well)
        said = [s for s in own if s.kind in WORDS and "prose" in s.flags and "\n" not in s.text]
        for n, s in enumerate(said):
            text, then = s.text[:LOOKED_AT], [o for o in said[n + 1 :] if _AGAIN.search(o.text)]
            anew = any(o.kind == "changed" for o in well) and _STILL.search(text)
            lack = anew or (well and then and _FAILED.search(text))
            names = (name.strip(".") for name in file_names(text)) if soon else ()
            own_fault = _AMISS.search(text) and not soon.isdisjoint(names)
            slip = _SLIP.search(text) and any(turn < at <= turn + SOON for at in changed)
            turns_back = well or any("announces" in o.flags for o in own)
            astray = turns_back and _ASTRAY.search(text)
            if (
                (lack and "cause" not in s.flags)
                or own_fault
                or slip
                or astray
                or (rebased and _BEHIND.search(text))
            ):
                yield s


def progress(statements: Sequence[Statement]) -> Iterator[Statement]:
    """How far the agent was in its reading, or writing, where it was further for the same request."""
    before: Statement | None = None
    for s in statements:
        tells = s.kind in WORDS and _PROGRESS.match(s.text)
        if tells and before is not None and before.turn < s.turn:
            yield before
        before = s if tells else None if s.kind == "asked" else before


def checked_since(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What was said of how checks went, where the work was changed and they ran again: State tells it."""
    changed, _ = last_checked(statements)
    for s in statements:
        if s.kind in WORDS and s.turn < changed and "\n" not in s.text and PASSES.search(s.text[:LOOKED_AT]):
            yield s


def last_checked(statements: Sequence[Statement]) -> tuple[int, int]:
    """The turns of the last change that was checked and of the last check; -1 where there is none."""
    ran = max((s.turn for s in statements if s.kind in ("tested", "failed")), default=-1)
    return max((s.turn for s in statements if s.kind == "changed" and s.turn <= ran), default=-1), ran


def misdirected(statements: Sequence[Statement]) -> tuple[dict[int, str], set[int]]:
    """What to add to edits that went to the wrong file, as the agent then says; plans that stay open so."""
    notes, planned = dict[int, str](), set[int]()
    changes = [s for s in statements if s.kind == "changed"]
    spoken = groupby((s for s in statements if s.kind in WORDS), key=lambda s: s.turn)
    for before, own in pairwise([[], *(list(group) for _, group in spoken)]):
        owned = any(_MISTAKEN.search(s.text[:LOOKED_AT]) for s in own)
        since = before[0].turn if before else -1
        edits = [s for s in changes if owned and since <= s.turn < own[0].turn]
        for s in edits:
            again = (f"edited again, #{o.turn}" for o in changes if o.turn >= own[0].turn and o.key == s.key)
            notes[id(s)] = f"in the wrong file by mistake, #{own[0].turn}, {next(again, 'not edited since')}"
        if edits and edits[-1] is changes[-1]:
            plans = (s for s in before if {"announces", "named"} <= {*s.flags})
            planned |= {id(s) for s in plans if "opens" not in s.flags}
    return notes, planned


def renumbered(statements: Sequence[Statement]) -> dict[str, int]:
    """Files by their names, with where lines of them are named first behind the last edit."""
    found, edited = dict[str, int](), set[str]()
    for s in statements:
        if s.kind == "changed":
            edited.add(s.key.rpartition("/")[2])
        elif s.kind in WORDS and edited:
            names = edited.intersection(path.rpartition("/")[2] for path in _LINES.findall(s.text))
            found |= dict.fromkeys(names, s.turn)
            edited -= names
    return found


def without_lines(text: str, turn: int, since: Mapping[str, int]) -> str:
    """A text of a turn that names files in the place of a line in them that may be elsewhere by now."""
    many = Counter(path.rpartition("/")[2] for path in _LINES.findall(text))
    old = {name for name, times in many.items() if times == 1 and since.get(name, -1) > turn}
    return _LINES.sub(lambda m: m[1] if m[1].rpartition("/")[2] in old else m[0], text)
