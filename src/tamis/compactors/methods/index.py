"""`index`: a bare list of the names in the span, newest first, as many as fit. A control arm.

It says nothing about any of them, so whatever counts names alone must be read beside it.
"""

from collections import Counter as Tally
from collections.abc import Iterator, Sequence

from tamis.compactors.account import MessageFate
from tamis.compactors.brief import brief_message, fence
from tamis.compactors.method import CannotFit, Material, Method, Replacement
from tamis.compactors.packing import most_that_fit
from tamis.messages import MESSAGE_OVERHEAD_TOKENS, Message
from tamis.text import find_names, texts_of

INDEX_HEADER = (
    "[Names in the earlier conversation, newest first; listed by a program, not typed by the user.]"
)


class Index(Method):
    """Lists names from the last message back until the budget is full; older messages are not even read."""

    name = "index"

    async def replace(self, material: Material) -> Replacement | CannotFit:
        """List the newest names."""
        room = material.budget_tokens - MESSAGE_OVERHEAD_TOKENS
        names, owners = self._newest_names(material, room)
        pieces = [f" {name}" for name in names]
        many = most_that_fit(pieces, _render, room, material.counter)
        if not many:
            return CannotFit("not one name fits the budget")
        message = brief_message(_render(pieces[:many]))
        listed = Tally(owners[:many])
        told = tuple(
            MessageFate("condensed", f"{listed[i]} names of it are listed")
            if listed[i]
            else MessageFate("archived", "no name was listed from it")
            for i in range(len(material.messages))
        )
        return Replacement(messages=(message,), told=told, carry={"names": list(names[:many])})

    def _newest_names(self, material: Material, room: int) -> tuple[list[str], list[int]]:
        """Distinct names, newest first, about as many as fill the room; and the message of each."""
        owner: dict[str, int] = {}
        used = 0
        for i in range(len(material.messages) - 1, -1, -1):
            earlier = i < material.from_previous
            found = material.carry["names"] if earlier else _names_backwards(material.messages[i])
            new = [name for name in dict.fromkeys(found) if name not in owner]
            owner.update(dict.fromkeys(new, i))
            used += sum(material.counter.count_many([f" {name}" for name in new]))
            if used > room:
                break
        return list(owner), list(owner.values())


def _names_backwards(message: Message) -> Iterator[str]:
    for part in reversed(message.parts):
        for text in reversed(list(texts_of(part))):
            for found in reversed(find_names(text)):
                yield found.text


def _render(pieces: Sequence[str]) -> str:
    return f"{INDEX_HEADER}\n{fence(''.join(pieces).strip())}"
