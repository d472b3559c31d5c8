"""Shared by the adapters' tests: an archive, and the examples as modules."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tamis.archive import Archive

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "adapters"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Archive]:
    """An empty archive."""
    with Archive.open(tmp_path / "work.tamis") as archive:
        yield archive


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """An adapter's example by its name, imported as it imports its neighbours when it is run."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module
