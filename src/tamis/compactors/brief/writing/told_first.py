"""What a reader has to know first, each in its part of little room: shorter where the whole has none."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tamis.compactors.brief.choice.selection import KEPT, Candidate
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.holds_now import opens_with_change, tells
from tamis.compactors.brief.writing.in_short import in_short, is_short_order
from tamis.ledger.files.paths import is_trial
from tamis.text.cues.discourse_cues import leans
from tamis.text.terms import terms_of

SHARES = {"asked": 0.65, "last": 0.2, "came": 0.35, "done": 0.3, "amiss": 0.35, "order": 0.2, "first": 0.25}
"""What is told before all else, in this order, and the part of the room for the story that each may take: the
request, the order that it ends with, what the work came to or stands at, the edit that answers it, what is
amiss, what a harness says to do about an issue, and the first request. Room that is left goes to them in the
same order."""

LEAST_TOLD, SHORT_EDIT, CHARS_OF_TOKEN = 18, 40, 3.5
"""The tokens in which a part of a sentence says something, those in which an edit is told with what it
changes wherever they are left, and the length of one."""

LEAST_TERMS, LEAST_OF_AIM, MOST_NEAR = 6, 4, 3
"""With fewer terms a sentence of an issue, or of a request, says little; what is amiss is near the title."""

MARK_TOKENS = 2
"""Of the sign for what is left out before a piece."""

NO_AIM = frozenset({"boilerplate", "courtesy", "heading", "paste"})
"""Flags of a piece of a request that does not say what is asked for."""

_OPENS = frozenset({"heading", "opens"})
_PREPARES = re.compile(
    r"\W{0,3}(?:(?:please|first|start by|begin by|have a|take a)[, ]+){0,2}"
    r"(?:read|look(?:ing)? (?:at|into|through)|study|see|review|open|go through|familiari[sz]e)\w{0,3}\b",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"\b(?:creat|writ|implement|add|fix|build|mak|draft|refactor|renam|mov|remov|replac|updat|chang|convert|port"
    r"|migrat|design|plan|generat)(?:e|es|ing)?\b",
    re.IGNORECASE,
)
"""Begins what is to be read before something is made, and what says that something is to be made."""

_TEST = re.compile(r"[_.-](?:test|spec)s?\.\w{1,4}\Z|(?:^|/)tests?[_/]")


def told_first(
    kept: Sequence[Candidate],
    said: Sequence[Candidate],
    waits: Sequence[Statement],
    *,
    left: int,
    count: Callable[[str], int],
) -> list[Candidate]:
    """The candidates; those without which nobody knows how things stand are kept, each in its part."""
    asked = [c for c in kept if c.statement.kind == "asked" and (c.required or "order" in c.statement.flags)]
    newest = max((c.statement.turn for c in asked), default=-1)
    own = [c for c in asked if c.statement.turn == newest]
    aim, first = _aim(own), _aim([c for c in asked if c.statement.turn < newest])
    order = next((c for c in own if "order" in c.statement.flags), None)
    wanted = sum(c.tokens for c in own if c.required == KEPT)  # which goes before a harness's words and code
    if order and wanted and wanted + order.tokens + LEAST_TOLD > left:
        order = None
    ends = (c for c in own if "final" in c.statement.flags and is_short_order(c.statement, c.statement.text))
    last = next((c for c in ends if c not in (aim, order)), None)
    rest = [c for c in own if c not in (aim, order, last) and not (NO_AIM | _OPENS) & {*c.statement.flags}]
    if aim and "typed" in aim.statement.flags:
        rest = rest[:1]  # the template that it was typed behind: which one says its beginning
    if order:  # an issue says first what is amiss
        rest = [c for c in rest if len(terms_of(c.statement.text)) >= LEAST_TERMS][:MOST_NEAR]
    amiss = min(
        rest,
        key=lambda c: ("trouble" not in c.statement.flags, not c.leads, not order and -c.worth),
        default=None,
    )
    left -= MARK_TOKENS * sum(c is not None for c in (order, amiss, last))
    most = left - sum(c.tokens for c in (aim, last) if c)
    came = _outcome(said, max(most, int(SHARES["came"] * left)))
    most -= min(came.tokens, int(SHARES["came"] * left)) if came else 0
    most -= sum(c.tokens for c in own if c.required == KEPT and c not in (aim, last))
    spare = most - (order.tokens if order else 0) - LEAST_TOLD * (amiss is not None)
    edit = _answering_edit(kept, waits, max(spare, min(most, SHORT_EDIT), int(SHARES["done"] * left)), count)
    last = last and _told_as(last, last.statement.text, count)  # what it leans on stands before it
    parts = dict(zip(SHARES, (aim, last, came, edit, amiss, order, first), strict=True))
    tokens = {id(c.statement): c.tokens for c in kept}
    sizes: dict[str, int] = {}
    whole = {
        name: c.tokens + sum(tokens.get(id(lead), 0) for lead in c.statement.leads)
        for name, c in parts.items()
        if c
    }
    for name, need_of in whole.items():
        least = {"done": need_of, "amiss": max(LEAST_TOLD, need_of // 2)}.get(name, LEAST_TOLD)
        size = min(need_of, max(int(SHARES[name] * left), least), left - sum(sizes.values()))
        if size == need_of or size >= least:
            sizes[name] = size
    if "asked" not in sizes:
        return [*kept]
    made: list[Candidate] = []
    for name in sizes:
        sizes[name] += min(whole[name] - sizes[name], left - sum(sizes.values()))
        if c := parts[name]:
            made.append(c if sizes[name] == whole[name] else _clipped(c, sizes[name], count))
    front = {(c.statement.turn, c.statement.place, c.statement.kind) for c in made}
    is_short = edit is not None and edit not in kept  # beside it, others would pass for the newest
    others = (
        c
        for c in kept
        if (c.statement.turn, c.statement.place, c.statement.kind) not in front
        and not (is_short and c.statement.kind == "changed")
    )
    return sorted(
        [*others, *(replace(c, required=KEPT, leads=True) for c in made)],
        key=lambda c: (c.statement.turn, c.statement.place),
    )


def _clipped(c: Candidate, most: int, count: Callable[[str], int]) -> Candidate:
    """What a candidate says, in so many tokens: whole without what it leans on, or its beginning."""
    if c.tokens <= most and not c.statement.text.endswith(":"):
        return _told_as(c, c.statement.text, count)
    chars = int(most * CHARS_OF_TOKEN)
    while (told := _told_as(c, in_short(c.statement, chars), count)).tokens > most and chars > most:
        chars -= LEAST_TERMS
    is_open = told.statement.text.endswith(":")
    return _told_as(c, f"{told.statement.text[:-1]} …", count) if is_open else told


def _aim(pieces: Sequence[Candidate]) -> Candidate | None:
    """What says what a message asks for: what was typed; what is to be made before what is to be read."""
    own = [c for c in pieces if not ({"order"} | NO_AIM) & {*c.statement.flags}]
    if typed := next((c for c in own if "typed" in c.statement.flags), None):
        return typed
    begins = next((c for c in own if c.leads), next(iter(own), None))
    if begins and "whole" not in begins.statement.flags and _PREPARES.match(begins.statement.text):
        says = (c for c in own if len(terms_of(c.statement.text)) >= LEAST_OF_AIM)
        rest = [c for c in says if not _PREPARES.match(c.statement.text)]
        makes = (c for c in rest if _MAKES.search(c.statement.text))
        return next(makes, next((c for c in rest if not leans(c.statement.text)), begins))
    return begins


def _answering_edit(
    candidates: Sequence[Candidate], waits: Iterable[Statement], most: int, count: Callable[[str], int]
) -> Candidate | None:
    """The edit that is most of what is asked, told by its place if it is long, or what was made since."""
    wanted = {term for s in waits for term in terms_of(s.text)}

    def answers(c: Candidate) -> tuple[bool, int, int]:
        return (
            not (is_trial(c.statement.key) or _TEST.search(c.statement.key)),
            len(wanted.intersection(terms_of(c.statement.text))),
            c.statement.turn,
        )

    edits = [c for c in candidates if c.statement.kind == "changed" and c.required]
    best = max(edits, key=answers, default=None)
    made = [c for c in candidates if c.statement.kind == "posted" and c.statement.text.startswith("created ")]
    if made and (best is None or made[-1].statement.turn > best.statement.turn):
        return _told_as(made[-1], made[-1].statement.text.partition(" — ")[0], count)
    if best is None or best.tokens <= most:
        return best
    place = best.statement.text.partition(": ")[0]
    return _told_as(best, place, count) if place.endswith(")") else None


def _told_as(c: Candidate, text: str, count: Callable[[str], int]) -> Candidate:
    """A candidate in other words that lean on nothing."""
    return replace(c, statement=replace(c.statement, text=text, leads=()), tokens=count(f"- {text}\n"))


def _outcome(said: Sequence[Candidate], most: int) -> Candidate | None:
    """What the last turn came to, in a sentence of the agent's."""
    opening = [c for c in said if opens_with_change(c.statement)]
    replies = opening or [c for c in said if "reply" in c.statement.flags]
    opens = [id(lead) for c in replies for lead in c.statement.leads if "named" in lead.flags]
    own = (c for c in said if not ("item" in c.statement.flags and "\n" in c.statement.text))
    opens += [id(c.statement) for c in replies]
    telling = [c for c in own if tells(c.statement) or id(c.statement) in opens]
    whole = [c for c in telling if c.tokens <= most and not c.statement.leads]

    def need_of(c: Candidate) -> tuple[bool, float]:
        return id(c.statement) in opens, c.worth

    best = max(telling, key=need_of, default=None)
    if best is not None and most < best.tokens:  # a sentence is told whole before the beginning of another
        best = max(whole, key=need_of, default=best)
    return best
