"""The example of a GitHub workflow: its shell steps, run as GitHub runs them, in a cloned repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOW = ROOT / "examples" / "ci" / "tamis-gate.yml"
AS_IT_WAS, AS_IT_IS, COMPARE = "Measure the method as it was", "Measure the method as it is", "Compare"
PAGE = ROOT / "docs" / "how-to" / "gate-in-ci.md"

METHOD = """
from tamis.compactors.methods.{module} import {base}


class Mine({base}):
    name, version = "mine", "{version}"
"""

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("bash") is None, reason="the steps need git and bash"
)


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    loaded = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone as it is checked out for a pull request; what the branch changes is not written yet."""
    folder = tmp_path_factory.mktemp("github")
    origin, work = folder / "origin", folder / "work"
    (origin / "sessions").mkdir(parents=True)
    for number in range(5):
        (origin / "sessions" / f"{number}.json").write_text(json.dumps(_chat(number)), encoding="utf-8")
    _write_method(origin, "index", version=1)
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "As it was"]):
        _git(origin, *command)
    _git(folder, "clone", "-q", str(origin), str(work))
    return work


@pytest.fixture(scope="module")
def runner(workflow: dict[str, Any], repository: Path) -> Runner:
    """The machine, after the steps that do not depend on the branch."""
    steps = {s["name"]: s["run"] for s in workflow["jobs"]["gate"]["steps"] if "run" in s}
    assert list(steps) == ["Install tamis", AS_IT_WAS, AS_IT_IS, COMPARE]
    temp = repository.parent / "temp"
    temp.mkdir()
    env = {
        **os.environ,
        **{name: str(value) for name, value in workflow["env"].items()},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(temp),
        "GITHUB_BASE_REF": "main",
        "GITHUB_STEP_SUMMARY": str(temp / "summary.md"),
    }
    made = Runner(steps=steps, repository=repository, temp=temp, env=env)
    assert made.run(AS_IT_WAS).returncode == 0
    return made


@dataclass(frozen=True)
class Runner:
    steps: dict[str, str]
    repository: Path
    temp: Path
    env: dict[str, str]

    def run(self, step: str) -> subprocess.CompletedProcess[str]:
        """Run a step as GitHub does with `shell: bash`."""
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.steps[step]]
        return subprocess.run(
            shell, cwd=self.repository, env=self.env, check=False, capture_output=True, text=True
        )

    def compare(self, module: str) -> subprocess.CompletedProcess[str]:
        """Measure and compare a branch on which the method is another one."""
        _write_method(self.repository, module, version=2)
        shutil.rmtree(self.temp / "after", ignore_errors=True)
        assert self.run(AS_IT_IS).returncode == 0
        return self.run(COMPARE)


def _chat(number: int) -> list[dict[str, str]]:
    turns = []
    for n in range(24):
        said = f"Step {n} goes on with the work as it was planned. " * 20
        named = f"Look at src/job_{number}/file_{n if n % 2 == 0 else max(n - 9, 0)}.py."
        turns.append({"role": "user" if n % 2 == 0 else "assistant", "content": said + named})
    return turns


def _write_method(folder: Path, module: str, *, version: int) -> None:
    text = METHOD.format(module=module, base=module.capitalize(), version=version)
    (folder / "compaction.py").write_text(text, encoding="utf-8")


def _git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_change_that_keeps_as_much_passes_and_says_so_in_the_summary(runner: Runner) -> None:
    done = runner.compare("index")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("passed: recall of mine at 10%: not lower by 0.05")
    summary = (runner.temp / "summary.md").read_text(encoding="utf-8")
    assert summary.splitlines()[-1] == done.stdout.splitlines()[-1]


def test_a_change_that_loses_what_was_kept_fails(runner: Runner) -> None:
    done = runner.compare("nothing")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("failed: recall of mine at 10%: lower by more than 0.05")


def test_the_action_says_the_same_and_leaves_the_repository_as_it_was(runner: Runner) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    given = {name.upper(): str(i.get("default", "")) for name, i in action["inputs"].items()}
    runs = runner.temp / "action"
    step = action["runs"]["steps"][-1]
    assert set(step["env"]) == {*given, "RUNS"} - {"TAMIS"}
    named = {**given, "METHOD": "compaction.py:Mine", "BASE": "origin/main", "RUNS": str(runs)}
    _write_method(runner.repository, "index", version=3)
    done = replace(runner, steps={"gate": step["run"]}, env={**runner.env, **named}).run("gate")
    assert (done.returncode, done.stdout.splitlines()[-1].split(":")[0]) == (0, "passed"), done.stderr
    assert sorted(path.name for path in runs.iterdir()) == ["after", "before"]


def test_the_page_shows_the_workflow_as_it_is() -> None:
    assert WORKFLOW.read_text(encoding="utf-8").strip() in PAGE.read_text(encoding="utf-8")
