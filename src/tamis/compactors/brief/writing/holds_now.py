"""What of the candidates still holds at the end of the span: where no heading says that a word is older."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from tamis.compactors.brief.choice.selection import KEPT, Candidate
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, spoken_of_before
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement, is_order, request_turns
from tamis.ledger.speech.requests import is_steering
from tamis.text.cues.discourse_cues import leans

LEAST_FOR_OLDER = 200
"""In fewer tokens a brief tells nothing that the agent said before its newest report."""

LEAST_FOR_FRAME = 120
"""In fewer tokens a brief has a short frame, and no details."""

_ASIDE, _OPENS = frozenset({"detail", "boilerplate", "courtesy"}), frozenset({"heading", "opens"})
_NO_OUTCOME = frozenset({"announces", "question", "heading", "opens", "code", "table", "vague"})
_EFFECTS = frozenset({"changed", "committed", "posted"})
_NEWS = frozenset({"cause", "found", "state", "verdict"})

_SEEMS = re.compile(r"it (?:seems|appears|looks like) (?:that )?", re.IGNORECASE)
_AS_IT_WAS = re.compile(r"(?:there (?:is|are|seems?)|currently|at the moment|right now)\b", re.IGNORECASE)
"""Begins what a request tells of how things were before it was answered."""
_THIS = re.compile(r"\A[^?]{0,200}\b(?:this|these|that)\b[^?]{0,200}\?", re.IGNORECASE)
"""A question that does not name what it is about."""
_STEPS = re.compile(r"\b(?:reproduc\w*|steps|environment|versions?)\b[^\n]{0,40}\Z", re.IGNORECASE)
"""Opens how to see what an issue tells of, and where it was seen."""
_OF_NO_STATE = ("reverted ", "read ", "took up ", "handed to ")
"""Begins a deed that, told alone, says nothing of how the work stands, or the contrary."""


@dataclass(frozen=True, kw_only=True)
class HoldsNow:
    """Whether what may be told still holds: one question for each kind of statement.

    Of the agent's words only those hold that came after the newest request and the last change, and what a
    request leans on; of what was asked, what is not answered; of deeds, what the work still stands on.

    Args:
        candidates: what may be told, in its order.
        edits: what was changed, by place.
        room: the tokens of the brief.
        closed: whether the agent has answered the newest request.
        works: whether anything was done, and not only said.
        steps: whether tasks are open.
        answered: the turns of the requests that were answered.
    """

    candidates: Sequence[Candidate]
    edits: Sequence[EditedPlace]
    room: int
    closed: bool
    works: bool
    steps: bool
    answered: Set[int]

    def __call__(self, c: Candidate) -> bool:
        """Whether a candidate holds."""
        if not self.works:
            return True
        if c.statement.kind in WORDS:
            return self._holds_of_words(c.statement)
        return self._holds_of_request(c) if c.statement.kind == "asked" else self._holds_of_deed(c)

    def _holds_of_words(self, s: Statement) -> bool:
        if id(s) in self.leads:
            return True
        is_one = "item" in s.flags and "\n" not in s.text  # of several, and says little alone
        if is_one or id(s) in self.early or is_order(s):
            return False
        is_own = "reply" in s.flags or "runs-on" not in s.flags
        is_own = is_own or (not self.closed and s.turn == self.spoke and not leans(_SEEMS.sub("", s.text)))
        return is_own and (self._lasts(s) or (s.turn == self.spoke and self.ends and tells(s)))

    def _lasts(self, s: Statement) -> bool:
        """Whether words are a finding since the newest request that no change has overtaken."""
        is_found = s.kind in ("found", "concluded") and s.turn > self.newest_asked
        is_newest = s.turn > self.changed or {"cause", "why"} & {*s.flags} == {"cause"}
        return is_found and is_newest and self.room >= LEAST_FOR_OLDER

    def _holds_of_request(self, c: Candidate) -> bool:
        s = c.statement
        if self._is_settled(c):
            return False
        if any(_STEPS.search(o.text.rstrip(":")) for o in (s, *s.leads) if "opens" in o.flags):
            return False
        newest_edit = () if self._details or c.leads or "item" not in s.flags else self.edits[-1:]
        if any(p.turn > s.turn and p.file in s.text for p in newest_edit):
            return False  # it does this
        opens = id(s) in self.leads and _OPENS & {*s.flags}
        is_last = c.required == 1 and (self._details or "wants" in s.flags or self.steps)
        is_last = is_last or "order" in s.flags
        is_last = is_last or c.required == KEPT
        return c.leads or bool(opens) or is_last or not _ASIDE & {*s.flags}

    def _is_settled(self, c: Candidate) -> bool:
        """Whether what was asked is answered, agreed to, or done by its steps."""
        s = c.statement
        was = _AS_IT_WAS.match(s.text) and not {"first", "whole"} & {*s.flags}
        if self.closed and (was or any(head < (s.turn, s.place) for head in self._heads)):
            return True  # its steps were taken
        if s.turn in self.answered and not (s.turn == self.newest_asked or c.leads or id(s) in self.leads):
            return True
        yes = "?) " in s.text and is_steering(s.text.rpartition("?) ")[2])
        if yes and (s.turn < self.newest_asked or _THIS.search(s.text)):
            return True  # what was agreed to stands in the agent's words
        topic = s.turn in (self.newest_asked, self._first if "whole" in s.flags else -1)
        answers = s.turn < self.newest_asked and any(is_answered(lead, s.text) for lead in s.leads)
        is_asked = s.text.endswith("?") and not topic and id(s) not in self.leads
        return not c.leads and (answers or is_asked)

    def _holds_of_deed(self, c: Candidate) -> bool:
        s = c.statement
        if s.kind == "committed" and s.turn < self.newest_asked:
            return False  # for a request of which nothing is told
        if not c.required and ({"trial", "outline"} & {*s.flags} or s.turn < self.changed):
            return False  # the work stands otherwise since
        if len(self.edits) > 1 and ": removed " in s.text and " ; put in " not in s.text:
            return False  # alone it tells the contrary of what the others put in
        is_now = c.required > 0 or (self._details and id(s) not in self.early)
        return is_now and not s.text.startswith(_OF_NO_STATE)

    @property
    def _details(self) -> bool:
        return self.room >= LEAST_FOR_FRAME

    @cached_property
    def told(self) -> list[Statement]:
        """The statements of the candidates."""
        return [c.statement for c in self.candidates]

    @cached_property
    def asked(self) -> list[Statement]:
        """What the user asked."""
        return [s for s in self.told if s.kind == "asked"]

    @cached_property
    def newest_asked(self) -> int:
        """The turn of the newest request."""
        return max((s.turn for s in self.asked), default=-1)

    @cached_property
    def waits(self) -> list[Statement]:
        """What was asked and is not answered, with the newest request."""
        return [s for s in self.asked if s.turn == self.newest_asked or s.turn not in self.answered]

    @cached_property
    def leads(self) -> set[int]:
        """What a request that waits leans on, by identity."""
        return {id(lead) for s in self.waits for lead in s.leads if not is_answered(lead, s.text)}

    @cached_property
    def early(self) -> set[int]:
        """What was said of a place before it was edited, by identity."""
        stale = {id(s) for s in self.told if {"restore", "stale"} <= {*s.flags}}
        return spoken_of_before(self.told, self.edits) | stale

    @cached_property
    def changed(self) -> int:
        """The turn of the last change."""
        effects = (s.turn for s in self.told if s.kind in _EFFECTS and "trial" not in s.flags)
        return max(effects, default=-1)

    @cached_property
    def _first(self) -> int:
        return next(iter(request_turns(self.told)), -1)

    @cached_property
    def _heads(self) -> list[tuple[int, tuple[int, int]]]:
        own = [s for s in self.asked if s.turn == self.newest_asked and "heading" in s.flags]
        return [(s.turn, s.place) for s in own][: not self.steps]

    @cached_property
    def _spoken(self) -> list[Statement]:
        return [s for s in self.told if s.kind in WORDS and s.kind != "thought"]

    @cached_property
    def ends(self) -> bool:
        """Whether the agent spoke after the last change: an answer stands with the words that it answers."""
        spoke = max((s.turn for s in self._spoken), default=-1)
        return spoke > self.changed and spoke >= self.newest_asked

    @cached_property
    def spoke(self) -> int:
        """The turn at which the agent last said how things stand."""
        spoke = max((s.turn for s in self._spoken), default=-1)
        if not self.ends or self.closed:
            return spoke
        since = (s for s in self._spoken if s.turn > self.changed and s.turn >= self.newest_asked)
        acted = max(
            (s.turn for s in self.told if s.kind in DEEDS), default=-1
        )  # what failed may go well since
        telling = (s for s in since if id(s) not in self.early and tells(s))
        return max((s.turn for s in telling if "why" not in s.flags or s.turn >= acted), default=spoke)


def tells(s: Statement) -> bool:
    """Whether the agent's words say by themselves how things stand."""
    if "reply" in s.flags or opens_with_change(s):
        return True
    if {"guess", "found"} & {*s.flags} == {"guess"}:
        return False
    return _NO_OUTCOME.isdisjoint({*s.flags} - ({"vague"} if _NEWS & {*s.flags} else set()))


def opens_with_change(s: Statement) -> bool:
    """Whether a message begins by telling what was done."""
    return s.key == "0" and {"change", "prose"} <= {*s.flags} and "opens" not in s.flags


def is_answered(lead: Statement, answer: str) -> bool:
    """Whether an answer says more than yes or no to the question that it leans on."""
    return lead.text.endswith("?") and (not is_steering(answer) or any(map(str.isdigit, answer)))
