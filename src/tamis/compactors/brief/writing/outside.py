"""What stands outside the files: what trackers were made to hold, and work trees in which others go on."""

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.statement import DEEDS, request_turns
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.status_line import StatusLine
from tamis.text.terms import terms_of

MOST_CREATED, MOST_DEEDS, TITLE_CHARS = 8, 12, 70

_CREATED = re.compile(
    r"\bcreated (by `[^`]{1,80}`|[\w.-]{1,40}+(?: #\d{1,9}+)?(?:, [\w.-]{1,40}+(?: #\d{1,9}+)?){0,11}+): "
    r"(.{1,600}?)(?: — |\Z)",
    re.DOTALL,
)
"""How the making of pull requests, issues and the like is told, with their titles."""
_TREE = re.compile(
    r"\b(?:workmux add|git(?: -C \S{1,200})? worktree add(?: -[bB] \S{1,200}| -\S{1,40}){0,4})"
    r" (?:\S{0,300}/)?([\w.-]{1,100})"
)
_TREE_GONE = re.compile(r"\b(?:workmux (?:remove|rm|merge)|worktree remove)\b")
_PROMPTED = re.compile(r" (?:-[pP]|--prompt(?:-file)?)\b")


def outside_lines(reading: StatementReader) -> Iterator[StatusLine]:
    """Pull requests, issues and the like that calls made, and work trees in which others work."""
    if created := created_by(reading):
        told = "; ".join(f"{what} ({shortened(titles, TITLE_CHARS)})" for what, titles in created)
        names = f"created: {', '.join(what for what, _ in created)}"
        short = f"{names} ({titles})" if (titles := _meant_last(reading, created)) else names
        yield StatusLine(section="state", rank=2, text=f"created: {told}", short=short)
    deeds = [s for s in reading.statements if s.kind in DEEDS]
    made = [s for s in deeds if s.kind == "ran" and _TREE.search(s.key) and "worktree" in s.text.lower()]
    for name, s in {name: deed for deed in made[-MOST_DEEDS:] for name in _TREE.findall(deed.key)}.items():
        later = [o for o in deeds if o.turn > s.turn and name in o.key]
        is_own = f"/{name}" in (reading.cwd or "") or any(o.kind == "changed" for o in later)
        if not is_own and not any(_TREE_GONE.search(o.key) for o in later):
            text = f"work tree {name} was made" + " and handed to another agent" * bool(
                _PROMPTED.search(s.key)
            )
            seen = f"looked at since (#{later[-1].turn})" if later else "not looked at since"
            yield StatusLine(section="state", rank=2, text=f"{text} (#{s.turn}); {seen}", short=text)


def _meant_last(reading: StatementReader, created: Sequence[tuple[str, str]]) -> str:
    """The titles of what was made last, where the newest request says a word of them: it is about that."""
    newest = request_turns(reading.statements)[-1:]
    asked = {
        term
        for s in reading.statements
        if s.turn in newest and s.kind == "asked"
        for term in terms_of(s.text)
    }
    titles = shortened(created[-1][1], TITLE_CHARS)
    return titles if asked.intersection(terms_of(titles)) else ""


def created_by(reading: StatementReader, since: int = -1) -> list[tuple[str, str]]:
    """What trackers were made to hold behind a turn, by name, with its titles."""
    told = (s.text for s in reading.statements if s.kind == "posted" and s.turn > since)
    made = [(found[1], found[2]) for text in told if (found := _CREATED.search(text))]
    by_call = {what: len(titles.split("; ")) for what, titles in made if what.startswith("by ")}
    return [
        (f"{by_call[what]} items {what}" if what in by_call else what, titles)
        for what, titles in made[-MOST_CREATED:]
    ]
