"""Each cheat ends below every honest method, or disqualified for the right reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.bench.board import BoardRow, score_log
from tamis.bench.isolation import IsolatedMethod, is_submitted
from tamis.bench.run import BenchPlan, in_this_process, run_benchmark
from tamis.bench.run_log import read_log
from tamis.bench.suite import Suite, load_suite
from tamis.compactors import CompactionRequest, get_method
from tamis.errors import MethodFailed, UnknownMethod, UnusableReply
from tamis.evals.probing.readers import Answer, LexicalReader, Reader
from tamis.messages import Message, Text, get_counter, identify

CHEATS = Path(__file__).with_name("cheating.py")
HONEST = ("head-tail", "mask", "ledger")
SLOW_S = 1.0


@pytest.fixture(scope="session")
def suite() -> Suite:
    """One template of each family: enough to tell, and quick."""
    whole = load_suite("practice")
    first = [next(t for t in whole.templates if t.family == family) for family in whole.families]
    return replace(whole, templates=tuple(first))


@pytest.fixture(scope="session")
def worst_honest(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> float:
    folder = tmp_path_factory.mktemp("honest")
    return min(run_honest(name, suite, folder).ranked_by for name in HONEST)


def plan(suite: Suite) -> BenchPlan:
    return BenchPlan(suite=suite, slots=1, cycles=1, length_tokens=1_000)


def run_honest(name: str, suite: Suite, folder: Path) -> BoardRow:
    path, method = folder / f"{name}.jsonl", get_method(name)
    list(run_benchmark(plan(suite), method, LexicalReader(), path, compacts=in_this_process(method)))
    return score_log(read_log(path), suite)


def run_cheat(
    name: str, suite: Suite, folder: Path, *, timeout_s: float = 30.0, reader: Reader | None = None
) -> BoardRow:
    path = folder / f"{name}.jsonl"
    with IsolatedMethod(f"{CHEATS}:{name}", timeout_s=timeout_s) as method:
        list(run_benchmark(plan(suite), method, reader or LexicalReader(), path, compacts=method))
    return score_log(read_log(path), suite)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Null", "drift not measured"),
        ("TagReader", "drift not measured"),
        ("LabelRegex", "families passed in less than 40%"),
        ("QuestionGuesser", "families passed in less than 40%"),
        ("Injector", "families passed in less than 40%"),
    ],
)
def test_a_cheat_scores_below_every_honest_method_and_does_not_qualify(
    name: str, reason: str, suite: Suite, worst_honest: float, tmp_path: Path
) -> None:
    row = run_cheat(name, suite, tmp_path)
    assert row.least.overall is not None
    assert row.least.overall < worst_honest
    assert any(reason in said for said in row.reasons), row.reasons


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Echo", r"compression (1\.00|0\.\d+)x is below"),
        ("SelfScorer", r"compression 1\.\d+x is below"),
        ("Crasher", "failures of the method.*ended its process"),
        ("Glutton", "failures of the method.*memory"),
    ],
)
def test_a_cheat_is_disqualified_for_the_right_reason(
    name: str, reason: str, suite: Suite, tmp_path: Path
) -> None:
    row = run_cheat(name, suite, tmp_path)
    assert any(re.search(reason, said) for said in row.reasons), row.reasons


class Obedient(LexicalReader):
    """Does what the context tells it, and is cut off for it."""

    async def answer(self, question: str, context: Sequence[Message]) -> Answer:
        if any("count aloud" in message.text for message in context):
            raise UnusableReply("the answer was cut short (length)")
        return await super().answer(question, context)


def test_a_method_that_makes_the_reader_fail_gains_nothing(suite: Suite, tmp_path: Path) -> None:
    gagger = run_cheat("Gagger", suite, tmp_path, reader=Obedient())
    ungagged = run_cheat("Ungagged", suite, tmp_path, reader=Obedient())
    assert gagger.score.measured < gagger.score.answers == ungagged.score.measured
    assert (gagger.score.overall or 0.0) > (ungagged.score.overall or 0.0) > 0.0
    assert gagger.ranked_by <= ungagged.ranked_by
    assert any("answers not measured" in said for said in (*gagger.reasons, *gagger.notes))
    assert not gagger.qualified


def test_a_method_that_never_answers_is_given_up(suite: Suite, tmp_path: Path) -> None:
    row = run_cheat("Staller", suite, tmp_path, timeout_s=SLOW_S)
    assert not row.qualified
    assert any("slots not run" in said for said in row.reasons)
    assert any("no answer within 1 seconds" in said for said in row.reasons)


def request() -> CompactionRequest:
    span = identify([Message(id="", role="user", parts=(Text(text="one\ntwo"),))])
    return CompactionRequest(span=span, budget_tokens=100, counter=get_counter("cl100k_base"))


def test_nothing_in_memory_lasts_from_one_request_to_the_next() -> None:
    with IsolatedMethod(f"{CHEATS}:Rememberer") as method:
        said = [method(request()).messages[0].text for _ in range(2)]
    assert said == ["0 lines remembered"] * 2


def test_a_submitted_method_finds_no_key_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    with IsolatedMethod(f"{CHEATS}:KeyThief") as method:
        assert "SOME_API_KEY" not in method(request()).messages[0].text


def test_a_method_that_prints_is_not_taken_for_an_answer(tmp_path: Path) -> None:
    noisy = tmp_path / "noisy.py"
    noisy.write_text(
        "from tamis.compactors.methods.truncate import Truncate\n"
        "class Noisy(Truncate):\n    async def compact(self, request):\n        print('{}')\n"
        "        return await super().compact(request)\n"
    )
    with IsolatedMethod(f"{noisy}:Noisy") as method:
        assert method(request()).messages[0].text == "one\ntwo"


def test_a_command_that_answers_with_more_than_it_may_has_failed(tmp_path: Path) -> None:
    boast = tmp_path / "boast.py"
    boast.write_text('import sys; sys.stdin.read(); print(\'{"text": "x", "tier": "aggressive"}\')')
    long = CompactionRequest(
        span=identify([Message(id="", role="user", parts=(Text(text="word " * 500),))]),
        budget_tokens=100,
        counter=get_counter("cl100k_base"),
    )
    with IsolatedMethod(f"exec:python {boast}") as method, pytest.raises(MethodFailed, match="tier"):
        method(long)


def test_a_method_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(UnknownMethod, match="nothing called 'Nobody'"), IsolatedMethod(f"{CHEATS}:Nobody"):
        pass


@pytest.mark.parametrize(
    ("method", "submitted"),
    [("ledger", False), ("hybrid@gguf:x", False), ("a.py:B", True), ("exec:x", True), ("pkg:B", True)],
)
def test_own_methods_are_not_submitted_ones(method: str, submitted: bool) -> None:
    assert is_submitted(method) is submitted
