"""What is looked at and what is spoken of: a look is told only where a sentence leans on it."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.ledger.files.file_tools import shape_of
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.discourse_cues import points_back
from tamis.text.terms import all_terms_of

SPOKEN_CHARS = 60_000
SOON, FEW, LEAST_SHARE = 6, 2, 0.25
"""So many messages behind a look, so many words that are new show that it was taken up; a name does later. Of
many lines that are copied, for so large a part of them one was."""

NAME = re.compile(
    r"\b(?=[A-Za-z]{0,60}(?:[\d_]|[.-]\w|[a-z][A-Z]))(?:[A-Za-z_](?:[\w.-]{1,80}\w)|\d[\w.]{1,80}\w)"
)
"""What no plain word is: a file, an identifier, a hash, a number of some length."""

_NUMBERED = re.compile(r"\A\s{0,12}\d{1,7}\s?[→|:\t]")
_CAME = re.compile(r" → | failed: ")
ASKS = re.compile(
    r"cd |git fetch\b|[\w./-]{1,60} (?:[\w-]{1,30} )?"
    r"(?:status|list|ls|info|version|ready|search|(?:--show-)?current)\b"
)
"""Part of a command line that asks a program how things stand."""

_IT = re.compile(r"(?:it|they)(?:['’](?:s|re)| (?:is|are|was|were|has|have|does|do))\b", re.IGNORECASE)
_TOLD_FOR_ITSELF = frozenset({"record", "page", "seen", "agent"})


class Spoken:
    """At which message each word was said or given to a call first, by anybody; outputs say nothing."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self.last = -1  # where the agent last spoke, or did more than open files

    def take(self, message: Message, turn: int) -> None:
        """Take in the next message."""
        texts = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        only_opens = bool(message.calls) and all(shape_of(call) == "read" for call in message.calls)
        goes_on = message.role == "assistant" and not (only_opens and not any(map(str.strip, texts)))
        texts += [str(list(call.arguments.values())) for call in message.calls]
        said = "\n".join(texts)[:SPOKEN_CHARS]
        for word in (*map(str.lower, NAME.findall(said)), *all_terms_of(said)):
            self._first.setdefault(word, turn)
        self.last = turn if goes_on else self.last

    def takes_up(self, shown: str, turn: int) -> bool:
        """Whether what a call of a message showed was new then, and spoken of later."""
        names, words = self._new_in(shown, turn)
        return names > 0 or words >= FEW

    def takes_most(self, shown: str, turn: int) -> bool:
        """Whether much of a text of many lines was taken up: a name or two are in any by chance."""
        lines = [_NUMBERED.sub("", line) for line in shown.splitlines()]
        names, words = self._new_in("\n".join(lines), turn)
        return names + words / FEW >= LEAST_SHARE * sum(map(bool, lines))

    def _new_in(self, shown: str, turn: int) -> tuple[int, int]:
        """How many names a text holds that are spoken of first later, and how many words soon are."""
        names = {*map(str.lower, NAME.findall(shown))}
        words = {word for word in all_terms_of(shown) if len(word) > 2} - names
        return self._many(names, turn, self.last), self._many(words, turn, turn + SOON)

    def _many(self, words: Set[str], turn: int, end: int) -> int:
        return sum(turn < self._first.get(word, -1) <= end for word in words)


def leans_on_deed(s: Statement, text: str) -> bool:
    """Whether a sentence of this text speaks of the deed before it: "The output shows", a first "It is"."""
    return not s.leads and (points_back(text) or (s.key == "0" and _IT.match(text) is not None))


def weighed(statements: Sequence[Statement], since: int, last: int) -> list[Statement]:
    """The statements; from a message on, looks that no sentence leans on are marked as `idle`.

    What a look showed is told by what was said of it and done with it; the agent can look again. The newest
    call, at `last`, nobody has spoken of yet.
    """
    held = {id(lead) for s in statements for lead in s.leads}
    deed = None
    for s in statements:
        if s.kind in WORDS and leans_on_deed(s, s.text):
            held.add(id(deed))
        deed = s if s.kind in DEEDS else deed
    return [
        replace(s, flags=(*s.flags, "idle"))
        if since <= s.turn < last and id(s) not in held and _looks(s) and "idle" not in s.flags
        else s
        for s in statements
    ]


def _looks(s: Statement) -> bool:
    """Whether a deed did no more than look at files, or ask a program how things stand."""
    asks = s.kind == "ran" and s.text.startswith("ran `") and all(map(ASKS.match, s.key.split(" && ")))
    looks = "reads" in s.flags or asks
    is_bare = "short" in s.flags and _CAME.search(s.text) is None
    return bool(looks) and not is_bare and _TOLD_FOR_ITSELF.isdisjoint(s.flags)
