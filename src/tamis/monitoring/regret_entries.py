"""Live regret of one conversation as entries: each turn, and each need for what was taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tamis.messages import Counter, Message
from tamis.monitoring.entries import EntrySource, LogEntry, RegretEntry, RunMode, TurnsEntry
from tamis.monitoring.live_regret import RegretWatch


class ConversationRegret:
    """A `RegretWatch` that knows whose conversation it watches."""

    def __init__(self, counter: Counter, *, source: EntrySource, session: str) -> None:
        self.watch = RegretWatch(counter)
        self._source: EntrySource = source
        self._session = session

    def append(self, messages: Iterable[Message], mode: RunMode = "active") -> list[LogEntry]:
        """Take in what came, and say what it means."""
        entries: list[LogEntry] = []
        for message in messages:
            turns = self.watch.turns
            found = self.watch.append(message)
            if self.watch.turns > turns:
                entries.append(TurnsEntry(source=self._source, mode=mode, session=self._session))
            entries += (
                RegretEntry(
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
