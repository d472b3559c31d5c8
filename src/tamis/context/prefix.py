"""How much of one request the next one begins with: what a prompt cache can serve again."""

from collections.abc import Sequence
from itertools import takewhile
from os.path import commonprefix

from tamis.messages import Counter, Message, count_messages, part_text


def cached_share(before: Sequence[Message], after: Sequence[Message], counter: Counter) -> float | None:
    """The share of a request's tokens with which the request before it began; None for an empty request.

    >>> from tamis.messages import ExactCounter, Text
    >>> a, b = (Message(id=i, role="user", parts=(Text(text=i),)) for i in "xy")
    >>> cached_share([a], [a, b], ExactCounter())
    0.5
    """
    whole = sum(count_messages(after, counter))
    return shared_tokens(before, after, counter) / whole if whole else None


def shared_tokens(before: Sequence[Message], after: Sequence[Message], counter: Counter) -> int:
    """The tokens of the beginning that both have: whole messages, then text of the first that differs.

    >>> from tamis.messages import ExactCounter, Text
    >>> a, b = (Message(id=i, role="user", parts=(Text(text=f"one two {i}"),)) for i in "xy")
    >>> shared_tokens([a, a], [a, b], ExactCounter()) - shared_tokens([a], [a], ExactCounter())
    3
    """
    pairs = zip(before, after, strict=False)
    alike = (was is now or (was.role, was.parts) == (now.role, now.parts) for was, now in pairs)
    same = sum(1 for _ in takewhile(bool, alike))
    tokens = sum(count_messages(before[:same], counter))
    if same == min(len(before), len(after)) or before[same].role != after[same].role:
        return tokens
    one, other = ("\n".join(map(part_text, message.parts)) for message in (before[same], after[same]))
    return tokens + counter.count(commonprefix((one, other)))  # noqa: RUF071 - by character, as is meant
