"""An experiment with readers, judges, cycles and models: what is asked, what fails, what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import tamis
from evals.experiments import Repeating, line, saved, scripted, worker
from evals.recorded import talk
from tamis.compactors import CompactionRequest, run_compactor
from tamis.errors import (
    CapReached,
    InputError,
    ModelServerError,
    RequestRejected,
    UnknownMethod,
)
from tamis.evals import Failure, Hindsight, NotMeasured, evaluate, read_run
from tamis.evals.experiment.arms import get_arm
from tamis.evals.experiment.experiment_run import ResourceLimits, conduct
from tamis.evals.figures.reading_summary import summarise_reading
from tamis.evals.rundir.results import Run, Settings
from tamis.messages import ExactCounter, Session
from tamis.models import Model

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "sessions"

METHODS = """
import json
from pathlib import Path
from dataclasses import replace
from tamis.compactors.methods.nothing import Nothing
from tamis.messages import Message, Text, ToolCall

class Base(Nothing):
    async def compact(self, request):
        return self.spoil(await super().compact(request), request)

class Raises(Base):
    name = "raises"
    def spoil(self, made, request): raise OSError("gone")

class Hangs(Base):
    name = "hangs"
    def spoil(self, made, request):
        while True: pass

class GivesNothing(Base):
    name = "gives-nothing"
    def spoil(self, made, request): return None

class TooLarge(Base):
    name = "too-large"
    def spoil(self, made, request):
        long = Message(id="x", role="user", parts=(Text(text="many words " * 5000),))
        return replace(made, messages=(long,), tokens_after=1)

class Tears(Base):
    name = "tears"
    def spoil(self, made, request):
        torn = Message(id="x", role="assistant", parts=(ToolCall(id="c", name="ls"),))
        return replace(made, messages=(torn,), tokens_after=10)

class Forgets:
    name, version = "forgets", "1"
    async def compact(self, request):
        with Path(__file__).with_suffix(".seen").open("a") as file:
            file.write(json.dumps([request.previous is None, [m.id for m in request.span]]) + "\\n")
        from tamis.compactors import Compaction
        last = Message(id="kept", role="user", parts=(Text(text="so far"),))
        return Compaction(messages=(last,), account=(), tokens_before=0, tokens_after=0, outcome="fits",
                          method="forgets", version="1")
"""


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[str], str]:
    path = tmp_path / "methods.py"
    path.write_text(METHODS)
    return lambda name: f"{path}:{name}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raises", "OSError: gone"),
        ("GivesNothing", "returned NoneType, not a tamis.compactors.Compaction"),
        ("TooLarge", "it broke the budget"),
        ("Tears", "it tore 1 calls and results apart"),
        ("Hangs", "hangs gave no answer within 0.2 seconds"),
    ],
)
def test_a_method_that_breaks_the_contract_has_failed_and_the_others_go_on(
    broken: Callable[[str], str], name: str, reason: str
) -> None:
    run = evaluate([talk(20)], methods=[broken(name), "index"], budgets=["10%"], timeout_s=0.2, readers=[])
    failed, index = run.results
    assert isinstance(failed.score, Failure)
    assert reason in failed.score.reason
    assert isinstance(index.score, Hindsight)


def test_restated_says_the_constraint_again_within_the_budget() -> None:
    span = worker().messages[:30]
    made = run_compactor(
        get_arm("nothing+restated"),
        CompactionRequest(span=span, budget_tokens=200, counter=ExactCounter()),
    )
    assert made.method == "nothing+restated"
    assert "Never touch config/prod-0.yaml in any way" in made.messages[-1].text
    assert made.tokens_after <= 200


def test_restated_goes_on_saying_what_was_said_in_an_earlier_cycle() -> None:
    arm, messages, counter = get_arm("nothing+restated"), worker().messages, ExactCounter()
    first = run_compactor(arm, CompactionRequest(span=messages[:14], budget_tokens=300, counter=counter))
    second = run_compactor(
        arm, CompactionRequest(span=messages[14:40], budget_tokens=300, counter=counter, previous=first)
    )
    said = [m.text for m in second.messages if "config/prod-0.yaml" in m.text]
    assert len(said) == 1
    assert second.tokens_after <= 300


def test_restated_alone_names_no_method() -> None:
    with pytest.raises(UnknownMethod, match=r"write METHOD\+restated"):
        get_arm("restated")


def test_each_cycle_gets_the_last_answer_and_what_is_new_and_nothing_else(
    broken: Callable[[str], str], tmp_path: Path
) -> None:
    run = evaluate([worker()], methods=[broken("Forgets")], budgets=["30%"], cycles=3, readers=[])
    seen = [json.loads(line) for line in (tmp_path / "methods.seen").read_text().splitlines()]
    spans = [span for _, span in seen]
    assert all(no_previous for no_previous, _ in seen)  # it does not say that it reads one
    assert [span[0] for span in spans[1:]] == ["kept", "kept"]
    point = next(iter(run.points))
    everything = [m.id for m in worker().messages]
    assert [*spans[0], *spans[1][1:], *spans[2][1:]] == everything[: point.later[-1].cut]
    assert [r.cycle for r in run.results] == [1, 2, 3]


def test_full_loses_nothing_and_nothing_keeps_nothing_in_every_cycle() -> None:
    run = evaluate([worker()], methods=["full", "nothing"], budgets=["10%"], cycles=3)
    for result in run.results:
        share = 1.0 if result.method == "full" else 0.0
        assert isinstance(result.score, Hindsight)
        assert result.score.recall == share
        assert result.lasting
        assert all(kept.found == share * kept.needed for kept in result.lasting.values())


def test_a_session_that_ends_before_a_cycle_is_told() -> None:
    run = evaluate([talk(8)], methods=["index"], budgets=["10%"], cycles=9, readers=[])
    assert "the session ends before this cycle" in [s.reason for s in run.skipped]


def test_every_probe_is_asked_of_every_context_and_judged() -> None:
    session = tamis.read(EXAMPLES / "till.claude-code.jsonl")
    run = evaluate([session], methods=["index", "nothing", "full"], budgets=["5%", "10%"])
    assert len(run.probes) > 3
    assert len(run.answers) == len(run.judgements) == len(run.probes) * len(run.results)
    keys = {r.key for r in run.results}
    assert {a.result for a in run.answers} == keys
    assert {j.answer for j in run.judgements} == {a.key for a in run.answers}
    full, nothing = (
        next(c for c in summarise_reading(run) if c.place.method == name) for name in ("full", "nothing")
    )
    assert full.exact is not None
    assert nothing.exact is not None
    assert full.exact.mean > nothing.exact.mean == 0.0
    assert full.overall is not None
    assert full.overall.mean == pytest.approx(
        sum(d.mean for d in full.dimensions.values()) / len(full.dimensions)
    )


def test_without_readers_there_are_no_probes() -> None:
    run = evaluate([worker()], methods=["index"], budgets=["5%"], readers=[])
    assert (run.probes, run.answers, run.judgements) == ((), (), ())


def test_a_span_that_gives_no_probe_is_told() -> None:
    words = [line(n, r, "so it goes on and on. " * 200) for n, r in enumerate(["user", "assistant"] * 4)]
    run = evaluate(
        [Session(id="s", format="messages", messages=tuple(words))], methods=["index"], budgets=["5%"]
    )
    asked = [p for p in run.probes if p.probe.kind != "unanswerable"]
    assert asked == []


def test_saved_probes_are_asked_where_they_belong(tmp_path: Path) -> None:
    from tamis.evals import write_probes

    made = evaluate([worker()], methods=["index"], budgets=["5%"])
    probe = next(iter(made.probes)).probe
    elsewhere = replace(probe, id="other", session="another session")
    write_probes(tmp_path / "probes.jsonl", [probe, elsewhere])
    run = evaluate([worker()], methods=["index"], budgets=["5%"], probes=tmp_path / "probes.jsonl")
    assert [p.probe for p in run.probes] == [probe]


def test_what_a_model_was_asked_and_said_is_kept(tmp_path: Path) -> None:
    run = _with_models(tmp_path, scripted("The file is src/a.py."), readers=("test:reader",))
    answers = [a for a in run.answers if a.reader == "model test:reader"]
    assert answers
    from tamis.evals import Texts

    texts = Texts(tmp_path / "run")
    for answer in answers:
        assert answer.usage is not None
        assert answer.usage.requests == 1
        assert texts[answer.reply or ""] == "The file is src/a.py."
        assert texts[answer.prompt or ""].count("### 1 user") == 1
    texts.close()


def test_a_reader_that_fails_has_not_answered_and_is_no_zero(tmp_path: Path) -> None:
    run = _with_models(tmp_path, scripted(ModelServerError("down")), readers=("test:reader",))
    assert all(isinstance(a.exact, NotMeasured) and "down" in a.exact.reason for a in run.answers)
    [cell] = summarise_reading(run)
    assert cell.exact is None
    assert sum(cell.not_measured.values()) == len(run.answers)


def test_a_judge_that_says_what_is_no_judgement_has_not_judged(tmp_path: Path) -> None:
    run = _with_models(tmp_path, scripted("fine, 7 of 5"), judges=("test:judge",))
    assert len(run.judgements) == len(run.answers) > 0
    assert all(isinstance(j.judgement, NotMeasured) for j in run.judgements)
    [calibration] = run.calibrations
    assert not calibration.reliable


def test_a_provider_that_accepts_nothing_stops_the_run_and_writes_nothing_down(tmp_path: Path) -> None:
    with pytest.raises(RequestRejected, match="wrong key"):
        _with_models(tmp_path, scripted(RequestRejected("wrong key")), readers=("test:reader",))
    run = _with_models(tmp_path, scripted("NOT IN CONTEXT"), readers=("test:reader",))
    assert all(not isinstance(a.answer, NotMeasured) for a in run.answers)


def test_a_finished_run_asks_nothing_again(tmp_path: Path) -> None:
    models = scripted("NOT IN CONTEXT")
    _with_models(tmp_path, models, readers=("test:reader",))
    _with_models(tmp_path, models, readers=("test:reader",))
    assert Repeating.asked == 0


def test_the_cap_stops_the_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    models = scripted("NOT IN CONTEXT")
    with pytest.raises(CapReached, match=r"would cost about"):
        _with_models(
            tmp_path, models, readers=("openai:gpt-4o",), means=ResourceLimits(max_cost_usd=0.000001)
        )
    assert Repeating.asked == 0  # refused before the first question
    run = _with_models(tmp_path, models, readers=("openai:gpt-4o",), means=ResourceLimits(max_cost_usd=100.0))
    assert all(a.cost_usd is not None and a.cost_usd > 0 for a in run.answers)


def test_a_cap_without_a_price_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no price of http://x is known; leave --max-cost out"):
        _with_models(tmp_path, scripted("?"), readers=("http://x",), means=ResourceLimits(max_cost_usd=1.0))


def _with_models(
    folder: Path,
    models: Callable[[str], Model],
    *,
    readers: tuple[str, ...] = ("lexical",),
    judges: tuple[str, ...] = (),
    means: ResourceLimits | None = None,
) -> Run:
    settings = Settings(methods=("index",), budgets=("10%",), readers=readers, judges=judges)
    conduct(saved(folder, talk(20)), settings, folder / "run", means=means, models=models)
    return read_run(folder / "run")
