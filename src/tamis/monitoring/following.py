"""Live regret of one conversation as entries: each turn, and each need for what was taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tamis.messages import Counter, Message
from tamis.monitoring.entries import Entry, Mode, RegretSeen, Source, Turns
from tamis.monitoring.regret import RegretWatch


class Follower:
    """A `RegretWatch` that knows whose conversation it watches."""

    def __init__(self, counter: Counter, *, source: Source, session: str) -> None:
        self.watch = RegretWatch(counter)
        self._source: Source = source
        self._session = session

    def append(self, messages: Iterable[Message], mode: Mode = "active") -> list[Entry]:
        """Take in what came, and say what it means."""
        entries: list[Entry] = []
        for message in messages:
            turns = self.watch.turns
            found = self.watch.append(message)
            if self.watch.turns > turns:
                entries.append(Turns(source=self._source, mode=mode, session=self._session))
            entries += (
                RegretSeen(
                    source=self._source,
                    mode=mode,
                    session=self._session,
                    kind=regret.kind,
                    tokens=regret.tokens,
                    turn=regret.turn,
                    new_turn=regret.new_turn,
                    names=len(regret.what) if regret.kind == "name" else 0,
                )
                for regret in found
            )
        return entries

    def compacted(self, taken_out: Sequence[Message], shown: Sequence[Message]) -> None:
        """Something was taken out, and this is shown now."""
        self.watch.compacted(taken_out, shown=shown)
