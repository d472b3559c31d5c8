"""Faults that the agent listed, and checks that it told of, with what came of them since."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tamis.compactors.brief.reading.settling.put_right import PASSES, last_checked
from tamis.compactors.brief.reading.statement import WORDS, Statement
from tamis.ledger.files.paths import is_temporary
from tamis.text.cues.discourse_cues import LOOKED_AT

_LISTS = re.compile(
    r"(?i)\b(?:issue|problem|bug|fault|concern|comment)s?\b(?! (?:i|we) (?:have )?(?:fix|address|resolv))"
)
_LEFT = re.compile(
    r"(?i)\w{1,20} (?:\w{1,20} )?(?:things|places|points) to (?:fix|change|update|mend)\b"
    r"|(?:now )?(?:i|we) (?:need|have) to (?:update|change|fix|remove|move|add)\b[^:]{0,80}:\Z"
)
"""Begins what is left to be changed."""
_DONE = re.compile(r"(?i)\b(?:fixed|addressed|resolved|mended|(?:i|we) (?:did|changed))\b(?! this)")
_ALREADY = re.compile(r"(?i)\balready (?:been )?(?:fixe|addresse|resolve|handle)[ds]\b")
_WHICH = re.compile(
    r"(?i)\bthe (first|second|third|fourth|fifth) (?:\w{1,20} )?(?:issue|problem|bug|comment|point|one)\b"
)
_ORDER = ("first", "second", "third", "fourth", "fifth")
_NUMBER = re.compile(r"(\d)[.)] ")
_CANNOT = re.compile(r"(?i)\b(?:i|we) can(?:no|['’])t\b")
_SHOULD = re.compile(r"(?i)\b(?:i|we) should be \w{2,20}ing\b")
_TICKED = re.compile(r"`(\w{3,80})(?:\(\))?`")
_PLACES = re.compile(r" \(([\w, ]{3,400})\)(?:: |\Z)")
"""Says what cannot be done as the code is, or should be done; names in it, and the places of an edit."""

_KINDS = [re.compile(f"(?i){words}") for words in ("test|suite|spec", "lint|format|fmt", "build|compil")]
_HOLD = re.compile(r"(?i)\b(?:call|contain|hold|import|mention|refer|reference|use)s?\b")
_FILES = re.compile(r"`([\w./-]{1,160}\.[a-z]\w{0,7})`")
"""Says which files hold something."""

LineNotes = Mapping[int, str]
"""By the number of a line of a statement, what to add to it."""


def listed_faults(statements: Sequence[Statement]) -> Mapping[int, LineNotes]:
    r"""What to add to lists, by the identity of a statement: when the agent worked on what they name.

    Until the next request only: what is edited then may be for something else. Of a check, that it ran again
    behind a change.

    >>> words = "Two issues:\n1. It leaks.\n2. It is slow."
    >>> from dataclasses import replace
    >>> found = Statement(kind="found", text=words, turn=1, place=(0, 0), flags=("item",))
    >>> edit = replace(found, kind="changed", text="edited a.py", turn=4, key="a.py", flags=("source",))
    >>> [*listed_faults([found, edit]).values()]
    [{0: 'edited since: #4'}]
    """
    notes: dict[int, dict[int, str]] = defaultdict(dict)
    asked = [s.turn for s in statements if s.kind == "asked"]
    changes = [s for s in statements if s.kind == "changed" and "source" in s.flags]
    changed, _ = last_checked(statements)
    runs = [s for s in statements if s.kind in ("tested", "failed")]
    edited = [(s.key, s.turn) for s in changes]
    places = [(s.turn, {*found[1].split(", ")}) for s in changes if (found := _PLACES.search(s.text))]
    edits = sorted({s.turn for s in changes if not is_temporary(s.key)})
    items: dict[str, list[tuple[Statement, int]]] = {}
    for s in statements:
        if s.kind == "asked":
            items = {}
        if s.kind not in WORDS:
            continue
        head, *lines = s.text.split("\n")
        if s.turn < changed:
            checks = ((at, PASSES.search(line[:LOOKED_AT])) for at, line in enumerate(lines, 1))
            again = ((at, _of_kind(found, s.turn, runs, edits)) for at, found in checks if found)
            notes[id(s)] |= {at: f"ran again, #{ran}" for at, ran in again if ran is not None}
        head = head[:LOOKED_AT]
        opens = (head.endswith(":") or "heading" in s.flags) and not _NUMBER.match(head)
        end = next((turn for turn in asked if turn > s.turn), math.inf)
        if (_LEFT.match(head) or (opens and _LISTS.search(head))) and not _DONE.search(head):
            for at, line in enumerate(lines, 1):
                if number := _NUMBER.match(line):
                    items.setdefault(number[1], []).append((s, at))
            notes[id(s)] |= _edited([turn for turn in edits if s.turn <= turn < end])
        elif (which := _WHICH.search(head)) and _ALREADY.search(head):
            for of, at in items.get(str(_ORDER.index(which[1].lower()) + 1), ()):
                notes[id(of)][at] = f"mended before, see #{s.turn}"
        elif _CANNOT.search(head):
            named = {*_TICKED.findall(head)}
            notes[id(s)] |= _edited([turn for turn, own in places if s.turn <= turn < end and own & named])
        elif _SHOULD.search(head):
            notes[id(s)] |= _edited([turn for turn in edits if s.turn <= turn < end])
        elif _HOLD.search(head) and len(files := {*_FILES.findall(head)}) > 1:
            later = {path: turn for path, turn in edited if s.turn <= turn < end}
            since = [max((at for path, at in later.items() if path.endswith(f)), default=-1) for f in files]
            notes[id(s)] |= _edited(sorted(since)) if min(since) >= 0 else {}
    return {key: own for key, own in notes.items() if own}


def _of_kind(words: re.Match[str], told: int, runs: Sequence[Statement], edits: Sequence[int]) -> int | None:
    """When the checks that the words name ran last, behind an edit of since they were told of; or None.

    Where the word before them names some of them (`integration tests`), those.
    """
    kinds = [kind for kind in _KINDS if kind.search(words[0])]
    runs = [s for s in runs if not kinds or any(kind.search(s.key) for kind in kinds)]
    which = words.string[: words.start()].lower().split()[-1:]
    own = [s.turn for s in runs if which and len(which[0]) > 3 and which[0] in s.key.lower()] or [
        s.turn for s in runs
    ]
    return own[-1] if own and any(told < turn <= own[-1] for turn in edits) else None


def _edited(turns: Sequence[int]) -> LineNotes:
    """What to add to a first line since which there were edits in these turns."""
    told = "-".join(str(turn) for turn in sorted({turns[0], turns[-1]})) if turns else ""
    return {0: f"edited since: #{told}"} if told else {}


def with_notes(text: str, notes: LineNotes) -> str:
    r"""A text whose lines have what is to be added to them.

    >>> with_notes("Two issues:\n1. It leaks.", {0: "edited since: #4"})
    'Two issues: (edited since: #4)\n1. It leaks.'
    """
    lines = text.split("\n")
    return "\n".join(f"{line} ({notes[at]})" if at in notes else line for at, line in enumerate(lines))
