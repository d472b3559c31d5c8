"""Names that an agent needs of its past: first uses, which a text holds, what the others cost to get back."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from tamis.messages import Message, Thinking
from tamis.text.names import Name, message_names, names_in, stands_in, texts_of


class SearchableContext:
    """A compacted context, ready to be searched for names."""

    def __init__(self, messages: Sequence[Message]) -> None:
        """The messages that stand in for the span."""
        self._texts = [text for m in messages for part in m.parts for text in texts_of(part)]

    @cached_property
    def text(self) -> str:
        """All that can be read in it."""
        return "\n".join(self._texts)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in it."""
        found: set[Name] = set()
        for text in self._texts:
            found |= names_in(text)
        return frozenset(n.text for n in found)

    def __contains__(self, name: object) -> bool:
        """Whether the name can be read in the context: as itself, or a path as a folder and what is in it."""
        return isinstance(name, str) and (self._stands(name) or any(map(self._are_there, _parts_of(name))))

    def _stands(self, name: str) -> bool:
        return name in self.names or stands_in(name, self.text)

    def _are_there(self, parts: tuple[str, str]) -> bool:
        return all(map(self._stands, parts))


def _parts_of(path: str) -> Iterator[tuple[str, str]]:
    """The ways in which an absolute path is a working folder, and a path in several steps from there.

    >>> list(_parts_of("/home/ann/shop/src/cart.py"))
    [('/home/ann', 'shop/src/cart.py'), ('/home/ann/shop', 'src/cart.py')]
    """
    steps = path.split("/") if path.startswith("/") else []
    for at in range(3, len(steps) - 1):
        yield "/".join(steps[:at]), "/".join(steps[at:])


class FirstUses:
    """Tells the names that an agent uses and can have from before only, each once; fed message by message.

    It is what hindsight counts, as it happens: a use is a name in what the agent said or in a call that it
    made, its thinking aside. What anybody else mentioned since, or the agent itself, is not from before.

    Args:
        was_said: whether the time before held a name.
    """

    def __init__(self, was_said: Callable[[str], bool]) -> None:
        self._was_said = was_said
        self._given: set[str] = set()

    def take(self, message: Message) -> set[str]:
        """The names from before that the next message uses first."""
        if message.role != "assistant":
            self._given.update(name.text for name in message_names(message))
            return set()
        said = [part for part in message.parts if not isinstance(part, Thinking)]
        used = {name.text for name in message_names(message, parts=said)}
        first = {name for name in used - self._given if self._was_said(name)}
        self._given |= used
        return first


def refetch_tokens(gone: set[str], carriers: Mapping[str, Sequence[int]], span_tokens: Sequence[int]) -> int:
    """The cost of a cheap set of messages that holds every missing name."""
    return sum(span_tokens[i] for i in cheap_carriers(gone, carriers, span_tokens))


def cheap_carriers(
    gone: set[str], carriers: Mapping[str, Sequence[int]], span_tokens: Sequence[int]
) -> set[int]:
    """The positions of a cheap set of messages that holds every missing name (weighted set cover).

    Greedy, most names for the tokens first; a message that later ones made needless is given back.
    """
    holds: dict[int, set[str]] = {}
    for name in gone:
        for i in carriers[name]:
            holds.setdefault(i, set()).add(name)
    left, picked = set(gone), []
    while left:
        useful = ((i, len(names & left)) for i, names in holds.items() if not names.isdisjoint(left))
        best = min(useful, key=lambda pair: (span_tokens[pair[0]] / pair[1], pair[0]))[0]
        picked.append(best)
        left -= holds[best]
    times = Counter(name for i in picked for name in holds[i])
    kept = set(picked)
    for i in sorted(picked, key=lambda i: (-span_tokens[i], i)):
        if all(times[name] > 1 for name in holds[i]):
            times.subtract(holds[i])
            kept.remove(i)
    return kept
