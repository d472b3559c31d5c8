"""Statement recall: key points from an agent's own recaps, looked for in a compacted text."""

from tamis.evals.statements.coverage import Rarity, SearchTarget, best_window, wanted
from tamis.evals.statements.keypoints import (
    COVERED,
    KeyPoint,
    KeyPoints,
    KeyPointTarget,
    PlaceCache,
    StatementRecall,
    coverages,
    find_key_points,
    score_statements,
)
from tamis.evals.statements.recaps import Recap, RecapKind, find_recaps

__all__ = [
    "COVERED",
    "KeyPoint",
    "KeyPointTarget",
    "KeyPoints",
    "PlaceCache",
    "Rarity",
    "Recap",
    "RecapKind",
    "SearchTarget",
    "StatementRecall",
    "best_window",
    "coverages",
    "find_key_points",
    "find_recaps",
    "score_statements",
    "wanted",
]
