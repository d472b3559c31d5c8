"""Running tickets: every task with every method.

Killed at any moment, it goes on where it was when the same is asked for again; more tasks or methods may be
asked for then. Tasks are the outer loop, so that all methods have been through the same ones.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from tamis.ab.lines import open_lines, read_lines, read_plan
from tamis.ab.ticket_agent import Effort, Window, work_on
from tamis.ab.ticket_repository import make_repository
from tamis.ab.ticket_script import ScriptedAgent
from tamis.ab.ticket_work import Outcome, Work
from tamis.compactors import MODEL_METHODS, get_method
from tamis.compactors.peers import MODEL_PEERS
from tamis.errors import InputError
from tamis.models import Model, get_model

FORMAT = "tamis-tickets/1"
SCRIPTED = "scripted"
METHODS = ("ledger", "mask", "truncate", "head-tail", "extractive", "full", "nothing")
WITH_A_MODEL = ("hybrid", "regenerative")


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketPlan:
    """`tasks` repositories, each worked on once with every method.

    `model` is `scripted` or a model's name. A method that asks a model and names none asks the same.

    Raises:
        InputError: nothing to run, or a method without a model to ask.
    """

    tasks: int = 20
    model: str = SCRIPTED
    methods: tuple[str, ...] = ()
    window: Window = field(default_factory=Window)
    is_hostile: bool = False

    def __post_init__(self) -> None:
        if self.tasks < 1:
            raise InputError(f"{self.tasks} tasks; give 1 or more")

    @property
    def compared(self) -> tuple[str, ...]:
        """The methods as they are named, the first against which the others are held."""
        asking = () if self.model == SCRIPTED else WITH_A_MODEL
        return tuple(dict.fromkeys(map(self._named, self.methods or (*METHODS[:1], *asking, *METHODS[1:]))))

    def _named(self, method: str) -> str:
        if method not in MODEL_METHODS and method not in MODEL_PEERS:
            return method
        if self.model == SCRIPTED:
            raise InputError(f"{method} asks a model, and the scripted agent is none; write {method}@MODEL")
        return f"{method}@{self.model}"


@dataclass(frozen=True, kw_only=True, slots=True)
class TicketTrial:
    """One task with one method."""

    task: int
    method: str
    outcome: Outcome
    effort: Effort
    files_read_again: int
    duration_s: float


_PLAN = TypeAdapter(TicketPlan)
_TRIAL = TypeAdapter(TicketTrial)


def run_tickets(
    plan: TicketPlan,
    folder: Path,
    *,
    model: Model | None = None,
    on_trial: Callable[[TicketTrial], None] | None = None,
) -> list[TicketTrial]:
    """Every trial of the plan that the folder does not hold yet; gives all of the plan's.

    `model` is the agent's, where it is not to be found by the plan's name.

    Raises:
        NotComparable: the folder holds the trials of another plan.
        ModelError: the model gave no answer; what was run is kept.
        TamisError: a method or a model that is not there.
    """
    methods = plan.compared
    for method in methods:
        get_method(method)
    agent = model or (ScriptedAgent() if plan.model == SCRIPTED else get_model(plan.model))
    lasting = asdict(plan)
    del lasting["tasks"], lasting["methods"]  # more may be asked for later
    with open_lines(folder, FORMAT, lasting, _TRIAL) as record:
        done = {(trial.task, trial.method) for trial in record.trials}
        left = [(task, method) for task in range(1, plan.tasks + 1) for method in methods]
        for task, method in [each for each in left if each not in done]:
            trial = _trial(plan, agent, task, method)
            record.add(trial)
            if on_trial is not None:
                on_trial(trial)
    return [trial for trial in record.trials if (trial.task, trial.method) in left]


def read_tickets(folder: Path) -> tuple[TicketPlan, list[TicketTrial]]:
    """The plan and the trials of a folder, as far as it got.

    Raises:
        UnreadableFile: there are none, or they are damaged.
    """
    plan, trials = read_plan(folder, FORMAT), read_lines(folder, _TRIAL)
    methods = tuple(dict.fromkeys(trial.method for trial in trials))
    tasks = max((trial.task for trial in trials), default=1)
    return _PLAN.validate_python({**plan, "tasks": tasks, "methods": methods}), trials


def _trial(plan: TicketPlan, agent: Model, task: int, method: str) -> TicketTrial:
    work = Work(repository=make_repository(task, hostile=plan.is_hostile))
    started = time.monotonic()
    effort = asyncio.run(work_on(work, agent, method, plan.window))
    return TicketTrial(
        task=task,
        method=method,
        outcome=work.judge(),
        effort=effort,
        files_read_again=work.files_read_again,
        duration_s=time.monotonic() - started,
    )
