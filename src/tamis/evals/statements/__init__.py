"""Statement recall: key points from an agent's own recaps, looked for in a compacted text."""

from tamis.evals.statements.coverage import Rarity, SearchTarget, best_window, wanted
from tamis.evals.statements.keypoints import KeyPoint, KeyPoints, KeyPointTarget, PlaceCache, find_key_points
from tamis.evals.statements.recall import (
    COVERED,
    StatementRecall,
    coverages,
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
