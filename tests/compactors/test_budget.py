import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.compactors.budget import Budget, parse_budget
from tamis.errors import BadBudget


@pytest.mark.parametrize("text", ["4000", "4_000", "4,000", " 4000 "])
def test_a_whole_number_is_tokens(text: str) -> None:
    assert parse_budget(text) == Budget(tokens=4000)


@pytest.mark.parametrize("text", ["5%", "5 %", "5.0%", "0.05", ".05"])
def test_a_percentage_or_a_decimal_is_a_share(text: str) -> None:
    assert parse_budget(text) == Budget(share=0.05)


def test_the_whole_span_is_a_budget() -> None:
    assert parse_budget("100%").resolve(123) == 123


REFUSED = ["0", "0%", "-5", "-5%", "101%", "1.5", "nan", "inf", "%", "5%%", "five", "1e3", "", "9" * 5000]


@pytest.mark.parametrize("text", REFUSED)
def test_text_that_is_no_budget_is_refused_with_what_is_accepted(text: str) -> None:
    with pytest.raises(BadBudget, match=r"give tokens \(4000\)"):
        parse_budget(text)


@pytest.mark.parametrize("number", [0, -1, 0.0, -0.5, 1.5, math.nan, math.inf, True])
def test_a_number_that_is_no_budget_is_refused(number: float) -> None:
    with pytest.raises(BadBudget, match=r"give tokens \(4000\)"):
        parse_budget(number)


def test_a_share_of_less_than_one_token_is_refused() -> None:
    with pytest.raises(BadBudget, match="less than one token"):
        Budget(share=0.014).resolve(10)


@given(st.integers(1, 1000), st.integers(1000, 10**8))
def test_a_share_never_resolves_to_more_than_its_part(per_mille: int, span: int) -> None:
    assert parse_budget(f"{per_mille / 10}%").resolve(span) * 1000 <= per_mille * span


@given(st.integers(1, 1000))
def test_a_budget_reads_back_from_its_own_text(per_mille: int) -> None:
    budget = parse_budget(f"{per_mille / 10}%")
    assert parse_budget(str(budget)) == budget
