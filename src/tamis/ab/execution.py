"""Running all trials of a plan, each pair's arms in random order, and the folder that keeps them.

ab.json        format, version, the plan without its number of runs; written first
trials.jsonl   one finished trial a line; only grows
trials/        for each trial: what it printed, its decision log, its archive

A trial counts when its line stands there, so one that was interrupted is run again when the same command is
given again. More runs may be asked for later: the order within a pair does not depend on how many there are.
"""

import glob
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tamis.ab.lines import open_lines, read_lines, read_plan
from tamis.ab.meter import DECISIONS, Meter, passage, proxy_settings, read_needs
from tamis.ab.trial import SessionLog, Status, Trial, TrialArm, TrialPlan, folder_of, order_of, sum_up
from tamis.errors import TamisError, UnreadableFile
from tamis.messages import Counter, Message, count_messages, get_counter
from tamis.sessions import read_all

FORMAT = "tamis-ab/1"
GRACE_S = 5.0
"""How long a command may take to end after it was asked to."""
SHELL_TIMEOUT_S = 600.0
CLOCK_STEP_S = 2.0
"""How coarse a file system's clock may be."""

_PLAN, _TRIAL = TypeAdapter(TrialPlan), TypeAdapter(Trial)


def read_comparison(folder: Path) -> tuple[TrialPlan, list[Trial]]:
    """The plan and the trials of a record, as far as it got.

    Raises:
        UnreadableFile: there is none, or it is damaged.
    """
    plan, trials = read_plan(folder, FORMAT), read_lines(folder, _TRIAL)
    pairs = max((trial.pair for trial in trials), default=1)
    try:
        return _PLAN.validate_python({**plan, "runs": pairs}), trials
    except ValidationError as error:
        raise UnreadableFile(f"{folder / 'ab.json'} is damaged: {error}") from None


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


def run_plan(
    plan: TrialPlan, folder: Path, *, on_trial: Callable[[Trial], None] | None = None
) -> list[Trial]:
    """Every trial that the record does not hold yet; gives all that it holds then.

    A pair is run whole before the next begins, so whatever is interrupted leaves at most one trial alone.

    Raises:
        NotComparable: the folder holds another plan's trials.
        InputError: the folder cannot be written, or the proxy cannot be set up as the plan says.
    """
    lasting = asdict(plan)
    del lasting["runs"]  # more may be asked for later
    with open_lines(folder, FORMAT, lasting, _TRIAL) as record:
        done = {(trial.pair, trial.arm) for trial in record.trials}
        for pair in range(1, plan.runs + 1):
            for place, arm in enumerate(order_of(pair, plan.seed)):
                if (pair, arm) not in done:
                    trial = run_trial(plan, folder, pair=pair, arm=arm, first=place == 0)
                    record.add(trial)
                    if on_trial is not None:
                        on_trial(trial)
        return record.trials


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ran:
    ended: CommandExit
    variables: Mapping[str, str]
    meter: Meter | None
    began_at: float
    duration_s: float


def run_trial(plan: TrialPlan, root: Path, *, pair: int, arm: TrialArm, first: bool) -> Trial:
    """One trial. What goes wrong with the command stands in the trial; only a wrong plan raises.

    `root` is the record's folder; `first` says whether it is the pair's first.

    Raises:
        TamisError: the proxy cannot be set up as the plan says.
    """
    folder = folder_of(root, pair, arm)
    folder.mkdir(parents=True, exist_ok=True)
    for left in filter(Path.is_file, folder.iterdir()):  # by a trial that was interrupted
        left.unlink()
    ran = _run(plan, arm, folder, {**os.environ, **_told(plan, folder, pair, arm)})
    ended = ran.ended
    if ended.status == "not-started":
        return Trial(pair=pair, arm=arm, first=first, status=ended.status, notes=(ended.trouble,))
    notes: list[str] = []
    if ended.status == "timed-out":
        notes.append(f"did not end within {plan.timeout_s:g} seconds: no success, and nothing else is known")
    if ran.meter is not None and not ran.meter.turns:
        remedy = "does the command take its base URL from the environment?"
        notes.append(f"nothing went through the proxy; {remedy}")
    counter = get_counter(plan.compression.tokenizer if plan.compression else "o200k_base")
    log = read_logs(plan.logs, folder, since=ran.began_at, counter=counter, notes=notes)
    return Trial(
        pair=pair,
        arm=arm,
        first=first,
        status=ended.status,
        exit_status=ended.exit_status,
        success=_succeeded(plan, ran, folder),
        duration_s=ran.duration_s,
        requests=sum_up(ran.meter.turns) if ran.meter and ran.meter.turns else None,
        needs=read_needs(folder / DECISIONS),
        log=log,
        notes=tuple(notes),
    )


def _told(plan: TrialPlan, folder: Path, pair: int, arm: TrialArm) -> dict[str, str]:
    """What the command can know of its trial; a memory of tamis's own follows it too."""
    mode = "active" if arm == "on" else "off"
    return {
        "TAMIS_MODE": mode,
        "TAMIS_MEMORY_MODE": mode,
        "TAMIS_AB_PAIR": str(pair),
        "TAMIS_AB_SEED": str(plan.seed),
        "TAMIS_AB_DIR": str(folder.resolve()),
    }


def _run(plan: TrialPlan, arm: TrialArm, folder: Path, variables: Mapping[str, str]) -> _Ran:
    """Put things back, set up the proxy, run the command; the proxy has ended then, and its log is whole."""
    meter: Meter | None = None
    with ExitStack() as stack:
        if plan.compression is not None:
            meter = Meter(get_counter(plan.compression.tokenizer))
            settings = proxy_settings(plan.compression, arm, folder)
            url = stack.enter_context(passage(settings, meter))
            variables = {**variables, "OPENAI_BASE_URL": f"{url}/v1", "ANTHROPIC_BASE_URL": url}
        trouble = run_shell(plan.before, variables, folder / "before.txt") if plan.before else ""
        began_at, started = time.time(), time.monotonic()
        if trouble:
            ended = CommandExit(status="not-started", trouble=f"the command of --before {trouble}")
        else:
            ended = run_command(plan.command, variables, folder, timeout_s=plan.timeout_s)
        duration_s = time.monotonic() - started
    return _Ran(ended=ended, variables=variables, meter=meter, began_at=began_at, duration_s=duration_s)


def _succeeded(plan: TrialPlan, ran: _Ran, folder: Path) -> bool:
    if ran.ended.status != "ended":
        return False
    if plan.success:
        return not run_shell(plan.success, ran.variables, folder / "success.txt")
    return ran.ended.exit_status == 0


def read_logs(
    patterns: Sequence[str], folder: Path, *, since: float, counter: Counter, notes: list[str]
) -> SessionLog | None:
    """What the newest files say together; None where there is none, and `notes` then say why.

    Patterns are as the shell has them; `{dir}` is the trial's folder. Files older than `since` (seconds since
    the epoch) are another's. `notes` is added to.
    """
    places = [pattern.replace("{dir}", str(folder)) for pattern in patterns]
    named = {Path(name) for place in places for name in glob.glob(place, recursive=True)}  # noqa: PTH207 - may be absolute
    found = [p for p in sorted(named) if p.is_file() and p.stat().st_mtime >= since - CLOCK_STEP_S]
    if patterns and not found:
        notes.append(f"wrote no session log at {', '.join(patterns)}")
    messages: list[Message] = []
    for path in found:
        try:
            messages += [message for session in read_all(path) for message in session.messages]
        except TamisError as error:
            notes.append(f"a session log could not be read: {error}")
    if not messages:
        return None
    return SessionLog(
        files=len(found),
        messages=len(messages),
        turns=sum(message.role == "assistant" for message in messages),
        tokens=sum(count_messages(messages, counter)),
    )
