"""A published settings file runs as it is written: model, monitoring block and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.loops import TASK, iteration, run, settings
from monitoring.kept import KeptEntries
from tamis.archive import Archive
from tamis.errors import InputError, MissingExtra, UnknownModel
from tamis.memory import LayeredMemory, Skill, Skillbook, load_settings
from tamis.messages import get_counter
from tamis.models import ScriptedModel
from tamis.monitoring import Monitor, QualityCheck, load_monitoring, open_monitor
from tamis.monitoring.decision_log import LogReader
from tamis.monitoring.tally import figures_of

PUBLISHED = """
compression:
  enabled: true
  mode: "active"  # "shadow" | "active"
  thresholds:
    min_compression_threshold: 1000  # tokens
    target_compression_ratio: 0.3
    max_compressed_size: 2000  # tokens
  llm_summarization:
    enabled: true
    model: "claude-3-haiku-20240307"
    max_tokens: 500
    timeout: 5.0
  skillbook:
    relevance_threshold: 0.5
    max_skills: 5
  cache:
    ttl: 300  # seconds
    max_entries: 100
  async:
    enabled: true
    queue_size: 10
  safety:
    fallback_on_error: true
    log_decisions: true
monitoring:
  enabled: true
  log_level: INFO
  log_file: {log}
  metrics:
    - name: compression_ratio
      alert_if: "> 0.8"
    - name: processing_time_ms
      alert_if: "> 500"
    - name: regret_rate
      alert_if: "> 0.05"
  quality_check:
    enabled: true
    frequency: "every_10_runs"
    sample_size: 5
"""


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "ralph.yaml"
    path.write_text(PUBLISHED.format(log=tmp_path / "logs" / "compression.log"))
    return path


def test_its_bare_model_name_gets_the_provider(published: Path) -> None:
    assert load_settings(published).llm_summarization.model == "anthropic:claude-3-haiku-20240307"


def test_a_loop_runs_with_it_and_writes_its_log(published: Path) -> None:
    monitor = open_monitor(load_monitoring(published))
    with LayeredMemory(
        load_settings(published, {}), model=ScriptedModel(["nothing"]), listener=monitor.memory("s")
    ) as memory:
        for _ in range(12):
            made = memory.assemble(TASK)
            run(memory, 1)
    monitor.close()
    assert made.applied
    lines = list(LogReader(published.parent / "logs" / "compression.log").read())
    assert sum(line.entry.event == "decision" for line in lines) == 12


def test_it_runs_without_a_key_and_says_that_nothing_is_summarized(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with LayeredMemory(load_settings(published)) as memory:
        run(memory, 12)
        made = memory.assemble(TASK)
    assert made.applied
    assert any("no summaries by anthropic:claude-3-haiku" in warning for warning in made.warnings)


def test_a_model_that_cannot_be_asked_is_refused_where_falling_back_is_turned_off(published: Path) -> None:
    published.write_text(published.read_text().replace("fallback_on_error: true", "fallback_on_error: false"))
    published.write_text(published.read_text().replace("claude-3-haiku-20240307", "nobody:nothing"))
    with pytest.raises((UnknownModel, MissingExtra)):
        LayeredMemory(load_settings(published))


def test_its_bounds_are_those_of_the_alerts(published: Path) -> None:
    published.write_text(published.read_text().replace("> 0.05", "> 0.2"))
    rules = {rule.name: (rule.bound, rule.says) for rule in load_monitoring(published).rules}
    assert rules["TamisRegretHigh"] == (0.2, "regret > 0.2")
    assert "TamisQualityLow" not in rules


@pytest.mark.parametrize(
    ("was", "wrong", "says"),
    [
        ('"> 0.05"', '"five"', r'metrics\.2\.alert_if: write "> 0\.8"'),
        ("sample_size", "size", r"quality_check\.size"),
        ('"every_10_runs"', '"often"', r"quality_check\.frequency"),
    ],
)
def test_what_is_wrong_in_the_monitoring_block_is_named_with_its_line(
    published: Path, was: str, wrong: str, says: str
) -> None:
    published.write_text(published.read_text().replace(was, wrong))
    with pytest.raises(InputError, match=rf"line \d+: monitoring\.{says}"):
        load_monitoring(published)


def test_the_mode_in_the_environment_holds_without_any_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAMIS_MEMORY_MODE", "shadow")
    with LayeredMemory() as memory:
        assert memory.mode == "shadow"


def test_the_mode_in_the_environment_overrides_a_file(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_MEMORY_MODE", "opt-in")
    assert load_settings(published).mode == "opt-in"


def test_an_iteration_ends_as_the_loop_says_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "work.tamis"
    with LayeredMemory(settings(), archive=Archive.open(path)) as memory:
        memory.end_iteration(TASK, iteration(1), outcome="partial")
        assert "ended: partial" in memory.assemble(TASK).prompt
    with LayeredMemory(settings(), archive=Archive.open(path)) as memory:
        assert "ended: partial" in memory.assemble(TASK).prompt


def test_an_outcome_that_is_none_is_refused_and_nothing_is_taken_in() -> None:
    with LayeredMemory(settings()) as memory:
        with pytest.raises(InputError, match="'done'; give one of success, error, partial, unknown"):
            memory.end_iteration(TASK, iteration(1), outcome="done")  # type: ignore[arg-type]
        assert memory.iterations == 0


def test_a_success_is_what_skills_learn_from() -> None:
    book = Skillbook(
        skills=(Skill(name="empty-rows", summary="Skip empty rows of totals in src/totals.py."),)
    )
    told = {"relevance_threshold": 0}
    made = settings()
    made = made.model_copy(update={"skillbook": made.skillbook.model_copy(update=told)})
    with LayeredMemory(made, skillbook=book) as memory:
        run(memory, 3)
        memory.assemble(TASK)
        memory.end_iteration(TASK, iteration(4), outcome="success")
        assert memory.skillbook.skills[0].helped == 1


def test_a_context_below_the_threshold_is_compressed_by_no_strategy() -> None:
    with LayeredMemory(load_settings(environment={})) as memory:
        stages = memory.assemble(TASK).stages
    assert stages is not None
    assert stages.strategy == "none"


@pytest.mark.parametrize("mode", ["active", "shadow"])
def test_the_quality_check_looks_at_passes_of_a_memory(mode: str) -> None:
    log = KeptEntries()
    monitor = Monitor(log=log, quality=QualityCheck(every=2, sample=1, beside=False))
    listener = monitor.memory("s", tokenizer=get_counter())
    with LayeredMemory(settings(mode=mode), listener=listener) as memory:
        for _ in range(4):
            memory.assemble(TASK)
            run(memory, 1)
    made = next(one for one in figures_of(log) if one.mode == mode)
    assert made.quality_score is not None
    assert made.quality_score > 0.5
