"""How much of one request the next one begins with: what a prompt cache can serve again."""

from collections.abc import Sequence

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
    same = 0
    for was, now in zip(before, after, strict=False):
        if was is not now and (was.role, was.parts) != (now.role, now.parts):
            break
        same += 1
    tokens = sum(count_messages(before[:same], counter))
    if same == min(len(before), len(after)) or before[same].role != after[same].role:
        return tokens
    one, other = ("\n".join(map(part_text, message.parts)) for message in (before[same], after[same]))
    pairs = enumerate(zip(one, other, strict=False))
    end = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    return tokens + counter.count(one[:end])
