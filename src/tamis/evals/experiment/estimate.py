"""An estimate of an experiment's questions to models, made from a few of its files before any is asked.

Counted are the questions that will be put to readers and judges, the answers of known worth, the spans that
methods and makers of probes will read, and the tokens of each; what a model will answer is a guess at the
usual length. The files are taken at even steps through all of them by size, and the rest is carried on by
bytes.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tamis.errors import TamisError
from tamis.evals.acting.measuring import ACT_TOKENS, TAIL_TOKENS
from tamis.evals.experiment.arms import model_method
from tamis.evals.experiment.components import Components
from tamis.evals.experiment.point_runner import PointRunner
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.figures.prices import Price
from tamis.evals.judging.calibration import answers_for
from tamis.evals.points import Point, find_points
from tamis.evals.probing.examination import in_view
from tamis.evals.probing.probe_maker import make_point_probes
from tamis.evals.rundir.results import LEXICAL, OFFLINE, Settings
from tamis.messages import count_messages
from tamis.sessions import read_all

SAMPLE = 6
PROMPT_TOKENS, ANSWER_TOKENS = 120, 60
JUDGE_PROMPT_TOKENS, JUDGEMENT_TOKENS = 1_200, 350
PROBES_TOKENS = 1_500


@dataclass
class ModelLoad:
    """What one model will be asked."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0

    def add(self, calls: float, input_tokens: float, output_tokens: float) -> None:
        """So many calls of so many tokens each."""
        self.calls += calls
        self.input_tokens += calls * input_tokens
        self.output_tokens += calls * output_tokens

    def cost_usd(self, price: Price | None) -> float | None:
        """What that costs, where the price is known."""
        if price is None:
            return None
        return price.cost(
            new_tokens=round(self.input_tokens), output_tokens=round(self.output_tokens), cache=False
        )


@dataclass(frozen=True, kw_only=True)
class CostEstimate:
    """What each model will be asked, from `files` of all files."""

    files: int
    loads: dict[str, ModelLoad] = field(default_factory=dict)

    def cost_usd(self, price_of: Callable[[str], Price | None]) -> float | None:
        """What it will cost in all; None where a price is not known."""
        costs = [load.cost_usd(price_of(model)) for model, load in self.loads.items()]
        return sum(c for c in costs if c is not None) if None not in costs else None


def estimate_cost(files: Sequence[SessionFile], settings: Settings, tools: Components) -> CostEstimate:
    """Count what will be asked, in a few files, and carry it on to all of them."""
    step = max(1, -(-len(files) // SAMPLE))
    sample = files[step // 2 :: step]
    loads: defaultdict[str, ModelLoad] = defaultdict(ModelLoad)
    for file in sample:
        try:
            for session in read_all(file.path):
                for point in find_points(session, tools.at, tools.counter):
                    if isinstance(point, Point):
                        _add_point(loads, point, settings, tools)
        except TamisError:
            continue  # what cannot be read costs nothing
    seen = sum(file.bytes for file in sample)
    factor = sum(file.bytes for file in files) / seen if seen else 1.0
    for load in loads.values():
        load.calls *= factor
        load.input_tokens *= factor
        load.output_tokens *= factor
    for judge in (name for name in settings.judges if name != OFFLINE):
        known = settings.repeats * len(answers_for(judge, settings.calibration).cases)
        loads[judge].add(known, JUDGE_PROMPT_TOKENS, JUDGEMENT_TOKENS)
    return CostEstimate(files=len(sample), loads=dict(loads))


def _add_point(
    loads: defaultdict[str, ModelLoad], point: Point, settings: Settings, tools: Components
) -> None:
    probes = 0
    if settings.readers:
        probes = len(tools.saved.at(point) if tools.saved else make_point_probes(point).probes)
    view = sum(count_messages(in_view(point), tools.counter))
    if settings.probe_model:
        loads[settings.probe_model].add(1, point.span_tokens, PROBES_TOKENS)
    for model in settings.next_actions:  # everything in view, twice
        loads[model].add(2 * settings.cycles, point.span_tokens, ACT_TOKENS)
    for budget in settings.budgets:
        for name, arm in zip(settings.methods, tools.arms, strict=True):
            try:
                room = PointRunner.budget_at(point, arm, budget, tools.counter)
            except TamisError:
                continue
            if model_method(arm):
                read = point.span_tokens + settings.cycles * room
                called = name.partition("@")[2].removesuffix("+restated")
                loads[called].add(1, read, settings.cycles * room)
            for model in (*settings.likelihoods, *settings.next_actions):
                loads[model].add(settings.cycles, room + TAIL_TOKENS, ACT_TOKENS)
            asked = probes * settings.cycles
            for reader in settings.readers:
                if reader != LEXICAL:
                    loads[reader].add(asked, PROMPT_TOKENS + view + room, ANSWER_TOKENS)
            for judge in settings.judges:
                if judge != OFFLINE:
                    judged = asked * len(settings.readers) * settings.repeats
                    loads[judge].add(judged, JUDGE_PROMPT_TOKENS, JUDGEMENT_TOKENS)
