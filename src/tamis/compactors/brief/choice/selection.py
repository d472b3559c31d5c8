"""Choosing statements under a budget: what gives most per token beside what is chosen already.

A statement that says nearly what another says is worth little beside it. What a statement leans on is taken
with it. Gains only fall as more is chosen, so stale ones wait in a heap and are renewed when they come up
(Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978).
"""

import heapq
import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tamis.compactors.brief.reading.statement import DEEDS, WANTED, WORDS, Statement
from tamis.text.terms import rarity, terms_of, weight_of

HEADER_TOKENS = 9

SATURATION = 0.13
"""The part of the room with which an episode is told about half as well as it can be: what more is said of it
counts half, so that each episode has its turn."""

ALOUD = frozenset({"said", "found", "thought"})

ALONE_SHARE = 0.7
"""What the first thing that is asked may take of the room: without it, nobody knows what it is about."""

KEPT = -1
"""The rank of what stands in any case, as long as there is room."""

NEWEST_WHOLE = 0.45
"""The part of the room that the newest request may take where it is told as one."""

REQUIRED_SHARES = {1: 0.3, 2: 0.4, 3: 0.8, 4: 0.2, 5: 0.1}
"""The part of the room that the newest request (1), what was changed at a service (2), what was told last in
a talk (3), the first request (4) and what a rule points at (5) may take before all else is weighed."""

ASKED_SHARE = 2 / 3
"""Under headings one message of the user's takes no more, as long as there is something else to tell."""

LEADING_SHARE = 0.35
"""What the sentences by which a request is known may take beyond its share."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A statement with its tokens, worth and episode, and its rank among what is required (0 is none).

    One that `leads` goes before the others of its rank: a request is not known without it. The question goes
    before what it rests on.
    """

    statement: Statement
    tokens: int
    worth: float
    episode: int
    required: int = 0
    leads: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is the question itself of a request."""
        return self.leads and self.statement.text.rstrip().endswith("?")


SAID_ENOUGH, LEFT_TO_SAY = 0.12, 0.37
"""Of what is left to say of a statement: with no more than the first, it is said; below the second, what is
left counts the less, the less it is."""

EDITED_AGAIN = 0.7
"""What an edit counts as new at least where an earlier one of the same file is told."""

LISTED = 0.8
"""What an item counts as new at least where others of its list are told: a list with holes misleads."""

LITTLE_CHARS, ORDER_TOKENS = 70, 50
"""A vague sentence of no more characters is told only where another leans on it; a request of no more tokens,
with what it leans on, is told with the change that it ordered."""

VERDICT_TOKENS, _VERDICT = 20, frozenset({"change", "found", "state"})
"""A sentence with which a report begins, which is no longer and says so, is told before the rest of it."""

LEAST_ROOM, LEAST_GAIN, LEAST_COPIED = 4, 0.004, 0.0005
"""With no more tokens left, or no more worth per token (of copied text), nothing is added."""

_STEP = re.compile(r"\s{0,8}([23])[.)] ")
STEPS_BACK = 8
"""Begins the second or third step of the user's, which goes on from the one before it, not so far back."""

ListPlace = tuple[int, int, int]

MOST_HEADS = 5
_NO_HEAD = frozenset({"opens", "praise", "runs-on", "stale"})
"""Of a list of no more items each is told, but for these, before more is said of one."""

_FEW = re.compile(r"\b(?:two|three) (?:[\w-]{1,20} ){0,3}?\w{2,20}s\b[^\n]{0,60}\Z", re.IGNORECASE)
"""Stands over so few items that each is looked for."""

ONLY_LEADS = frozenset({"heading", "opens"})
"""What only opens something else is said with what it opens, never alone."""


Holds = Callable[[str], bool]
"""Whether what was chosen holds a term."""

Told = tuple[Holds, Statement]


class Novelty:
    """How much of each statement no chosen one says.

    Worked out when it is asked for, against what was chosen since it was asked last.
    """

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._terms = [terms_of(_telling_part(statement)) for statement in statements]
        self._statements = statements
        self._rarity: Mapping[str, float] = rarity(self._terms)
        self._weights = [weight_of(terms, self._rarity) or 1.0 for terms in self._terms]
        self._chosen: list[Told] = []
        self._asked: list[Told] = []
        self._done: list[Told] = []
        self._edited: dict[str, int] = {}
        self._said = [0.0] * len(statements)
        self._seen = [0] * len(statements)

    def __getitem__(self, at: int) -> float:
        terms, weight, said = self._terms[at], self._weights[at], self._said[at]
        if 1 - said <= SAID_ENOUGH:
            return 0.0
        statement, weigh = self._statements[at], self._rarity.__getitem__
        others = self._others(statement)
        for holds, other in others[self._seen[at] :]:
            if _stands_apart(statement, other):
                continue
            shared = sum(map(weigh, filter(holds, terms))) / weight
            if shared > said:
                said = shared
        self._said[at], self._seen[at] = said, len(others)
        left = 1 - said
        if left <= SAID_ENOUGH:
            return 0.0
        if statement.kind == "changed":
            return max(left, EDITED_AGAIN) if self._edited.get(statement.key, at) < at else left
        return left * min(1.0, (left - SAID_ENOUGH) / (LEFT_TO_SAY - SAID_ENOUGH))

    def _others(self, statement: Statement) -> Sequence[Told]:
        """What may say the statement: the user's words stand in the user's, a change in what was done."""
        if statement.kind in WANTED:
            return self._asked
        return self._done if statement.kind == "changed" else self._chosen

    def choose(self, at: int) -> None:
        """Count one as said."""
        told = frozenset(self._terms[at]).__contains__, self._statements[at]
        if self._statements[at].kind in WANTED:
            self._asked.append(told)
        else:
            self._chosen.append(told)
        if self._statements[at].kind == "changed":
            self._edited.setdefault(self._statements[at].key, at)
        if _tells_done(self._statements[at]):  # to speak of a change is not to make it
            self._done.append(told)


def _stands_apart(statement: Statement, other: Statement) -> bool:
    """Whether two of the user's sentences stand in one message, each under a heading of its own."""
    both = {statement.kind, other.kind} <= WANTED and statement.turn == other.turn
    heads = statement.leads[:1], other.leads[:1]
    return both and all(heads) and heads[0] != heads[1]


def _telling_part(statement: Statement) -> str:
    """What is new in a statement: of a change what was changed, as one file is often changed many times."""
    head, _, hunk = statement.text.partition(": ") if statement.kind == "changed" else ("", "", "")
    return hunk if head.endswith((statement.key.rpartition("/")[2], ")")) and hunk else statement.text


def _tells_done(statement: Statement) -> bool:
    return statement.kind in DEEDS or (statement.kind == "concluded" and "change" in statement.flags)


def _list_of(statement: Statement) -> ListPlace | None:
    """The list that an item of somebody's words stands in: its place, and what opens it."""
    if "item" not in statement.flags or statement.kind not in WORDS | WANTED:
        return None
    return statement.turn, statement.place[0], id(statement.leads[0]) if statement.leads else 0


def _says_little(statement: Statement) -> bool:
    """Whether the agent's words name nothing and are few, as in `The fix works`, or an edit only its file."""
    flags = {*statement.flags}
    if statement.kind == "changed" and "vague" in flags:
        return True
    short = len(statement.text) <= LITTLE_CHARS
    if short and {"question", "vague"} <= flags:
        return True
    only_done = statement.kind == "concluded" and "change" in flags and "reply" not in flags
    short = short and (only_done or statement.kind in ("said", "found", "thought"))
    return short and "vague" in flags and flags.isdisjoint(("last", "state", "item", "choice"))


def _turn_of(c: Candidate) -> float:
    """When a candidate is taken: by its rank, but a change before what else the newest request says."""
    if c.required == 1 and c.leads:
        return 0
    return 0.5 if c.required == 2 and c.statement.kind == "changed" else c.required


def choose(candidates: Sequence[Candidate], room: int, *, header_tokens: int = HEADER_TOKENS) -> list[int]:
    """The positions of what is chosen for so many tokens, in the order of choice."""
    choice = _Choice(candidates, room, header_tokens)
    choice.take_required()
    choice.take_best()
    return list(choice.chosen)


class _Choice:
    """What is chosen, and the room that is left."""

    def __init__(self, candidates: Sequence[Candidate], room: int, header_tokens: int) -> None:
        self.chosen: dict[int, None] = {}
        self._candidates, self._room, self._header_tokens = candidates, room, header_tokens
        self._novelty = Novelty([c.statement for c in candidates])
        self._place = {id(c.statement): at for at, c in enumerate(candidates)}
        self._used: dict[int, int] = defaultdict(int)  # tokens, by episode
        self._aloud: dict[int, int] = defaultdict(int)  # the same: of words
        self._newest = max((c.episode for c in candidates), default=0)
        self._lists = [_list_of(c.statement) for c in candidates]
        self._begun: set[ListPlace] = set()
        self._items: dict[ListPlace | None, list[int]] = defaultdict(list)
        for at, place in enumerate(self._lists):
            s = candidates[at].statement
            is_head = place and s.kind in WORDS and _NO_HEAD.isdisjoint(s.flags)
            self._items[place] += [at] if is_head and not s.text.startswith("- ✅") else []
        own = ((at, c, {*c.statement.flags}) for at, c in enumerate(candidates) if " " in c.statement.text)
        self._orders = {c.episode: at for at, c, flags in own if "whole" in flags and "courtesy" not in flags}
        begins = ((at, c.statement) for at, c in enumerate(candidates) if c.tokens <= VERDICT_TOKENS)
        first = ((at, s, {*s.flags}) for at, s in begins if s.key == "0")
        self._verdicts = {s.turn: at for at, s, flags in first if "reply" in flags and _VERDICT & flags}
        self._fullness = SATURATION * max(room, 1)
        self._most_asked = ASKED_SHARE * room if header_tokens else room
        self._asked: dict[int, int] = defaultdict(int)  # tokens, by turn: of long messages of the user's

    def take_required(self) -> None:
        """Take what is required, each rank within its part of the room."""
        whole = self._room
        allowed = {rank: int(share * whole) for rank, share in REQUIRED_SHARES.items()}
        required = sorted(
            (_turn_of(c), not c.leads, not c.asks, at if c.leads else -c.worth / c.tokens, at)
            for at, c in enumerate(self._candidates)
            if c.required
        )
        for *_, at in required:
            candidate = self._candidates[at]
            rank = candidate.required
            _, tokens, need = self._score(at)
            if rank == KEPT:
                if at not in self.chosen and tokens <= self._room:
                    self._take(need, tokens)
                    allowed[1] -= tokens * (candidate.statement.kind == "asked")
                continue
            most = allowed[rank] + LEADING_SHARE * whole * candidate.leads
            if not self.chosen:
                most = max(most, ALONE_SHARE * self._room)
            if rank == 1 and "whole" in candidate.statement.flags:
                most = max(most, NEWEST_WHOLE * self._room)
            most = min(self._room, most)
            if candidate.leads and tokens > most:  # without what it leans on, as the gate would add it
                tokens, need = candidate.tokens, [at]
            if at not in self.chosen and tokens <= most and self._novelty[at]:
                self._take(need, tokens)
                allowed[rank] -= tokens

    def take_best(self) -> None:
        """Take what gives most per token, as long as there is room."""
        heap = [(-self._score(at)[0], at) for at, c in enumerate(self._candidates) if self._is_alone(at, c)]
        heapq.heapify(heap)
        waiting: list[tuple[float, int]] = []
        while (heap or waiting) and self._room > LEAST_ROOM:
            if waiting and (not heap or self._candidates[heap[0][1]].statement.kind == "passage"):
                heap, waiting, self._most_asked = [*heap, *waiting], [], math.inf
                heapq.heapify(heap)
            stale, at = heapq.heappop(heap)
            if at in self.chosen:
                continue
            gain, tokens, need = self._score(at)
            s = self._candidates[at].statement
            if s.kind == "asked" and self._asked[s.turn] + tokens > self._most_asked:
                waiting += [(stale, at)] if tokens <= self._room else []
                continue
            if gain <= (LEAST_COPIED if self._candidates[at].statement.kind == "passage" else LEAST_GAIN):
                continue
            if gain < -stale * 0.999 and heap and gain < -heap[0][0]:
                heapq.heappush(heap, (-gain, at))
            elif tokens <= self._room:
                self._take(need, tokens)

    def _is_alone(self, at: int, candidate: Candidate) -> bool:
        """Whether a candidate may be taken for itself."""
        s = candidate.statement
        return at not in self.chosen and ONLY_LEADS.isdisjoint(s.flags) and not _says_little(s)

    def _bundle(self, at: int) -> list[int]:
        """What has to be taken with a candidate, itself first."""
        need: list[int] = []
        said = self._candidates[at].statement
        waiting = [at, self._verdicts.get(said.turn, at) if said.kind == "concluded" else at]
        while waiting:
            here = waiting.pop()
            if here not in self.chosen and here not in need:
                need.append(here)
                leads = self._candidates[here].statement.leads
                waiting += self._step_before(here)
                held = [self._place[id(lead)] for lead in leads if id(lead) in self._place]
                waiting += held
                if held and self._lists[here]:  # each item of a list comes before what more is said of one
                    is_bare = {"opens", "vague"} <= {*leads[0].flags} or _FEW.search(leads[0].text)
                    more = is_bare or "\n" in self._candidates[here].statement.text
                    place = self._lists[here if more else held[0]]
                    heads = self._items.get(place, ())
                    waiting += heads if len(heads) <= MOST_HEADS else ()
        own = self._candidates[at]
        says, flags = own.statement.kind, own.statement.flags
        did = says == "changed" or (says == "concluded" and "change" in flags)
        order = self._orders.get(own.episode, at) if did else at
        bundle = self._bundle(order) if order != at else []
        if sum(self._candidates[n].tokens for n in bundle) <= ORDER_TOKENS:
            need += [n for n in bundle if n not in need]
        return need

    def _step_before(self, at: int) -> list[int]:
        """The step before one of the user's, where it is the second or third."""
        s, place = self._candidates[at].statement, self._lists[at]
        found = _STEP.match(s.text) if place and s.kind in WANTED else None
        own = (n for n in range(at - 1, max(at - STEPS_BACK, -1), -1) if self._lists[n] == place)
        mark = f"{int(found[1]) - 1}" if found else ""
        return [n for n in own if found and self._candidates[n].statement.text.lstrip().startswith(mark)][:1]

    def _score(self, at: int) -> tuple[float, int, list[int]]:
        """The gain per token of a candidate, with the tokens and positions of all that it needs."""
        need, candidates = self._bundle(at), self._candidates
        tokens = sum(candidates[n].tokens for n in need)
        tokens += self._header_tokens * len({candidates[n].episode for n in need} - self._used.keys())
        own, s = candidates[at], candidates[at].statement
        value = sum(candidates[n].worth * self._newness(n) for n in need)
        told = self._used.get(own.episode, 0)
        if "alone" in s.flags and s.kind in ALOUD and not {"why", "item"} & {*s.flags}:
            # Who thinks aloud has soon said enough.
            told += self._aloud.get(own.episode, 0) if own.episode != self._newest else 0
        return value / max(tokens, 1) / (1 + told / self._fullness), tokens, need

    def _newness(self, at: int) -> float:
        new = self._novelty[at]
        return max(new, LISTED) if self._lists[at] in self._begun else new

    def _take(self, need: Sequence[int], tokens: int) -> None:
        self._room -= tokens
        for n in need:
            self.chosen[n] = None
            c = self._candidates[n]
            self._used[c.episode] += 0 if c.required or c.statement.kind == "asked" else c.tokens
            self._asked[c.statement.turn] += c.tokens * (c.statement.kind == "asked")
            self._aloud[c.episode] += c.tokens * (c.statement.kind in ALOUD)
            self._novelty.choose(n)
            if (own := self._lists[n]) is not None:
                self._begun.add(own)
