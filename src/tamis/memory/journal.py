"""The journal: ended iterations, in the archive first.

An iteration that `write` returned for is on the disk. After a crash `load` gives back the history as it was
last saved and every iteration behind it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tamis.archive import Archive
from tamis.errors import BadArchive
from tamis.memory.history import History
from tamis.memory.iterations import Iteration
from tamis.memory.settings import Levels
from tamis.messages import Counter

SAVE_EVERY = 10
"""Iterations between two saves of the history; as many are read again after a crash."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Journal:
    """One session's journal in an archive."""

    archive: Archive
    session_id: str

    def write(self, iteration: Iteration) -> None:
        """Put an iteration on the disk.

        Raises:
            BadArchive: it could not be written.
        """
        ids = self.archive.put(self.session_id, iteration.messages)
        entry = {"task": iteration.task, "ids": ids, "outcome": iteration.outcome}
        self.archive.save_snapshot(self._key(iteration.number), entry)

    def save(self, history: History) -> None:
        """Put the history on the disk, in the place of the one before.

        Raises:
            BadArchive: it could not be written.
        """
        self.archive.save_snapshot(self._key(), history.to_json())

    def load(self, counter: Counter, levels: Levels) -> History:
        """The history as it was last saved; an empty one where there is none."""
        saved = self.archive.load_snapshot(self._key())
        return History.from_json(saved, counter, levels) if saved else History(counter, levels)

    def behind(self, number: int) -> Iterator[Iteration]:
        """The iterations that were written behind this number, in order."""
        while (entry := self.archive.load_snapshot(self._key(number + 1))) is not None:
            number += 1
            messages = tuple(self.archive.get(id_) for id_ in entry["ids"])
            outcome = entry.get("outcome")
            yield Iteration(number=number, task=entry["task"], messages=messages, outcome=outcome)

    def _key(self, number: int | None = None) -> str:
        return f"{self.session_id}/memory" + ("" if number is None else f"/{number}")


class JournalWriter:
    """Writes to a journal; where that fails the loop goes on, and the next write tries again."""

    def __init__(self, journal: Journal | None) -> None:
        self._journal = journal
        self._unwritten: list[Iteration] = []
        self._unsaved = 0
        self.trouble: str | None = None

    def write(self, iteration: Iteration) -> bool:
        """Whether the iteration, and all before it, are on the disk."""
        if self._journal is None:
            return False
        self._unwritten.append(iteration)
        try:
            while self._unwritten:
                self._journal.write(self._unwritten[0])
                del self._unwritten[0]
        except BadArchive as error:
            self.trouble = f"{len(self._unwritten)} iterations are in memory only: {error}"
            return False
        self.trouble = None
        return True

    def save(self, history: History, *, now: bool = False) -> None:
        """Save the history from time to time, or `now`."""
        self._unsaved += 1
        if self._journal is None or self._unwritten or not (now or self._unsaved >= SAVE_EVERY):
            return
        try:
            self._journal.save(history)
        except BadArchive as error:
            self.trouble = f"the history is not saved: {error}"
            return
        self._unsaved = 0
