"""Differences, p values and half-lives as people read them: the same in every form of the report."""

from tamis.evals.figures.drift import HalfLife
from tamis.evals.hindsight import NotMeasured
from tamis.evals.inference.comparison import Comparison
from tamis.reports.figure_labels import MISSING

_MINUS = "−"


def signed(value: float | None) -> str:
    """A difference, which says which way it goes.

    >>> signed(0.314), signed(-0.05), signed(0.001), signed(None)
    ('+0.31', '−0.05', '0.00', '–')
    """
    if value is None:
        return MISSING
    text = f"{abs(value):.2f}"
    return text if float(text) == 0 else f"{'+' if value > 0 else _MINUS}{text}"


def difference_bounds(made: Comparison | None) -> str:
    """The 95 % interval of a difference."""
    if made is None or made.low is None or made.high is None:
        return MISSING
    return f"{signed(made.low)} to {signed(made.high)}"


def p_text(p: float | None) -> str:
    """A p value: what is smaller than a thousandth is said to be.

    >>> p_text(0.0312), p_text(0.00001), p_text(None)
    ('0.031', '< 0.001', '–')
    """
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def half_life_text(life: HalfLife | NotMeasured) -> str:
    """In cycles, with its interval; open above where the rate of loss may be zero."""
    if isinstance(life, NotMeasured):
        return MISSING
    if life.low is None:
        return f"{life.cycles:.1f}"
    high = "…" if life.high is None else f"{life.high:.1f}"
    return f"{life.cycles:.1f} ({life.low:.1f}–{high})"
