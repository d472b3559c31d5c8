"""What fits a budget: whole things by their tokens, and pieces of a text by the real tokenizer."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from tamis.messages import Counter


def newest_that_fit(tokens: Sequence[int], room: int) -> list[int]:
    """The positions to keep, ascending: from the last to the first, each one that there is still room for.

    One that is too large is passed over, not the end of the search: a run without gaps would leave much of a
    small budget unused.

    >>> newest_that_fit([5, 5, 90, 5], room=12)
    [1, 3]
    """
    kept = []
    for i in range(len(tokens) - 1, -1, -1):
        if tokens[i] <= room:
            kept.append(i)
            room -= tokens[i]
    return kept[::-1]


def first_that_fit(tokens: Sequence[int], room: int) -> int:
    """How many can be taken from the first on without a gap.

    >>> first_that_fit([5, 5, 90, 5], room=12)
    2
    """
    return bisect_right(list(accumulate(tokens)), room)


def most_that_fit(
    pieces: Sequence[str], render: Callable[[Sequence[str]], str], room: int, counter: Counter
) -> int:
    """How many of the pieces, from the first on, can be rendered into `room` tokens.

    Tokens of pieces do not add up exactly, so their sum only says where to look: the answer is found by
    counting rendered texts, a handful of them, in steps that double away from that place.
    """

    def fits(many: int) -> bool:
        return counter.count(render(pieces[:many])) <= room

    guess = first_that_fit(counter.count_many(pieces), room - counter.count(render([])))
    step = 1
    if fits(guess):
        low, high = guess, guess + step
        while high <= len(pieces) and fits(high):
            step *= 2
            low, high = high, high + step
        high = min(high, len(pieces) + 1)
    else:
        low, high = max(guess - step, 0), guess
        while low > 0 and not fits(low):
            step *= 2
            low, high = max(low - step, 0), low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
