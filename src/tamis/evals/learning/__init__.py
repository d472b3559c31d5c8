"""Learning the worth of statements from what agents summed up later: recaps as free supervision."""

from tamis.errors import MissingExtra

try:
    import numpy  # noqa: F401
    import scipy  # noqa: F401
except ImportError:
    raise MissingExtra(
        "learning needs numpy and scipy; install it with: pip install 'tamis[learn]'"
    ) from None

from tamis.evals.learning.examples import POINTS, Example, collect, examples_of, needed_among, sample
from tamis.evals.learning.model import MIN_POINTS, MIN_SESSIONS, half_of, held_out_auc, learn, log_odds

__all__ = [
    "MIN_POINTS",
    "MIN_SESSIONS",
    "POINTS",
    "Example",
    "collect",
    "examples_of",
    "half_of",
    "held_out_auc",
    "learn",
    "log_odds",
    "needed_among",
    "sample",
]
