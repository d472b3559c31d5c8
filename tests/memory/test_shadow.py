"""Shadow mode over recorded sessions, and the regret that it counts."""

from __future__ import annotations

import dataclasses
import itertools

from memory.loops import TASK, iteration
from tamis.memory import Iteration, MemorySettings, shadow_session, shadow_sessions, split_iterations
from tamis.memory.iteration_regret import find_regret
from tamis.memory.settings import Thresholds
from tamis.memory.shadow import newest, report
from tamis.messages import Message, Session, Text, ToolResult, get_counter
from tamis.sessions import find_sessions, read_all

COUNTER = get_counter()


def said(text: str) -> Message:
    return Message(id="s", role="assistant", parts=(Text(text=text),))


def session(count: int) -> Session:
    asked = Message(id="u", role="user", parts=(Text(text=TASK),))
    turns = [
        dataclasses.replace(message, id=f"{n}-{i}")
        for n in range(count)
        for i, message in enumerate(iteration(n))
    ]
    return Session(id="made-up", format="test", messages=(asked, *turns))


def regret_of(*messages: Message, shown: str = "", past: frozenset[str] = frozenset({"src/gone.py"})):
    return find_regret(
        Iteration(number=2, task="go on", messages=messages), shown=shown, was_said=past.__contains__
    )


def test_a_name_of_the_past_that_was_not_shown_is_missed():
    regret = regret_of(said("Now open src/gone.py."), said("And src/gone.py again."))
    assert (regret.missing, regret.needed, regret.turns, regret.missing_turns) == (("src/gone.py",), 1, 2, 1)


def test_a_name_that_was_shown_is_not_missed():
    regret = regret_of(said("Now open src/gone.py."), shown="changed src/gone.py")
    assert (regret.missing, regret.needed) == ((), 1)


def test_a_name_that_a_tool_gave_in_the_iteration_is_not_needed_from_the_past():
    result = Message(id="t", role="tool", parts=(ToolResult(call_id="c", text="src/gone.py"),))
    assert regret_of(result, said("Now open src/gone.py.")).needed == 0


def test_a_name_that_the_past_never_held_is_not_needed():
    assert regret_of(said("Make src/new.py.")).needed == 0


def test_shadow_measures_every_iteration_that_had_something_to_compress():
    passes, whole = shadow_session(session(60))
    assert len(passes) > 5
    assert whole == 0
    assert all(p.tokens_after < p.tokens_before for p in passes)
    assert all(p.turns for p in passes)


def test_shadow_counts_what_a_tight_limit_loses():
    tight = MemorySettings(thresholds=Thresholds(max_compressed_size=1, max_share=0))
    busy = session(60)
    again = said("Back to tests/test_part3.py::test_case_7 now.")
    recorded = dataclasses.replace(busy, messages=(*busy.messages, dataclasses.replace(again, id="z")))
    passes, _ = shadow_session(recorded, tight)
    assert "tests/test_part3.py" in passes[-1].missing


def test_the_same_sessions_give_the_same_figures():
    clock = itertools.count().__next__
    assert shadow_session(session(30), clock=clock)[0] != []
    first, second = (shadow_session(session(30), clock=itertools.count().__next__) for _ in range(2))
    assert first == second


def test_nothing_measured_is_not_a_zero():
    found = report([], sessions=0)
    assert (found.savings, found.regret_rate, found.latency_ms_p50) == (None, None, None)
    assert {row.verdict for row in found.criteria} == {"not measured"}


def test_a_session_too_small_to_compress_is_named():
    found = shadow_sessions([session(1)])
    assert found.iterations == 0
    assert found.skipped == ("made-up: no context that was large enough to compress",)


def test_iterations_hold_every_message_once_and_tear_no_call_from_its_result():
    whole = session(40)
    parts = list(split_iterations(whole.messages, COUNTER, tokens=700))
    assert tuple(m for part in parts for m in part.messages) == whole.messages
    for part in parts:
        calls = {call.id for m in part.messages for call in m.calls}
        assert {result.call_id for m in part.messages for result in m.results} == calls
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))


def test_the_newest_unit_is_shown_however_large_it_is():
    messages = iteration(1)[:2]
    assert newest(messages, COUNTER, 1) == messages


def test_shadow_over_real_sessions_reports_savings_latency_and_regret(real_sessions):
    files = [f.path for f in find_sessions([real_sessions / "tau2-bench"]) if f.format]
    found = shadow_sessions(itertools.islice((s for path in files for s in read_all(path)), 4))
    assert found.savings is not None
    assert found.latency_ms_p95 is not None
    assert found.regret_rate is not None
