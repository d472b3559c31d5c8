"""What a report says first: one sentence, the picture beside it, and whether the difference may be chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.evals.controls import is_control
from tamis.evals.inference.intervals import Estimate
from tamis.evals.inference.method_comparisons import Family
from tamis.reports import figure_labels as wording
from tamis.reports.conclusions import Conclusions
from tamis.reports.figure_labels import RECALL, STATEMENTS, FigureLabel, Scope, budget_label, counted
from tamis.reports.number_format import p_text
from tamis.reports.worst_answers import reference_budget

CHANCE = 0.05
"""A difference at or above this p value is not told apart from chance."""

_KEPT = {
    "recall": "of the names that the agent went on to use",
    "statements": "of what later recaps say of that part",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Headline:
    """The measure that is drawn on top, what it comes to in a sentence, and what may be made of it."""

    measure: FigureLabel
    sentence: str
    doubt: str


def headline(scope: Scope, conclusions: Conclusions) -> Headline:
    """The first thing to say of a run: statement recall where most points have it, else recall."""
    budget = reference_budget(scope)
    measure = STATEMENTS if _stands(scope, budget) else RECALL
    found = _ranked(scope, measure, budget)
    if not found:
        reasons = wording.absences(scope)
        why = f": {reasons[0].reason}" if reasons else ""
        return Headline(measure=measure, sentence=f"Nothing could be measured{why}.", doubt="")
    doubt = _doubt(scope, conclusions, measure, (budget, found[0][0]))
    return Headline(measure=measure, sentence=_sentence(scope, measure, budget, found), doubt=doubt)


@dataclass(frozen=True, kw_only=True, slots=True)
class ByChance:
    """Families in which some method differs from the baseline, those in which none does, and in words."""

    beyond: tuple[Family, ...]
    within: tuple[Family, ...]
    told: str


def by_chance(families: Sequence[Family]) -> ByChance:
    """Which families are worth a table: where nothing differs, one sentence says so for all of them."""
    told = {f.figure: [r for r in f.rows if r.p_holm is not None and r.p_holm < CHANCE] for f in families}
    made = [row.comparison for family in families for row in family.rows if row.comparison]
    most = counted(max((one.clusters for one in made), default=0), "session")
    differing = sum(map(len, told.values()))
    return ByChance(
        beyond=tuple(family for family in families if told[family.figure]),
        within=tuple(family for family in families if not told[family.figure]),
        told=f"{differing} of {counted(len(made), 'difference')} beyond chance"
        if differing
        else f"no difference beyond chance with {most}",
    )


def _stands(scope: Scope, budget: str) -> bool:
    """Whether statement recall covers at least half of the points."""
    found = [c.statements.points for m in scope.methods if (c := scope.cell(m, budget)) and c.statements]
    return bool(found) and max(found) * 2 >= scope.points


def _ranked(scope: Scope, measure: FigureLabel, budget: str) -> list[tuple[str, Estimate]]:
    """The methods by the measure, control arms and averages over few points aside."""
    found = [
        (method, estimate)
        for method in scope.methods
        if not is_control(method) and (estimate := measure.of(scope.cell(method, budget)))
    ]
    most = max((estimate.points for _, estimate in found), default=0)
    taking_part = [(method, e) for method, e in found if e.points * 2 >= most]
    return sorted(taking_part, key=lambda pair: -pair[1].mean)


def _sentence(scope: Scope, measure: FigureLabel, budget: str, found: Sequence[tuple[str, Estimate]]) -> str:
    label = budget_label(budget)
    size = "as many tokens as the agent’s own summary" if budget == "own" else label
    where = f"Compacted to {size}{' of its tokens' if label.endswith('%') else ''}, "
    shares = {method: _percent(estimate) for method, estimate in found}
    best = [method for method, share in shares.items() if share == _percent(found[0][1])]
    kept = f"{_percent(found[0][1])} {_KEPT[measure.figure]}"
    if len(best) == len(shares) > 1:
        return f"{where}all {len(shares)} methods keep the same: {kept}."
    others = [(method, share) for method, share in shares.items() if method not in best]
    if len(others) > 1 and others[0][1] == others[-1][1]:
        then = f"; the other {len(others)} keep {others[0][1]} each"
    else:
        then = f"; next {others[0][0]} with {others[0][1]}" if others else ""
        then += f", last {others[-1][0]} with {others[-1][1]}" if len(others) > 1 else ""
    index = measure.of(scope.cell("index", budget)) if measure is RECALL else None
    bare = f" (a bare list of names: {_percent(index)})" if index and index.mean > found[0][1].mean else ""
    verb = "keeps" if len(best) == 1 else "keep"
    return f"{where}{' and '.join(best)} {verb} {kept}{bare}{then}."


def _percent(estimate: Estimate) -> str:
    return f"{estimate.mean * 100:.0f}\N{NO-BREAK SPACE}%"


def _doubt(scope: Scope, conclusions: Conclusions, measure: FigureLabel, best: tuple[str, str]) -> str:
    """Whether the best and the baseline are told apart; what is not said of a single method."""
    rows = [
        row
        for family in conclusions.overall
        if family.figure == measure.figure
        for row in family.rows
        if row.budget == best[0] and row.comparison and not is_control(row.method)
    ]
    row = next((row for row in rows if row.method == best[1]), None)
    if row is None and best[1] == conclusions.baseline:
        row = min(rows, key=lambda r: 1.0 if r.p_holm is None else r.p_holm, default=None)
    if row is None:
        return ""
    both, sessions = f"{row.method} and {conclusions.baseline}", counted(scope.clusters, "session")
    if row.p_holm is not None and row.p_holm < CHANCE:
        return f"{both} differ beyond chance (p {p_text(row.p_holm)}, {sessions})."
    return f"With {sessions}, {both} are not told apart from chance."
