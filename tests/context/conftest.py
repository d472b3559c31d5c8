"""Fixtures of the tests of contexts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.archive import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(tmp_path / "a")
