from __future__ import annotations

from pathlib import Path

import pytest

from evals.inference.made_runs import kept, run_of

BEFORE = [0.5, 0.6, 0.7, 0.6, 0.5, 0.8]


@pytest.fixture
def released(tmp_path: Path) -> Path:
    return kept(run_of({"mask": BEFORE, "ledger": BEFORE}), tmp_path / "released")


def test_what_has_not_become_worse_passes(tamis, released: Path) -> None:
    ran = tamis("gate", released, "--baseline", released, "--margin", "0.1")
    assert ran.status == 0
    assert ran.out.splitlines()[-1].startswith("passed: recall of mask at 5%: not lower by 0.1")
    rows = [line.split() for line in ran.out.splitlines() if line.split()[:1] in (["mask"], ["ledger"])]
    assert [(row[0], row[-1]) for row in rows] == [("mask", "passed"), ("ledger", "passed")]


def test_what_has_become_worse_fails_with_the_reason_in_one_line(
    tamis, released: Path, tmp_path: Path
) -> None:
    worse = kept(run_of({"mask": BEFORE, "ledger": [v - 0.3 for v in BEFORE]}), tmp_path / "new")
    ran = tamis("gate", worse, "--baseline", released, "--margin", "0.1")
    assert ran.status == 1
    assert ran.out.splitlines()[-1].startswith("failed: recall of ledger at 5%: lower by more than 0.1: -0.3")
    assert tamis("gate", worse, "--baseline", released, "--margin", "0.1", "-m", "mask").status == 0


def test_a_method_that_fails_now_is_shown_as_lost(tamis, released: Path, tmp_path: Path) -> None:
    broken = kept(run_of({"mask": BEFORE, "ledger": [None, *BEFORE[1:]]}), tmp_path / "new")
    ran = tamis("gate", broken, "--baseline", released, "--margin", "0.1")
    assert ran.status == 1
    assert "5 (1 lost)" in ran.out


def test_nothing_measured_is_a_dash(tamis, tmp_path: Path) -> None:
    empty = kept(run_of({"mask": [None] * 5}), tmp_path / "empty")
    ran = tamis("gate", empty, "--baseline", empty, "--margin", "0.1")
    assert ran.status == 1
    assert "–" in ran.out


def test_json_is_the_verdict(tamis, released: Path) -> None:
    verdict = tamis("gate", released, "--baseline", released, "--margin", "0.1", "--json").json
    assert (verdict["passed"], verdict["margin"], len(verdict["rows"])) == (True, 0.1, 2)
    assert verdict["rows"][0]["comparison"]["pairs"] == 6


def test_runs_that_cannot_be_compared_are_bad_input(tamis, released: Path, tmp_path: Path) -> None:
    other = kept(run_of({"mask": BEFORE[:5], "ledger": BEFORE[:5]}), tmp_path / "other")
    ran = tamis("gate", other, "--baseline", released, "--margin", "0.1")
    assert (ran.status, ran.out) == (2, "")
    assert "the two runs have other points: only the baseline has session-5" in ran.err


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--figure", "speed", "no figure 'speed'"),
        ("--margin", "-1", "a margin of -1.0"),
        ("--method", "nosuch", "the run has no method 'nosuch'; it has mask, ledger"),
        ("--figure", "reading", "no readers"),
        ("--baseline", "nosuch", "nosuch is not a run directory"),
    ],
)
def test_bad_input_is_one_line(tamis, released: Path, option: str, value: str, said: str) -> None:
    given = {"--baseline": str(released), "--margin": "0.1", option: value}
    ran = tamis("gate", released, *(word for pair in given.items() for word in pair))
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
