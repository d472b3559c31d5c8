"""One session measured: every arm at every budget at every point, cycle by cycle, and the probes asked.

What was needed at a point, and which probes are asked there, is worked out once, whatever the number of arms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.compactors import Compactor
from tamis.evals.acting.measuring import PointActing
from tamis.evals.display_text import transcript
from tamis.evals.experiment.components import Components
from tamis.evals.experiment.panel import PointReading
from tamis.evals.experiment.point_runner import PointRunner
from tamis.evals.experiment.stages import Stage, lasting_needs, stages_of
from tamis.evals.hindsight import NameCache, Need
from tamis.evals.points import NoPoint, Point, find_points
from tamis.evals.probing.examination import in_view
from tamis.evals.probing.model_probes import propose_probes
from tamis.evals.probing.probe_maker import belonging, make_point_probes, make_probes
from tamis.evals.probing.probes import Probe
from tamis.evals.rundir import results
from tamis.evals.rundir.results import ProbeRecord, SessionResults, Settings, SkippedInput, digest
from tamis.evals.statements.keypoints import PlaceCache
from tamis.evals.task_types import task_type
from tamis.messages import Session
from tamis.models import Model

ALL_OF_A_KIND = 10_000


async def measure_session(
    session: Session, settings: Settings, tools: Components, *, source: str, set_name: str
) -> SessionResults:
    """Measure one session; what cannot be measured in it comes back as skipped, with the reason."""
    named = task_type(session) if settings.by == "task" else set_name
    measuring = _Measuring(
        settings=settings, tools=tools, source=source, set_name=named, defined=session.tools
    )
    for point in find_points(session, tools.at, tools.counter):
        if isinstance(point, NoPoint):
            measuring.skip(point, point.reason)
        else:
            await measuring.measure(point)
    whole = SessionResults(sessions=1, messages=len(session.messages), texts=measuring.texts)
    return SessionResults.merged([whole, *measuring.parts])


@dataclass(kw_only=True)
class _Measuring:
    """A session on the way: what has been measured of it so far."""

    settings: Settings
    tools: Components
    source: str
    set_name: str
    defined: Sequence[Mapping[str, Any]] = ()
    names_of: NameCache = field(default_factory=NameCache)
    places_of: PlaceCache = field(default_factory=PlaceCache)
    parts: list[SessionResults] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    async def measure(self, point: Point) -> None:
        """Every arm at every budget at one point."""
        cycles, counter = self.settings.cycles, self.tools.counter
        stages = stages_of(point, cycles, counter, names_of=self.names_of, places_of=self.places_of)
        lasting = lasting_needs(stages, self.names_of)
        record = self._record(stages, lasting)
        if len(stages) < cycles:
            self.skip(point, "the session ends before this cycle", f", from cycle {len(stages) + 1} on")
        probes = await self._probes_of(stages, record.key)
        self.parts.append(SessionResults(points=(record,), probes=probes))
        if self.settings.readers and not probes:
            self.skip(point, "the span gives no question that proves anything", ", probes")
        trial = PointRunner(
            key=record.key,
            stages=stages,
            lasting=lasting,
            counter=counter,
            timeout_s=self.settings.timeout_s,
            in_threads=self.tools.panel.asks_models,
        )
        reading = PointReading(self.tools.panel, probes)
        acting = PointActing(self.tools.hands, counter, self.defined)
        for parts in await self.tools.panel.all(
            self._run(trial, (reading, acting), arm, budget)
            for budget in self.settings.budgets
            for arm in self.tools.arms
        ):
            self.parts += parts

    async def _run(
        self, trial: PointRunner, reads: tuple[PointReading, PointActing], arm: Compactor, budget: str
    ) -> list[SessionResults]:
        """One arm at one budget through all cycles, each context read and acted behind."""
        reading, acting = reads
        parts = []
        async for measured in trial.run(arm, budget):
            if measured.text is not None:
                self.keep(measured.text)
            point = trial.stages[measured.result.cycle - 1].point
            parts.append(SessionResults(results=(measured.result,)))
            parts += [await reading.read(measured, point), await acting.act(measured, point)]
        return parts

    def skip(self, at: Point | NoPoint, reason: str, what: str = "") -> None:
        """Note what was not measured."""
        told = f"{at.session_id} at {at.label}{what}"
        skipped = SkippedInput(source=self.source, what=told, reason=reason)
        self.parts.append(SessionResults(skipped=(skipped,)))

    def keep(self, text: str) -> str:
        """Keep a text, and give its key."""
        key = digest(text)
        self.texts[key] = text
        return key

    def _record(self, stages: Sequence[Stage], lasting: Sequence[Need]) -> results.PointRecord:
        first, *later = stages
        point = first.point
        before, behind = point.system, in_view(point)[len(point.system) :]
        return results.PointRecord(
            key=digest(f"{self.source}\0{point.session_id}\0{point.label}"),
            set=self.set_name,
            source=self.source,
            session_id=point.session_id,
            cluster=f"{self.set_name}/{point.cluster}",
            label=point.label,
            cut=point.cut,
            span_tokens=point.span_tokens,
            turns_after=first.needs.turns,
            needs=first.needs.needs,
            span=self.keep(transcript(point.span)),
            view_before=self.keep(transcript(before)) if before else None,
            view_behind=self.keep(transcript(behind)) if behind else None,
            later=tuple(
                results.LaterCut(
                    cycle=stage.cycle,
                    cut=stage.point.cut,
                    span_tokens=stage.point.span_tokens,
                    turns_after=stage.needs.turns,
                    needs=stage.needs.needs,
                    new=self.keep(transcript(stage.new)),
                )
                for stage in later
            ),
            lasting=tuple(need.name for need in lasting),
            key_points=tuple(one.point for one in first.sought.points),
        )

    async def _probes_of(self, stages: Sequence[Stage], key: str) -> tuple[ProbeRecord, ...]:
        """The probes of the first span, each with the last cycle in which its answer still holds."""
        if not self.settings.readers:
            return ()
        point = stages[0].point
        if self.tools.saved is not None:
            probes = self.tools.saved.at(point)
        else:
            probes = make_point_probes(point, recalled=stages[0].sought).probes
        if self.tools.probe_model is not None:
            probes = await self._with_proposed(self.tools.probe_model, point, probes)
        until = dict.fromkeys((p.id for p in probes), 1)
        for stage in stages[1:]:
            told = {p.id: (p.expected, p.closed) for p in _still_told(stages, stage)}
            for probe in probes:
                holds = told.get(probe.id) == (probe.expected, probe.closed)
                if holds and until[probe.id] == stage.cycle - 1:
                    until[probe.id] = stage.cycle
        return tuple(ProbeRecord(point=key, probe=p, asked_until=until[p.id]) for p in probes)

    async def _with_proposed(self, model: Model, point: Point, probes: Sequence[Probe]) -> tuple[Probe, ...]:
        """The probes, and behind them those that a model proposes and the span proves."""
        proposed = await propose_probes(
            model, point.span, counter=self.tools.counter, in_view=point.system, tail=point.tail
        )
        for failure in proposed.failures:
            self.skip(point, failure, f", probes by {model.name}")
        known = {probe.id for probe in probes}
        return (*probes, *(belonging(p, point) for p in proposed.probes if p.id not in known))


def _still_told(stages: Sequence[Stage], stage: Stage) -> Iterable[Probe]:
    """What can be asked of everything up to a later cut, and is not told by what came after the first."""
    since = [message for s in stages[1 : stage.cycle] for message in s.new]
    return make_probes(
        stage.point.span,
        in_view=(*stage.point.system, *since),
        tail=stage.point.tail,
        max_per_kind=ALL_OF_A_KIND,
    ).probes
