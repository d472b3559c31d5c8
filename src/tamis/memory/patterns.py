"""L2: patterns across iterations: errors by their meaning, and what made them go away.

Errors are the same by type, message and place, other lines by their words. Addresses, folders and counts
differ from one sighting to the next; what tells errors apart stays: a compiler's code (`TS2345`), a status
(`HTTP 404`), an exit code.

An error that was seen in five iterations is one pattern with a count. It is `fixed` by the run that showed it
gone; the files changed since it was last seen say what that took.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from tamis.compactors.brief import one_line
from tamis.ledger.events import ErrorMessage, Event, FileChange
from tamis.ledger.outputs.error_messages import error_signature, errors_in_output
from tamis.ledger.state import State

_TELLING = re.compile(
    r"\b[A-Z]{1,5}\d+\b|(?i:\b(?:http|status|code|errno|exit|exited|signal|sqlstate)\b\D{0,12})\d+"
)
_AS_LETTERS = str.maketrans("0123456789", "ghijklmnop")
_MAY_REPORT = re.compile(r"rror|xception|[Ff]ail|FAIL|atal|FATAL|anic|annot|denied|[Nn]ot |[Nn]o such|unde")
"""One of these stands in nearly every error; a line without any is not looked at more closely."""

_MARKS = re.compile(r"^[\W_]+|(?<=\s)[*#>-]+(?=\s)")


def error_meaning(error: ErrorMessage) -> str:
    """What two sightings of one error share, however they are numbered and wherever the folder lies.

    >>> error_meaning(ErrorMessage(message="HTTP 404 after 3 tries")) == error_meaning(
    ...     ErrorMessage(message="HTTP 404 after 5 tries")
    ... )
    True
    >>> error_meaning(ErrorMessage(message="HTTP 404")) == error_meaning(ErrorMessage(message="HTTP 500"))
    False
    """
    told = _TELLING.sub(lambda match: match[0].translate(_AS_LETTERS), error.message)
    return error_signature(ErrorMessage(message=" ".join(told.split()), type=error.type, place=error.place))


@lru_cache(maxsize=20_000)  # the same lines are judged at every pass
def meaning_of(text: str) -> str:
    """What two texts share that say the same: as an error where it is one, else by its words.

    >>> meaning_of("- ValueError: bad port 80") == meaning_of("ValueError: bad port 8080")
    True
    """
    bare = _MARKS.sub("", text).strip()
    if _MAY_REPORT.search(bare) and (found := errors_in_output(bare, None)):
        return f"error {error_meaning(found[-1].error)}"  # the last one, where a traceback tells it
    return " ".join(bare.lower().split())


MAX_PATTERNS = 200
"""So many are remembered; of a longer session, the fixed ones seen longest ago go first."""

MAX_FIX_FILES = 4
_CHANGES = frozenset({"created", "modified", "deleted", "renamed"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """One error over the session.

    `error` is its newest sighting; `first` and `last` are iterations; `count` is how often it was printed.
    `fixed_in` is the iteration that showed it gone, `fixed_by` the files changed since it was last seen.
    """

    error: ErrorMessage
    first: int
    last: int
    count: int
    fixed_in: int | None = None
    fixed_by: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What all its sightings share."""
        return f"error {error_meaning(self.error)}"

    @property
    def text(self) -> str:
        """As it is told: the message, where, how often, and how it ended."""
        place = f" at {self.error.place}" if self.error.place else ""
        often = f" ({self.count}x, iterations {self.first}-{self.last})" if self.count > 1 else ""
        told = f"{one_line(self.error.message)}{place}{often}"
        if self.fixed_in is None:
            return told
        by = f" after changing {', '.join(self.fixed_by)}" if self.fixed_by else ""
        return f"{told}: gone in iteration {self.fixed_in}{by}"


class Patterns:
    """Takes in one iteration after another."""

    def __init__(self) -> None:
        self._patterns: dict[str, Pattern] = {}
        self._changed: dict[str, int] = {}

    def read(self, number: int, events: Iterable[Event], state: State) -> None:
        """Add what an iteration printed; `state` is what holds at its end."""
        for event in events:
            if isinstance(event.value, ErrorMessage):
                self.see(event.value, number)
            elif isinstance(event.value, FileChange) and event.value.action in _CHANGES:
                self._changed[event.value.path] = number
        gone = {error_meaning(entry.value.error) for entry in state.errors if entry.value.resolved}
        standing = {error_meaning(entry.value.error) for entry in state.errors if not entry.value.resolved}
        for meaning in gone - standing:
            pattern = self._patterns.get(meaning)
            if pattern is not None and pattern.fixed_in is None:
                files = tuple(path for path, when in self._changed.items() if when >= pattern.last)
                self._patterns[meaning] = replace(pattern, fixed_in=number, fixed_by=files[-MAX_FIX_FILES:])
        self._bound()

    def see(self, error: ErrorMessage, number: int) -> None:
        """Count one sighting; an error that was gone and is back is open again."""
        meaning = error_meaning(error)
        known = self._patterns.pop(meaning, None)
        first, before = (known.first, known.count) if known else (number, 0)
        self._patterns[meaning] = Pattern(error=error, first=first, last=number, count=before + 1)

    def open(self) -> list[Pattern]:
        """Errors that nothing shows gone, those printed most often first, of equals the newest."""
        found = [p for p in reversed(self._patterns.values()) if p.fixed_in is None]
        return sorted(found, key=lambda p: -p.count)

    def fixed(self) -> list[Pattern]:
        """Errors that were overcome, the latest first."""
        found = [p for p in self._patterns.values() if p.fixed_in is not None]
        return sorted(found, key=lambda p: -(p.fixed_in or 0))

    def to_json(self) -> list[Any]:
        """Everything as JSON values; `from_json` gives the same back."""
        rows = []
        for meaning, p in self._patterns.items():
            error = [p.error.message, p.error.type, p.error.place, p.error.command]
            rows.append([meaning, error, p.first, p.last, p.count, p.fixed_in, list(p.fixed_by)])
        return [rows, self._changed]

    @classmethod
    def from_json(cls, data: list[Any]) -> Patterns:
        """What `to_json` gave."""
        patterns = cls()
        rows, patterns._changed = data[0], dict(data[1])
        for meaning, (message, kind, place, command), first, last, count, fixed_in, fixed_by in rows:
            patterns._patterns[meaning] = Pattern(
                error=ErrorMessage(message=message, type=kind, place=place, command=command),
                first=first,
                last=last,
                count=count,
                fixed_in=fixed_in,
                fixed_by=tuple(fixed_by),
            )
        return patterns

    def _bound(self) -> None:
        known = self._patterns
        if (over := len(known) - MAX_PATTERNS) > 0:
            order = sorted(known, key=lambda m: (known[m].fixed_in is None, known[m].last))
            for meaning in order[:over]:
                del known[meaning]
