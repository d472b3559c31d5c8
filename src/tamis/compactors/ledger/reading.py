"""What the method knows of a session: the ledger's reader and the mentions, read on with every compaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.compactors.brief import one_line
from tamis.compactors.ledger.items import Item
from tamis.compactors.ledger.layout import Row
from tamis.compactors.ledger.taking_up import (
    FADE,
    SAID,
    BriefExtractor,
    as_told,
    brief_in,
    items_again,
    keeps_no_state,
    take_up_names,
)
from tamis.errors import InputError
from tamis.ledger import LedgerReader, State
from tamis.ledger.mentions import Mentions
from tamis.ledger.names import names_in
from tamis.ledger.statements import statements_in
from tamis.messages import Message

MOST_NAMES = 20_000
"""Names remembered from one compaction to the next; beyond them the likelier half is kept."""

MOST_TOLD = 400
"""Statements and passages that no state holds, remembered from one compaction to the next."""

CARRY_FORMAT = "tamis-ledger/1"


@dataclass(kw_only=True, slots=True)
class Reading:
    """A session as far as it was read.

    `brief` are the rows of an earlier brief that was read; `told` are those of them that no state holds, and
    what the agent stated since; `chances` are its names, with how likely each was
    to be needed at that time.
    """

    reader: LedgerReader
    mentions: Mentions
    brief: list[Row] = field(default_factory=list)
    told: list[Row] = field(default_factory=list)
    chances: dict[str, float] = field(default_factory=dict)
    _begins: bool = field(default=True, init=False)

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
        resumed = cls(
            reader=LedgerReader.restore(carry["reader"]),
            mentions=Mentions.from_json(carry["mentions"]),
            told=[Row.from_json(row) for row in carry.get("told", ())],
            chances=dict(carry.get("chances", {})),
        )
        resumed._begins = False
        return resumed

    def read(self, messages: Iterable[Message]) -> None:
        """Take in more messages. Briefs that come before everything but the system prompt are taken up."""
        for message in messages:
            if self._begins and self._take_up(message):
                continue
            self._begins = self._begins and message.role == "system"
            events = self.reader.read(message)
            here = self.mentions.messages
            stated = (one_line(f"{SAID}{text}") for text in statements_in(message))
            self.told += [Row(section="known", text=text, turn=here) for text in stated]
            touched = {e.subject for e in events if e.kind == "file"}
            self.mentions.read(message, home=touched.pop() if len(touched) == 1 else None)

    def _take_up(self, message: Message) -> bool:
        """Read a brief as what it says; False for a message that is none."""
        rows = brief_in(message)
        if rows is None:
            return False
        self.reader.read(message, extractors=[BriefExtractor(rows)])
        self.chances |= take_up_names(rows, self.mentions)
        self.brief += as_told(rows, self.mentions.messages)
        self.told += filter(keeps_no_state, self.brief)
        self.mentions.messages += 1
        self.mentions.characters += len(message.text)
        self.mentions.asked = True
        return True

    def told_again(self) -> Iterator[Item]:
        """What an earlier brief said that no state holds."""
        return items_again(self.told[-MOST_TOLD:], self.mentions)

    def raise_likelihood(self, likelihood: dict[str, float]) -> None:
        """Names that were worth listing in an earlier brief keep some of that."""
        fade = 0.5 ** (self.mentions.messages / FADE)
        for name, chance in self.chances.items():
            if name in likelihood:
                likelihood[name] = max(likelihood[name], chance * fade)

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
            "told": [row.to_json() for row in self.told[-MOST_TOLD:]],
            "chances": self.chances,
        }
