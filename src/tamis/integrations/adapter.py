"""A framework's conversations, each kept within the window.

Frameworks hold the conversation themselves and ask, before a request, what of it to send.
`ConversationTracker` knows a conversation again by what it was shown or gave back last, reads only what is
new, and lets a `tamis.Context` do the rest. Many conversations may go through one `ConversationTracker`.
One that was forgotten, or that another process shows again, is read anew and comes to the same messages:
the same conversation makes the same brief.
"""

from __future__ import annotations

import hashlib
import threading
import warnings
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, Required, TypedDict, TypeVar, Unpack

from tamis.archive import Archive
from tamis.compactors import Budget, Compactor
from tamis.compactors.gate import GateMode
from tamis.compactors.peers.peer import chat_of
from tamis.context import Context, Trigger
from tamis.errors import MissingExtra, TamisError
from tamis.messages import Counter, Message, identify
from tamis.sessions import OpenAIChat, json_text

N = TypeVar("N")

MOST_FOLLOWED = 64
"""Conversations that are remembered; the one unused for longest goes first."""


class ContextSettings(TypedDict, total=False):
    """How `tamis.Context` compacts; see there."""

    budget: str | int | float | Budget
    method: str | Compactor
    trigger: float | Trigger | None
    keep_last: int | float | str
    tokenizer: str | Counter
    gate: GateMode
    mask_secrets: bool
    timeout_s: float


class AdapterSettings(ContextSettings, total=False):
    """What every adapter takes, and what it hands to `tamis.Context`.

    `window` is how many tokens the model takes. Everything that is taken out goes into the `archive`; without
    one it is gone. The archive's sessions are called by the `name`.
    """

    window: Required[int]
    archive: Archive | None
    name: str


class MessageAdapter(Protocol[N]):
    """A framework's messages, to and from tamis's."""

    def fingerprint(self, native: N) -> str:
        """What the message is known again by."""

    def read(self, natives: Sequence[N]) -> Sequence[Message]:
        """What the messages say, each with what `write` needs to give it back as it was."""

    def write(self, messages: Sequence[Message]) -> list[N]:
        """The framework's messages; those that are unchanged are the very objects that were read."""


class ConversationTracker(Generic[N]):
    """Keeps every conversation that it is shown within the window.

    The dialect reads and writes the framework's messages; `default_name` is the name where the settings have
    none.

    Raises:
        BadBudget: the budget and what stays do not fit below the trigger.
        InputError: a setting that cannot be.
    """

    def __init__(
        self, dialect: MessageAdapter[N], default_name: str = "adapter", **settings: Unpack[AdapterSettings]
    ) -> None:
        self._dialect = dialect
        self._settings: dict[str, Any] = {**settings}
        self._name = self._settings.pop("name", default_name)
        self._known: OrderedDict[str, _Conversation] = OrderedDict()
        self._lock = threading.RLock()
        Context(**self._settings)  # settings that cannot be are refused now, not in the middle of a run

    def shorten(self, history: Sequence[N], *, now: bool = False) -> list[N]:
        """What to send for this whole conversation; as it is where nothing had to go, or where it failed.

        With `now` it is compacted whatever the trigger says.
        """
        with self._lock:
            try:
                return self._shorten(history, now=now)
            except TamisError as error:
                warnings.warn(f"the conversation was not compacted: {error}", RuntimeWarning, stacklevel=2)
                return list(history)

    def _shorten(self, history: Sequence[N], *, now: bool) -> list[N]:
        shown = list(self._prefixes(history))
        conversation, known = self._find(shown)
        for key in (conversation.shown, conversation.gave):  # what fails on the way is read anew next time
            self._known.pop(key, None)
        for message in self._dialect.read(history[known:]):
            conversation.context.append(message)
        compacted = conversation.context.compact_now() if now else None
        if conversation.context.compactions == 0 or (compacted is None and shown[-1:] == [conversation.gave]):
            sending = list(history)
        else:
            sending = self._dialect.write(conversation.context.messages())
        *_, gave = ("", *self._prefixes(sending))
        conversation.shown, conversation.gave = shown[-1] if shown else "", gave
        self._known[conversation.shown] = self._known[gave] = conversation
        while len(self._known) > 2 * MOST_FOLLOWED:
            self._known.popitem(last=False)
        return sending

    def _find(self, shown: Sequence[str]) -> tuple[_Conversation, int]:
        """The conversation that goes on here, and how many of these messages it has already."""
        for known in range(len(shown), 0, -1):
            if (conversation := self._known.get(shown[known - 1])) is not None:
                return conversation, known
        name = f"{self._name}-{shown[0][:8]}" if shown else self._name
        return _Conversation(context=Context(**self._settings, session_id=name)), 0

    def _prefixes(self, natives: Sequence[N]) -> Iterator[str]:
        """For each message the digest of the conversation up to it."""
        digest = hashlib.sha256()
        for native in natives:
            digest.update(self._dialect.fingerprint(native).encode("utf-8", "surrogatepass") + b"\0")
            yield digest.hexdigest()


@dataclass(kw_only=True, slots=True)
class _Conversation:
    """One conversation, and the digests of what was shown and given back last."""

    context: Context
    shown: str = ""
    gave: str = ""


@dataclass(frozen=True, slots=True)
class _Own:
    """The framework's own object, carried by the message that was read from it."""

    native: Any


class ObjectAdapter(ABC, Generic[N]):
    """A framework whose messages are read one by one; what tamis cannot say stays with the object itself."""

    @abstractmethod
    def to_message(self, native: N) -> Message:
        """What the message says."""

    @abstractmethod
    def from_message(self, message: Message) -> list[N]:
        """The message, made anew."""

    def fingerprint(self, native: N) -> str:
        """All that it says."""
        return json_text(native)

    def read(self, natives: Sequence[N]) -> Sequence[Message]:
        """One message for each, with the object that it was read from."""
        return identify([replace(self.to_message(native), native=_Own(native)) for native in natives])

    def write(self, messages: Sequence[Message]) -> list[N]:
        """What was read comes back as it was; what a method wrote or changed is made anew."""
        natives: list[N] = []
        for message in messages:
            own = message.native
            natives += [own.native] if isinstance(own, _Own) else self.from_message(message)
        return natives


class ChatAdapter(ObjectAdapter[N]):
    """A framework whose messages can be told as OpenAI chat items, one each."""

    @abstractmethod
    def to_item(self, native: N) -> Mapping[str, Any]:
        """The message as a chat item."""

    @abstractmethod
    def from_items(self, items: list[dict[str, Any]]) -> list[N]:
        """Chat items as messages."""

    def fingerprint(self, native: N) -> str:
        """All that the item says."""
        return json_text(self.to_item(native))

    def to_message(self, native: N) -> Message:
        """The item as a message."""
        item = dict(self.to_item(native))
        read = OpenAIChat().decode([item]).messages
        return read[0] if len(read) == 1 else Message(id="", role=item["role"], parts=())

    def from_message(self, message: Message) -> list[N]:
        """The message as items."""
        return self.from_items(chat_of([message]))

    def read(self, natives: Sequence[N]) -> Sequence[Message]:
        """One message for each; the conversation gives them their ids."""
        return [replace(self.to_message(native), native=_Own(native)) for native in natives]


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Import what an extra installs; where it is not installed, MissingExtra names the command that does."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(
            f"this adapter needs {error.name or extra}; pip install 'tamis[{extra}]'"
        ) from None
