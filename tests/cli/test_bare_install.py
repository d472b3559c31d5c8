"""What `pip install tamis` alone runs, and what it says where a command wants an extra.

The commands run in a process in which nothing can be imported but what the core dependencies bring.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TILL = ROOT / "examples" / "sessions" / "till.claude-code.jsonl"

RUNS = (
    "show TILL",
    "compact TILL -b 10% -o short.jsonl --archive kept.archive",
    "recall kept.archive receipt",
    "eval TILL -m ledger -m truncate -b 10% -o run --jobs 1",
    "report run",
    "score run",
    "plan run --difference 0.1",
    "gate run --baseline run --margin 0.5",
    "probes TILL -o probes.jsonl",
    "judge offline",
    "bench run -m truncate --per-family 1 --slots 1 --length 1000 --cycles 1 -o bench.jsonl",
    "bench rank bench.jsonl",
    "memory shadow TILL",
    "memory settings",
    "monitor --rules",
    "proxy --help",
    "learn --show",
    "check-method truncate",
    "methods",
    "formats",
)
"""What runs with the core dependencies alone."""

EXTRAS = {
    "mcp": "mcp",
    "compact TILL -o never.jsonl --mask-secrets": "secrets",
    "compact TILL -o never.jsonl -m hybrid@openai:gpt-5": "models",
    "compact TILL -o never.jsonl -m hybrid@gguf:model.gguf": "local",
    "compact TILL -o never.jsonl -m inspect-trim": "inspect",
    "compact TILL -o never.jsonl -m langchain-trim": "langchain",
    "compact TILL -o never.jsonl -m pydantic-ai-window": "pydantic-ai",
    "eval TILL -o never --reader openai:gpt-5": "models",
    "eval TILL -o never --judge anthropic:claude-sonnet-4-5": "models",
    "eval TILL -o never -m langchain-trim --jobs 1": "langchain",
    "eval TILL -o never --reader gguf:model.gguf": "local",
    "eval TILL -o never --engine ray": "ray",
    "judge openai:gpt-5": "models",
    "probes TILL -o never.jsonl --probe-model openai:gpt-5": "models",
    "bench run -o never.jsonl -m mask --reader openai:gpt-5": "models",
    "proxy --upstream http://127.0.0.1:9 --otlp http://127.0.0.1:9": "otel",
}
"""What wants an extra: nothing is done, and one line names what installs it."""

PROGRAM = """
import contextlib, importlib.machinery, io, json, pathlib, re, shutil, sys
core, blocked, lines = json.loads(sys.stdin.read())

def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()

class Bare(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in blocked else super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *context):
        return (d for d in super().find_distributions(*context) if canonical(d.name) in (*core, "tamis"))

place = sys.meta_path.index(importlib.machinery.PathFinder)
sys.meta_path[place] = Bare
from tamis.cli import main
ran = {}
for line, arguments in lines:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stopped:
            left = [path.name for path in pathlib.Path.cwd().glob("never*")]
            ran[line] = (stopped.code, err.getvalue(), left)
            for name in left:
                shutil.rmtree(name, ignore_errors=True)
        except BaseException as bug:
            ran[line] = (-1, repr(bug), [])
print(json.dumps(ran))
"""

Said = dict[str, tuple[int, str, list[str]]]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _core() -> set[str]:
    """The distributions that `pip install tamis` brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: set[str] = set()
    open_ = list(project["dependencies"])
    while open_:
        requirement = open_.pop()
        name = _canonical(re.match(r"[\w.-]+", requirement)[0])  # type: ignore[index]
        if name in found or "extra ==" in requirement:
            continue
        found.add(name)
        try:
            open_ += requires(name) or ()
        except PackageNotFoundError:  # a marker of another system
            continue
    return found


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """What every command said, run one after the other in a folder of their own."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "model.gguf").write_bytes(b"GGUF")
    core = _core()
    blocked = [
        module
        for module, of in packages_distributions().items()
        if module != "tamis" and not core & {_canonical(name) for name in of}
    ]
    lines = [(line, shlex.split(line.replace("TILL", str(TILL)))) for line in (*RUNS, *EXTRAS)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([sorted(core), blocked, lines]),
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    ran: Said = json.loads(done.stdout)
    return ran


def test_what_is_blocked_is_what_the_extras_bring() -> None:
    core = _core()
    assert {"click", "numpy", "scipy", "pydantic"} <= core
    assert not core & {"openai", "anthropic", "mcp", "ray", "langchain", "model2vec"}


@pytest.mark.parametrize("line", RUNS)
def test_it_runs_without_any_extra(said: Said, line: str) -> None:
    status, err, _ = said[line]
    assert status == (1 if line.startswith("gate") else 0), err  # one session can show nothing


@pytest.mark.parametrize(("line", "extra"), EXTRAS.items())
def test_a_missing_extra_is_one_line_with_what_installs_it(said: Said, line: str, extra: str) -> None:
    status, err, left = said[line]
    assert (status, err.count("\n"), left) == (2, 1, []), err
    assert f"pip install 'tamis[{extra}]'" in err
