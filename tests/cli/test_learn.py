from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evals.summed_up import chat_file, summed_up
from tamis.compactors.brief.choice.worth import default_worth, read_worth, worth_to_json

FILES = 11


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions")
    for number in range(FILES):
        chat_file(folder / f"{number}.json", summed_up(number))
    return folder


@pytest.fixture(scope="module")
def weights(sessions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `tamis learn` makes of the sessions."""
    from tamis.cli import main

    path = tmp_path_factory.mktemp("weights") / "mine.json"
    with pytest.raises(SystemExit) as stopped:
        main(["learn", str(sessions), "-o", str(path)])
    assert stopped.value.code == 0
    return path


def test_what_is_summed_up_later_is_learned_to_matter_more(weights: Path) -> None:
    flags = read_worth(weights).flags
    assert flags["cause"] > flags["announces"]


def test_several_processes_learn_the_same_bytes(tamis, sessions: Path, weights: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    made = tamis("learn", sessions, "-o", again, "--jobs", "2", "--json").json
    assert again.read_bytes() == weights.read_bytes()
    assert (made["written"], made["bytes"]) == (str(again), again.stat().st_size)
    assert made["learned_from"][sessions.name]["sessions"] == FILES
    assert made["held_out_auc"] is None  # half of so few sessions teaches nothing


def test_what_is_excluded_and_what_lies_beyond_the_sample_is_not_learned_from(
    tamis, sessions: Path, tmp_path: Path
) -> None:
    for name in "ab":
        shutil.copytree(sessions, tmp_path / name)
    options = ("--exclude", "b/?.json", "--exclude", "a/0.json", "--sample", "9", "--json")
    made = tamis("learn", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "w.json", *options).json
    assert {name: of["sessions"] for name, of in made["learned_from"].items()} == {"a": 9, "b": 1}


def test_files_that_teach_nothing_are_counted_and_said(tamis, sessions: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    ran = tamis("learn", sessions, tmp_path, "-o", tmp_path / "w.json")
    assert ran.status == 0
    assert "1 files taught nothing; the first" in ran.err


def test_too_little_to_learn_from_is_said_and_nothing_written(tamis, sessions: Path, tmp_path: Path) -> None:
    ran = tamis("learn", sessions / "0.json", "-o", tmp_path / "w.json")
    assert ran.status == 2
    assert "learning needs 20 in 5" in ran.err
    assert not (tmp_path / "w.json").exists()


def test_a_folder_without_sessions_is_an_error(tamis, tmp_path: Path) -> None:
    ran = tamis("learn", tmp_path, "-o", tmp_path / "w.json")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "no session at or below" in ran.err


def test_weights_are_not_overwritten_unasked(tamis, sessions: Path, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text("mine")
    assert "--force" in tamis("learn", sessions, "-o", path).err
    assert path.read_text() == "mine"
    assert tamis("learn", sessions, "-o", path, "--force").status == 0
    assert read_worth(path)


@pytest.mark.parametrize(
    "arguments", [(), ("a.json",), ("--show", "a.json", "b.json"), ("--show", "-o", "x")]
)
def test_arguments_that_do_not_go_together_are_one_line(tamis, arguments: tuple[str, ...]) -> None:
    ran = tamis("learn", *arguments)
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def test_the_shipped_weights_can_be_shown(tamis) -> None:
    shown = tamis("learn", "--show", "--json").json
    assert shown["version"] == default_worth().version
    spans = [feature["span"] for feature in shown["features"]]
    assert spans == sorted(spans, reverse=True)
    best = shown["features"][0]
    assert best["span"] == round(max(best["scores"]) - min(best["scores"]), 4)


def test_every_step_function_is_shown_as_a_table(tamis, weights: Path) -> None:
    out = tamis("learn", "--show", weights).out
    lines = [line.strip() for line in out.splitlines()]
    for name, steps in read_worth(weights).steps.items():
        at = lines.index(name)
        rows = lines[at + 3 : at + 3 + len(steps.scores)]
        assert [float(row.split()[-1]) for row in rows] == [round(score, 2) for score in steps.scores]


def test_weights_from_elsewhere_are_bad_input(tamis, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(worth_to_json(default_worth()).replace("worth/1", "worth/0"))
    for arguments in (("learn", "--show", path), ("compact", "x.json", "-m", f"ledger@{path}")):
        ran = tamis(*arguments)
        assert ran.status == 2
    assert "learn them again" in tamis("learn", "--show", path).err


def test_own_weights_are_used_and_named_in_the_result(tamis, till: Path, weights: Path) -> None:
    made = tamis("compact", till, "-m", f"ledger@{weights}", "-b", "5%", "--json").json
    assert made["method"] == "ledger@mine"
    assert made["version"].endswith(read_worth(weights).version)


def test_own_weights_are_measured_in_worker_processes_too(tamis, till: Path, weights: Path) -> None:
    ran = tamis("eval", till, "-m", "ledger", "-m", f"ledger@{weights}", "-b", "10%", "--jobs", "2", "--json")
    assert {result["method"] for result in ran.json["results"]} == {"ledger", "ledger@mine"}
