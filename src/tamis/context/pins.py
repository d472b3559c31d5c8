"""What is pinned: text that stands word for word behind every brief."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tamis.archive import Archive
from tamis.errors import InputError
from tamis.messages import Counter, Message, Text, count_messages

HEADER = "[Kept word for word, whatever the brief says, until it is unpinned.]"
SHORT_ID = 8
KEPT_AS = "tamis-pins"
"""The name under which an archive keeps the pins for all of its sessions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pin:
    """A rule or a message, in the words in which it stands in the context."""

    text: str

    @property
    def id(self) -> str:
        """The first hex digits of its digest: the same text is the same pin."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:SHORT_ID]


def pin_of(what: str | Message) -> Pin:
    """A text or what a message says, as a pin.

    Raises:
        InputError: the text is empty.

    >>> pin_of("Never touch b.txt.").text
    'Never touch b.txt.'
    """
    if isinstance(what, str):
        text = what.strip()
    else:
        text = "\n".join(filter(None, (str(getattr(part, "text", "")) for part in what.parts)))
    if not text:
        raise InputError("a pin without a word holds nothing; give a rule, or a message that says something")
    return Pin(text=text)


def pinned_message(pins: Sequence[Pin]) -> tuple[Message, ...]:
    """The message that says all pins; none without a pin."""
    if not pins:
        return ()
    said = "\n\n".join([HEADER, *(pin.text for pin in pins)])
    return (Message(id="tamis-pins", role="user", parts=(Text(text=said),), origin="summary"),)


def is_pinned(message: Message) -> bool:
    """Whether this is the message that says the pins, as an agent shows it again."""
    return message.role == "user" and message.text.startswith(HEADER)


def fitting(pins: Sequence[Pin], counter: Counter, most_tokens: int) -> int:
    """The tokens of the message that says the pins.

    Raises:
        InputError: they take more than there is room for.
    """
    tokens = sum(count_messages(pinned_message(pins), counter))
    if tokens > most_tokens:
        raise InputError(
            f"the pins would take {tokens} tokens of {most_tokens} that are free beside the brief; "
            "unpin something, or pin less"
        )
    return tokens


def load_pins(archive: Archive) -> list[Pin]:
    """The pins for all sessions of an archive, oldest first."""
    kept = archive.load_snapshot(KEPT_AS) or {}
    return [Pin(text=str(text)) for text in kept.get("pins", ())]


def save_pins(archive: Archive, pins: Sequence[Pin]) -> None:
    """Keep the pins for all sessions of an archive."""
    archive.save_snapshot(KEPT_AS, {"pins": [pin.text for pin in pins]})


def add_pin(archive: Archive, pin: Pin) -> bool:
    """Pin for all sessions of an archive; False where it was pinned already."""
    pins = load_pins(archive)
    if pin in pins:
        return False
    save_pins(archive, [*pins, pin])
    return True


def remove_pin(archive: Archive, id: str) -> Pin:  # noqa: A002 - everybody's word
    """Unpin the only pin whose id begins so.

    Raises:
        InputError: no pin's id begins so, or several ids do.
    """
    pins = load_pins(archive)
    found = [pin for pin in pins if id and pin.id.startswith(id.lower())]
    if len(found) != 1:
        raise InputError(
            f"{id!r} begins the id of {len(found)} pins, not of one; `tamis pin` shows the id of each"
        )
    save_pins(archive, [pin for pin in pins if pin != found[0]])
    return found[0]
