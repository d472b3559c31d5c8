"""Messages in the form of the loop: tamis's own, or dictionaries as an API takes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tamis.api import get_api, which_api
from tamis.messages import Message, Text, identify

MessageLike = Message | Mapping[str, Any]


def read_items(items: Sequence[MessageLike]) -> tuple[Message, ...]:
    """The messages; dictionaries are read in the format of the API that they belong to.

    Raises:
        InputError: an item is neither, or the two are mixed.

    >>> [message.text for message in read_items([{"role": "user", "content": "hello"}])]
    ['hello']
    """
    own = tuple(item for item in items if isinstance(item, Message))
    if len(own) == len(items):
        return own
    dictionaries: Sequence[Any] = items
    return get_api(which_api(dictionaries)).decode(dictionaries).messages


def user_message(*texts: str) -> Message:
    """A message of the loop's own: the task word for word, a block of memory, or one below the other."""
    parts = tuple(Text(text=text) for text in texts if text)
    (message,) = identify([Message(id="", role="user", parts=parts or (Text(text=""),))])
    return message
