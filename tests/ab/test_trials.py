"""Trials of real commands through a real proxy."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from ab.conftest import Plan
from proxy.upstream import Upstream
from tamis.ab import Trial, TrialPlan, compare_trials, read_comparison, run_plan
from tamis.ab.trial import Compression, order_of
from tamis.errors import InputError, NotComparable, UnreadableFile


def by_arm(trials: list[Trial]) -> dict[str, Trial]:
    return {trial.arm: trial for trial in trials}


def test_both_arms_go_through_a_proxy_and_one_of_them_compresses(plan: Plan, tmp_path: Path) -> None:
    made = by_arm(run_plan(plan("for turns in range(10, 18): ask(turns)"), tmp_path))
    off, on = made["off"], made["on"]
    assert off.requests is not None
    assert on.requests is not None
    assert (off.success, on.success) == (True, True)
    assert (off.iterations, on.iterations) == (8, 8)
    assert off.requests.decisions == {"untouched": 8}
    assert on.requests.decisions["compacted"] >= 1
    assert on.requests.decisions["replayed"] >= 1
    assert (off.input_tokens, on.input_tokens) == (80, 80)  # what the upstream says: 10 each
    assert len(on.requests.added_ms) == 8 - on.requests.decisions["untouched"]


def test_without_compression_each_request_goes_out_as_it_came(
    plan: Plan, upstream: Upstream, tmp_path: Path
) -> None:
    run_plan(plan("if mode == 'off': ask(30)"), tmp_path)
    assert [len(body["messages"]) for body in upstream.bodies] == [62]


def test_what_the_api_does_not_count_is_counted(plan: Plan, upstream: Upstream, tmp_path: Path) -> None:
    from starlette.responses import JSONResponse

    upstream.script = lambda body, n: JSONResponse({"choices": []})
    made = by_arm(run_plan(plan("ask(30)"), tmp_path))
    assert made["on"].requests is not None
    assert made["on"].requests.counted
    assert made["on"].requests.output_tokens is None
    assert 0 < (made["on"].input_tokens or 0) < (made["off"].input_tokens or 0) / 2


def test_a_recall_is_a_regret_and_its_round_is_paid_for(
    plan: Plan, upstream: Upstream, tmp_path: Path
) -> None:
    from proxy.upstream import Say

    def script(body: dict[str, object], n: int) -> Say:
        offered = "recall" in json.dumps(body.get("tools", ""))
        if offered and "recall_1" not in json.dumps(body):
            return Say(calls=(("recall_1", "recall", {"words": "marker of part 3"}),))
        return Say(text="done")

    upstream.script = script
    on = by_arm(run_plan(plan("ask(30)"), tmp_path))["on"]
    assert on.needs is not None
    assert on.needs.kinds.get("recall") == 1
    assert (on.iterations, on.input_tokens) == (1, 20)


def test_the_exit_status_says_whether_it_succeeded_or_a_command_does(plan: Plan, tmp_path: Path) -> None:
    failing = "ask(1); sys.exit(mode == 'active')"
    made = by_arm(run_plan(plan(failing), tmp_path / "own"))
    assert (made["off"].success, made["on"].success, made["on"].exit_status) == (True, False, 1)
    told = by_arm(run_plan(plan(failing, success='test "$TAMIS_MODE" = active'), tmp_path / "told"))
    assert (told["off"].success, told["on"].success) == (False, True)


def test_a_command_that_hangs_is_ended_and_the_rest_goes_on(plan: Plan, tmp_path: Path) -> None:
    program = "ask(1)\nimport time\nif mode == 'active': time.sleep(600)"
    made = run_plan(plan(program, timeout_s=8.0, runs=2), tmp_path)
    hung = [trial for trial in made if trial.arm == "on"]
    assert len(made) == 4
    assert [(t.status, t.success, t.iterations, t.input_tokens) for t in hung] == [
        ("timed-out", False, None, None)
    ] * 2
    report = compare_trials(("x",), made)
    assert report.arms[1].timed_out == 2
    assert report.not_measured[0].startswith(f"{hung[0].name}: did not end within 8 seconds")


def test_one_that_does_not_start_is_in_no_figure(plan: Plan, tmp_path: Path) -> None:
    made = run_plan(plan("ask(1)", before="exit 3"), tmp_path)
    report = compare_trials(("x",), made)
    assert [trial.status for trial in made] == ["not-started"] * 2
    assert (report.whole_pairs, report.arms[0].success_rate, report.differences) == (0, None, ())
    assert {criterion.verdict for criterion in report.criteria} == {"not measured"}
    assert "the command of --before exited with 3" in report.not_measured[0]
    missing = TrialPlan(command=(str(tmp_path / "nothing"),), logs=("*.none",), runs=1)
    assert "No such file" in run_plan(missing, tmp_path / "2")[0].notes[0]


def test_one_that_asks_nobody_and_writes_no_log_says_so(plan: Plan, tmp_path: Path) -> None:
    made = run_plan(plan("pass", logs=("{dir}/*.jsonl.none",)), tmp_path)[0]
    assert made.success
    assert (made.iterations, made.input_tokens) == (None, None)
    assert [note.partition(";")[0].partition(" at ")[0] for note in made.notes] == [
        "nothing went through the proxy",
        "wrote no session log",
    ]


def test_without_a_proxy_the_session_log_tells_the_iterations(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "gone"}]
    program = (
        "import json, os, pathlib; "
        "path = pathlib.Path(os.environ['TAMIS_AB_DIR'], 's.json'); "
        f"path.write_text(json.dumps({{'messages': {messages}}}))"
    )
    plan = TrialPlan(command=(sys.executable, "-c", program), logs=("{dir}/s.json",), runs=1)
    made = run_plan(plan, tmp_path)[0]
    assert made.log is not None
    assert (made.log.files, made.log.messages, made.iterations) == (1, 2, 1)


def test_what_was_run_is_not_run_again_and_more_can_be_asked_for(
    plan: Plan, upstream: Upstream, tmp_path: Path
) -> None:
    first = run_plan(plan("ask(1)"), tmp_path)
    again = run_plan(plan("ask(1)", runs=2), tmp_path)
    assert again[:2] == first
    assert len(upstream.raw) == len(again) == 4
    assert read_comparison(tmp_path)[1] == again


def test_an_interrupt_ends_the_command_and_keeps_what_was_run(plan: Plan, tmp_path: Path) -> None:
    program = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\nask(1)"
    slow = f"{program}\nimport time\nif pair == '2': time.sleep(600)"

    def interrupt() -> None:
        pids = tmp_path / "pids"
        while not (pids.exists() and len(pids.read_text().split()) == 3):
            threading.Event().wait(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run_plan(plan(slow, runs=2), tmp_path / "record")
    assert [trial.pair for trial in read_comparison(tmp_path / "record")[1]] == [1, 1]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pids").read_text().split()[-1]), 0)


def test_a_line_that_was_cut_is_run_again(plan: Plan, tmp_path: Path) -> None:
    first = run_plan(plan("ask(1)"), tmp_path)
    lines = tmp_path / "trials.jsonl"
    lines.write_bytes(lines.read_bytes()[:-20])
    again = run_plan(plan("ask(1)"), tmp_path)
    assert again[0] == first[0]
    assert (again[1].pair, again[1].arm) == (first[1].pair, first[1].arm)
    assert read_comparison(tmp_path)[1] == again


def test_a_record_of_something_else_is_refused(plan: Plan, tmp_path: Path) -> None:
    run_plan(plan("ask(1)"), tmp_path)
    with pytest.raises(NotComparable, match="begun with another seed"):
        run_plan(plan("ask(1)", seed=1), tmp_path)
    with pytest.raises(UnreadableFile, match="holds no comparison"):
        read_comparison(tmp_path / "none")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"command": ()}, "no command"),
        ({"runs": 0}, "0 runs"),
        ({"timeout_s": 0.0}, "time-out of 0"),
        ({"compression": None}, "give --upstream URL"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(given: dict[str, object], says: str) -> None:
    compression = Compression(upstream="http://127.0.0.1:1")
    with pytest.raises(InputError, match=says):
        TrialPlan(**{"command": ("true",), "compression": compression} | given)


def test_the_order_is_by_lot_and_stays_however_many_pairs_there_are() -> None:
    orders = [order_of(pair, 0) for pair in range(1, 41)]
    assert orders[:20] == [order_of(pair, 0) for pair in range(1, 21)]
    assert 10 < sum(order[0] == "on" for order in orders) < 30
