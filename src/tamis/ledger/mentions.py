"""Who mentioned which name, how often and when: what can be read off the span about a name's importance.

One pass, constant work per message: a `Mention` per distinct name, updated as messages come in. It is plain
counts, so that a later compaction goes on counting where the last one stopped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal

from tamis.ledger.names import NameKind, names_in, texts_of
from tamis.ledger.tools import command_line, shape_of
from tamis.messages import Media, Message, Part, Text, Thinking, ToolCall, ToolResult

Voice = Literal["request", "user", "said", "thought", "call", "change", "result", "error", "harness"]
VOICES: tuple[Voice, ...] = (
    "request",
    "user",
    "said",
    "thought",
    "call",
    "change",
    "result",
    "error",
    "harness",
)
"""Where a name was mentioned: the first request, later user text, what the assistant said, thought, called,
or called to change a file, a result, a failed result, and what the harness or a summary put in."""

_N = len(VOICES)
_OWN = frozenset({2, 4, 5})
"""The voices in which the agent itself uses a name: said, call, change."""

COOLING = 0.5 ** (1 / 8)
"""What is left of a mention's heat one message later: half of it after eight."""
_NEVER = -1


@dataclass(kw_only=True, slots=True)
class Mention:
    """What is known about one name.

    `first` and `last` are message positions; `last_at` is how many characters of the session stood before the
    end of its last message. `crowd` is the smallest number of names that it shared a part with (a name that
    stands alone is meant, one in a listing of hundreds happens to be there), `last_crowd` the latest.
    `home` is the file that it was last seen in. `heat`
    is the number of parts that mention it, each fading by half every eight messages, as it stood at `last`;
    `own_heat` the same for the agent's own uses, as it stood at `own_last`. `counts` and `lasts` are by
    voice: how many parts, and the last message (-1: never).
    """

    kind: NameKind
    first: int
    last: int = 0
    last_at: int = 0
    crowd: int = 1 << 30
    last_crowd: int = 0
    total: int = 0
    home: str | None = None
    heat: float = 0.0
    own_heat: float = 0.0
    own_last: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * _N)
    lasts: list[int] = field(default_factory=lambda: [_NEVER] * _N)


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
    characters: int = 0
    asked: bool = False

    def read(self, message: Message, *, home: str | None = None) -> None:
        """Take in the next message; `home` is the file that its results show, where they show one."""
        here = self.messages
        request = message.role == "user" and message.origin == "conversation" and not self.asked
        for part in message.parts:
            if isinstance(part, Media):
                continue
            found: dict[str, NameKind] = {}
            for text in texts_of(part):
                self.characters += len(text)
                for kind, name in names_in(text):
                    if name not in found or kind < found[name]:  # `src/` and "src" are one name: a path
                        found[name] = kind
            voice = 0 if request and isinstance(part, Text) else _voice(message, part)
            self._count(found, voice, here, home if isinstance(part, ToolResult) else None)
        self.asked = self.asked or request
        self.messages += 1

    def note(self, found: Mapping[str, NameKind], voice: Voice, *, home: str | None = None) -> None:
        """Count names as mentioned together at this moment."""
        self._count(found, VOICES.index(voice), self.messages, home)

    def _count(self, found: Mapping[str, NameKind], voice: int, here: int, home: str | None) -> None:
        crowd, at, names = len(found), self.characters, self.names
        own = voice in _OWN
        for name in sorted(name for name in found if name not in names):  # a set's order is another each time
            names[name] = Mention(kind=found[name], first=here)
        for mention in map(names.__getitem__, found):
            mention.heat = mention.heat * COOLING ** (here - mention.last) + 1
            if own:
                mention.own_heat = mention.own_heat * COOLING ** (here - mention.own_last) + 1
                mention.own_last = here
            mention.last = here
            mention.last_at = at
            mention.last_crowd = crowd
            if crowd < mention.crowd:
                mention.crowd = crowd
            mention.total += 1
            mention.counts[voice] += 1
            mention.lasts[voice] = here
            if home is not None:
                mention.home = home

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON values; `from_json` gives the same back."""
        rows = {name: list(_values_of(mention)) for name, mention in self.names.items()}
        return {
            "messages": self.messages,
            "characters": self.characters,
            "asked": self.asked,
            "names": rows,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mentions:
        """What `to_json` gave."""
        mentions = cls(messages=data["messages"], characters=data["characters"], asked=data["asked"])
        for name, row in data["names"].items():
            mention = Mention(**dict(zip(_FIELDS, row, strict=True)))
            mention.counts, mention.lasts = list(mention.counts), list(mention.lasts)
            mentions.names[name] = mention
        return mentions


_FIELDS = tuple(f.name for f in fields(Mention))
_values_of = attrgetter(*_FIELDS)


def _voice(message: Message, part: Part) -> int:
    match part:
        case Thinking():
            return 3
        case ToolCall():
            return 5 if changes_a_file(part) else 4
        case ToolResult():
            return 7 if part.is_error or part.exit_code else 6
        case _ if message.origin != "conversation" or message.role == "system":
            return 8
        case _:
            return 1 if message.role == "user" else 2


_WRITING_SHAPES = frozenset({"write", "append", "edit", "insert", "patch"})
_WRITING_COMMAND = re.compile(
    r"<<|(?<![0-9&])>(?!&|\s*/dev/null)|\bsed\s+-i|\btee\s|^(?:edit|create|insert)\s"
)


def changes_a_file(call: ToolCall) -> bool:
    """Whether the call looks as if it writes to a file; at this moment its result is not known yet."""
    shape = shape_of(call)
    if shape == "editor":
        return call.arguments.get("command") != "view"
    if shape == "shell" or shape is None:
        line = command_line(call)
        return line is not None and _WRITING_COMMAND.search(line) is not None
    return shape in _WRITING_SHAPES
