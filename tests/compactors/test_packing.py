from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from strategies import texts
from tamis.compactors.packing import most_that_fit, newest_that_fit
from tamis.messages import ExactCounter

COUNTER = ExactCounter()


def joined(pieces: Sequence[str]) -> str:
    return "head\n" + "".join(pieces)


@given(st.lists(st.integers(0, 50)), st.integers(0, 200))
def test_what_is_kept_fits_and_nothing_newer_was_passed_over_for_lack_of_will(
    tokens: list[int], room: int
) -> None:
    kept = newest_that_fit(tokens, room)
    assert sum(tokens[i] for i in kept) <= room
    for i in set(range(len(tokens))) - set(kept):
        assert tokens[i] + sum(tokens[k] for k in kept if k > i) > room


@given(st.lists(texts(), max_size=30), st.integers(0, 300))
def test_rendered_pieces_fit_and_one_more_would_not(pieces: list[str], room: int) -> None:
    many = most_that_fit(pieces, joined, room, COUNTER)
    if many:
        assert COUNTER.count(joined(pieces[:many])) <= room
    if many < len(pieces):
        assert COUNTER.count(joined(pieces[: many + 1])) > room


def test_the_search_counts_few_texts_however_many_pieces_there_are() -> None:
    rendered: list[int] = []

    def render(pieces: Sequence[str]) -> str:
        rendered.append(len(pieces))
        return "".join(pieces)

    many = most_that_fit([f" name_{n}" for n in range(20_000)], render, 30_000, COUNTER)
    assert 0 < many < 20_000
    assert len(rendered) < 12
