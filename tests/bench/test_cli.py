from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.bench.suite import load_suite
from tamis.cli import main
from tamis.cli.work.bench.running import reader_named
from tamis.errors import UnusableReply
from tamis.models import ScriptedModel

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return call


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A suite of two templates, so that a run is quick."""
    folder = tmp_path / "small"
    folder.mkdir()
    templates = "multilingual.yaml"
    source = Path(__file__).parents[2] / "src" / "tamis" / "bench" / "suites" / "practice" / templates
    text = "---\n".join(source.read_text(encoding="utf-8").split("---\n")[:2])
    (folder / templates).write_text(text, encoding="utf-8")
    return str(folder)


QUICK = ("--slots", "1", "--cycles", "1", "--length", "1000")


def test_a_run_is_logged_scored_and_ranked(cli: Cli, small: str, tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    status, out, err = cli("bench", "run", "--suite", small, "-m", "mask", "-o", log, *QUICK)
    assert (status, err) == (0, "")
    assert "mask" in out
    assert "published" in out
    assert cli("bench", "score", log, "--suite", small)[0] == 0
    status, out, _ = cli("bench", "rank", log, "--suite", small, "--json")
    (segment,) = json.loads(out)
    assert [standing["row"]["setup"]["method"] for standing in segment["standings"]] == ["mask"]


def test_templates_are_listed(cli: Cli) -> None:
    status, out, _ = cli("bench", "templates")
    assert status == 0
    assert f"{len(load_suite('practice').templates)} templates" in out


def test_the_schema_is_printed(cli: Cli) -> None:
    assert json.loads(cli("bench", "templates", "--schema")[1])["title"] == "tamis benchmark template"


def test_cases_are_shown_and_written(cli: Cli, tmp_path: Path) -> None:
    chosen = ("--template", "bc_release_day", *QUICK)
    assert "no release of" in cli("bench", "cases", *chosen)[1]
    status, out, _ = cli("bench", "cases", *chosen, "-o", str(tmp_path / "cases"))
    assert status == 0
    assert Path(out.strip()).is_file()


def test_an_estimate_counts_without_running(cli: Cli) -> None:
    assert "990" in cli("bench", "estimate")[1]
    assert json.loads(cli("bench", "estimate", "--json")[1])["compactions"] == 990


def test_cases_are_told_as_json(cli: Cli) -> None:
    (asked,) = json.loads(cli("bench", "cases", "--template", "bc_release_day", "--slots", "1", "--json")[1])
    assert asked["template"] == "bc_release_day"
    assert all(item["prompt"] for item in asked["items"])


def test_a_seal_and_what_it_hides_are_told_as_json(cli: Cli, tmp_path: Path) -> None:
    seal, secret = str(tmp_path / "seal"), str(tmp_path / "secret")
    sealed = json.loads(cli("bench", "seal", "-o", seal, "--secret", secret, "--json")[1])
    revealed = json.loads(cli("bench", "reveal", seal, secret, "--json")[1])
    assert "seed_group" not in sealed
    assert revealed["suite_digest"] == sealed["suite_digest"]


def test_every_command_shows_how_it_is_used(cli: Cli) -> None:
    for name in ("templates", "cases", "run", "score", "rank", "estimate", "seal", "reveal"):
        told = cli("bench", name, "--help")[1].partition("Options:")[0]
        assert f"\n  tamis bench {name}" in told
        assert "\\b" not in told


def test_a_suite_is_sealed_run_and_revealed(cli: Cli, small: str, tmp_path: Path) -> None:
    seal, secret = str(tmp_path / "seal"), str(tmp_path / "secret")
    assert cli("bench", "seal", "--suite", small, "-o", seal, "--secret", secret)[0] == 0
    log = str(tmp_path / "log")
    run = ("bench", "run", "--suite", small, "--secret", secret, "-m", "nothing", "-o", log, *QUICK)
    assert cli(*run)[0] == 0
    assert "holds" in cli("bench", "reveal", seal, secret)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("templates", "--suite", "nosuch"), "no suite is called 'nosuch'"),
        (("cases", "--template", "nosuch"), "no template of practice@1.0.0 is called 'nosuch'"),
        (("cases", "--length", "10"), "1,000 to 200,000"),
        (("cases", "--per-family", "0"), "at least 1"),
        (("run", "-m", "nosuch", "-o", "LOG"), "no method is called 'nosuch'"),
        (("run", "-m", "mask", "-o", "LOG", "--compat", "--words", "NOWHERE"), "pip install compactbench"),
        (("run", "-m", "mask", "-o", "LOG", "--compat", "--retry-missing"), "go on with --resume"),
        (("score", "NOWHERE"), "cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: tuple[str, ...], said: str, cli: Cli, tmp_path: Path
) -> None:
    places = {"LOG": str(tmp_path / "log"), "NOWHERE": str(tmp_path / "nowhere")}
    status, _, err = cli("bench", *(places.get(a, a) for a in arguments))
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("{'summary': 3}", "returned dict, not a tamis.compactors.Compaction"),
        ("Compaction(messages=('x',), account=(), tokens_before=0, tokens_after=0, outcome='fits',"
         " method='m', version='1')", "put str among its messages"),
    ],
)  # fmt: skip
def test_a_method_whose_artifact_breaks_the_schema_is_named_with_the_line_of_the_log(
    returned: str, said: str, cli: Cli, tmp_path: Path
) -> None:
    broken, log = tmp_path / "broken.py", tmp_path / "log.jsonl"
    broken.write_text(
        "from tamis.compactors import Compaction\n"
        "class Broken:\n    name = version = 'broken'\n"
        f"    async def compact(self, request):\n        return {returned}\n"
    )
    status, _, err = cli("bench", "run", "-m", f"{broken}:Broken", "-o", str(log), *QUICK)
    assert status == 2
    assert f"given up after 3 failures in a row, the last of them in {log}, line 4: broken {said}" in err
    assert "check-method" in err


def test_published_templates_run_as_published(cli: Cli, tmp_path: Path) -> None:
    suite = tmp_path / "own_suite"
    shutil.copytree(Path(__file__).with_name("own_suite"), suite)
    words = tmp_path / "words"
    words.mkdir()
    for name in ("action_phrase", "org_name", "person_name", "project_noun", "continuation_prompts"):
        (words / f"{name}.txt").write_text(f"some {name}\nother {name}\n")
    for name in ("user_distractors", "assistant_distractors"):
        (words / f"{name}.txt").write_text("What a day.\nIndeed.\n")
    results = str(tmp_path / "results.jsonl")
    status, out, err = cli(
        "bench", "run", "--compat", "--suite", str(suite), "--words", str(words), "-m", "mask", "-o", results,
        "--slots", "1",
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert "constraint_retention" in out
    assert '"target_model":"lexical@' in (tmp_path / "results.jsonl").read_text()  # with its version
    assert cli("bench", "score", results)[1] == out
    (score,) = json.loads(cli("bench", "score", results, "--json")[1])
    assert (score["method"], score["scorer"]) == ("mask", "1.0.0")
    assert repr(score["figures"]["constraint_retention"]) in out
    status, _, err = cli("bench", "rank", results)
    assert status == 2
    assert "tamis bench score" in err
    whole = (tmp_path / "results.jsonl").read_bytes()
    (tmp_path / "results.jsonl").write_bytes(whole[: len(whole) // 2])
    again = (
        "bench", "run", "--compat", "--suite", str(suite), "--words", str(words), "-o", results,
        "--slots", "1",
    )  # fmt: skip
    assert cli(*again, "-m", "truncate", "--resume")[2].count("method_name 'mask', now 'truncate'") == 1
    assert cli(*again, "-m", "mask", "--resume")[1] == out
    assert cli(*again, "-m", "mask")[0] == 2


def test_a_board_is_written_as_a_site(cli: Cli, small: str, tmp_path: Path) -> None:
    log, site = str(tmp_path / "log.jsonl"), str(tmp_path / "site")
    cli("bench", "run", "--suite", small, "-m", "nothing", "-o", log, *QUICK)
    status, out, _ = cli("bench", "rank", log, "--suite", small, "-o", site)
    assert status == 0
    assert f"{site}/index.html" in out
    assert (tmp_path / "site" / "board.json").is_file()
    assert cli("bench", "rank", log, "--suite", small, "-o", site)[0] == 2


def test_runs_of_several_suites_are_ranked_apart(cli: Cli, small: str, tmp_path: Path) -> None:
    logs = [str(tmp_path / name) for name in ("own", "shipped")]
    cli("bench", "run", "--suite", small, "-m", "nothing", "-o", logs[0], *QUICK)
    cli("bench", "run", "-m", "nothing", "-o", logs[1], *QUICK, "--per-family", "1")
    segments = json.loads(cli("bench", "rank", *logs, "--suite", small, "--json")[1])
    assert [segment["setup"]["suite"] for segment in segments] == ["small", "practice"]
    status, _, err = cli("bench", "rank", *logs)
    assert status == 2
    assert "name its folder with --suite" in err


def test_some_templates_of_each_family_are_run_and_scored_as_such(
    cli: Cli, small: str, tmp_path: Path
) -> None:
    log = str(tmp_path / "log.jsonl")
    cli("bench", "run", "--suite", small, "-m", "nothing", "-o", log, *QUICK, "--per-family", "1")
    (segment,) = json.loads(cli("bench", "rank", log, "--suite", small, "--json")[1])
    assert (segment["cases"], segment["templates"]) == (1, 1)
    assert segment["standings"][0]["row"]["complete"]
    assert "--per-family 1" in segment["standings"][0]["command"]


def test_answers_that_a_served_model_cuts_short_are_asked_again(
    cli: Cli, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[str | Exception] = [UnusableReply("m: the answer was cut short (length)"), *["yes"] * 9]
    monkeypatch.setattr("tamis.cli.work.bench.running.get_model", lambda name: ScriptedModel(cut, name=name))
    log = str(tmp_path / "log.jsonl")
    run = ("bench", "run", "--suite", small, "-m", "mask", "--reader", "m", "-o", log, *QUICK)
    status, out, _ = cli(*run)
    assert status == 0
    assert "1 of " in out
    assert "answers not measured" in out
    assert "--retry-missing" in out
    cut[0] = "yes"
    assert "100.0%" in cli(*run, "--retry-missing")[1]


def test_another_model_under_the_same_name_is_another_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.cli.work.bench.running.get_model", lambda name: ScriptedModel([], name=name))
    file = tmp_path / "small.gguf"
    versions = set()
    for weights in (b"one", b"another"):
        file.write_bytes(b"GGUF" + weights)
        versions.add(reader_named(f"gguf:{file}").version)
    assert len(versions) == 2
