"""Leaks: questions that somebody could answer without having seen the span; these prove nothing.

Such a question is told by where its answer can be had:

- `wording`: the question holds it;
- `general knowledge`: anybody would guess it, told by short lists of such values and such phrases. Put the
  probes to a model with no context (`examination.ask_blind`) to find more;
- `in view`: the lexical reader answers it from what is in view beside the compaction, as the system prompt;
- `tail`: a message behind the cut tells it. There the rule is that of hindsight: what a user or a tool says
  before the agent itself has used it could be had without the span. What the agent says first it must have
  known, so a question about it stays: it is what the agent went on to need.

One message of the tail must tell it all: the answer, and every name that the question asks about. That a path
stands somewhere behind the cut does not say what was changed in it.
"""

import re
from collections.abc import Sequence
from typing import Literal, get_args

from tamis.evals.probing.drafts import ProbeDraft
from tamis.evals.probing.exact_scorer import AnswerScore, credit, score_answer, words_of
from tamis.evals.probing.probes import Expected, Probe
from tamis.evals.probing.readers import LexicalReader
from tamis.messages import Message, message_text
from tamis.text.key_words import key_words
from tamis.text.names import names_in, stands_in

LeakReason = Literal["unproven", "ambiguous", "wording", "general knowledge", "in view", "tail"]
REASONS: tuple[LeakReason, ...] = get_args(LeakReason)
LEAKS_FROM = 0.75
"""The share of the expected items that gives a question away, where they can be had without the span."""

_GUESSABLE = """
0 1 2 3 4 5 10 100 80 200 404 443 500 8000 8080 true false none null utf-8 main master localhost 127.0.0.1
readme.md setup.py __init__ __init__.py package.json makefile pytest python ls n/a tbd todo unknown undefined
"""
GUESSABLE = frozenset(_GUESSABLE.split())  # values that anybody would guess
_PLACEHOLDER = re.compile(r"(?:my|your|some)[_-]\w+|<[^<>]{1,40}>|x{3,}", re.IGNORECASE)
"""What stands in the place of a value."""

STOCK_WORDS = key_words(
    "no such file or directory; not a directory; command not found; permission denied; file exists; errno; "
    "cannot access, open, stat; error, exception, warning, failed, failure"
)
"""Words of messages that say nothing but what every system says."""


class Surroundings:
    """What there is besides the compacted span, ready to be searched."""

    def __init__(self, in_view: Sequence[Message] = (), tail: Sequence[Message] = ()) -> None:
        """`in_view` stays beside the compaction; `tail` is what came behind the cut, in order."""
        self._view, self._reader = tuple(in_view), LexicalReader()
        self._tail = [(message.role == "assistant", message_text(message)) for message in tail]

    def leak(self, draft: ProbeDraft) -> LeakReason | None:
        """Where the answer can be had."""
        if self._view and self._is_in_view(draft):
            return "in view"
        asked, names = key_words(draft.question), names_in(draft.question)
        named = [n.text.rpartition("/")[2] or n.text if n.kind == "path" else n.text for n in names]
        unknown, enough = list(draft.expected), LEAKS_FROM * len(draft.expected)
        for by_agent, text in self._tail:
            if by_agent:  # what it says before anybody else it must have known
                unknown = [item for item in unknown if _credit(item, text, asked) < LEAKS_FROM]
                continue
            found = sum(_credit(item, text, asked) for item in unknown)
            if found >= enough and all(stands_in(name, text) for name in named):
                return "tail"
        return None

    def _is_in_view(self, draft: ProbeDraft) -> bool:
        probe = Probe(
            id="", kind=draft.kind, question=draft.question, expected=draft.expected, closed=draft.closed
        )
        score = score_answer(probe, self._reader.look_up(draft.question, self._view))
        return isinstance(score, AnswerScore) and score.is_answered


def find_fault(draft: ProbeDraft, beside: Surroundings) -> LeakReason | None:
    """Why a question that the span answers proves nothing; None where it is good."""
    asked = key_words(draft.question)
    if any(_is_given_away(item, draft.question, asked) for item in draft.expected):
        return "wording"
    if all(_is_guessed(item, asked) for item in draft.expected):
        return "general knowledge"
    return beside.leak(draft)


def _is_given_away(item: Expected, question: str, asked: frozenset[str]) -> bool:
    if item.type == "text":
        return not key_words(item.value) - asked
    name = item.value.rpartition("/")[2] if item.type == "path" else item.value
    return stands_in(name, question) if name else True


def _is_guessed(item: Expected, asked: frozenset[str]) -> bool:
    if item.value.lower() in GUESSABLE or (item.type != "path" and _PLACEHOLDER.fullmatch(item.value)):
        return True
    return item.type == "text" and key_words(item.value) - asked <= STOCK_WORDS


def _credit(item: Expected, text: str, asked: frozenset[str]) -> float:
    """`credit`, with a quick look first: most texts hold nothing of most items."""
    if item.type == "text":
        words = key_words(item.value) - asked
        if len(words & words_of(text)) < LEAKS_FROM * len(words):
            return 0.0
    return credit(item, text, asked)
