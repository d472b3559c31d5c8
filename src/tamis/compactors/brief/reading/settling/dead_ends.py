"""Dead ends of an agent that works alone: runs that failed on the way, and what it concluded from each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from tamis.compactors.brief.reading.settling.overtaken import COPY, OF_OWN_CHECK, SLIP
from tamis.compactors.brief.reading.statement import DEEDS, Statement
from tamis.compactors.brief.reading.statement_reader import BEFORE
from tamis.text.cues.discourse_cues import is_praise
from tamis.text.cues.printed_lines import tells_trouble

NEXT_TURNS = 3
"""How soon behind a run the agent speaks of it."""

SOON = 6
"""Turns behind an edit in which the agent says of that very edit that it did not help."""

LEAST_BETWEEN = 3
"""Of turns from a failed run to the same again: sooner, nothing was tried in between."""

MOST_REASONS = 3

ERROR_CHARS = 160
"""Two errors that begin alike are the same."""

_RED = re.compile(r"`: (?:\d+ passed, )?(?:[1-9]\d* (?:failed|errors)|0 passed)\b")
_ERROR = re.compile(r"(?:→|—|failed:) (?:… )?(.+)", re.DOTALL)
_PLACE = re.compile(r"[\w.-]{0,80}/[\w./-]*|\d+")
_CONCLUDES = frozenset({"cause", "guess", "choice", "found", "state"})
_INFERS = re.compile(
    r"\b(?:suggests?|indicates?|means|appears|looks like|needs?|requires?|error|issue|problem)\b"
)
_PLANS = re.compile(r"\b(?:let['’]?s|(?:we|i)(?:['’]ll| will))\b", re.IGNORECASE)
_SUPPOSES = re.compile(r"\b(?:likely|might|may)\b", re.IGNORECASE)
_STANDS = re.compile(
    r"\bstill (?:(?:fail|show|gett|see|occurr|happen|exist|persist|rais|return|miss|break|crash|hav)ing\b"
    r"|(?:fail|show|get|see|occur|happen|exist|persist|not)(?:e?s)?\b)|\bpersists\b"
    r"|\bdid(?:n['’]t| not) (?:\w{4,12}ly )?(?:fix|help|re?solve|work)\b",
    re.IGNORECASE,
)
"""Says of a cause that it is supposed, and of the fault that it stands."""


def fails(s: Statement) -> bool:
    """Whether a statement tells of a run that did not do what it should.

    >>> run = Statement(kind="tested", text="ran `a`: 1 failed (b)", turn=1, place=(0, -1), key="a")
    >>> fails(run)
    True
    """
    if "refused" in s.flags or not s.key:
        return False
    return s.kind == "failed" or (s.kind == "tested" and _RED.search(s.text) is not None)


def dead_ends(statements: Sequence[Statement], gone: Set[int]) -> dict[int, int]:
    """Of the failed runs that are gone, as later ones overtook them, the last with each error, and how many.

    Others of its command count up to the change before: they may have failed for something else.
    """
    told = {(s.turn, s.key) for s in statements if id(s) not in gone and s.kind in ("failed", "tested")}
    errors = {_error_of(s) for s in statements if id(s) not in gone and fails(s)}
    last: dict[str, Statement] = {}
    many: Counter[str] = Counter()
    again: dict[str, int] = {}  # when a command is run next
    changed = statements[-1].turn if statements else 0  # when something is changed next
    well: set[str] = set()  # what goes well before the work is changed
    cured: set[str] = set()  # as something was installed, or its own script was changed
    for s in reversed(statements):
        changed = s.turn if s.kind == "changed" else changed
        own = {key for key in well if s.key.rpartition("/")[2] in key} if s.kind == "changed" else ()
        if own or "installed" in s.flags:
            cured |= {*own} or well
        elif s.kind == "changed" and "source" in s.flags:
            well, cured = set(), set()
        elif s.kind == "tested" and not fails(s):
            well.add(s.key)
        error = _error_of(s)
        slips = SLIP.search(s.text) or again.get(s.key, s.turn + LEAST_BETWEEN) - s.turn < LEAST_BETWEEN
        new = (s.turn, s.key) not in told and error not in errors
        if id(s) in gone and new and fails(s) and not slips and s.key not in cured:
            newest = last.setdefault(error, s)
            many[error] += newest.turn <= changed and newest.key == s.key
            told.add((s.turn, s.key))
        if s.kind in ("failed", "tested"):
            again |= {COPY.sub("", s.key): 0} | dict.fromkeys((s.key, *s.key.split(" && ")), s.turn)
    return {id(s): many[e] for e, s in last.items()}


def _error_of(s: Statement) -> str:
    found = _ERROR.search(s.text)
    return _PLACE.sub("", (found[1] if found else s.text).partition(BEFORE)[0])[:ERROR_CHARS]


def tried(statements: Sequence[Statement]) -> dict[int, int]:
    """Edits of the work that were tested and then made otherwise, with the turn of the next of the file."""
    tested: dict[str, Statement] = {}
    waiting: dict[str, Statement] = {}
    found: dict[int, int] = {}
    for s in statements:
        if s.kind in ("tested", "failed") and "refused" not in s.flags:
            tested |= waiting
            waiting.clear()
        elif s.kind == "changed" and "source" in s.flags and "outline" not in s.flags:
            if s.key in tested:
                found[id(tested.pop(s.key))] = s.turn
            waiting[s.key] = s
    return found


def given_up(statements: Sequence[Statement], again: Mapping[int, int]) -> set[int]:
    """What the agent chose to do by edits that failed, and that it made otherwise, in the turn of `again`."""
    failed = [s.turn for s in statements if fails(s)]
    edits = {s.turn: again.get(id(s), -1) for s in statements if s.kind == "changed" and "source" in s.flags}
    vain = {turn for turn, then in edits.items() if any(turn <= at < then for at in failed)}
    plans = (s for s in statements if s.turn in vain and s.kind in ("said", "found") and "choice" in s.flags)
    return {id(s) for s in plans if _PLANS.search(s.text)}


def flawed(statements: Sequence[Statement]) -> set[int]:
    """What showed something amiss that the agent then finds to be a fault of its own check.

    What it said of it until then goes with it.
    """
    gone: set[int] = set()
    since: list[Statement] = []
    for s in statements:
        if s.kind == "changed" and "source" in s.flags:
            since = []
        elif s.kind in ("tested", "failed") and tells_trouble(s.text):
            here = since and since[0].turn == s.turn
            since = [*since, s] if here else [s]
        elif since and s.kind in ("said", "found"):
            if OF_OWN_CHECK.search(s.text):
                gone |= {id(o) for o in since}
                since = []
            elif s.turn > since[0].turn:
                since.append(s)
    return gone


def refuted(statements: Sequence[Statement]) -> tuple[set[int], dict[int, int]]:
    """What was supposed of a fault that stands behind the edit, and the edits, with when it does."""
    gone: set[int] = set()
    edits: dict[int, int] = {}
    supposed: list[Statement] = []
    newest: Statement | None = None
    is_run = False
    pleased = {s.turn for s in statements if s.key == "0" and is_praise(s.text)}
    for s in statements:
        if s.kind == "changed" and "source" in s.flags:
            newest, is_run = s, False
        elif s.kind in ("tested", "failed", "ran") and "reads" not in s.flags:
            is_run = True
        elif s.kind in ("said", "found") and s.turn not in pleased:  # it did help, and more is to do
            near = newest is not None and s.turn - newest.turn <= SOON
            if newest is not None and near and is_run and _STANDS.search(s.text):
                gone |= {id(o) for o in supposed if o.turn <= newest.turn}
                edits.setdefault(id(newest), s.turn)
            elif _SUPPOSES.search(s.text) or "guess" in s.flags:
                supposed.append(s)
    return gone, edits


def reasons(statements: Sequence[Statement]) -> Mapping[int, Statement]:
    """What the agent concluded where it speaks first behind a failed run, with that run."""
    run: Statement | None = None
    found: dict[int, Statement] = {}
    spoken, many = -1, 0
    for s in statements:
        if s.kind in DEEDS:
            run = s if fails(s) else run if run is not None and s.turn == run.turn else None
            spoken = -1
        elif s.kind in ("said", "found") and run is not None and 0 < s.turn - run.turn <= NEXT_TURNS:
            many = many if s.turn == spoken else 0
            spoken = s.turn
            if many < MOST_REASONS and not {"announces", "opens"} & {*s.flags} and _concludes(s):
                found[id(s)] = run
                many += 1
    return found


def _concludes(s: Statement) -> bool:
    return not _CONCLUDES.isdisjoint(s.flags) or _INFERS.search(s.text) is not None
