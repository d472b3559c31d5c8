"""`tamis memory`: shadow mode over files, what memory would say, the settings as a file."""

from __future__ import annotations

import pytest

from tamis.memory import MemorySettings, load_settings


def test_shadow_reports_savings_latency_and_regret_against_the_criteria(tamis, till, chat):
    ran = tamis("memory", "shadow", till, chat, "--json")
    assert ran.status == 0
    report = ran.json
    assert report["sessions"] == 2
    assert report["iterations"] == len(report["passes"]) > 0
    assert 0 < report["tokens_after"] < report["tokens_before"]
    verdicts = {row["criterion"]: row["verdict"] for row in report["criteria"]}
    assert verdicts["token savings"] in ("met", "missed")
    assert verdicts["regret rate, of iterations"] in ("met", "missed")
    assert verdicts["task success rate"] == "not measured"


def test_shadow_prints_tables(tamis, till):
    ran = tamis("memory", "shadow", till, "--max-sessions", "1")
    assert ran.status == 0
    assert "regret, of iterations" in ran.out
    assert "Published criteria" in ran.out


def test_shadow_takes_its_settings_from_file_and_environment(tamis, till, tmp_path, monkeypatch):
    config = tmp_path / "memory.yaml"
    config.write_text("compression:\n  thresholds:\n    max_compressed_size: 300\n    max_share: 0\n")
    small = tamis("memory", "shadow", till, "--config", config, "--json").json["tokens_after"]
    monkeypatch.setenv("TAMIS_MEMORY_THRESHOLDS_MAX_COMPRESSED_SIZE", "2000")
    assert tamis("memory", "shadow", till, "--config", config, "--json").json["tokens_after"] > small


def test_brief_prints_the_task_and_the_memory(tamis, till):
    ran = tamis("memory", "brief", till, "--task", "Write the release notes.")
    assert ran.status == 0
    assert ran.out.startswith("Write the release notes.\n")
    assert "[Memory of the earlier iterations" in ran.out


def test_brief_without_compression_prints_everything_and_says_so(tamis, till):
    whole = tamis("memory", "brief", till, "--no-compression")
    assert "uncompressed: compression was turned down" in whole.err
    assert len(whole.out) > 3 * len(tamis("memory", "brief", till).out)


def test_the_printed_settings_are_read_back_as_they_are(tamis, tmp_path):
    path = tmp_path / "memory.yaml"
    path.write_text(tamis("memory", "settings").out)
    assert load_settings(path) == MemorySettings()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("compression:\n  mode: fast\n", "memory.yaml, line 2: compression.mode"),
        ("compression:\n  skillbook: {path: nowhere.json}\n", "nowhere.json: cannot be read"),
        ("compression: [\n", "not YAML"),
    ],
)
def test_bad_settings_are_one_line_and_exit_status_2(tamis, till, tmp_path, text, says):
    config = tmp_path / "memory.yaml"
    config.write_text(text)
    ran = tamis("memory", "shadow", till, "--config", config)
    assert ran.status == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1
