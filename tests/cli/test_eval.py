from __future__ import annotations

from pathlib import Path

import pytest

QUICK = ("-m", "truncate", "-m", "index", "-b", "5%", "-b", "10%")


@pytest.fixture
def examples(till: Path) -> Path:
    return till.parent


def test_the_table_has_every_method_at_every_budget(tamis, examples: Path) -> None:
    ran = tamis("eval", examples, *QUICK)
    assert ran.status == 0
    rows = [line.split()[:2] for line in ran.out.splitlines() if "%" in line[:6]]
    assert rows == [["5%", "truncate"], ["5%", "index"], ["10%", "truncate"], ["10%", "index"]]


def test_json_has_every_result(tamis, examples: Path) -> None:
    run = tamis("eval", examples, *QUICK, "--json").json
    assert (run["sessions"], len(run["points"]), len(run["results"])) == (3, 3, 12)


def test_a_run_folder_keeps_everything_and_nothing_else_is_left(
    tamis, examples: Path, tmp_path: Path
) -> None:
    ran = tamis("eval", examples, *QUICK, "-o", tmp_path / "runs" / "one")
    assert f"tamis report {tmp_path / 'runs' / 'one'}" in ran.out
    assert [p.name for p in (tmp_path / "runs").iterdir()] == ["one"]
    assert (tmp_path / "runs" / "one" / "run.json").is_file()


def test_an_empty_run_folder_is_used(tamis, till: Path, tmp_path: Path) -> None:
    assert tamis("eval", till, "-m", "index", "-b", "10%", "-o", tmp_path).status == 0
    assert (tmp_path / "run.json").is_file()


def test_several_processes_measure_the_same(tamis, examples: Path) -> None:
    one = tamis("eval", examples, *QUICK, "--json").json
    two = tamis("eval", examples, *QUICK, "--jobs", "2", "--json").json
    key = lambda r: (r["point"], r["method"], r["budget"])  # noqa: E731
    for run in (one, two):
        for result in run["results"]:
            result.pop("latency_ms")
    assert sorted(one["results"], key=key) == sorted(two["results"], key=key)


def test_each_path_is_a_set_of_its_own(tamis, examples: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "till.jsonl").write_bytes((examples / "till.claude-code.jsonl").read_bytes())
    (tmp_path / "b" / "rota.jsonl").write_bytes((examples / "rota.codex.jsonl").read_bytes())
    ran = tamis("eval", tmp_path / "a", tmp_path / "b", *QUICK)
    heading = ran.out[ran.out.index("Recall by set") :].splitlines()[1]
    assert heading.split() == ["budget", "method", "a", "b"]


def test_what_is_no_session_is_counted_and_said(tamis, till: Path, tmp_path: Path) -> None:
    (tmp_path / "till.jsonl").write_bytes(till.read_bytes())
    (tmp_path / "README.md").write_text("Sessions of the till.\n")
    ran = tamis("eval", tmp_path, *QUICK)
    assert ran.status == 0
    assert "1 not measured" in ran.err


def test_a_method_that_fails_is_shown_and_is_no_zero(tamis, till: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "class Broken:\n    name, version = 'broken', '1'\n    async def compact(self, _):\n        1 / 0\n"
    )
    ran = tamis("eval", till, "-m", f"{broken}:Broken", "-m", "index", "-b", "10%")
    assert "ZeroDivisionError" in ran.out
    row = next(line for line in ran.out.splitlines() if line.split()[:2] == ["10%", "broken"])
    assert row.split()[3] == "-"


def test_sessions_too_short_to_cut_are_an_error_that_says_so(tamis, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]')
    ran = tamis("eval", path)
    assert ran.status == 2
    assert "nothing could be measured in 1 sessions" in ran.err


def test_the_report_of_a_run_is_one_file(tamis, till: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    tamis("eval", till, *QUICK, "-o", run)
    ran = tamis("report", run)
    assert (ran.status, ran.out) == (0, f"report: {run / 'report.html'}\n")
    assert (run / "report.html").read_text().lower().startswith("<!doctype html>")
    assert tamis("report", run).status == 2  # it is there now
    made = tamis("report", run, "-o", tmp_path / "other.html", "--json").json
    assert made["bytes"] == (tmp_path / "other.html").stat().st_size
