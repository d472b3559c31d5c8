"""The example of an orchestrator: both arms over its tasks, and that its checks can fail."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "orchestrator"
sys.path.insert(0, str(FOLDER))

from loop import Gate, Reader, Run, compare, gates  # noqa: E402
from tasks import TASKS, make_task  # noqa: E402

from tamis.memory import MemorySettings, load_settings  # noqa: E402
from tamis.monitoring import MonitoringSettings, load_monitoring  # noqa: E402


@pytest.fixture(scope="module")
def arms() -> dict[str, list[Run]]:
    return asyncio.run(compare(TASKS, Reader(), MemorySettings(), MonitoringSettings(enabled=False)))


def test_all_gates_are_met(arms: dict[str, list[Run]]) -> None:
    assert [gate.name for gate in gates(arms) if not gate.is_met] == []


def test_every_task_is_solved_in_both_arms(arms: dict[str, list[Run]]) -> None:
    assert {arm: sum(run.solved for run in runs) for arm, runs in arms.items()} == {
        "with": TASKS,
        "without": TASKS,
    }


def test_a_gate_is_missed_where_memory_costs_iterations() -> None:
    run = {"solved": True, "tokens": 100, "regrets": 0}
    found = gates(
        {"without": [Run(task=1, iterations=4, **run)], "with": [Run(task=1, iterations=5, **run)]}  # type: ignore[arg-type]
    )
    assert [gate.is_met for gate in found] == [True, False, False]
    assert isinstance(found[0], Gate)


def test_a_wrong_value_fails_the_hidden_check() -> None:
    task = make_task(3)
    task.act(f"WRITE {dict.fromkeys(task.hidden, 1)}")
    assert (task.written is not None, task.is_solved) == (True, False)


def test_the_published_settings_beside_it_load() -> None:
    path = FOLDER / "ralph.yaml"
    assert load_settings(path, {}).thresholds.target_compression_ratio == 0.3
    assert load_monitoring(path).quality_check.frequency == 10
