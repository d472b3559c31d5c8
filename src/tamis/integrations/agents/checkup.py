"""Which agents are on this machine, whether tamis is in them, and whether what was put in works.

A plugin or a hook is tried as the agent would run it: its own command, with a small conversation on standard
input, and an archive that is thrown away.
"""

import json
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tamis.errors import TamisError
from tamis.integrations.agents.known import Agent
from tamis.integrations.agents.wrap import WrapStatus, standing

PATIENCE_S = 60.0
_SET = re.compile(r"^const (COMMAND|ARCHIVE) = (.+)$", re.MULTILINE)
_RULE = "Never change prices.csv."

CommandRunner = Callable[[Sequence[str], str], "CommandOutput"]
"""Runs a command with a text on standard input."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandOutput:
    """What a command printed, and the trouble that it had, if any."""

    output: str = ""
    trouble: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkup:
    """One agent in one place.

    `program` and `version` are None where the agent is not on the path. `works` is None where nothing was
    tried. `remedy` is what to type next, "" where nothing is to be done.
    """

    agent: Agent
    place: Path
    program: str | None
    version: str | None
    standing: WrapStatus | None
    works: bool | None
    finding: str
    remedy: str


def check(agent: Agent, place: Path, *, run: CommandRunner | None = None) -> Checkup:
    """Look for the agent, for what tamis put into this folder of it, and try that."""
    run = run or run_command
    program = next((found for name in agent.programs if (found := shutil.which(name))), None)
    version = run([program, "--version"], "").output.strip().splitlines()[:1] if program else []
    where = "" if place == agent.place() else f" --folder {shlex.quote(str(place))}"
    stands: WrapStatus | None = None
    works: bool | None = False
    remedy = ""
    try:
        stands = standing(agent, place, _archive_in(agent, place))
        works, finding, remedy = _judged(agent, place, stands, where, run)
    except TamisError as error:
        finding = str(error)
    if stands == "absent" and program is None:
        remedy = ""
    return Checkup(
        agent=agent,
        place=place,
        program=program,
        version=version[0] if version else None,
        standing=stands,
        works=works,
        finding=finding,
        remedy=remedy,
    )


def _judged(
    agent: Agent, place: Path, stands: WrapStatus, where: str, run: CommandRunner
) -> tuple[bool | None, str, str]:
    archive = _archive_in(agent, place)
    there = f" --archive {shlex.quote(str(archive))}" if archive else ""
    again, undone = f"tamis wrap {agent.name}{where}{there}", f"tamis unwrap {agent.name}{where}"
    match stands:
        case "absent":
            return None, "not wrapped", again
        case "half":
            return False, "a wrap or an unwrap was interrupted", f"{again}, or {undone}"
        case "unrecorded":
            return False, "tamis is in, and its record is gone", f"{undone} --only-ours"
    if trouble := _tried(agent, place, run):
        return False, trouble, again
    if stands == "old":
        return True, "works; wrapped by another version of tamis, or by another Python", again
    changed = " (its file was changed since)" if stands == "changed" else ""
    if agent.serves and find_spec("mcp") is None:
        return True, f"works{changed}, but for its recall tool", "pip install 'tamis[mcp]'"
    return True, f"works{changed}", ""


def _tried(agent: Agent, place: Path, run: CommandRunner) -> str:
    """Run what was put in as the agent would; the trouble, "" where there is none."""
    words = _hook_in(agent, place)
    if "hook" not in words:
        return "the command that was put in is no longer there"
    command = words[: words.index("hook")]
    with tempfile.TemporaryDirectory(prefix="tamis-doctor-") as folder:
        hook = [*command, "hook", agent.name, "--archive", str(Path(folder) / "a.archive")]
        ran = run(hook, json.dumps(_probe(agent, folder)))
    if ran.trouble:
        return ran.trouble
    if agent.replaces and _RULE not in ran.output:
        return "the compaction that was tried lost a rule"
    return ""


def _archive_in(agent: Agent, place: Path) -> Path | None:
    """The archive that the hook there names, where it is not the agent's usual one."""
    words = _hook_in(agent, place)
    archive = Path(words[-1]) if words[-2:-1] == ["--archive"] else None
    return None if archive == agent.archive(place.resolve()) else archive


def _hook_in(agent: Agent, place: Path) -> list[str]:
    """The command line of the hook there, its archive last; nothing where it is not in."""
    path = place / next((name for name in agent.files if name.endswith(".js")), agent.settings)
    text = path.read_text(encoding="utf-8-sig", errors="replace") if path.is_file() else ""
    if agent.replaces:
        found = {name: json.loads(value) for name, value in _SET.findall(text)}
        return [*found["COMMAND"], "hook", agent.name, "--archive", found["ARCHIVE"]] if found else []
    commands = re.findall(rf'"command": ("(?:[^"\\]|\\.)* hook {agent.name}(?:[^"\\]|\\.)*")', text)
    return shlex.split(json.loads(commands[0])) if commands else []


def _probe(agent: Agent, folder: str) -> dict[str, object]:
    """A conversation that has to be shortened, or a hook's call with a log that is there."""
    long = "It reads the prices line by line and writes what it found into the log. " * 40
    rows = [{"role": "user", "text": f"Make rows.py skip empty rows. {_RULE}", "toolUses": []}]
    for n in range(12):
        rows.append({"role": "assistant", "text": f"rows{n}.py: {long}", "toolUses": []})
        rows.append({"role": "user", "text": f"And rows{n + 1}.py?", "toolUses": []})
    if agent.replaces:
        asked = {"hook_event_name": "session.compact", "session_id": "tamis-doctor"}
        return {**asked, "since": True, "messages": rows}
    log = Path(folder) / "probe.jsonl"
    log.write_text("", encoding="utf-8")
    return {"session_id": "tamis-doctor", "transcript_path": str(log), "hook_event_name": "Stop"}


def run_command(command: Sequence[str], given: str) -> CommandOutput:
    """Run a command; what it said on standard error, a status, a missing program are its trouble."""
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except FileNotFoundError:
        return CommandOutput(trouble=f"{command[0]} is gone")
    except (OSError, subprocess.TimeoutExpired) as error:
        return CommandOutput(trouble=f"{command[0]}: {error}")
    said = " ".join(done.stderr.split())
    failed = f"exited with {done.returncode}" if done.returncode else ""
    hook = said if given and said else ""
    return CommandOutput(output=done.stdout, trouble=hook or failed)
