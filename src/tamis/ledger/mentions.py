"""Which names stand in a session, how often and when last; constant work per message.

It is plain counts, so that a later compaction goes on counting where the last one stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tamis.messages import Message
from tamis.text import names_in, texts_of


@dataclass(kw_only=True, slots=True)
class Mention:
    """How many parts mention a name, and the position of the last message that does."""

    total: int = 0
    last: int = 0


@dataclass(kw_only=True, slots=True)
class Mentions:
    """The names of a session so far.

    >>> from tamis.messages import Message, Text
    >>> mentions = Mentions()
    >>> mentions.read(Message(id="1", role="user", parts=(Text(text="fix parse_args in cli/main.py"),)))
    >>> sorted(mentions.names)
    ['cli/main.py', 'parse_args']
    """

    names: dict[str, Mention] = field(default_factory=dict)
    messages: int = 0

    def read(self, message: Message) -> None:
        """Take in the next message."""
        for part in message.parts:
            found = {name for text in texts_of(part) for _, name in names_in(text)}
            for name in sorted(found):  # a set's order is another each time
                mention = self.names.setdefault(name, Mention())
                mention.total += 1
                mention.last = self.messages
        self.messages += 1

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON values; `from_json` gives the same back."""
        rows = {name: [mention.total, mention.last] for name, mention in self.names.items()}
        return {"messages": self.messages, "names": rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mentions:
        """What `to_json` gave."""
        names = {name: Mention(total=total, last=last) for name, (total, last) in data["names"].items()}
        return cls(messages=data["messages"], names=names)
