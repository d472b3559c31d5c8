"""Ctrl-C and kills at any moment: no traceback, and no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_INTERRUPTER = """
import os, signal, sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
"""


@pytest.mark.parametrize(
    "module", ["tamis.cli", "click", "tamis.cli.looking", "tamis.ledger", "rich.console"]
)
def test_an_interruption_while_it_loads_is_no_traceback(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_INTERRUPTER)
    example = Path(__file__).parents[2] / "examples/sessions/logmerge.openai-chat.json"
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", "from tamis.start import main; main()", "show", str(example)],
        env={**os.environ, "PYTHONPATH": path, "INTERRUPT_AT": module},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (130, -signal.SIGINT)
    assert done.stderr.strip() in ("", "tamis: interrupted")


_PARENT = """
import sys, time
from tamis.evals.experiment.workers import workers
if __name__ == "__main__":
    with workers(2) as pool:
        running = [pool.submit(time.sleep, 600) for _ in range(2)]
        while not all(future.running() for future in running):
            time.sleep(0.01)
        print(*(process.pid for process in pool._processes.values()), flush=True)
        running[0].result()
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
    assert pids
    deadline = time.monotonic() + 30
    while any(_is_running(pid) for pid in pids):
        assert time.monotonic() < deadline, "they are still there"
        time.sleep(0.02)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
