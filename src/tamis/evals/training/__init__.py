"""Learning the worth of statements from what agents summed up later: recaps as free supervision."""

from tamis.evals.training.examples import POINTS, Example, collect, examples_of, needed_among, sample
from tamis.evals.training.worth_model import MIN_POINTS, MIN_SESSIONS, half_of, held_out_auc, learn, log_odds

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
