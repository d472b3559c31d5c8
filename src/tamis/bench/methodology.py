"""The published methodology: weights, tiers, the floors that a run has to pass, and the elite score."""

from collections.abc import Mapping
from typing import Final, Literal

from tamis.bench.template import BenchItemType

WEIGHTS: Final[Mapping[BenchItemType, float]] = {
    "locked_decision_retention": 3.0,
    "forbidden_behavior_retention": 3.0,
    "immutable_fact_recall": 2.0,
    "unresolved_task_continuity": 2.0,
    "entity_integrity": 1.0,
    "planning_soundness": 1.0,
}
CONSTRAINTS: Final = frozenset({"locked_decision_retention", "forbidden_behavior_retention"})
Tier = Literal["light", "mid", "aggressive"]
TIER_FLOORS: Final[Mapping[Tier, float]] = {"light": 2.0, "mid": 4.0, "aggressive": 8.0}
MAX_CONTRADICTION_RATE: Final = 0.10
MIN_PASS_RATE: Final = 0.40
PASSED_FROM: Final = 0.5
"""The case score from which a case counts as passed."""


def elite_of(
    *, overall: float, drift_resistance: float, rules_kept: float, ratio: float, tier: Tier
) -> float:
    """The published sum of four parts; compression adds 0 at the tier's floor, all of its part at twice that.

    >>> round(elite_of(overall=1.0, drift_resistance=1.0, rules_kept=1.0, ratio=8.0, tier="mid"), 9)
    1.0
    """
    floor = TIER_FLOORS[tier]
    bonus = max(0.0, min(1.0, (ratio - floor) / floor))
    return 0.40 * overall + 0.30 * drift_resistance + 0.20 * rules_kept + 0.10 * bonus
