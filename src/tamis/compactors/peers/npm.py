"""Packages of npm, run by Node.js in a process of their own: one question in JSON, one answer in JSON.

Nothing of them is tamis's: the user installs them, and the scripts beside this module call them.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tamis.compactors.methods.command import ask_program
from tamis.errors import MethodFailed, MissingExtra

SCRIPTS = Path(__file__).parent


def find_package(package: str) -> tuple[Path, str]:
    """The folder and the version of an installed package.

    Raises:
        MissingExtra: it is not installed, or Node.js is not; names the command that installs it.
    """
    if shutil.which("node") is None:
        raise MissingExtra(f"this method is {package}'s, which runs in Node.js: install that (nodejs.org)")
    for root in _roots():
        about = root / package / "package.json"
        if about.is_file():
            return about.parent, str(json.loads(about.read_text(encoding="utf-8"))["version"])
    raise MissingExtra(f"this method is {package}'s, which is not installed; npm install {package}")


async def run_script(script: str, package: str, question: dict[str, Any]) -> dict[str, Any]:
    """What a script beside this module answers; it is told where the package is.

    Raises:
        MissingExtra: the package is not installed.
        MethodFailed: the script fails, or does not answer with an object.
    """
    folder, _ = find_package(package)
    asked = json.dumps({**question, "folder": str(folder)}).encode()
    printed = await ask_program(["node", str(SCRIPTS / script)], asked, name=package)
    try:
        answer = json.loads(printed)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise MethodFailed(f"{package}: no answer that can be read: {printed[:80].decode(errors='replace')}")
    return answer


def _roots() -> Iterator[Path]:
    """Where Node.js looks for packages, and where they are put with `npm install -g`."""
    here = Path.cwd()
    yield from (folder / "node_modules" for folder in (here, *here.parents))
    yield from map(Path, filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)))
    if node := shutil.which("node"):
        yield Path(node).resolve().parent.parent / "lib" / "node_modules"
