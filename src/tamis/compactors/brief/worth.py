"""How much a statement is worth to somebody who goes on with the work."""

from __future__ import annotations

from tamis.compactors.brief.signals import Signals

BASE = {
    "asked": 2.6, "concluded": 1.5, "found": 1.0, "said": 0.5, "thought": 0.25, "reported": 0.7, "committed": 2.0,
    "posted": 1.2, "changed": 1.0, "tested": 0.8, "failed": 0.6, "ran": 0.35, "passage": 0.12,
}
FACTORS = {
    "boilerplate": 0.002, "announces": 0.08, "question": 0.8, "cause": 1.3, "choice": 1.25, "found": 1.15, "state": 1.2,
    "change": 1.15, "named": 1.25, "heading": 0.1, "opens": 0.12, "code": 0.55, "table": 0.9, "wants": 1.2, "answer": 1.2, "reads": 0.45,
    "source": 1.4, "scratch": 0.6, "short": 1.5, "last": 1.7, "options": 1.4,
}


class Worth:
    """The worth by hand."""

    def __call__(self, signals: Signals) -> float:
        """In tokens of the agent's plain words."""
        worth = BASE[signals.kind]
        for flag in sorted(signals.flags):
            worth *= FACTORS.get(flag, 1.0)
        tokens, _, age, behind = signals.numbers[:4]
        if signals.kind == "asked":
            return tokens * worth * (0.5 + 0.5 * 0.9**behind)
        return tokens * worth * (0.35 + 0.65 * 0.86**behind) * (1 - 0.45 * age)
