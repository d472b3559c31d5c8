from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evals.inference.multiplicity import holm


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005, 0.5], [0.04, 0.09, 0.09, 0.025, 0.5]),
        ([0.0201, 0.3, 0.0001, 0.0199, 0.02, 0.9], [0.0995, 0.6, 0.0006, 0.0995, 0.0995, 0.9]),
    ],
)
def test_it_agrees_with_a_library(raw: list[float], adjusted: list[float]) -> None:
    """statsmodels 0.15: multipletests(p, method="holm")."""
    assert holm(raw) == pytest.approx(adjusted)


def test_one_look_needs_no_correction_and_none_gives_none() -> None:
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_it_never_lowers_a_value_nor_changes_the_order(raw: list[float]) -> None:
    adjusted = holm(raw)
    assert all(p <= a <= 1 for p, a in zip(raw, adjusted, strict=True))
    in_order = [a for _, a in sorted(zip(raw, adjusted, strict=True))]
    assert in_order == sorted(in_order)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0, 1))
def test_a_further_look_makes_no_other_one_surer(raw: list[float], further: float) -> None:
    assert all(b >= a for a, b in zip(holm(raw), holm([*raw, further]), strict=False))
