"""What a session format is.

One format, one room, one class. A reader is chosen by content: every format looks at the head of the file
and says how sure it is; the surest wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from tamis.messages import Message, Session
from tamis.sessions.document import Document


@runtime_checkable
class Format(Protocol):
    """Reads sessions of one format."""

    name: str
    """Short and stable, as in `--as`: `claude-code`, `openai-chat` ..."""
    title: str
    """As its users call it: `Claude Code JSONL`."""
    streams: bool
    """Whether it is read line by line, without holding the whole file."""
    many: bool
    """Whether one file can hold several sessions."""

    def sniff(self, document: Document) -> float:
        """How sure this is the format, 0.0 (no) to 1.0 (certain), from `document.head` alone."""

    def read(self, document: Document) -> Iterator[Session]:
        """The sessions of the document, in order. What is not understood goes into `Session.unread`."""


@runtime_checkable
class WritableFormat(Format, Protocol):
    """A format that can be written as well."""

    def write(self, session: Session) -> Iterator[str]:
        """The session as text chunks.

        A part or message with a native record of this format is written from that record, so that nothing
        that tamis does not understand is lost.
        """


@runtime_checkable
class ApiFormat(WritableFormat, Protocol):
    """A format that an API takes: a list of plain dictionaries."""

    def decode(self, items: Sequence[Mapping[str, Any]]) -> Session:
        """API items into a session."""

    def encode(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """Messages into what the API's client takes, roles and pairs as that API demands.

        A `system` message: OpenAI chat keeps it in the list; Anthropic's list has no system role, so
        `encode` leaves it out and `write` puts it beside the list.
        """
