"""Running an experiment into a run directory: its settings, the work that is left, its limits.

The files are measured largest first, so that no process is left with a long one at the end, and written down
in that order. Stopped at any moment, the same call goes on behind the last file that was done; what models
were asked for the file that was not done is not asked again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tamis.errors import CapReached, InputError, NotComparable
from tamis.evals.experiment.components import Components, GetModel, get_tools, model_names
from tamis.evals.experiment.estimate import CostEstimate, estimate_cost
from tamis.evals.experiment.model_cache import ExchangeStore, ModelCache
from tamis.evals.experiment.runner import SessionFile, measure_files, measure_files_with_models, run_apart
from tamis.evals.experiment.workers import get_engine
from tamis.evals.figures.prices import Price, find_price
from tamis.evals.judging.calibration import calibrate_all
from tamis.evals.judging.rubric import keep_rubric
from tamis.evals.rundir.results import SessionResults, Settings, SkippedInput
from tamis.evals.rundir.run_directory import RunWriter, write_run
from tamis.models import get_model
from tamis.models.likelihood import UNIGRAM

LISTING, CALIBRATION, SCORING = "listing", "calibration", "scoring"
"""Pieces of work in the journal that are no file."""
_FREE = ("gguf:", "recorded:", UNIGRAM)


@dataclass(frozen=True, kw_only=True, slots=True)
class ResourceLimits:
    """What an experiment may use: workers and whose, questions at once of one provider, dollars."""

    jobs: int = 1
    engine: str = "processes"
    concurrency: int = 8
    max_cost_usd: float | None = None


class ExperimentListener:
    """Is told how an experiment goes; this one does not listen."""

    def begins(self, total_bytes: int, done_bytes: int) -> None:
        """How much there is to measure, and how much of it was measured already."""

    def measured(self, done_bytes: int) -> None:
        """A file is done."""

    def estimated(self, estimate: CostEstimate, cost_usd: float | None) -> None:
        """What models will be asked, before the first question."""


def conduct(
    files: Sequence[SessionFile],
    settings: Settings,
    folder: Path,
    *,
    means: ResourceLimits | None = None,
    passed_over: Sequence[SkippedInput] = (),
    watcher: ExperimentListener | None = None,
    models: GetModel = get_model,
) -> None:
    """Measure the files into a run directory, or what is left of them where it was begun before.

    `passed_over` is what was found and is no session; `watcher` is told how it goes; `models` gives a model
    by its name.

    Raises:
        InputError: the settings, the means or the folder cannot be used.
        TamisError: what made it stop; the same call goes on from there.
    """
    means = means or ResourceLimits()
    _check(means)
    ordered = sorted(files, key=lambda f: (-f.bytes, f.set, str(f.path)))
    get_tools(settings, models=models)  # what is wrong is said before anything is written
    asks_models = bool(model_names(settings))
    with write_run(folder, settings, _inputs(ordered)) as writer:
        if writer.finished:
            return
        if settings.rubric:
            keep_rubric(folder, Path(settings.rubric))
        if not writer.done:
            writer.add(SessionResults(skipped=tuple(passed_over)), work=LISTING)
        done = [n for n in writer.done if n not in (LISTING, CALIBRATION) and not n.startswith(SCORING)]
        _check_done(folder, done, ordered)
        work = _Work(writer=writer, left=ordered[len(done) :], watcher=watcher or ExperimentListener())
        work.watcher.begins(sum(f.bytes for f in ordered), sum(f.bytes for f in ordered[: len(done)]))
        if asks_models:
            desk = desk_for(model_names(settings), writer.texts, means)
            tools = get_tools(settings, desk, models)
            _estimate(work, settings, tools, means)
            run_apart(work.with_models(settings, tools))
        else:
            work.by_engine(settings, means)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Work:
    writer: RunWriter
    left: Sequence[SessionFile]
    watcher: ExperimentListener

    def by_engine(self, settings: Settings, means: ResourceLimits) -> None:
        """Measure what only computes."""
        run_apart(self._calibrate(get_tools(settings)))
        parts = measure_files(self.left, settings, get_engine(means.engine, means.jobs))
        for file, part in zip(self.left, parts, strict=True):
            self._write(file, part)

    async def with_models(self, settings: Settings, tools: Components) -> None:
        """Measure with models."""
        await self._calibrate(tools)
        done = iter(self.left)
        async for part in measure_files_with_models(self.left, settings, tools):
            self._write(next(done), part)

    async def _calibrate(self, tools: Components) -> None:
        """Have every judge judge answers whose worth is known, before anything that it says counts."""
        if CALIBRATION in self.writer.done:
            return
        most = self.writer.settings.calibration
        made = await calibrate_all(tools.panel.judges, repeats=tools.panel.repeats, most=most)
        tools.desk.raise_if_stopped()
        self.writer.add(SessionResults(calibrations=made), work=CALIBRATION)

    def _write(self, file: SessionFile, part: SessionResults) -> None:
        self.writer.add(part, work=_name(file))
        self.watcher.measured(file.bytes)


def prices(models: Sequence[str], *, today: date) -> dict[str, Price | None]:
    """What each model's tokens cost today; a model that runs here costs nothing."""
    free = partial(
        Price, input_usd=0.0, cached_input_usd=0.0, cache_write_usd=None, output_usd=0.0, tier_from=None
    )
    found = {
        name: free(model=name, as_of=today, source="runs here")
        if name.startswith(_FREE)
        else find_price(name, on=today)
        for name in models
    }
    return {name: price if isinstance(price, Price) else None for name, price in found.items()}


def _check(means: ResourceLimits) -> None:
    if means.jobs < 1:
        raise InputError(f"--jobs is {means.jobs}; give 1 or more")
    if means.concurrency < 1:
        raise InputError(f"--concurrency is {means.concurrency}; give 1 or more")
    if means.max_cost_usd is not None and means.max_cost_usd <= 0:
        raise InputError(f"--max-cost is {means.max_cost_usd:g}; give a sum above 0, or leave it out")
    get_engine(means.engine, means.jobs)


def desk_for(models: Sequence[str], store: ExchangeStore, means: ResourceLimits) -> ModelCache:
    """Where these models are asked from, at today's prices.

    Raises:
        InputError: there is a cap, and a price is not known.
    """
    price_of = prices(models, today=datetime.now(tz=UTC).date())
    unknown = [name for name, price in price_of.items() if price is None]
    if unknown and means.max_cost_usd is not None:
        raise InputError(
            f"--max-cost cannot be kept: no price of {unknown[0]} is known; leave --max-cost out, or "
            "choose a model with a list price"
        )
    return ModelCache(
        store, concurrency=means.concurrency, max_cost_usd=means.max_cost_usd, price_of=price_of.get
    )


def _estimate(work: _Work, settings: Settings, tools: Components, means: ResourceLimits) -> None:
    """Tell what will be asked; refuse what would cost more than it may."""
    estimate = estimate_cost(work.left, settings, tools)
    cost = estimate.cost_usd(tools.desk.price_of)
    work.watcher.estimated(estimate, cost)
    left = None if means.max_cost_usd is None else means.max_cost_usd - tools.desk.shelf.spent_usd()
    if left is not None and cost is not None and cost > left:
        raise CapReached(
            f"this would cost about ${cost:.2f} (estimated from {estimate.files} files), and ${left:.2f} may "
            "be spent; raise --max-cost, or measure fewer sessions, methods, budgets or probes"
        )


def _inputs(files: Sequence[SessionFile]) -> dict[str, Any]:
    told = "".join(f"{f.set}\0{f.path}\0{f.bytes}\n" for f in files)
    return {
        "files": len(files),
        "bytes": sum(f.bytes for f in files),
        "digest": f"sha256:{hashlib.sha256(told.encode('utf-8', 'surrogateescape')).hexdigest()}",
    }


def _check_done(folder: Path, done: Sequence[str], files: Sequence[SessionFile]) -> None:
    for before, file in zip(done, files, strict=False):
        if before != _name(file):
            raise NotComparable(
                f"{folder} measured {before}, where now {_name(file)} stands; name a new folder"
            )


def _name(file: SessionFile) -> str:
    return f"{file.set}: {file.path}"
