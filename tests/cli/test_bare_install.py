"""What `pip install tamis` alone runs, and what it says where a command wants an extra.

The wheel is built and installed into an environment of its own, and run there, away from the sources. What it
depends on is linked from here, so that nothing is installed twice: the core dependencies, nothing else.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TILL = ROOT / "examples" / "sessions" / "till.claude-code.jsonl"

RUNS = (
    "show TILL",
    "compact TILL -b 10% -o short.jsonl --archive kept.archive --mask-secrets",
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
import contextlib, io, json, pathlib, shutil, sys
from tamis.cli import main
ran = {}
for line, arguments in json.load(sys.stdin):
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


def _core() -> set[str]:
    """The distributions that `pip install tamis` brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: set[str] = set()
    open_ = list(project["dependencies"])
    while open_:
        requirement = open_.pop()
        name = re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()  # type: ignore[index]
        if name in found or "extra ==" in requirement:
            continue
        try:
            open_ += requires(name) or ()
        except PackageNotFoundError:  # a marker of another system
            continue
        found.add(name)
    return found


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and the core dependencies."""
    folder = tmp_path_factory.mktemp("bare")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    if "No matching distribution found for hatchling" in built.stderr:
        pytest.skip("no package registry can be reached, and what builds the wheel comes from there")
    assert built.returncode == 0, built.stderr
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(environment)}))
    for name in _core():
        installed = distribution(name)
        for entry in {file.parts[0] for file in installed.files or () if file.parts[0] != ".."}:
            if not (packages / entry).exists():  # two may share a folder
                (packages / entry).symlink_to(Path(str(installed.locate_file(entry))))
    (wheel,) = folder.glob("*.whl")
    programs = Path(sysconfig.get_path("scripts", "venv", vars={"base": str(environment)}))
    install = ["--python", str(programs / "python"), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    return programs


def _environ(bare: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, "PATH": f"{bare}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def said(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Said:
    """What every command said, run one after the other in a folder of their own."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "model.gguf").write_bytes(b"GGUF")
    lines = [(line, shlex.split(line.replace("TILL", str(TILL)))) for line in (*RUNS, *EXTRAS)]
    done = subprocess.run(
        [bare / "python", "-c", PROGRAM],
        input=json.dumps(lines),
        cwd=folder,
        env=_environ(bare),
        capture_output=True,
        text=True,
        check=True,
    )
    ran: Said = json.loads(done.stdout)
    return ran


def test_the_core_is_what_the_extras_do_not_bring() -> None:
    core = _core()
    assert {"click", "numpy", "scipy", "pydantic"} <= core
    assert not core & {"openai", "anthropic", "mcp", "ray", "langchain", "model2vec"}


def test_everything_runs_without_any_extra(said: Said) -> None:
    failed = {line: said[line] for line in RUNS if said[line][0] != (1 if line.startswith("gate") else 0)}
    assert failed == {}  # the gate's: one session can show nothing


def test_a_missing_extra_is_one_line_with_what_installs_it(said: Said) -> None:
    for line, extra in EXTRAS.items():
        status, err, left = said[line]
        assert (line, status, err.count("\n"), left) == (line, 2, 1, []), err
        assert f"pip install 'tamis[{extra}]'" in err


def test_every_command_of_the_readme_runs(bare: Path, tmp_path: Path) -> None:
    shutil.copytree(TILL.parent, tmp_path / "sessions")
    long = ROOT / "examples" / "long" / "freight.claude-code.jsonl.xz"
    (tmp_path / "session.jsonl").write_bytes(lzma.decompress(long.read_bytes()))
    typed = runpy.run_path(str(ROOT / ".ci" / "wheel.py"))["commands"]()
    assert typed
    for command in (*typed, "tamis audit sessions"):
        shell = ["bash", "-euo", "pipefail", "-c", command]
        done = subprocess.run(
            shell, cwd=tmp_path, env=_environ(bare), capture_output=True, text=True, check=False
        )
        assert (command, done.returncode) == (command, 0), done.stderr
