"""Comparability of two runs: whether only the method differs between them."""

from collections import Counter
from collections.abc import Collection, Iterable

from tamis.errors import NotComparable
from tamis.evals.inference.outcome_measures import OutcomeMeasure
from tamis.evals.probing.probes import Probe
from tamis.evals.rundir.readings import judges_of, readers_of
from tamis.evals.rundir.results import Run


def check_comparable(run: Run, baseline: Run, figure: OutcomeMeasure) -> None:
    """Refuse runs in which more differs than the methods, as far as the figure rests on it.

    Methods may be of another version: that is what is compared.

    Raises:
        NotComparable: the tokenizer, the points, what was needed there, the probes, the readers, or the
            judges; says how.
    """
    check_same("tokenizer", [run.settings.tokenizer], [baseline.settings.tokenizer])
    names, former = point_names(run), point_names(baseline)
    check_same("points", names.values(), former.values())
    needs = {names[point.key]: point.needs for point in run.points}
    if any(point.needs != needs[former[point.key]] for point in baseline.points):
        raise _other("names needed", "they are found by another version of tamis")
    if figure.rests_on == "contexts":
        return
    check_same("readers", map(" ".join, readers_of(run)), map(" ".join, readers_of(baseline)))
    probes, former_probes = _probes(run, names), _probes(baseline, former)
    check_same("probes", probes, former_probes)
    if probes != former_probes:
        raise _other("answers expected", "a probe has been edited")
    if figure.rests_on == "judgements":
        check_same("judges", _judges(run), _judges(baseline))


def check_same(what: str, here: Iterable[str], there: Iterable[str]) -> None:
    """Refuse two collections that do not hold the same.

    Raises:
        NotComparable: names the first that only one of them has.
    """
    ours, theirs = set(here), set(there)
    if ours == theirs:
        return
    sides = (("only the run has", sorted(ours - theirs)), ("only the baseline has", sorted(theirs - ours)))
    raise _other(what, ", ".join(f"{side} {_listed(names)}" for side, names in sides if names))


def point_names(run: Run) -> dict[str, str]:
    """A name for each point by its key: the same wherever the session's file lay.

    The text of the span is part of it, so that a session that has changed is another one.
    """
    seen: Counter[str] = Counter()
    names = {}
    for point in run.points:
        name = f"{point.session_id} at {point.label} ({point.span[:8]})"
        seen[name] += 1
        names[point.key] = name if seen[name] == 1 else f"{name} #{seen[name]}"
    return names


def _probes(run: Run, names: dict[str, str]) -> dict[str, Probe]:
    return {f"{probe.probe.id} of {names[probe.point]}": probe.probe for probe in run.probes}


def _judges(run: Run) -> set[str]:
    return {f"{judge} {version} with rubric {rubric}" for judge, version, rubric in judges_of(run)}


def _listed(names: Collection[str]) -> str:
    first = ", ".join(list(names)[:2])
    return first if len(names) <= 2 else f"{first} and {len(names) - 2} more"


def _other(what: str, how: str) -> NotComparable:
    return NotComparable(f"the two runs have other {what}: {how}; measure both in the same way")
