from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

QUICK = ("-m", "truncate", "-m", "index", "-b", "5%", "-b", "10%")


@pytest.fixture
def examples(till: Path) -> Path:
    return till.parent


def test_the_table_has_every_method_at_every_budget(tamis, examples: Path) -> None:
    ran = tamis("eval", examples, *QUICK)
    assert ran.status == 0
    lines = [line.split() for line in ran.out.splitlines()]
    recall = lines.index(["recall"])
    assert lines.index(["5", "%", "10", "%"]) < recall
    assert [(line[0], len(line)) for line in lines[recall + 1 : recall + 3]] == [
        ("truncate", 5),
        ("index", 6),
    ]


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
    titles = [line for line in ran.out.splitlines() if "in 1 session" in line]
    assert titles == ["a: 1 point in 1 session", "b: 1 point in 1 session"]


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
    row = next(line for line in ran.out.splitlines() if line.split()[:1] == ["broken"])
    assert row.split() == ["broken", "–"]


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
    assert made["points_embedded"] == made["points"] == 1


def test_the_ending_of_the_report_says_what_it_is(tamis, till: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    tamis("eval", till, *QUICK, "-o", run)
    tamis("report", run, "-o", tmp_path / "summary.md")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("## ")
    tamis("report", run, "-o", tmp_path / "figures.json")
    assert json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["format"] == "tamis-report/1"


def test_fewer_points_than_there_are_is_said(tamis, till: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    tamis("eval", till, *QUICK, "-o", run)
    assert "0 of 1 points can be read in it" in tamis("report", run, "--points", "0").err
    assert tamis("report", run, "--points", "all", "--force").err == ""


def test_a_number_of_points_that_is_none_is_bad_input(tamis, till: Path, tmp_path: Path) -> None:
    ran = tamis("report", tmp_path, "--points", "some")
    assert ran.status == 2
    assert "--points is 'some'; give a number, or all" in ran.err


def test_tokens_are_priced_where_a_model_is_named(tamis, till: Path) -> None:
    report = tamis("eval", till, *QUICK, "--price-model", "openai:gpt-5", "--json").json
    assert report["settings"]["price"]["model"] == "openai:gpt-5"
    figures = report["scopes"][0]["figures"][0]
    assert 0 < figures["cost_usd"]["mean"] < figures["cost_without_cache_usd"]["mean"]
    assert 0 < figures["cached_share"]["mean"] < 1


def test_a_price_that_nobody_knows_is_said_and_the_rest_is_measured(tamis, till: Path) -> None:
    report = tamis("eval", till, *QUICK, "--price-model", "nobody:nothing", "--json").json
    assert "knows no price of nobody:nothing" in report["settings"]["price"]["reason"]
    figures = report["scopes"][0]["figures"][0]
    assert figures["cost_usd"] is None
    assert figures["recall"] is not None


def test_the_six_dimensions_are_told_with_the_judge_and_what_it_is_worth(tamis, till: Path) -> None:
    ran = tamis("eval", till, "-m", "ledger", "-m", "full", "-b", "10%", "--jobs", "1")
    assert "Six dimensions, 0 to 5: judged by offline, answered by lexical" in ran.out
    assert "offline: tells right answers from wrong ones" in ran.out
    assert "Questions answered by lexical" in ran.out


def test_json_has_what_reading_told(tamis, till: Path) -> None:
    run = tamis("eval", till, "-m", "full", "-b", "10%", "--jobs", "1", "--json").json
    [cell] = run["reading"]
    assert (cell["method"], cell["cycle"], cell["judge"], cell["control"]) == ("full", 1, "offline", True)
    assert cell["answers"] == cell["judgements"] == run["answers"] == run["probes"] > 0
    means = [dimension["mean"] for dimension in cell["dimensions"].values()]
    assert cell["overall"]["mean"] == pytest.approx(sum(means) / len(means))


def test_cycles_show_what_survives(tamis, till: Path) -> None:
    ran = tamis("eval", till, "-m", "full", "-b", "10%", "--cycles", "2", "--jobs", "1")
    assert "What survives cycle after cycle" in ran.out


def test_without_probes_there_is_hindsight_only(tamis, till: Path) -> None:
    run = tamis("eval", till, "-m", "index", "-b", "10%", "--no-probes", "--jobs", "1", "--json").json
    assert (run["probes"], run["reading"]) == (0, [])


def test_the_same_command_on_a_finished_run_shows_it_and_another_is_refused(
    tamis, till: Path, tmp_path: Path
) -> None:
    command = ("eval", till, "-m", "index", "--no-probes", "-o", tmp_path / "run", "--jobs", "1")
    once, twice = tamis(*command, "-b", "10%"), tamis(*command, "-b", "10%")
    assert once.out == twice.out
    refused = tamis(*command, "-b", "20%")
    assert refused.status == 2
    assert 'budgets was ["10%"], now it is ["20%"]' in refused.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--cycles", "0"), "0 cycles cannot be run"),
        (("--repeats", "0"), "0 repeats are none"),
        (("--timeout", "0"), "leaves no time"),
        (("--concurrency", "0"), "--concurrency is 0"),
        (("--max-cost", "-1"), "--max-cost is -1"),
        (("--reader", "nobody"), "no model is called 'nobody'"),
        (("--rubric", "missing.toml"), "missing.toml"),
        (("--probes", "missing.jsonl"), "missing.jsonl"),
        (("-m", "restated"), "write METHOD+restated"),
    ],
)
def test_options_that_make_no_sense_are_one_line(
    tamis, till: Path, options: tuple[str, ...], told: str
) -> None:
    ran = tamis("eval", till, *options, "--jobs", "1")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert told in ran.err


def test_a_run_is_scored_again_by_another_rubric(tamis, till: Path, tmp_path: Path) -> None:
    run, mine = tmp_path / "run", tmp_path / "mine.json"
    tamis("eval", till, "-m", "full", "-b", "10%", "-o", run, "--jobs", "1")
    criterion = {
        "id": "accuracy_factual",
        "dimension": "truth",
        "question": "Is it true?",
        "kinds": ["recall", "artifact", "continuation", "decision", "constraint", "unanswerable"],
        "anchors": {"0": "no", "3": "mostly", "5": "yes"},
    }
    mine.write_text(json.dumps({"name": "mine", "version": "1", "criteria": [criterion]}))
    scored = tamis("score", run, "--rubric", mine, "--json").json
    assert scored["judged"] == scored["answers"] > 0
    table = tamis("score", run).out
    assert "judged by offline (mine@1)" in table
    assert "truth" in table


def test_what_is_no_run_cannot_be_scored(tamis, tmp_path: Path) -> None:
    ran = tamis("score", tmp_path)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "not a run directory" in ran.err


def test_a_run_folder_on_a_full_disk_is_said_in_one_line(
    tamis, till: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Path.open

    def full(path: Path, mode: str = "r", *rest: object, **more: object) -> object:
        if tmp_path / "run" in path.parents and mode != "r":
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", full)
    ran = tamis("eval", till, "-m", "index", "-b", "10%", "-o", tmp_path / "run")
    assert (ran.status, ran.err.count("Traceback")) == (2, 0)
    assert "No space left" in ran.err
