"""tamis as a `Compactor`, in CompactBench's own program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tamis.errors import BadBudget, UnknownMethod

pytest.importorskip("compactbench", reason="needs tamis[compactbench]")

from compactbench.contracts import CompactionArtifact
from compactbench.providers.mock import MockProvider
from compactbench.runner._resolver import resolve_compactor_class

from tamis.integrations.compactbench import compactor_class
from tamis.messages import get_counter

Load = Callable[[str], ModuleType]
METHOD = Path(__file__).resolve().parents[2] / "examples" / "adapters" / "compactbench_method.py"


def test_the_program_finds_the_method_in_its_file() -> None:
    found = resolve_compactor_class(f"{METHOD}:TamisCompactor")
    assert (found.name, found.version) == ("tamis-ledger", found.version)


async def test_rules_and_decisions_stand_in_the_artifact_after_every_cycle(example: Load) -> None:
    for artifact in await example("compactbench_method").run():
        assert isinstance(artifact, CompactionArtifact)
        assert any("Fridays" in text for text in artifact.structured_state.forbidden_behaviors)
        assert get_counter().count(artifact.summary_text) <= 200
        assert artifact.method_metadata["outcome"] == "fits"


async def test_the_same_transcript_gives_the_same_artifact(example: Load) -> None:
    module = example("compactbench_method")
    compactor = module.TamisCompactor(MockProvider(), "none")
    transcript = module.transcript(20)
    first = await compactor.compact(transcript)
    assert await compactor.compact(transcript, previous_artifact=first) == first


async def test_a_transcript_that_fits_keeps_its_state(example: Load) -> None:
    module = example("compactbench_method")
    compactor = compactor_class(budget=5_000)(MockProvider(), "none")
    artifact = await compactor.compact(module.transcript(2))
    assert artifact.method_metadata["outcome"] == "unchanged"
    assert any("Fridays" in text for text in artifact.structured_state.forbidden_behaviors)


def test_what_cannot_be_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(UnknownMethod):
        compactor_class(method="nosuch")
    with pytest.raises(BadBudget):
        compactor_class(budget=0)
