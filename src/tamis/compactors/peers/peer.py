"""What every peer shares: its messages in and out, and a budget that it may not know of.

A peer works on chat messages (OpenAI's form, which all of them read). Where it takes a strength, the weakest
that fits the budget is looked for; where even its strongest is too long, its oldest messages go, as its users
would cut them, and a warning says so.
"""

import collections
import json
import re
import time
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from tamis.compactors.account import MessageFate
from tamis.compactors.brief import HEADER, fence
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.modelled.interview import ModelMethod, usage_of
from tamis.compactors.packing import newest_that_fit
from tamis.compactors.pairs import without_torn_pairs
from tamis.compactors.peers.npm import find_package
from tamis.compactors.protocol import Usage
from tamis.errors import MissingExtra, ModelError
from tamis.messages import (
    Counter,
    Media,
    Message,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    count_messages,
    identify,
    part_text,
    whole_units,
)
from tamis.models import Model, Prompt, Reply
from tamis.sessions import OpenAIChat

Chat = list[dict[str, Any]]
S = TypeVar("S")

LASTING_SHARE = 0.5
"""Where a summariser keeps the newest messages too: their share of the budget."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PeerResult:
    """What a library made of a conversation.

    The first `summaries` of its messages were written by it and speak for all that is gone.
    """

    chat: Chat
    summaries: int = 0
    usage: Usage = field(default_factory=Usage)


class Peer(Method):
    """A library's own compaction. `package` is what is installed, by `extra`."""

    package: str
    extra: str

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """The version is the installed package's: another release is another method."""
        super().__init__(clock=clock)
        self.version = installed(self.package, self.extra)

    @abstractmethod
    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The conversation as the library shortens it."""

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Have it shortened, and hold the answer to the budget."""
        return await stand_in(self, material)


class ModelPeer(ModelMethod):
    """A library's own compaction that asks a model."""

    package: str
    extra: str

    def __init__(self, model: Model, *, clock: Callable[[], float] = time.perf_counter) -> None:
        """`model` is what the library is handed in place of its own."""
        super().__init__(model, clock=clock)
        self.version = installed(self.package, self.extra)

    @abstractmethod
    async def shorten(self, chat: Chat, material: Material) -> PeerResult:
        """The conversation as the library shortens it."""

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """Have it shortened, and hold the answer to the budget."""
        try:
            return await stand_in(self, material)
        except ModelError as error:
            return CannotFit(f"no summary: {error}")


class MeteredModel:
    """The model that a library is given, and what it cost."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._replies: list[Reply] = []

    async def ask(self, text: str, *, instructions: str = "", max_output_tokens: int | None = None) -> str:
        """The model's answer in plain text."""
        prompt = Prompt(instructions=instructions, text=text, max_output_tokens=max_output_tokens)
        reply = await self._model.ask(prompt)
        self._replies.append(reply)
        return reply.text

    def place_in(self, chat: Chat) -> int:
        """How many messages there are up to the one that holds the last answer; none where no answer came."""
        said = self._replies[-1].text.strip() if self._replies else ""
        holding = (i for i, item in enumerate(chat, 1) if said and said in str(item.get("content")))
        return next(holding, 0)

    @property
    def usage(self) -> Usage:
        """Of all replies."""
        return usage_of(self._replies)


def installed(package: str, extra: str) -> str:
    """The installed version of a package; of npm's where the extra begins with @.

    Raises:
        MissingExtra: it is not installed; names the command that installs it.
    """
    if extra.startswith("@"):
        return find_package(package)[1]
    try:
        return version(package)
    except PackageNotFoundError:
        raise MissingExtra(
            f"this method is {package}'s, which is not installed; pip install 'tamis[{extra}]'"
        ) from None


def framed(text: str) -> str:
    """What a library wrote, as the text of a brief."""
    return f"{HEADER}\n{fence(text)}"


async def stand_in(peer: Peer | ModelPeer, material: Material) -> Replacement | CannotFit:
    """The replacement that a peer's answer makes."""
    made = await peer.shorten(chat_of(material.messages), material)
    messages = messages_of(made.chat, material.messages)
    summaries = messages[: made.summaries]
    rest = without_torn_pairs(messages[made.summaries :]).messages
    tokens = count_messages(rest, material.counter)
    room = material.budget_tokens - sum(count_messages(summaries, material.counter))
    if room < 0:
        return CannotFit(f"{peer.package}'s summary alone takes more than {material.budget_tokens} tokens")
    warnings: tuple[str, ...] = ()
    if sum(tokens) > room:
        whole = sum(tokens) + material.budget_tokens - room
        warnings = (f"{peer.package} left {whole} tokens; its oldest messages were dropped to fit",)
        units = whole_units(rest)
        kept = newest_that_fit([sum(tokens[u.start : u.stop]) for u in units], room)
        rest = tuple(rest[i] for k in kept for i in units[k])
    if not rest and not summaries:
        return CannotFit(f"not one message that {peer.package} left fits {material.budget_tokens} tokens")
    return Replacement(
        messages=(*summaries, *rest),
        told=_tell(material.messages, (*summaries, *rest), peer.package, bool(summaries)),
        warnings=warnings,
        usage=made.usage,
    )


async def weakest_that_fits(
    strengths: Sequence[S], shorten: Callable[[S], Awaitable[Chat]], budget_tokens: int, counter: Counter
) -> Chat:
    """What the weakest strength makes that fits; the strongest's where none does.

    The strengths go from the weakest to the strongest; a stronger one leaves no more tokens.
    """
    low, high = 0, len(strengths) - 1
    made: dict[int, Chat] = {}
    while low < high:
        middle = (low + high) // 2
        made[middle] = await shorten(strengths[middle])
        if sum(count_messages(messages_of(made[middle], ()), counter)) <= budget_tokens:
            high = middle
        else:
            low = middle + 1
    return made[low] if low in made else await shorten(strengths[low])


def chat_of(messages: Sequence[Message]) -> Chat:
    """Messages as chat messages, with nothing in them that another format left there."""
    bare = [
        replace(m, native=None, parts=tuple(replace(part, native=None) for part in m.parts)) for m in messages
    ]
    return OpenAIChat().encode(bare)


def messages_of(chat: Chat, source: Sequence[Message]) -> tuple[Message, ...]:
    """Chat messages as messages; one that still says what a message of the source says is that message."""
    known = {_said(m): m for m in source if not any(isinstance(part, Thinking) for part in m.parts)}
    read = [m for m in OpenAIChat().decode(chat).messages if m.parts]
    return identify([known.get(_said(m)) or replace(m, id="", native=None) for m in read])


PartKey = tuple[str, str, str]
"""What a part says: its kind, the call that it belongs to, its words; signs do not always come back whole."""

_NO_WORD = re.compile(r"\W+")


def _part_said(part: Part) -> PartKey:
    pair = part.id if isinstance(part, ToolCall) else part.call_id if isinstance(part, ToolResult) else ""
    put_in = json.dumps(part.arguments, sort_keys=True) if isinstance(part, ToolCall) else ""
    return type(part).__name__, pair, _NO_WORD.sub(" ", put_in or part_text(part)).strip()


def _said(message: Message) -> tuple[str, str, tuple[PartKey, ...]]:
    """What a message says: its texts as one, for some libraries join them; media go where they must."""
    pairs = tuple(_part_said(part) for part in message.parts if isinstance(part, ToolCall | ToolResult))
    texts = [_part_said(part)[2] for part in message.parts if isinstance(part, Text)]
    return message.role, " ".join(text for text in texts if text), pairs


def _tell(
    source: Sequence[Message], made: Sequence[Message], package: str, is_summarised: bool
) -> tuple[MessageFate, ...]:
    """Kept where all of a message still stands, condensed where some does or a summary speaks for it."""
    there = collections.Counter(_said(message) for message in made)
    parts = {_part_said(part) for message in made for part in message.parts if not isinstance(part, Media)}
    pairs = {said[1] for said in parts if said[1]}
    told = []
    for message in reversed(source):  # where one was said twice and once is left, that is the newer
        said = [_part_said(part) for part in message.parts]
        if there[_said(message)] > 0:
            there[_said(message)] -= 1
            told.append(MessageFate("kept", f"{package} left it"))
        elif any(part in parts or part[1] in pairs for part in said):
            told.append(MessageFate("condensed", f"{package} shortened it"))
        elif is_summarised:
            told.append(MessageFate("condensed", f"in {package}'s summary; how much that holds is not known"))
        else:
            told.append(MessageFate("archived", f"{package} left it out, or it no longer fit"))
    return tuple(reversed(told))
