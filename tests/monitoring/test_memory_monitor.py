"""A layered memory that is watched: every pass is written down, and what an iteration was not shown."""

from __future__ import annotations

import pytest

from compactors.conversations import COUNTER, say
from memory.loops import TASK, run, settings
from monitoring.kept import KeptEntries
from tamis.memory import LayeredMemory, Skill, Skillbook
from tamis.memory.collection import CurrentIteration
from tamis.memory.passes import Stages
from tamis.monitoring import Monitor, Observation
from tamis.monitoring.monitor import MemoryMonitor
from tamis.monitoring.tally import SourceFigures, figures_of


def watched() -> tuple[MemoryMonitor, KeptEntries]:
    log = KeptEntries()
    return Monitor(log=log).memory("s1", tokenizer=COUNTER), log


def loop(memory: LayeredMemory, count: int, **asked: bool) -> None:
    for _ in range(count):
        memory.assemble(TASK, **asked)  # type: ignore[arg-type]
        run(memory, 1)


def figures(log: KeptEntries, mode: str = "active") -> SourceFigures:
    return next(one for one in figures_of(log) if (one.source, one.mode) == ("memory", mode))


def test_a_pass_is_a_decision_with_its_sizes() -> None:
    listener, log = watched()
    with LayeredMemory(settings(), listener=listener) as memory:
        loop(memory, 4)
    made = figures(log)
    assert made.decisions["compacted"] == 3
    assert made.decisions["untouched"] == 1
    assert made.ratio is not None
    assert made.ratio < 0.8
    assert made.queue_length == 0


def test_shadow_mode_counts_apart() -> None:
    listener, log = watched()
    with LayeredMemory(settings(mode="shadow"), listener=listener) as memory:
        loop(memory, 4)
    assert figures(log, "shadow").decisions == {"compacted": 3}
    assert figures(log, "shadow").turns > 0


def test_the_cache_of_relevant_skills_is_counted() -> None:
    listener, log = watched()
    book = Skillbook(skills=(Skill(name="rows", summary="Skip empty rows of totals.", domains=("csv",)),))
    with LayeredMemory(settings(), skillbook=book, listener=listener) as memory:
        loop(memory, 4)
    assert (figures(log).cache_hits, figures(log).cache_lookups) == (3, 4)


def test_a_stage_that_fails_is_a_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(now: CurrentIteration, *rest: object, **more: object) -> Stages:
        raise ValueError(now.task)

    listener, log = watched()
    with LayeredMemory(settings(), listener=listener) as memory:
        run(memory, 2)
        monkeypatch.setattr("tamis.memory.loop.run_stages", fails)
        memory.assemble(TASK)
    assert figures(log).fallbacks == {"stage-failed": 1}


def test_what_an_iteration_was_not_shown_and_needed_is_regret() -> None:
    listener, log = watched()
    names = [f"quartz_{n:04d}" for n in range(900)]
    told = say("tool", "\n".join(f"The marker is {name}." for name in names), id="told")
    with LayeredMemory(settings(), listener=listener) as memory:
        memory.end_iteration(TASK, [told])
        run(memory, 8)
        prompt = memory.assemble(TASK).prompt
        missing = next(name for name in names if name not in prompt)
        memory.end_iteration(TASK, [say("assistant", f"I write {missing} down.", id="uses")])
        regrets = memory.regrets
    assert regrets[-1].missing == (missing,)
    made = figures(log)
    assert [(one.kind, one.events) for one in made.regrets] == [("name", 1)]
    assert made.regret_tokens > 0
    assert (made.turns, made.regret_turns) == (1, 1)


def test_an_iteration_that_was_shown_everything_is_not_judged() -> None:
    listener, log = watched()
    with LayeredMemory(settings(mode="off"), listener=listener) as memory:
        loop(memory, 4)
    assert {entry.event for entry in log} == {"decision"}


def test_a_listener_that_fails_stops_no_loop() -> None:
    class Broken:
        def record(self, observation: Observation) -> None:
            raise OSError("gone")

    listener = Monitor(recorders=[Broken()]).memory()
    with LayeredMemory(settings(), listener=listener) as memory:
        run(memory, 3)
        with pytest.warns(RuntimeWarning, match="gone"):
            made = memory.assemble(TASK)
        assert made.applied
