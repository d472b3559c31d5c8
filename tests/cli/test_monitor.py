"""`tamis monitor`: what it shows of logs, and what it says of what is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from cli.conftest import Run
from tamis.cli.work import monitor
from tamis.cli.work.layout import fitted
from tamis.cli.work.monitor import tables_of
from tamis.monitoring import DecisionLog
from tamis.monitoring.entries import DecisionEntry, LogEntry, QualityEntry, RegretEntry, TurnsEntry
from tamis.monitoring.sources import LogSource, SourceReport

WORK: tuple[LogEntry, ...] = (
    DecisionEntry(
        source="context",
        decision="compacted",
        trigger="tokens",
        tokens_before=20_000,
        tokens_after=4_000,
        latency_ms=80,
    ),
    DecisionEntry(source="context", decision="fallback", reason="unmet", latency_ms=2_400),
    *(TurnsEntry(source="context") for _ in range(30)),
    *(
        RegretEntry(source="context", kind="reread", tokens=500, turn=n, new_turn=True, session="s")
        for n in range(3)
    ),
    QualityEntry(source="context", runs=5, demanded=10, there=9, asked=10, found=10),
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    written = DecisionLog(tmp_path / "logs" / "work.jsonl", clock=lambda: 3_600)
    for entry in WORK:
        written.write(entry)
    return written.path


def test_it_shows_savings_time_regret_and_what_fires(tamis: Run, log: Path) -> None:
    out = tamis("monitor", "--once", log).out
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert rows["regret"].split() == ["regret", "high", "regret", ">", "5", "%", "context", "10.0%", "firing"]
    (slow,) = (line.split() for line in out.splitlines() if "compaction slow" in line)
    assert slow[2:] == ["time,", "p95", ">", "500", "ms", "context", "-", "not", "measured"]
    assert "80 (2400)" in rows["time,"]
    assert "quality low               quality < 0.8        context       0.95   quiet" in out
    assert "20k to 4k" in out
    assert "because unmet" in out
    assert "3 (1,500)" in rows["reread"]
    assert "01:00:00" in out


def test_a_folder_shows_every_log_in_it(tamis: Run, log: Path) -> None:
    DecisionLog(log.with_name("other.jsonl")).write(WORK[0])
    out = tamis("monitor", log.parent).out
    assert "work.jsonl" in out
    assert "other.jsonl" in out


def test_only_the_newest_lines_count(tamis: Run, log: Path) -> None:
    (source,) = tamis("monitor", "--json", "--last", "1", log).json["sources"]
    assert source["lines"] == 1
    assert source["figures"][0]["turns"] == 0
    assert source["figures"][0]["quality_score"] == pytest.approx(0.95)


def test_a_check_fails_where_an_alert_fires(tamis: Run, log: Path, tmp_path: Path) -> None:
    assert tamis("monitor", "--check", log).status == 1
    quiet = DecisionLog(tmp_path / "quiet.jsonl")
    quiet.write(WORK[0])
    assert tamis("monitor", "--check", quiet.path).status == 0
    assert tamis("monitor", "--once", log).status == 0


def test_a_log_in_which_nothing_stands_yet_is_no_error(tamis: Run, tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "new.jsonl")
    ran = tamis("monitor", log.path)
    assert (ran.status, "nothing was decided yet" in ran.out) == (0, True)


@pytest.mark.parametrize("width", [40, 60, 200])
def test_every_figure_can_be_read_in_a_narrow_terminal(log: Path, width: int) -> None:
    console = Console(width=width, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        for made in tables_of(LogSource(log, last=100).look()):
            console.print(*fitted(made, width), sep="\n")
    text = captured.get()
    assert max(len(line) for line in text.splitlines()) <= width
    assert "…" not in text
    assert "20,000" in text


def test_live_it_looks_again_until_it_is_stopped(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks: list[int] = []

    class Counting(LogSource):
        def look(self) -> SourceReport:
            looks.append(1)
            return super().look()

    def sleep(seconds: float) -> None:
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(monitor.time, "sleep", sleep)
    source = Counting(log, last=100)
    monitor._watch([source], (source.look(),), 2.0)
    assert len(looks) == 3


def test_the_rules_and_the_dashboard_are_printed(tamis: Run) -> None:
    (group,) = yaml.safe_load(tamis("monitor", "--rules").out)["groups"]
    assert group["name"] == "tamis"
    assert tamis("monitor", "--dashboard").json["title"] == "tamis"


def test_nothing_named_is_one_line(tamis: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    ran = tamis("monitor")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "name a decision log, or a folder of them" in ran.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read"),
        ('{"role": "user"}\n', "is not a decision log"),
        ("Dear Dana,\n", "is not a decision log"),
        ("\x00\x01\x02" * 99, "is not a decision log"),
    ],
)
def test_a_file_that_is_no_log_is_one_line(
    tamis: Run, tmp_path: Path, content: str | None, says: str
) -> None:
    path = tmp_path / "a.jsonl"
    if content is not None:
        path.write_text(content)
    ran = tamis("monitor", "--once", path)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert says in ran.err


def test_a_folder_without_a_log_is_one_line(tamis: Run, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(json.dumps({"role": "user"}))
    ran = tamis("monitor", tmp_path)
    assert (ran.status, "holds no decision log" in ran.err, ran.err.count("\n")) == (2, True, 1)
