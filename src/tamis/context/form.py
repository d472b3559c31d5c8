"""In what form a context's messages come in and go out: as values, or as dictionaries of an API."""

from collections.abc import Mapping, Sequence
from typing import Any

from tamis.api import get_api, which_api
from tamis.messages import Message
from tamis.sessions import plain


class ApiForm:
    """The API whose dictionaries a context takes; None while only `Message` values have come.

    Args:
        name: which API they are for, where their content should not decide.

    Raises:
        InputError: no such format, or not one that an API takes.
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name and get_api(name).name
        self._is_given = name is not None

    def decode(self, item: Message | Mapping[str, Any], *, is_first: bool) -> Sequence[Message]:
        """The messages that an item says; the first that only one API has decides which it is.

        Raises:
            InputError: not a message, and not a dictionary as an API takes it.
        """
        if isinstance(item, Message):
            return [item]
        items = [plain(item)]
        name = which_api(items)
        if not self._is_given and (is_first or self.name == "openai-chat"):  # plain chat belongs to all
            self.name = name
        return get_api(self.name or name).decode(items).messages

    def encode(self, messages: Sequence[Message]) -> list[Any]:
        """The messages as they came in: values, or dictionaries of the API."""
        return list(messages) if self.name is None else get_api(self.name).encode(messages)
