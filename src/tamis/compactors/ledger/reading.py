"""What the method knows of a session: the ledger's reader and the mentions, read on with every compaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tamis.errors import InputError
from tamis.ledger import LedgerReader, State
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import names_in
from tamis.messages import Message

MOST_NAMES = 20_000
"""Names remembered from one compaction to the next; beyond them the likelier half is kept."""

CARRY_FORMAT = "tamis-ledger/1"


@dataclass(kw_only=True, slots=True)
class Reading:
    """A session as far as it was read."""

    reader: LedgerReader
    mentions: Mentions

    @classmethod
    def begin(cls) -> Reading:
        """Nothing read yet."""
        return cls(reader=LedgerReader(), mentions=Mentions())

    @classmethod
    def resume(cls, carry: Mapping[str, Any]) -> Reading:
        """Go on where `carry` stopped.

        Raises:
            InputError: not this method's carry, or one of another version.
        """
        if carry.get("format") != CARRY_FORMAT:
            raise InputError(
                f"the previous compaction carries {carry.get('format')!r}, not {CARRY_FORMAT!r}; "
                "compact from the original session, or without a previous compaction"
            )
        return cls(
            reader=LedgerReader.restore(carry["reader"]), mentions=Mentions.from_json(carry["mentions"])
        )

    def read(self, messages: Iterable[Message]) -> None:
        """Take in more messages."""
        for message in messages:
            events = self.reader.read(message)
            touched = {e.subject for e in events if e.kind == "file"}
            self.mentions.read(message, home=touched.pop() if len(touched) == 1 else None)

    @property
    def state(self) -> State:
        """What holds now."""
        return self.reader.state

    def given_up(self) -> set[str]:
        """Names that stand only in what was replaced: nobody should read them as if they held."""
        state = self.state
        replaced = Counter(
            name.text
            for entry in state.constraints
            for rule in entry.superseded
            for name in names_in(rule.text)
        )
        mentions = self.mentions.names
        return {n for n, times in replaced.items() if n in mentions and mentions[n].total <= times}

    def forget(self, likelihood: Mapping[str, float]) -> None:
        """Keep the likeliest names only, so that a session's length does not grow into what is carried on."""
        names = self.mentions.names
        if len(names) > MOST_NAMES:
            kept = set(sorted(likelihood, key=lambda n: (-likelihood[n], n))[: MOST_NAMES // 2])
            likely = {name: mention for name, mention in names.items() if name in kept}
            self.mentions = replace(self.mentions, names=likely)

    def carry(self) -> dict[str, Any]:
        """What the next compaction needs, as JSON values."""
        return {
            "format": CARRY_FORMAT,
            "reader": self.reader.snapshot(),
            "mentions": self.mentions.to_json(),
        }
