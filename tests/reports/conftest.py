"""One small run, measured once for all tests of the reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reports import runs
from tamis.evals import Run, Texts
from tamis.reports import render_html


@pytest.fixture(scope="session")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.write(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="session")
def measured(run_dir: Path) -> Iterator[tuple[Run, Texts]]:
    yield from runs.opened(run_dir)


@pytest.fixture(scope="session")
def run(measured: tuple[Run, Texts]) -> Run:
    return measured[0]


@pytest.fixture(scope="session")
def texts(measured: tuple[Run, Texts]) -> Texts:
    return measured[1]


@pytest.fixture(scope="session")
def page(run: Run, texts: Texts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    render_html(run, texts, path)
    return path
