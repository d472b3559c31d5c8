"""Two small runs served for all tests of the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest

from reports import runs
from reports.serving import Served
from tamis.reports.view import open_viewer


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = runs.write(tmp_path_factory.mktemp("one"))
    two = runs.write(tmp_path_factory.mktemp("two"), jobs=2, cycles=2)
    with open_viewer([one, two], port=0) as viewer:
        thread = Thread(target=viewer.serve)
        thread.start()
        yield Served(viewer.url, (one, two))
        viewer.stop()
        thread.join()
