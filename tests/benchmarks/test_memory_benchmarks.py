"""The published figures of layered memory: the typical iteration, and the labelled set of skills."""

from __future__ import annotations

import pytest
from layered_memory import TASK, by_level, errors, iteration, proportion_interval, skillbook, worked
from skill_relevance import labelled_set, learn_weights, measure_accuracy, weights_to_json

from tamis.memory import LayeredMemory, MemorySettings, Pass
from tamis.memory.relevance import default_weights
from tamis.memory.settings import AsyncSettings


@pytest.fixture(scope="module")
def typical() -> Pass:
    settings = MemorySettings(asynchronous=AsyncSettings(enabled=False))
    with LayeredMemory(settings, skillbook=skillbook()) as memory:
        memory.end_iteration(TASK, iteration(1))
        return memory.assemble(TASK, errors=errors(), worked=worked())


@pytest.mark.parametrize(
    ("level", "before", "least", "most"),
    [
        ("skills", 2000, 400, 600),
        ("errors", 500, 150, 200),
        ("iteration 1", 650, 200, 320),
        ("worked", 300, 115, 160),
    ],
)
def test_each_level_comes_out_in_its_published_range(
    typical: Pass, level: str, before: int, least: int, most: int
) -> None:
    assert typical.stages is not None
    made = by_level(typical.stages)[level]
    assert made.before >= before
    assert least <= made.after <= most


def test_the_typical_iteration_is_compressed_to_between_a_fifth_and_a_half(typical: Pass) -> None:
    assert typical.stages is not None
    assert 0.2 <= typical.stages.injected.tokens / typical.stages.collected.past_tokens <= 0.5


@pytest.mark.parametrize(
    "needed",
    [
        "ModuleNotFoundError: No module named 'reader'",
        "ValueError: invalid literal for int()",
        "FileNotFoundError: [Errno 2] No such file or directory: '/etc/app.conf'",
        "TypeError: expected int, got str at src/conf/reader.py:41",
        "decided: cast it at the edge",
        "token-expiry:",
        "config-reader:",
        "running the tests of one module with -x",
    ],
)
def test_what_was_needed_of_the_typical_iteration_is_kept(typical: Pass, needed: str) -> None:
    assert needed in typical.prompt


@pytest.mark.parametrize("scoring", ["published", "bm25", "learned"])
def test_precision_on_the_held_out_half_is_at_least_four_fifths(scoring: str):
    labelled = labelled_set()
    accuracy = measure_accuracy(labelled.skills, labelled.held_out, default_weights(), scoring=scoring)
    assert accuracy.precision is not None
    assert accuracy.precision >= 0.8


def test_the_set_that_ships_is_large_and_its_labels_name_its_skills():
    labelled = labelled_set()
    tasks = (*labelled.learning, *labelled.held_out)
    names = {skill.name for skill in labelled.skills}
    assert (len(names) >= 40, len(tasks) >= 60) == (True, True)
    assert {name for task in tasks for name in task.relevant} <= names
    assert any(not task.relevant for task in tasks)


def test_the_weights_that_ship_follow_from_the_learning_half():
    labelled = labelled_set()
    assert weights_to_json(learn_weights(labelled.skills, labelled.learning)) == weights_to_json(
        default_weights()
    )


def test_an_interval_of_all_does_not_pretend_to_be_sure() -> None:
    low, high = proportion_interval(10, 10)
    assert (round(low, 2), round(high, 2)) == (0.72, 1.0)
