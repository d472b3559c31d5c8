"""How much a statement is worth to a reader, per token."""

from __future__ import annotations

from tamis.compactors.brief.statement import Statement

BASE = {
    "asked": 2.6, "concluded": 1.5, "found": 1.0, "said": 0.5, "thought": 0.25, "reported": 0.7, "committed": 2.0,
    "posted": 1.2, "changed": 1.0, "tested": 0.8, "failed": 0.6, "ran": 0.35, "passage": 0.12,
}
FACTORS = {
    "boilerplate": 0.002, "announces": 0.08, "question": 0.8, "cause": 1.3, "choice": 1.25, "found": 1.15, "state": 1.2,
    "change": 1.15, "named": 1.25, "heading": 0.5, "code": 0.55, "table": 0.9, "wants": 1.2, "answer": 1.2, "reads": 0.45,
    "source": 1.4, "scratch": 0.6, "short": 1.5, "last": 1.7, "options": 1.4,
}


def density(statement: Statement, *, age: float, episodes_behind: int) -> float:
    """The worth per token; `age` runs from 0 at the end of the span to 1 at its beginning."""
    worth = BASE[statement.kind]
    for feature in statement.features:
        worth *= FACTORS.get(feature, 1.0)
    if statement.kind == "asked":
        return worth * (0.5 + 0.5 * 0.9**episodes_behind)
    recent = 0.35 + 0.65 * 0.86**episodes_behind
    return worth * recent * (1 - 0.45 * age)
