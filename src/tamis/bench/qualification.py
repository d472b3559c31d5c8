"""Qualification of a run, and the one figure that the published leaderboard orders by."""

from tamis.bench.aggregation import RunScore
from tamis.bench.methodology import MAX_CONTRADICTION_RATE, MIN_PASS_RATE, TIER_FLOORS, Tier


def missed_floors(score: RunScore, tier: Tier) -> list[str]:
    """The qualification floors that the figures miss."""
    reasons = []
    floor = TIER_FLOORS[tier]
    if score.ratio < floor:
        reasons.append(f"compression {score.ratio:.2f}x is below the tier's {floor:g}x")
    rate = score.contradiction_rate
    if rate is None:
        reasons.append("nothing was measured")
    elif rate > MAX_CONTRADICTION_RATE:
        reasons.append(f"{rate:.1%} of the answers contradict what holds, above {MAX_CONTRADICTION_RATE:.0%}")
    low = {family: rate for family, rate in score.pass_rates.items() if rate < MIN_PASS_RATE}
    if low:
        named = ", ".join(f"{family} {rate:.0%}" for family, rate in low.items())
        reasons.append(f"families passed in less than {MIN_PASS_RATE:.0%} of the cases: {named}")
    if score.drift_resistance is None:
        reasons.append("drift not measured: nothing to lose, or one cycle only")
    return reasons


def missed_for_sure(score: RunScore, least: RunScore, tier: Tier) -> list[str]:
    """The floors that the figures miss, and those that they might miss for what was not measured.

    `least` is what the run comes to if every missing answer was the worst there is.
    """
    missed = missed_floors(score, tier)
    perhaps = missed_floors(least, tier) if not missed else []
    gone = f"{score.answers - score.measured:,} of {score.answers:,} answers not measured; at worst"
    return [*missed, *(f"{gone}: {reason}" for reason in perhaps)]


def compression_bonus(ratio: float, tier: Tier) -> float:
    """0 at the tier's floor, 1 at twice the floor and above."""
    floor = TIER_FLOORS[tier]
    return max(0.0, min(1.0, (ratio - floor) / floor))


def elite_score(score: RunScore, tier: Tier) -> float | None:
    """The published sum of four parts; None where one of them was not measured."""
    if score.overall is None or score.drift_resistance is None or score.constraint_retention is None:
        return None
    return (
        0.40 * score.overall
        + 0.30 * score.drift_resistance
        + 0.20 * score.constraint_retention
        + 0.10 * compression_bonus(score.ratio, tier)
    )
