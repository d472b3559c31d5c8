"""Engines: the same results whoever works, and a process that dies takes one file with it, not the run."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from evals.recorded import talk
from tamis.errors import InputError
from tamis.evals.experiment.workers import Processes, Serial, WorkerCrash, get_engine


def double(number: int) -> int:
    return 2 * number


def die_on(fatal: int, number: int) -> int:
    if number == fatal:
        os._exit(3)
    return number


@pytest.mark.parametrize("engine", [Serial(), Processes(2)], ids=["serial", "processes"])
def test_results_come_in_the_order_of_the_items(engine: Serial | Processes) -> None:
    assert list(engine.map(double, range(20))) == [2 * n for n in range(20)]


def test_an_item_whose_process_dies_is_broken_and_the_others_are_measured() -> None:
    made = list(Processes(2).map(partial(die_on, 3), range(6)))
    assert isinstance(made[3], WorkerCrash)
    assert [n for n in made if not isinstance(n, WorkerCrash)] == [0, 1, 2, 4, 5]


def test_an_engine_that_is_none_is_an_error() -> None:
    with pytest.raises(InputError, match="choose processes or ray"):
        get_engine("hadoop", 2)


def test_ray_measures_the_same_to_the_byte(tmp_path: Path) -> None:
    """In processes of their own: Ray opens sockets of all kinds, which tests may not."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed; install it with: pip install 'tamis[ray]'")
    talks = tmp_path / "talks"
    talks.mkdir()
    for n in range(3):
        messages = [{"role": m.role, "content": m.text} for m in talk(20 + 2 * n, id=f"t{n}").messages]
        (talks / f"{n}.json").write_text(json.dumps(messages))
    for engine in ("processes", "ray"):
        command = [sys.executable, "-m", "tamis.cli", "eval", str(talks), "-m", "index", "-b", "5%"]
        ran = subprocess.run(
            [*command, "--jobs", "2", "--engine", engine, "-o", str(tmp_path / engine)],
            capture_output=True,
            timeout=240,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
    for name in ("points", "probes", "results", "answers", "judgements", "journal"):
        one, two = ((tmp_path / engine / f"{name}.jsonl").read_bytes() for engine in ("processes", "ray"))
        assert one == two, name
