"""What came of looking: a look is told for what it showed first that was spoken of, or worked with, later.

Most looks lead nowhere, or to what was known. Of a list of files or of hits, those that were gone on with are
told, and no others.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from tamis.compactors.brief.reading.deeds.call_text import GAP, JOINT, unended
from tamis.compactors.brief.reading.deeds.salience import LISTS, SEARCHES
from tamis.compactors.brief.reading.statement import DEEDS, WORDS, Statement
from tamis.messages import Message, Text, Thinking
from tamis.text.cues.discourse_cues import points_back
from tamis.text.terms import all_terms_of

SPOKEN_CHARS = 60_000
SOON, FEW, LEAST_SHARE = 6, 2, 0.25
"""So many messages behind a look, so many words that are new show that it was taken up; a name does later. Of
many lines that are copied, for so large a part of them one was."""

_NAME = re.compile(
    r"\b(?=[A-Za-z]{0,60}(?:[\d_]|[.-]\w|[a-z][A-Z]))(?:[A-Za-z_](?:[\w.-]{1,80}\w)|\d[\w.]{1,80}\w)"
)
"""What no plain word is: a file, an identifier, a hash, a number of some length."""

_NUMBERED = re.compile(r"\A\s{0,12}\d{1,7}\s?[→|:\t]")
_CAME = re.compile(r" → | failed: ")
_ASKS = re.compile(r"ran `[\w./-]{1,60} (?:[\w-]{1,30} )?(?:status|list|ls|info|current|version|search)\b")
"""A command that asks a program how things stand."""

_TOLD_FOR_ITSELF = frozenset({"record", "page", "review", "seen", "agent"})


class Spoken:
    """At which message each word was said or given to a call first, by anybody; outputs say nothing."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self.last = -1  # where the agent spoke last

    def take(self, message: Message, turn: int) -> None:
        """Take in the next message."""
        texts = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        texts += [str(list(call.arguments.values())) for call in message.calls]
        said = "\n".join(texts)[:SPOKEN_CHARS]
        for word in (*map(str.lower, _NAME.findall(said)), *all_terms_of(said)):
            self._first.setdefault(word, turn)
        self.last = turn if message.role == "assistant" else self.last

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
        names = {*map(str.lower, _NAME.findall(shown))}
        words = {word for word in all_terms_of(shown) if len(word) > 2} - names
        return self._many(names, turn, self.last), self._many(words, turn, turn + SOON)

    def _many(self, words: Set[str], turn: int, end: int) -> int:
        return sum(turn < self._first.get(word, -1) <= end for word in words)


def weighed(statements: Sequence[Statement], spoken: Spoken, since: int) -> list[Statement]:
    """The statements; of the looks from a message on those that led nowhere marked as `idle`."""
    held = {id(lead) for s in statements for lead in s.leads}
    deed = None
    for s in statements:
        if s.kind in WORDS and not s.leads and points_back(s.text):
            held.add(id(deed))
        deed = s if s.kind in DEEDS else deed
    return [
        _weighed(s, spoken) if since <= s.turn < spoken.last and id(s) not in held else s for s in statements
    ]


def _weighed(s: Statement, spoken: Spoken) -> Statement:
    came = _CAME.search(s.text)
    looks = "reads" in s.flags or (s.kind == "ran" and _ASKS.match(s.text))
    if not looks or not _TOLD_FOR_ITSELF.isdisjoint(s.flags) or (came is None and "short" in s.flags):
        return s
    shown = s.text[came.end() :] if came else ""
    if came and (SEARCHES.match(s.text) or LISTS.match(s.text)):
        shown = _gone_on_with(shown, s.turn, spoken)
    if not spoken.takes_up(shown, s.turn):
        return replace(s, flags=(*s.flags, "idle"))
    return replace(s, text=s.text[: came.end()] + shown) if came else s


def _gone_on_with(shown: str, turn: int, spoken: Spoken) -> str:
    """Of hits or entries, those that were gone on with."""
    entries, joints = JOINT.split(shown), JOINT.findall(shown)
    kept = [at for at, entry in enumerate(entries) if spoken.takes_up(entry, turn)]
    if not kept or len(kept) == len(entries):
        return shown if kept else ""
    told = f"{GAP.strip()} " if kept[0] and entries[0] != GAP.strip() else ""
    for before, at in zip([None, *kept], kept, strict=False):
        told += "" if before is None else joints[before] if at == before + 1 else GAP
        told += entries[at]
    return told if kept[-1] == len(entries) - 1 else unended(told)
