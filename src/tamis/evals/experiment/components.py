"""The parts of an experiment, made by the names in its settings: arms, readers, judges, probe maker."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tamis.compactors import Compactor, parse_budget
from tamis.errors import InputError
from tamis.evals.acting.measuring import KeptLikelihoods, Stagehands
from tamis.evals.experiment.arms import get_arm, model_method
from tamis.evals.experiment.model_cache import MemoryExchangeStore, ModelCache
from tamis.evals.experiment.panel import Panel
from tamis.evals.experiment.point_runner import OWN_BUDGET
from tamis.evals.judging.judge_runs import get_judge
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.points import At, Point
from tamis.evals.probing.probes import Probe, read_probes
from tamis.evals.probing.readers import LexicalReader, ModelReader
from tamis.evals.rundir.results import LEXICAL, OFFLINE, Settings
from tamis.messages import Counter, get_counter
from tamis.models import Model, get_model
from tamis.models.likelihood_registry import get_likelihoods

GetModel = Callable[[str], Model]
MOST_CYCLES = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedProbes:
    """Probes from a file, by the point that they belong to; those that name none go by their sources."""

    by_place: Mapping[tuple[str | None, str | None], Sequence[Probe]]

    def at(self, point: Point) -> tuple[Probe, ...]:
        """The probes that can be asked at a point."""
        here = {m.id for m in point.span}
        anywhere = (p for p in self.by_place.get((None, None), ()) if here.issuperset(p.sources))
        return (*self.by_place.get((point.session_id, point.label), ()), *anywhere)


@dataclass(frozen=True, kw_only=True, slots=True)
class Components:
    """Everything that is made once and put to work at every point."""

    arms: tuple[Compactor, ...]
    at: tuple[At, ...]
    counter: Counter
    panel: Panel
    desk: ModelCache
    saved: SavedProbes | None = None
    probe_model: Model | None = None
    hands: Stagehands = field(default_factory=Stagehands)


def model_names(settings: Settings) -> tuple[str, ...]:
    """Every model that the settings name, each once: of methods, readers, judges, probes, and next acts."""
    named = [
        *(
            n.partition("@")[2].removesuffix("+restated")
            for n in settings.methods
            if model_method(get_arm(n))
        ),
        *(name for name in (*settings.readers, *settings.judges) if name not in (LEXICAL, OFFLINE)),
        *([settings.probe_model] if settings.probe_model else ()),
        *settings.likelihoods,
        *settings.next_actions,
    ]
    return tuple(dict.fromkeys(named))


def get_tools(settings: Settings, desk: ModelCache | None = None, models: GetModel = get_model) -> Components:
    """The tools of an experiment, their models asked from `desk`; from one that forgets, unless told.

    Whatever is wrong with the settings is an error here, before anything runs.

    Raises:
        InputError: a method, budget, place, reader, judge, rubric or number that is none.
    """
    _check_numbers(settings)
    desk = desk or ModelCache(MemoryExchangeStore())

    @cache  # a model that reads and judges is one model: a file of weights is loaded once
    def kept(name: str) -> Model:
        return desk.model(name, models(name))

    arms = tuple(get_arm(name) for name in settings.methods)
    for name, arm in zip(settings.methods, arms, strict=True):
        if method := model_method(arm):
            method.model = kept(name.partition("@")[2].removesuffix("+restated"))
    rubric = load_rubric(Path(settings.rubric) if settings.rubric else None) if settings.judges else None
    return Components(
        arms=arms,
        at=tuple(At.parse(place) for place in settings.at),
        counter=get_counter(settings.tokenizer),
        panel=Panel(
            readers=tuple(
                LexicalReader() if n == LEXICAL else ModelReader(kept(n)) for n in settings.readers
            ),
            judges=tuple(get_judge(name, rubric, kept) for name in settings.judges if rubric),
            repeats=settings.repeats,
            asks_models=bool(model_names(settings)),
        ),
        desk=desk,
        saved=_saved(Path(settings.probes)) if settings.probes else None,
        probe_model=kept(settings.probe_model) if settings.probe_model else None,
        hands=Stagehands(
            likelihoods=tuple(
                KeptLikelihoods(desk, name, get_likelihoods(name)) for name in settings.likelihoods
            ),
            actors={name: kept(name) for name in settings.next_actions},
        ),
    )


def _check_numbers(settings: Settings) -> None:
    for budget in settings.budgets:
        if budget != OWN_BUDGET:
            parse_budget(budget)
    if not 1 <= settings.cycles <= MOST_CYCLES:
        raise InputError(f"{settings.cycles} cycles cannot be run; give 1 to {MOST_CYCLES}")
    if settings.repeats < 1:
        raise InputError(f"{settings.repeats} repeats are none; give 1 or more")
    if settings.timeout_s is not None and settings.timeout_s <= 0:
        raise InputError(f"a time limit of {settings.timeout_s:g} seconds leaves no time; give more than 0")
    if settings.judges and not settings.readers:
        raise InputError("there is nothing to judge without a reader; name one, or leave the judges out")


def _saved(path: Path) -> SavedProbes:
    by_place: dict[tuple[str | None, str | None], list[Probe]] = {}
    for probe in read_probes(path):
        by_place.setdefault((probe.session, probe.point), []).append(probe)
    return SavedProbes(by_place=by_place)
