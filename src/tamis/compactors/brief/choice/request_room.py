"""The requests that are told whole in any case: in the user's words, or each of their pieces shortened."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.speech.pastes import is_program
from tamis.compactors.brief.reading.statement import CUT, LISTED, Statement
from tamis.ledger.speech.prose import looks_pasted
from tamis.messages import Counter
from tamis.text.cues.printed_lines import is_code

SIZES = ((None, None), (400, 500), (240, None), (160, None))
"""To how many characters an item, and a sentence, may be shortened, in the order in which it is tried."""

LEAST_SIZES = (*SIZES, (110, 240), (75, 140), (50, 110))
"""The same where what only adds to other pieces is not told in any case."""

LINE_TOKENS = 3
"""Of the mark before a line, and its end."""

LEAST_CLAUSE = 0.5
"""A piece ends with a clause where that is no shorter than so much of what has room."""

_CLAUSE = re.compile(r"(?<=\w\w)[.!?;:](?=\s)|,(?= )| (?=\()| (?=[–—] )")
_ADDRESS = re.compile(r"https?://\S{16,400}(/[^\s/]{2,80})|https?://\S{1,400}")
_NOT_TOLD = frozenset({"boilerplate", "courtesy", "heading", "opens", "paste", "code", "excerpt", "answer"})


def shortened_in(
    statements: Sequence[Statement],
    turn: int,
    most: int,
    counter: Counter,
    *,
    kept: AbstractSet[int],
    ordered: bool = True,
) -> tuple[list[Statement], set[int]]:
    """The statements, each piece of a request so short that all are told in `most` tokens; which these are.

    None are where even the beginnings of all of them take more. What is `kept` is never cut. What a harness
    says is to be done about an issue is one of them where it is `ordered`.
    """
    every = [s for s in statements if s.kind == "asked" and s.turn == turn and _is_told(s)]
    every = [s for s in every if ordered or "order" not in s.flags]
    core = [s for s in every if not _adds(s)]
    tiers = [*((every, *sizes) for sizes in SIZES), *((core, *sizes) for sizes in LEAST_SIZES)]
    for own, *sizes in tiers if every else ():
        cut = _cut(_with_leads(own), sizes, most, counter, kept=kept)
        if cut is not None:
            code = [] if cut or own is not every else _given_code(statements, turn)
            fits = code and _cut(_with_leads([*every, *code]), (None, None), most, counter, kept=kept)
            shown = {s.place for s in code} if fits is not None else set()
            short = {
                id(s) for s in statements if "excerpt" in s.flags and s.turn == turn and s.place in shown
            }
            rest = [s for s in statements if id(s) not in short]
            return _recut(rest, cut, {id(s) for s in (*own, *(code if shown else ()))})
    return [*statements], set()


def _given_code(statements: Sequence[Statement], turn: int) -> list[Statement]:
    """The code that the user gives, which is told whole or not at all; that of an issue is an example."""
    own = [s for s in statements if s.kind == "asked" and s.turn == turn]
    if any("order" in s.flags for s in own):
        return []
    short = {s.place for s in own if "excerpt" in s.flags}
    return [s for s in own if {"code", "paste"} <= {*s.flags} and s.place in short and is_program(s.text)]


def _cut(
    pieces: Sequence[Statement],
    sizes: Sequence[int | None],
    most: int,
    counter: Counter,
    *,
    kept: AbstractSet[int],
) -> dict[int, str] | None:
    """The words of those that have to be cut to be told in so many tokens; None where they take more.

    Of those that would be cut, as many as can be are whole.
    """
    whole = dict(zip(map(id, pieces), counter.count_many([s.text for s in pieces]), strict=True))
    cut: dict[int, str] = {}
    for s in pieces:
        size = sizes["in-line" in s.flags or not LISTED & {*s.flags}]
        if size and id(s) not in kept and "typed" not in s.flags:
            cut[id(s)] = in_few(s.text, size)
    tokens = whole | dict(zip(cut, counter.count_many([*cut.values()]), strict=True))
    spare = most - sum(tokens.values()) - LINE_TOKENS * len(pieces)
    if spare < 0:
        return None
    cut = {id(s): cut[id(s)] for s in pieces if cut.get(id(s), s.text) != s.text}
    for at in sorted(cut, key=lambda at: whole[at] - tokens[at]):
        if (more := whole[at] - tokens[at]) <= spare:
            spare -= more
            del cut[at]
    return cut


def _is_told(s: Statement) -> bool:
    """Whether a piece asks or tells something in words; a bare address does not, nor what was printed."""
    if "prose" in s.flags and (is_code(s.text) or looks_pasted(s.text)):
        return False
    return _NOT_TOLD.isdisjoint(s.flags) and re.search(r"\w", _ADDRESS.sub("", s.text)) is not None


def _adds(s: Statement) -> bool:
    """Whether a piece only adds to another: a further sentence of an item, a detail in prose, a quotation."""
    flags = {*s.flags}
    is_part = any("heading" in lead.flags and lead.text[:1].isdigit() for lead in s.leads)  # of several
    adds = {"item", "in-line"} <= flags or ({"detail", "prose"} <= flags and not is_part)
    return "quoted" in flags or (adds and "wants" not in flags)


def in_few(text: str, most: int) -> str:
    """The beginning of a piece of a request: its clauses that have room, or its words; of an address its end.

    >>> in_few("Read the guide first, then write the plan (under docs/), and ask.", 50)
    'Read the guide first, then write the plan …'
    >>> in_few("See https://code.example.org/shop/src/rows.py#L4 for it.", 50)
    'See …/rows.py#L4 for it.'
    """
    text = _ADDRESS.sub(lambda found: f"…{found[1]}" if found[1] else found[0], text)
    if len(text) <= most:
        return text
    ends = [found.start() for found in _CLAUSE.finditer(text, 0, most)]
    if ends and ends[-1] >= LEAST_CLAUSE * most:
        return f"{text[: ends[-1]].rstrip()} …"
    return f"{shortened(text, most).rstrip('…').rstrip()} …"


def _with_leads(own: Iterable[Statement]) -> list[Statement]:
    """The pieces of a request with all that they lean on."""
    found: dict[int, Statement] = {}
    waiting = [*own]
    while waiting:
        s = waiting.pop()
        if id(s) not in found:
            found[id(s)] = s
            waiting += s.leads
    return [*found.values()]


def _recut(
    statements: Sequence[Statement], cut: dict[int, str], own: AbstractSet[int]
) -> tuple[list[Statement], set[int]]:
    """The statements with these in fewer words, also where others lean on them."""
    made: dict[int, Statement] = {}
    told: list[Statement] = []
    for s in statements:
        leads = tuple(made.get(id(lead), lead) for lead in s.leads)
        text = cut.get(id(s), s.text)
        if text != s.text or leads != s.leads:
            made[id(s)] = replace(s, text=text, leads=leads, flags=(*s.flags, *(CUT,) * (text != s.text)))
        told.append(made.get(id(s), s))
    return told, {id(o) for o, s in zip(told, statements, strict=True) if id(s) in own}
