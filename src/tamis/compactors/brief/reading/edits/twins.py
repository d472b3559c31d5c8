"""Deeds told together: the same edit of several files, what one call deletes, an import with its use."""

from collections.abc import Sequence
from dataclasses import replace

from tamis.compactors.brief.reading.statement import Statement

LEAST_ALIKE, NEAR_TURNS = 12, 4
"""Characters of an edit that is known again in another file, and how soon it is made there."""

MOST_NAMED = 12


def twins_together(statements: Sequence[Statement]) -> list[Statement]:
    """The statements; of edits that are alike the first one tells of all files.

    >>> def done(text, turn, key):
    ...     return Statement(kind="changed", text=text, turn=turn, place=(0, -1), key=key)
    >>> twins = [done("edited a.sh: added `set -eu -o pipefail`", 3, "a.sh")]
    >>> twins += [done("edited b.sh: added `set -eu -o pipefail`", 3, "b.sh")]
    >>> [s.text for s in twins_together(twins)]
    ['edited a.sh and b.sh: added `set -eu -o pipefail`']
    """
    groups: dict[tuple[str, str], list[Statement]] = {}
    first: dict[int, list[Statement]] = {}
    for s in statements:
        head, _, hunk = s.text.partition(": ")
        verb = head.partition(" ")[0]
        if s.kind != "changed" or "outline" in s.flags or not (hunk or verb == "deleted"):
            continue
        alike = groups.get((verb, hunk), [])
        near = bool(alike) and s.turn - alike[0].turn <= (NEAR_TURNS if hunk else 0)
        if near and len(hunk) >= LEAST_ALIKE * bool(hunk) and all(s.key != o.key for o in alike):
            alike.append(s)
            first[id(alike[0])] = alike
        else:
            groups[verb, hunk] = [s]
    others = [s for alike in first.values() for s in alike[1:]]
    gone = {id(s) for s in others} | {id(o) for o in _outlines(statements, others)}
    told: list[Statement] = []
    now: dict[int, Statement] = {}  # what stands for a statement
    for s in statements:
        if id(s) in gone:
            continue
        alike = first.get(id(s), [s])
        new = _of_all(alike)
        if not now.keys().isdisjoint(map(id, new.leads)):
            new = replace(new, leads=tuple(now.get(id(lead), lead) for lead in new.leads))
        now |= {id(o): new for o in alike if o is not new}
        told.append(new)
    return _with_real(told)


def _with_real(statements: Sequence[Statement]) -> list[Statement]:
    """The statements; an import or a remark leans on the newest edit of its file that does more.

    So does what is only taken out on the edit before it, of the same turn and names, that puts something in.
    """
    real: dict[str, Statement] = {}
    begun: dict[str, Statement] = {}
    leads: dict[int, Statement] = {}
    for s in statements:
        head, _, hunk = s.text.partition(": ")
        if s.kind == "asked":
            begun.clear()
        elif s.kind != "changed" or not hunk or {"outline", "slight"} & {*s.flags}:
            continue
        elif hunk.startswith("removed ") and "; put in `" not in hunk and head in begun:
            leads[id(s)] = begun[head]
        else:
            real[s.key] = begun[head] = s
    slight = (s for s in statements if s.kind == "changed" and "slight" in s.flags and s.key in real)
    leads |= {id(s): real[s.key] for s in slight}
    told = ((s, leads.get(id(s))) for s in statements)
    return [
        replace(s, leads=(*s.leads, lead), flags=tuple(dict.fromkeys((*s.flags, "slight")))) if lead else s
        for s, lead in told
    ]


def _outlines(statements: Sequence[Statement], others: Sequence[Statement]) -> list[Statement]:
    """What names only the file of an edit that another one tells."""
    told = {(s.turn, s.place, s.key) for s in others}
    return [s for s in statements if "outline" in s.flags and (s.turn, s.place, s.key) in told]


def _of_all(alike: Sequence[Statement]) -> Statement:
    """One statement for all; it is of a file of the work where one of them is."""
    if len(alike) < 2:
        return alike[0]
    s = next((s for s in alike if "source" in s.flags), alike[0])
    heads = [o.text.partition(": ")[0] for o in alike]
    names = [heads[0], *(head.partition(" ")[2] for head in heads[1:MOST_NAMED])]
    names += [f"{len(heads) - MOST_NAMED} more"] * (len(heads) > MOST_NAMED)
    told = f"{', '.join(names[:-1])} and {names[-1]}"
    return replace(s, text=told + s.text[len(s.text.partition(": ")[0]) :])
