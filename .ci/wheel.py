"""Build the wheel, check it, install it where there is nothing else, and run every command of the README.

python .ci/wheel.py [FOLDER]    # leaves what was built in FOLDER, dist/ where none is named
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """What the README tells people to type, but for installing tamis and looking through a home folder."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line for line in typed if not re.match(r"pip install|tamis audit\s*(#|$)", line)]


def build(tools: Path, folder: Path) -> Path:
    """The wheel, built from the source distribution as an installer would, and checked."""
    venv.create(tools, with_pip=True)
    run(tools, "python -m pip install --quiet --disable-pip-version-check build twine")
    shutil.rmtree(folder, ignore_errors=True)
    run(tools, f"python -m build --outdir '{folder}' '{ROOT}'", quietly=True)
    run(tools, f"twine check --strict '{folder}'/*")
    (wheel,) = folder.glob("*.whl")
    return wheel


def run(environment: Path, command: str, *, cwd: Path = ROOT, quietly: bool = False) -> None:
    """Run a command with the programs of an environment first; stop if it fails."""
    print(f"$ {command}", flush=True)
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    output = subprocess.DEVNULL if quietly else None
    shell = ["bash", "-euo", "pipefail", "-c", command]
    done = subprocess.run(shell, cwd=cwd, env={**kept, "PATH": path}, stdout=output, check=False)
    if done.returncode:
        sys.exit(f"{command}: exit status {done.returncode}")


def main() -> None:
    """All of it."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    with tempfile.TemporaryDirectory(prefix="tamis-wheel-") as made:
        bare, work = Path(made) / "bare", Path(made) / "work"
        wheel = build(Path(made) / "tools", folder)
        venv.create(bare, with_pip=True)
        run(bare, f"python -m pip install --quiet --disable-pip-version-check '{wheel}'")
        work.mkdir()
        shutil.copytree(ROOT / "examples" / "sessions", work / "sessions")
        long = ROOT / "examples" / "long" / "freight.claude-code.jsonl.xz"
        (work / "session.jsonl").write_bytes(lzma.decompress(long.read_bytes()))
        for command in commands():
            if not command.startswith(("tamis ", "uvx tamis ")):
                sys.exit(f"the README has a command that is not tried: {command}; teach .ci/wheel.py")
            run(bare, command.removeprefix("uvx "), cwd=work, quietly=True)
        run(bare, "tamis audit --only --path sessions", cwd=work, quietly=True)
    print(f"{wheel.name}: {len(commands())} commands of the README ran in a bare environment")


if __name__ == "__main__":
    main()
