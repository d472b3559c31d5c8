from __future__ import annotations

from pathlib import Path

from evals.inference.made_runs import kept, run_of

BEFORE = [0.5, 0.6, 0.7, 0.6, 0.5, 0.8]


def test_a_plan_says_how_many_sessions_it_takes(tamis, tmp_path: Path) -> None:
    run = kept(run_of({"mask": [0.5] * 4, "ledger": [0.4, 0.6, 0.5, 0.7]}), tmp_path / "run")
    ran = tamis("plan", run, "--difference", "0.05")
    assert ran.status == 0
    row = next(line.split() for line in ran.out.splitlines() if line.split()[:1] == ["ledger"])
    assert row == ["ledger", "5%", "4", "1.0", "–", "55"]
    made = tamis("plan", run, "--difference", "0.05", "--json").json
    assert (made["baseline"], made["rows"][0]["sessions_needed"]) == ("mask", 55)


def test_a_plan_without_spread_says_so(tamis, tmp_path: Path) -> None:
    equal = kept(run_of({"mask": BEFORE, "ledger": BEFORE}), tmp_path / "run")
    ran = tamis("plan", equal, "--difference", "0.05", "--baseline", "ledger")
    assert ran.status == 0
    row = next(line.split() for line in ran.out.splitlines() if line.split()[:1] == ["mask"])
    assert row[-2:] == ["–", "–"]


def test_a_plan_for_no_difference_is_bad_input(tamis, tmp_path: Path) -> None:
    run = kept(run_of({"mask": [0.5] * 4, "ledger": [0.4, 0.6, 0.5, 0.7]}), tmp_path / "run")
    assert tamis("plan", run, "--difference", "0").status == 2


def test_a_plan_of_one_method_says_what_is_missing(tamis, tmp_path: Path) -> None:
    ran = tamis("plan", kept(run_of({"mask": BEFORE}), tmp_path / "run"), "--difference", "0.1")
    assert ran.status == 2
    assert "evaluate another method beside it" in ran.err


def test_an_evaluation_can_end_with_the_plan(tamis, till: Path) -> None:
    ran = tamis(
        "eval", till.parent, "-m", "truncate", "-m", "index", "-b", "10%", "--no-probes", "--plan", "0.05"
    )
    assert ran.status == 0
    table = ran.out.partition("recall against truncate: sessions to see 0.05")[2]
    row = next(line.split() for line in table.splitlines() if line.split()[:1] == ["index"])
    assert (row[1:4], int(row[-1].replace(",", "")) > 3) == (["10%", "3", "1.0"], True)
