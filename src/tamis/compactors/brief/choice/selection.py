"""Choosing statements under a budget: what gives most per token beside what is chosen already.

A statement that says nearly what another says is worth little beside it. What a statement leans on is taken
with it. Gains only fall as more is chosen, so stale ones wait in a heap and are renewed when they come up
(Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978).
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.text.terms import rarity, terms_of, weight_of

HEADER_TOKENS = 9

SATURATION = 0.13
"""The part of the room with which an episode is told about half as well as it can be: what more is said of it
counts half, so that each episode has its turn."""

ALONE_SHARE = 0.7
"""What the first thing that is asked may take of the room: without it, nobody knows what it is about."""

KEPT = -1
"""The rank of what stands in any case, as long as there is room."""

NEWEST_WHOLE = 0.45
"""The part of the room that the newest request may take where it is told as one."""

REQUIRED_SHARES = {1: 0.3, 2: 0.4, 3: 0.8, 4: 0.2, 5: 0.1}
"""The part of the room that the newest request (1), what was changed at a service (2), what was told last in
a talk (3), the first request (4) and what a rule points at (5) may take before all else is weighed."""

LEADING_SHARE = 0.35
"""What the sentences by which a request is known may take beyond its share."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A statement with its tokens, worth and episode, and its rank among what is required (0 is none).

    One that `leads` goes before the others of its rank: a request is not known without it.
    """

    statement: Statement
    tokens: int
    worth: float
    episode: int
    required: int = 0
    leads: bool = False


RESTATED = 0.85
"""How far a statement counts as said whose words all stand in what was asked: it restates the request."""

RESTATED_DONE = 0.4
"""The same for one that tells that it was done."""


SAID_ENOUGH = 0.12
"""Of what is left to say of a statement: with no more, it is said."""

EDITED_AGAIN = 0.7
"""What an edit counts as new at least where an earlier one of the same file is told."""

LISTED = 0.8
"""What an item counts as new at least where others of its list are told: a list with holes misleads."""

LITTLE_CHARS = 70
"""A vague sentence of no more characters is told only where another leans on it."""

ListPlace = tuple[int, int, int]

ONLY_LEADS = frozenset({"heading", "opens"})
"""What only opens something else is said with what it opens, never alone."""


Holds = Callable[[str], bool]
"""Whether what was chosen holds a term."""


class Novelty:
    """How much of each statement no chosen one says.

    Worked out when it is asked for, against what was chosen since it was asked last.
    """

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._terms = [terms_of(_telling_part(statement)) for statement in statements]
        self._statements = statements
        self._rarity: Mapping[str, float] = rarity(self._terms)
        self._weights = [weight_of(terms, self._rarity) or 1.0 for terms in self._terms]
        self._chosen: list[Holds] = []
        self._asked: list[Holds] = []
        self._done: list[Holds] = []
        self._asked_terms: set[str] = set()
        self._edited: dict[str, int] = {}
        self._said = [0.0] * len(statements)
        self._seen = [0] * len(statements)

    def __getitem__(self, at: int) -> float:
        terms, weight, said = self._terms[at], self._weights[at], self._said[at]
        if 1 - said <= SAID_ENOUGH:
            return 0.0
        statement, weigh = self._statements[at], self._rarity.__getitem__
        others = self._others(statement)
        for holds in others[self._seen[at] :]:
            shared = sum(map(weigh, filter(holds, terms))) / weight
            if shared > said:
                said = shared
        self._said[at], self._seen[at] = said, len(others)
        if statement.kind != "asked":
            asked = weight_of(terms, self._rarity, self._asked_terms)
            said = max(said, (RESTATED_DONE if _tells_done(statement) else RESTATED) * asked / weight)
        left = 1 - said
        if left <= SAID_ENOUGH:
            return 0.0
        if statement.kind == "changed":
            return max(left, EDITED_AGAIN) if self._edited.get(statement.key, at) < at else left
        return left if left > 0.3 else left * 0.15

    def _others(self, statement: Statement) -> Sequence[Holds]:
        """What may say the statement: the user's words stand in the user's, a change in what was done."""
        if statement.kind == "asked":
            return self._asked
        return self._done if statement.kind == "changed" else self._chosen

    def choose(self, at: int) -> None:
        """Count one as said."""
        holds = frozenset(self._terms[at]).__contains__
        if self._statements[at].kind == "asked":
            self._asked.append(holds)
            self._asked_terms.update(self._terms[at])
        else:
            self._chosen.append(holds)
        if self._statements[at].kind == "changed":
            self._edited.setdefault(self._statements[at].key, at)
        if _tells_done(self._statements[at]):  # to speak of a change is not to make it
            self._done.append(holds)


def _telling_part(statement: Statement) -> str:
    """What is new in a statement: of a change what was changed, as one file is often changed many times."""
    head, _, hunk = statement.text.partition(": ") if statement.kind == "changed" else ("", "", "")
    return hunk if head.endswith((statement.key.rpartition("/")[2], ")")) and hunk else statement.text


def _tells_done(statement: Statement) -> bool:
    return statement.kind in DEEDS or (statement.kind == "concluded" and "change" in statement.flags)


def _list_of(statement: Statement) -> ListPlace | None:
    """The list that an item of somebody's words stands in: its place, and what opens it."""
    if "item" not in statement.flags or statement.kind not in (*WORDS, "asked"):
        return None
    return statement.turn, statement.place[0], id(statement.leads[0]) if statement.leads else 0


def _says_little(statement: Statement) -> bool:
    """Whether the agent's words name nothing and are few, as in `The fix works`, or an edit only its file."""
    flags = {*statement.flags}
    if statement.kind == "changed" and "vague" in flags:
        return True
    short = len(statement.text) <= LITTLE_CHARS and statement.kind in ("said", "found")
    return short and "vague" in flags and flags.isdisjoint(("last", "state", "item", "choice"))


def choose(candidates: Sequence[Candidate], room: int, *, header_tokens: int = HEADER_TOKENS) -> list[int]:
    """The positions of what is chosen for so many tokens, in the order of choice."""
    novelty = Novelty([c.statement for c in candidates])
    place = {id(c.statement): at for at, c in enumerate(candidates)}
    chosen: dict[int, None] = {}
    used: dict[int, int] = defaultdict(int)
    lists = [_list_of(c.statement) for c in candidates]
    begun: set[ListPlace] = set()
    fullness = SATURATION * max(room, 1)

    def bundle(at: int) -> list[int]:
        """What has to be taken with a candidate, itself last."""
        need: list[int] = []
        waiting = [at]
        while waiting:
            here = waiting.pop()
            if here in chosen or here in need:
                continue
            need.append(here)
            waiting += [place[id(lead)] for lead in candidates[here].statement.leads if id(lead) in place]
        return need

    def score(at: int) -> tuple[float, int, list[int]]:
        need = bundle(at)
        tokens = sum(candidates[n].tokens for n in need)
        tokens += header_tokens * len({candidates[n].episode for n in need} - used.keys())
        value = sum(
            candidates[n].worth * (max(novelty[n], LISTED) if lists[n] in begun else novelty[n]) for n in need
        )
        told = used.get(candidates[at].episode, 0)
        return value / max(tokens, 1) / (1 + told / fullness), tokens, need

    def take(need: Sequence[int], tokens: int) -> None:
        nonlocal room
        room -= tokens
        for n in need:
            chosen[n] = None
            told = (
                0
                if candidates[n].required or candidates[n].statement.kind == "asked"
                else candidates[n].tokens
            )
            used[candidates[n].episode] += told
            novelty.choose(n)
            if (own := lists[n]) is not None:
                begun.add(own)

    whole = room
    allowed = {rank: int(share * room) for rank, share in REQUIRED_SHARES.items()}
    required = sorted(
        (c.required, not c.leads, at if c.leads else -c.worth / c.tokens, at)
        for at, c in enumerate(candidates)
        if c.required
    )
    for rank, _, _, at in required:
        _, tokens, need = score(at)
        if rank == KEPT:
            if at not in chosen and tokens <= room:
                take(need, tokens)
            continue
        most = allowed[rank] + LEADING_SHARE * whole * candidates[at].leads
        most = most if chosen else max(most, ALONE_SHARE * room)
        if rank == 1 and "whole" in candidates[at].statement.flags:
            most = max(most, NEWEST_WHOLE * room)
        if candidates[at].leads and tokens > min(room, most):
            tokens, need = candidates[at].tokens, [at]  # without what it leans on, as the gate would add it
        if at not in chosen and tokens <= min(room, most) and novelty[at]:
            take(need, tokens)
            allowed[rank] -= tokens
    alone = [
        at
        for at, c in enumerate(candidates)
        if at not in chosen and not ONLY_LEADS & {*c.statement.flags} and not _says_little(c.statement)
    ]
    heap = [(-score(at)[0], at) for at in alone]
    heapq.heapify(heap)
    while heap and room > 4:
        stale, at = heapq.heappop(heap)
        if at in chosen:
            continue
        gain, tokens, need = score(at)
        if gain <= 0.004:
            continue
        if gain < -stale * 0.999 and heap and gain < -heap[0][0]:
            heapq.heappush(heap, (-gain, at))
            continue
        if tokens > room:
            continue
        take(need, tokens)
    return list(chosen)
