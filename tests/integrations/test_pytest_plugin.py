"""The fixture in somebody else's tests, as they would write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.inference.made_runs import kept, run_of

pytest_plugins = ["pytester"]

QUIET = ("-p", "no:cacheprovider", "-p", "no:asyncio")

BEFORE = [0.5, 0.6, 0.7, 0.6, 0.5, 0.8]


@pytest.fixture
def runs(pytester: pytest.Pytester) -> Path:
    kept(run_of({"ledger": BEFORE}), pytester.path / "released")
    kept(run_of({"ledger": [value - 0.3 for value in BEFORE]}), pytester.path / "worse")
    return pytester.path


def ran(pytester: pytest.Pytester, body: str) -> pytest.RunResult:
    pytester.makepyfile(f"def test_it(tamis_gate):\n    {body}\n")
    return pytester.runpytest_inprocess(*QUIET)


def test_the_fixture_comes_with_the_package(pytester: pytest.Pytester) -> None:
    listed = pytester.runpytest_inprocess("--fixtures", *QUIET)
    listed.stdout.fnmatch_lines(["tamis_gate*"])


def test_a_run_that_is_as_good_passes_and_gives_the_verdict(pytester: pytest.Pytester, runs: Path) -> None:
    body = "assert tamis_gate.runs('released', baseline='released', margin=0.1).rows[0].before > 0.6"
    ran(pytester, body).assert_outcomes(passed=1)


def test_a_run_that_is_worse_fails_with_the_reason_and_no_traceback(
    pytester: pytest.Pytester, runs: Path
) -> None:
    result = ran(pytester, "tamis_gate.runs('worse', baseline='released', margin=0.1)")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["tamis gate: recall of ledger at 5%: lower by more than 0.1: -0.3*"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_runs_that_cannot_be_compared_are_an_error_that_says_why(
    pytester: pytest.Pytester, runs: Path
) -> None:
    kept(run_of({"ledger": BEFORE[:5]}), runs / "fewer")
    result = ran(pytester, "tamis_gate.runs('fewer', baseline='released', margin=0.1)")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*NotComparable: the two runs have other points*"])


SESSIONS = 5


@pytest.fixture
def sessions(pytester: pytest.Pytester) -> Path:
    """Chats in which the agent comes back to files that were named long before."""
    folder = pytester.mkdir("sessions")
    for number in range(SESSIONS):
        turns = []
        for n in range(24):
            said = f"Step {n} goes on with the work as it was planned. " * 20
            named = f"Look at src/job_{number}/file_{n if n % 2 == 0 else max(n - 9, 0)}.py."
            turns.append({"role": "user" if n % 2 == 0 else "assistant", "content": said + named})
        (folder / f"{number}.json").write_text(json.dumps(turns), encoding="utf-8")
    return folder


@pytest.mark.usefixtures("sessions")
def test_methods_are_measured_on_sessions(pytester: pytest.Pytester) -> None:
    body = "tamis_gate.sessions('sessions', method='index', against='nothing', margin=0.1)"
    ran(pytester, body).assert_outcomes(passed=1)
    body = "tamis_gate.sessions(['sessions'], method='nothing', against='index', margin=0.1)"
    result = ran(pytester, body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [f"tamis gate: recall of nothing at 10%: lower by more than 0.1: *{SESSIONS} sess*"]
    )


@pytest.mark.usefixtures("sessions")
def test_a_method_of_ones_own_is_named_by_its_file(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        mine="""
        from tamis.compactors.methods.index import Index

        class Mine(Index):
            name = "mine"
        """
    )
    body = "tamis_gate.sessions('sessions', method='mine.py:Mine', against='index', margin=0.02)"
    ran(pytester, body).assert_outcomes(passed=1)
