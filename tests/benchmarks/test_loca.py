"""Tasks through the proxy with each method, on a made-up environment of the same shape."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from loca import LocaPlan, LocaTrial, main, run_all, tables_of
from loca_environment import SHIM, read_tasks
from loca_model import endpoint_of
from starlette.responses import JSONResponse

from benchmarks.made_up_loca import lay_out, task
from proxy.upstream import Say, Upstream, make_upstream_app, running
from tamis.ab.trial import Compression
from tamis.errors import InputError, NotComparable


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    served = Upstream()
    with running(make_upstream_app(served)) as url:
        served.url = url
        yield served


def run(
    folder: Path, url: str, *methods: str, most_calls: int = 30, model: str = "m#m", out: str = "out"
) -> dict[str, LocaTrial]:
    plan = LocaPlan(
        model=model,
        compression=Compression(upstream=url, window=8_000, budget="900"),
        recall=False,
        answer_tokens=100,
        most_calls=most_calls,
        timeout_s=120.0,
    )
    cells = [(each, method) for each in read_tasks(folder, ["final_8k"], 9) for method in methods]
    return {t.method: t for t in run_all(plan, folder, folder.parent / out, cells)}


def test_a_known_solution_is_solved_with_every_method_and_only_full_is_not_compacted(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "loca", task("Crates", 1))
    with endpoint_of("rehearsal", 0, tmp_path) as (url, _):
        made = run(folder, url, "ledger", "full", "nothing")
    assert {m: (t.solved, t.ending) for m, t in made.items()} == dict.fromkeys(made, (True, "claimed"))
    compacted = {m: t.requests.decisions.get("compacted", 0) > 0 for m, t in made.items() if t.requests}
    assert compacted == {"ledger": True, "full": False, "nothing": True}
    assert {t.requests.answered for t in made.values() if t.requests} == {10}


def test_what_is_not_solved_is_a_wrong_answer_and_no_failure(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "loca", task("Crates", 1))
    with endpoint_of("rehearsal:idle", 0, tmp_path) as (url, _):
        [trial] = run(folder, url, "full").values()
    assert (trial.solved, trial.ending, trial.note) == (False, "claimed", "")


def test_an_answer_without_a_call_ends_the_task_and_is_checked(upstream: Upstream, tmp_path: Path) -> None:
    upstream.script = lambda body, n: Say(text="I think that is all.")
    [trial] = run(lay_out(tmp_path / "loca", task("Crates", 1)), upstream.url, "full").values()
    assert (trial.solved, trial.ending) == (False, "stopped")


def test_a_task_that_has_had_all_its_calls_is_checked_as_it_stands(
    upstream: Upstream, tmp_path: Path
) -> None:
    upstream.script = lambda body, n: Say(calls=((f"c_{n}", "desk_desk", {}),))
    folder = lay_out(tmp_path / "loca", task("Crates", 1))
    [trial] = run(folder, upstream.url, "full", most_calls=3).values()
    assert (trial.solved, trial.ending, len(upstream.bodies)) == (False, "out of calls", 3)


def test_a_model_that_gives_no_answer_has_failed_and_is_asked_again(
    upstream: Upstream, tmp_path: Path
) -> None:
    upstream.script = lambda body, n: JSONResponse({"error": {"message": "down"}}, status_code=500)
    folder = lay_out(tmp_path / "loca", task("Crates", 1))
    [failed] = run(folder, upstream.url, "full").values()
    assert (failed.solved, failed.ending) == (None, "failed")
    assert "500" in failed.note
    upstream.script = lambda body, n: Say(text="done")
    [again] = run(folder, upstream.url, "full").values()
    assert (again.solved, again.ending) == (False, "stopped")
    asked = len(upstream.bodies)
    run(folder, upstream.url, "full")
    assert len(upstream.bodies) == asked


@pytest.mark.parametrize(
    ("params", "why"),
    [({"lost": "desk"}, "desk"), ({"log": "ERROR - Error during preprocessing: no such table"}, "laid out")],
)
def test_an_environment_that_did_not_start_whole_has_failed(
    upstream: Upstream, tmp_path: Path, params: dict[str, str], why: str
) -> None:
    folder = lay_out(tmp_path / "loca", task("Crates", 1, **params))
    [trial] = run(folder, upstream.url, "full").values()
    assert (trial.solved, trial.ending) == (None, "failed")
    assert why in trial.note


def test_a_proxy_that_does_not_start_is_one_failed_trial(
    upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*given: object) -> None:
        raise InputError("the proxy's worker does not start")

    monkeypatch.setattr("loca.passage", busy)
    made = run(lay_out(tmp_path / "loca", task("Crates", 1)), upstream.url, "full", "mask")
    assert {t.note for t in made.values()} == {"the proxy's worker does not start"}
    assert {t.ending for t in made.values()} == {"failed"}


def test_a_run_of_another_model_is_not_gone_on_with(upstream: Upstream, tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "loca", task("Crates", 1))
    run(folder, upstream.url, "full")
    with pytest.raises(NotComparable, match="model"):
        run(folder, upstream.url, "full", model="m#other")


def test_every_kind_comes_before_a_kinds_second_state(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, task("Crates", 1), task("Crates", 2), task("Sacks", 1))
    names = [each.name for each in read_tasks(folder, ["final_8k"], 2)]
    assert names == ["final_8k/Crates/1", "final_8k/Sacks/1"]
    assert [t.seed for t in read_tasks(folder, ["final_8k"], 9, ["Crates"])] == [1, 2]


@pytest.mark.parametrize(("config", "kinds"), [("final_9k", ()), ("final_8k", ["Barrels"])])
def test_what_is_not_there_is_said(tmp_path: Path, config: str, kinds: list[str]) -> None:
    folder = lay_out(tmp_path, task("Crates", 1))
    with pytest.raises(InputError, match=r"final_8k|Barrels"):
        read_tasks(folder, [config], 1, kinds)


def trial(method: str, n: int, solved: bool | None) -> LocaTrial:
    ending = "failed" if solved is None else "claimed"
    return LocaTrial(task=f"t{n}", kind=f"k{n}", method=method, ending=ending, solved=solved, duration_s=1.0)


def test_a_failed_trial_is_in_no_share_and_in_no_pair() -> None:
    trials = [trial("ledger", n, solved=True) for n in range(8)]
    trials += [trial("nothing", n, solved=None if n == 0 else n > 6) for n in range(8)]
    methods, against = tables_of(trials)
    told = [dict(zip(methods.columns, row, strict=True)) for row in methods.rows]
    assert [(row["tasks"], row["solved"], row["failed"]) for row in told] == [
        ("8", "8", "0"),
        ("7", "1", "1"),
    ]
    assert told[1]["share"] == "0.14 (0.03 to 0.51)"
    [row] = against.rows
    assert (row[0], row[1], row[4]) == ("nothing", "+0.86", "7")


def test_one_command_prints_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay_out(tmp_path / "loca", task("Crates", 1), task("Sacks", 1))
    asked = ["--kind", "Sacks", "-m", "mask", "-m", "nothing", "--window", "8000", "--budget", "900"]
    for _ in range(2):
        main([str(folder), *asked, "-o", str(tmp_path / "out")])
    out, said = capsys.readouterr()
    assert out.count("| mask | 1 | 1 | 1.00 (0.21 to 1.00) |") == 2
    assert out.count("| nothing | +0.00 |") == 2
    assert said.count("final_8k/Sacks/1, mask: solved, claimed, 10 calls") == 1


@pytest.mark.parametrize(
    ("name", "words", "ran"),
    [
        ("npx", ["@modelcontextprotocol/server-memory", "a"], "mcp-server-memory a"),
        ("uvx", ["cli-mcp-server", "--b"], "cli-mcp-server --b"),
        ("uv", ["run", "--directory", "/", "./x.py", "c"], "python ./x.py c /"),
        ("uv", ["--directory", "/", "run", "python", "y.py"], "python y.py /"),
    ],
)
def test_what_was_installed_stands_for_what_would_be_fetched(
    tmp_path: Path, name: str, words: list[str], ran: str
) -> None:
    for folder in ("bin", "shims"):
        (tmp_path / folder).mkdir()
    for program in ("mcp-server-memory", "cli-mcp-server", "python"):
        (tmp_path / "bin" / program).write_text('#!/bin/sh\necho "$(basename "$0") $* $PWD"\n')
        (tmp_path / "bin" / program).chmod(0o755)
    (tmp_path / "shims" / name).write_text(SHIM)
    (tmp_path / "shims" / name).chmod(0o755)
    made = subprocess.run(
        [tmp_path / "shims" / name, *words], stdout=subprocess.PIPE, text=True, check=True, cwd=tmp_path
    )
    assert f"{made.stdout.strip()} ".startswith(f"{ran} ")
