"""What is told elsewhere as well: in how things stand, in full, or in copied text."""

import re
from collections.abc import Sequence

from tamis.compactors.brief.reading.call_text import JOINT
from tamis.compactors.brief.reading.statement import DEEDS, STOPPED, WORDS, Statement, is_order
from tamis.compactors.brief.reading.statement_reader import BEFORE
from tamis.compactors.brief.writing.frame import one_line
from tamis.text.terms import run_of

_SHORT_FORMS = frozenset({"outline", "excerpt"})

LEAST_KNOWN, ASKED_BY = 12, 100
"""Characters of a sentence that is known where it stands in another, and of a question in what is next."""

MOSTLY = 0.8
"""Copied text of which so many lines stand elsewhere is told."""

_NUMBER = re.compile(r"(?m)^ {0,12}\d{1,7}[→:\t]")
_ADDED = re.compile(r"\Aedited [^`]{1,300}: added `([^`…]{1,1000}…[^`]*)`(?: \([^`]{1,60}\))?\Z")
"""An edit that took nothing out, of which not all is told."""

_NAME = re.compile(r"\w+")
_RENAMED = re.compile(r"\b(\w{1,99}) → (\w+)")
_DIFF = re.compile(r"(?m)^@@ -\d")
_CHANGED = re.compile(r"(?m)^[-+](?![-+]{2} )(.*)")
_ASKS_STATE = re.compile(r"\b(?:status|list|log|diff|ls|branch|remote)\b")
"""Part of a command that asks how things stand."""


def is_stated(statement: Statement, stated: str) -> bool:
    """Whether how things stand tells of a run, or of the newest order, as much as the story would."""
    if statement.kind in WORDS:
        said = one_line(statement.text.partition(": ")[2] if is_order(statement) else statement.text)
        of_it = {lead.text.endswith("?") and is_stated(lead, stated) for lead in statement.leads} == {True}
        return of_it or (len(said) >= LEAST_KNOWN and said[: ASKED_BY if said[-1] == "?" else None] in stated)
    if statement.kind not in ("tested", "failed", "ran"):
        return statement.text.startswith(STOPPED) and f"in stopping #{statement.turn} (" in stated
    installs = "installed" in statement.flags or (" install " in statement.key and "- installed: " in stated)
    if (installs and statement.kind == "ran") or statement.text.partition(BEFORE)[0] in stated:
        return True
    ran = re.escape(statement.text.partition(" → ")[0])
    at = f"run (#{statement.turn}"
    return at in stated and re.search(rf"{re.escape(at)}\b[^)\n]{{0,80}}\): {ran}", stated) is not None


def _outlined(chosen: Sequence[Statement]) -> set[int]:
    """The outlines of deeds, and the excerpts of pastes, that are told in full, too."""
    short = {id(s) for s in chosen if not _SHORT_FORMS.isdisjoint(s.flags) or {"page", "short"} <= {*s.flags}}
    whole = (s for s in chosen if id(s) not in short and (s.kind in DEEDS or "paste" in s.flags))
    full = {(s.turn, s.place, s.key) for s in whole}
    return {id(s) for s in chosen if id(s) in short and (s.turn, s.place, s.key) in full}


def _lines_of(copied: Statement) -> list[str]:
    """The lines of a copied text; of a diff, what was taken out and put in."""
    text = _NUMBER.sub("", copied.text.removesuffix(" …")).partition("\n")[2]
    return [m[1] for m in _CHANGED.finditer(text)] if _DIFF.search(text) else text.splitlines()


def _is_of(s: Statement, copied: Statement) -> bool:
    """Whether a deed gave a copied text, or the change that a copied diff shows."""
    if s.kind == "changed" and s.turn < copied.turn and _DIFF.search(copied.text):
        return s.key.rpartition("/")[2] in copied.text
    return s.kind in DEEDS and copied.key == f"{s.turn}.{s.place[0]}"


def told_twice(chosen: Sequence[Statement], stated: Sequence[str]) -> set[int]:
    """What is told in full elsewhere, as well: outlines, and copied text beside a line that tells of it.

    Of a call and what is copied of its output, the line goes where the copied text has all that it tells; the
    copied text goes where most of it stands in the line, also under the names that it has now, in another
    copied text, in how things stand, or line by line in somebody's words; a diff, where its changes stand in
    the edits before it. Of a state that was asked for again, the newest answer is enough.
    """
    states = [s for s in chosen if s.kind == "ran" and _ASKS_STATE.search(s.key)]
    newest = {s.key: s.turn for s in sorted(states, key=lambda s: s.turn)}
    twice = {*_outlined(chosen), *(id(s) for s in states if s.turn < newest[s.key])}
    names = dict(pair for line in stated if line.startswith("- renamed: ") for pair in _RENAMED.findall(line))
    copied = sorted((s for s in chosen if s.kind == "passage"), key=lambda s: s.turn)
    for s in chosen:
        own = [p for p in copied if p.key == f"{s.turn}.{s.place[0]}"] if s.kind in DEEDS else []
        added = _ADDED.search(s.text)
        if own and (s.kind in ("ran", "failed", "tested") or added or s.text.startswith("wrote ")):
            shown = one_line("\n".join(p.text for p in own))
            _, given, gave = s.text.partition(": " if s.kind == "changed" else " → ")
            gave = _NAME.sub(lambda name: names.get(name[0], name[0]), added[1]) if added else gave
            if given and all(part.strip(" …") in shown for part in JOINT.split(gave)):
                twice.add(id(s))
    texts = {id(p): _lines_of(p) for p in copied}
    lines = {at: [one_line(line) for line in text] for at, text in texts.items()}
    said = (run_of(s.text) for s in chosen if s.kind == "asked" or s.kind in WORDS)
    words = f" . {' . '.join(said)} "
    for p in copied:
        beside = [s.text for s in chosen if id(s) not in twice and _is_of(s, p)]
        beside += [_NAME.sub(lambda name: names.get(name[0], name[0]), text) for text in beside if names]
        there = [*beside, *stated]
        others = {line for o in copied if o is not p and id(o) not in twice for line in lines[id(o)]}
        mine = [line for line in lines[id(p)] if any(map(str.isalnum, line))]
        known = sum(
            line in others or any(line in text for text in there) or f" . {run_of(line)} " in words
            for line in mine
        )
        if known >= MOSTLY * len(mine):
            twice.add(id(p))
    return twice
