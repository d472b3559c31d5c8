"""Running a trial's command and its shell commands, and ending them."""

import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tamis.ab.trial import Status

GRACE_S = 5.0
"""How long a command may take to end after it was asked to."""

SHELL_TIMEOUT_S = 600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandExit:
    """How the command ended; `trouble` is why it did not start."""

    status: Status
    exit_status: int | None = None
    trouble: str = ""


def run_command(
    command: tuple[str, ...], variables: Mapping[str, str], folder: Path, *, timeout_s: float
) -> CommandExit:
    """Run a command in a process group of its own, which ends with it, or with us whatever ends us.

    What it prints goes to `stdout.txt` and `stderr.txt` in the folder.
    """
    with (folder / "stdout.txt").open("wb") as out, (folder / "stderr.txt").open("wb") as err:
        try:
            process = subprocess.Popen(
                command,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            return CommandExit(status="not-started", trouble=f"did not start: {error.strerror}")
        try:
            return CommandExit(status="ended", exit_status=process.wait(timeout_s))
        except subprocess.TimeoutExpired:
            return CommandExit(status="timed-out")
        finally:
            _end(process)


def run_shell(command: str, variables: Mapping[str, str], output: Path) -> str:
    """Run a shell command; what went wrong, or nothing."""
    with output.open("wb") as out:
        try:
            run = subprocess.run(
                command,
                shell=True,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=SHELL_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"did not end within {SHELL_TIMEOUT_S:g} seconds"
    return f"exited with {run.returncode}" if run.returncode else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the command's group, first by asking."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE_S)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
    process.wait()
