"""LOCA-bench as it lies in a folder: its tasks, what it needs, and how its runner is called."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis.errors import InputError

PYTHON_PACKAGES = ("cli-mcp-server", "pdf-tools-mcp", "mcp<2", "fastmcp<3")
"""Beside its own: two tool servers that it starts with uvx, and the versions that its servers are written
for; with newer ones most do not start, which it does not say."""

NODE_PACKAGES = ("@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-memory")

SHIM = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")/../bin
case $(basename "$0") in
  npx) name=mcp-${1##*/}; shift ;;
  uvx) name=$1; shift ;;
  uv) name=python
    while :; do case $1 in run|python) shift ;; --directory) cd "$2" && shift 2 ;; *) break ;; esac; done ;;
esac
exec "$here/$name" "$@"
"""
"""Stands for npx, uvx and uv where it starts a server: what is installed is run, nothing is fetched."""

NO_TRIM = 10**9
"""LOCA-bench would cut off what is over its own idea of a window; here that is the proxy's work."""

ANSWER_S = 3600.0
RUNNER = """
import requests
post = requests.post
requests.post = lambda *given, **named: post(*given, **{**named, "timeout": %r})
from loca.cli.main import app
app()
"""
"""Its command line; its own time-out of a minute is too short for a model on this machine."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One state of one kind of task, as a configuration of LOCA-bench has it."""

    config: str
    kind: str
    seed: int
    given: dict[str, Any] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """How it is spoken of, and where it is kept."""
        return f"{self.config}/{self.kind}/{self.seed}"


def read_tasks(folder: Path, configs: Iterable[str], most: int, kinds: Collection[str] = ()) -> list[Task]:
    """At most so many tasks of each configuration: every kind's first state, then every kind's second ...

    `kinds` are the only ones that are taken, where there are any.

    Raises:
        InputError: there is no such configuration, or none of these kinds.
    """
    tasks: list[Task] = []
    for config in configs:
        path = folder / "task-configs" / f"{config.removesuffix('_set_config')}_set_config.json"
        path = path if path.exists() else folder / "task-configs" / f"{config}.json"
        try:
            listed = json.loads(path.read_bytes())["configurations"]
        except OSError:
            raise InputError(f"{path.parent} has no {config!r}; give one such as final_8k") from None
        states: Counter[str] = Counter()
        numbered: list[tuple[int, Task]] = []
        for given in listed:
            kind = given["env_class"].rpartition(".")[2]
            if kinds and kind not in kinds:
                continue
            states[kind] += 1
            seed = given["env_params"].get("seed", 0)
            numbered.append((states[kind], Task(config=config, kind=kind, seed=seed, given=given)))
        tasks += [task for _, task in sorted(numbered, key=lambda each: each[0])][:most]
    if not tasks:
        raise InputError(f"no task of {', '.join(kinds)}; give a class's name such as ABTestingS2LEnv")
    return tasks


def install(folder: Path, python: str) -> None:
    """Put what LOCA-bench needs into `.venv` of its folder, from PyPI and npm.

    Raises:
        CalledProcessError: something could not be installed; it has said why.
    """
    own = folder / ".venv"
    subprocess.run([python, "-m", "venv", own], check=True)
    subprocess.run([own / "bin/pip", "install", "-q", "uv"], check=True)
    uv = [own / "bin/uv", "pip", "install", "-q", "--python", own / "bin/python"]
    subprocess.run([*uv, "-e", folder, *PYTHON_PACKAGES], check=True)
    subprocess.run(["npm", "install", "-g", "--prefix", own, *NODE_PACKAGES], check=True)
    shims = own / "shims"
    shims.mkdir(exist_ok=True)
    for name in ("npx", "uvx", "uv"):
        (shims / name).write_text(SHIM, encoding="utf-8")
        (shims / name).chmod(0o755)


def variables_of(folder: Path, url: str) -> dict[str, str]:
    """The environment of its runner, which finds its model at `url`."""
    own = folder / ".venv"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {
        "PATH": f"{own / 'shims'}:{own / 'bin'}:{kept['PATH']}",
        "PYTHONPATH": str(folder),
        "LOCA_OPENAI_BASE_URL": url,
        "LOCA_OPENAI_API_KEY": kept.get("TAMIS_API_KEY", "none"),
    }


def runner(folder: Path, own: Path, *, model: str, answer_tokens: int) -> tuple[str, ...]:
    """The command that plays the one task of `own/task.json`, with its results below `own/out`."""
    options = {
        "config-file": own / "task.json",
        "output-dir": own / "out",
        "model": model,
        "max-tokens": answer_tokens,
        "max-context-size": NO_TRIM,
        "max-workers": 1,
        "max-retries": 3,
    }
    words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
    return (str(folder / ".venv/bin/python"), "-c", RUNNER % ANSWER_S, "run", *words)
