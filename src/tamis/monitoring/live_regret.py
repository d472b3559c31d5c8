"""Live regret: a need for something that was taken out, and its cost.

A `RegretWatch` is fed each message that is appended to a conversation, and told of each compaction. From the
first compaction on it says of every message what in it would not have been needed had nothing been taken out:
a recall, a file read again, a call made again, a question asked again, a name that stands nowhere any more.
The last of these is what hindsight counts, and with one compaction the turns are the same.
"""

from collections import Counter as Count
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tamis.messages import Counter, Message, count_messages
from tamis.monitoring.entries import EntrySource, LogEntry, RegretEntry, RegretKind, RunMode, TurnsEntry
from tamis.monitoring.repeated_calls import CallOutputs
from tamis.monitoring.repeated_questions import UserQuestions
from tamis.text.names import message_names
from tamis.text.needed_names import FirstUses, SearchableContext, refetch_tokens


@dataclass(frozen=True, kw_only=True, slots=True)
class LiveRegret:
    """One need for something that was taken out.

    `what` is the path, the call, the question or the names: words of the session, for the eyes of its owner.
    `tokens` is the cost: of a call, the call and what it gave back; of a question, the message that asks; of
    names, a cheap set of the messages that they would have to be read in again. `turn` counts the agent's
    turns since the first compaction, from 1; `new_turn` is set on the first regret of a turn.
    """

    kind: RegretKind
    what: tuple[str, ...]
    tokens: int
    turn: int
    new_turn: bool
    message_id: str


class RegretWatch:
    """Watches one conversation. Not safe for several threads at once; its owner locks.

    Work for a message does not grow with the session. A recall, a read and a call count when their result is
    there, as the cost is known only then.

    >>> from tamis.messages import Text, get_counter
    >>> def says(id, role, text):
    ...     return Message(id=id, role=role, parts=(Text(text=text),))
    >>> watch = RegretWatch(get_counter("estimate"))
    >>> asked = says("1", "user", "Make src/totals.py skip empty rows.")
    >>> watch.append(asked), watch.compacted([asked], shown=[])
    ((), None)
    >>> [seen.what for seen in watch.append(says("2", "assistant", "Next is src/totals.py"))]
    [('src/totals.py',)]
    >>> watch.turns, watch.regret_turns, watch.rate
    (1, 1, 1.0)
    """

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._outputs = CallOutputs(counter=counter)
        self._questions = UserQuestions()
        self._carriers: dict[str, list[int]] = {}
        self._costs: list[int] = []
        self._shown = SearchableContext([])
        self._uses = FirstUses(self._carriers.__contains__)
        self._known: set[str] = set()
        self._regretted: set[int] = set()
        self.turns = 0
        self.tokens = 0
        self.by_kind: Count[RegretKind] = Count()

    @property
    def regret_turns(self) -> int:
        """How many turns needed something that was taken out."""
        return len(self._regretted)

    @property
    def rate(self) -> float | None:
        """Regret turns / turns since the first compaction; None before the first turn."""
        return self.regret_turns / self.turns if self.turns else None

    @property
    def is_watching(self) -> bool:
        """Whether anything was taken out so far."""
        return bool(self._costs)

    def append(self, message: Message) -> tuple[LiveRegret, ...]:
        """Take in the next message, and say what in it is regret."""
        self._known.add(message.id)
        is_turn = message.role == "assistant" and self.is_watching
        self.turns += is_turn
        again = self._outputs.read(message, self.turns)
        asked = self._questions.read(message)
        if not self.is_watching:
            return ()
        missing = sorted(name for name in self._uses.take(message) if name not in self._shown)
        found = [self._regret(a.kind, (a.asked,), a.tokens, message, turn=a.turn) for a in again if a.turn]
        if asked:
            (tokens,) = count_messages([message], self._counter)
            found.append(self._regret("asked_again", tuple(asked), tokens, message, turn=self.turns))
        if missing:
            tokens = refetch_tokens(set(missing), self._carriers, self._costs)
            found.append(self._regret("name", tuple(missing), tokens, message, turn=self.turns))
        return tuple(found)

    def compacted(self, taken_out: Sequence[Message], *, shown: Sequence[Message]) -> None:
        """Messages were taken out, and all that the agent sees from now on is `shown`.

        What was never appended is read now, and judged for nothing.
        """
        for message in (*taken_out, *shown):
            if message.id not in self._known and message.origin != "summary":
                self._known.add(message.id)
                self._outputs.read(message, 0)
                self._questions.read(message)
        for message, tokens in zip(taken_out, count_messages(taken_out, self._counter), strict=True):
            for name in message_names(message):
                self._carriers.setdefault(name.text, []).append(len(self._costs))
            self._costs.append(tokens)
        ids = [message.id for message in taken_out]
        self._outputs.take_out(ids, shown)
        self._questions.take_out(ids, shown)
        self._shown = SearchableContext(shown)
        self._uses = FirstUses(self._carriers.__contains__)

    def _regret(
        self, kind: RegretKind, what: tuple[str, ...], tokens: int, message: Message, *, turn: int
    ) -> LiveRegret:
        new_turn = turn not in self._regretted
        self._regretted.add(turn)
        self.tokens += tokens
        self.by_kind[kind] += 1
        return LiveRegret(
            kind=kind, what=what, tokens=tokens, turn=turn, new_turn=new_turn, message_id=message.id
        )


class ConversationRegret:
    """A `RegretWatch` that knows whose conversation it watches, and tells what it sees as entries."""

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
