"""Tasks of LOCA-bench through the proxy, with each method: `python benchmarks/loca.py LOCA --model URL`.

LOCA is a checkout of LOCA-bench (hkust-nlp, MIT; arXiv 2602.07962): tasks with mock tool servers, checked
by rules, whose environments take 8,000 to 256,000 tokens. Its own runner plays each task with its own agent
loop, tools and check. Only the address of the model is another: a proxy with one method as the context
policy. `full` passes everything on, `nothing` takes everything out. `--install` first puts what LOCA-bench
needs into LOCA/.venv, from PyPI and npm alone.

A trial is `claimed` (the agent said that it was done), `stopped` (it answered without a call, which ends a
task), `out of calls` or `out of time`: all of them are checked as they stand. It has `failed` where nothing
was measured: no answer of the model, a tool server or a task that did not start. Failed trials are in no
share, and are tried again when the same command is given again; the others are kept.

--model is http://HOST:PORT/v1#NAME (any server that speaks the OpenAI chat API; its key is TAMIS_API_KEY), a
GGUF file (with examples/agent_loop/model_server.py around it), or `rehearsal`: a script that reads a lot,
copies the solution that lies beside the task, and says that it is done. It tests the plumbing and the
install; where a solution is more than files, it is not solved. `rehearsal:idle` copies nothing.

The tasks run code that the model writes, without a sandbox: use a container.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import httpx
from hindsight import table
from loca_environment import ANSWER_S, Task, install, read_tasks, runner, variables_of
from loca_model import endpoint_of
from pydantic import TypeAdapter
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tamis.ab.ab_report import Table
from tamis.ab.execution import CommandExit, run_command
from tamis.ab.lines import open_lines
from tamis.ab.meter import DECISIONS, Meter, parsed, passage, proxy_settings, read_needs
from tamis.ab.ticket_report import against_table, hold_against
from tamis.ab.trial import Compression, Requests, TrialRegret, sum_up
from tamis.compactors import get_method
from tamis.errors import TamisError
from tamis.evals.inference.clustering import by_cluster
from tamis.evals.inference.comparison import share_interval
from tamis.evals.inference.intervals import SHARE, bootstrap_t
from tamis.messages import get_counter
from tamis.proxy import ProxySettings
from tamis.proxy.dialects import find_dialect

FORMAT = "tamis-loca/1"
METHODS = ("ledger", "mask", "truncate", "full", "nothing")
CONTROLS = ("full", "nothing")
NO_ANSWER = (
    "Error: Failed to get response",
    "Error: Invalid parameter format",
    "Error: Request failed",
    "ERROR: C",
)
"""How its last message begins where the model gave none, as its own resume has them."""

Ending = Literal["claimed", "stopped", "out of calls", "out of time", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LocaPlan:
    """What must be the same where a run is gone on with."""

    model: str
    compression: Compression
    recall: bool
    answer_tokens: int
    most_calls: int
    timeout_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LocaTrial:
    """One task with one method; `solved` is None where it failed, and `note` says why."""

    task: str
    kind: str
    method: str
    ending: Ending
    solved: bool | None
    duration_s: float
    requests: Requests | None = None
    needs: TrialRegret | None = None
    note: str = ""


_TRIAL = TypeAdapter(LocaTrial)


class Overseer(Meter):
    """A meter that knows which tools were offered, and ends a task that has had all its calls."""

    def __init__(self, most_calls: int) -> None:
        super().__init__(get_counter())
        self.tools: set[str] = set()
        self.is_out_of_calls = False
        self._most = most_calls

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application; behind the last call it says that it stops, and what there is is checked."""
        metered = super().around(app)

        async def limited(scope: Scope, receive: Receive, send: Send) -> None:
            asks = scope["type"] == "http" and find_dialect(scope["method"], scope["path"])
            answered = sum(turn.status is not None and turn.status < 400 for turn in self.turns)
            if asks and answered >= self._most:
                self.is_out_of_calls = True
                message = {"role": "assistant", "content": "There are no calls left."}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                await JSONResponse({"object": "chat.completion", "choices": [choice]})(scope, receive, send)
            else:
                await metered(scope, receive, send)

        return limited

    async def on_answer(self, response: httpx.Response) -> None:
        """Listen to an answer, and look at what was asked."""
        if not self.tools:
            offered = parsed(response.request.content).get("tools") or ()
            self.tools = {tool["function"]["name"] for tool in offered}
        await super().on_answer(response)


def settings_of(plan: LocaPlan, method: str, folder: Path) -> ProxySettings:
    """The proxy of one trial.

    Raises:
        TamisError: the plan's window, budget or method cannot be had.
    """
    compression = replace(plan.compression, method=method)
    settings = proxy_settings(compression, "off" if method == "full" else "on", folder)
    recall = plan.recall and method not in CONTROLS
    return replace(
        settings,
        archive=settings.archive if recall else None,
        quality_every=0,
        read_timeout_s=ANSWER_S,
        decide_timeout_s=ANSWER_S,  # a method may ask a model
        method_timeout_s=ANSWER_S,
    )


def run_trial(plan: LocaPlan, folder: Path, root: Path, task: Task, method: str) -> LocaTrial:
    """One task with one method, by LOCA-bench's own runner. What goes wrong stands in the trial."""
    own = (
        root / "trials" / task.name / method.replace("/", "_") / f"{time.time_ns()}"
    )  # tried again, a trial has a folder of its own
    own.mkdir(parents=True)
    (own / "task.json").write_text(json.dumps({"configurations": [task.given]}), encoding="utf-8")
    overseer = Overseer(plan.most_calls)
    started = time.monotonic()
    with passage(settings_of(plan, method, own), overseer) as url:
        command = runner(folder, own, model=plan.model.partition("#")[2], answer_tokens=plan.answer_tokens)
        ended = run_command(command, variables_of(folder, f"{url}/v1"), own, timeout_s=plan.timeout_s)
    ending, solved, note = judge(own, ended, task, overseer)
    return LocaTrial(
        task=task.name,
        kind=task.kind,
        method=method,
        ending=ending,
        solved=solved,
        duration_s=time.monotonic() - started,
        requests=sum_up(overseer.turns) if overseer.turns else None,
        needs=read_needs(own / DECISIONS),
        note=note,
    )


def judge(own: Path, ended: CommandExit, task: Task, overseer: Overseer) -> tuple[Ending, bool | None, str]:
    """How a trial ended, whether its check found it solved, and what went wrong."""
    if overseer.tools and (lost := _servers_lost(task, overseer.tools)):
        return "failed", None, f"the tool servers {', '.join(lost)} did not start; run --install"
    if any("Error during preprocessing" in log.read_text("utf-8", "replace") for log in own.rglob("env.log")):
        return "failed", None, "the task could not be laid out; its env.log says why"
    if ended.status == "timed-out":
        if any(turn.calls for turn in overseer.turns):
            return "out of time", False, ""
        return "failed", None, "the model gave no answer in time"
    state = next(own.glob("out/tasks/*/state0"), own)
    try:
        checked = json.loads((state / "eval.json").read_bytes())
        last = json.loads((state / "trajectory.json").read_bytes())["messages"][-1]
    except (OSError, ValueError, LookupError):
        said = (own / "stderr.txt").read_text("utf-8", "replace").strip().splitlines()
        return "failed", None, ended.trouble or f"LOCA-bench left no result: {said[-1] if said else '-'}"
    if checked["status"] != "success":
        return "failed", None, str(checked["feedback"])[:200]
    if str(last.get("content") or "").startswith(NO_ANSWER):
        statuses = sorted({str(turn.status) for turn in overseer.turns if turn.status != 200})
        return "failed", None, f"the model gave no answer (status {', '.join(statuses) or 'none'})"
    ending: Ending = "claimed" if last.get("tool_calls") else "stopped"
    return "out of calls" if overseer.is_out_of_calls else ending, checked["accuracy"] >= 1, ""


def _servers_lost(task: Task, tools: set[str]) -> list[str]:
    """Servers that ought to be there and offered nothing: LOCA-bench goes on without a word."""
    wanted = [name for name, server in task.given["mcp_servers"].items() if server.get("enabled", True)]
    return [name for name in wanted if not any(tool.startswith(f"{name}_") for tool in tools)]


def run_all(
    plan: LocaPlan, folder: Path, root: Path, cells: Sequence[tuple[Task, str]], *, at_once: int = 1
) -> list[LocaTrial]:
    """Every trial that is not kept yet, or failed; gives the newest of each, in the order asked for.

    Raises:
        NotComparable: the folder holds the trials of another plan.
        TamisError: a window, a budget or a method that cannot be had.
    """
    for method in {method for _, method in cells}:
        settings_of(plan, method, root)  # what is wrong is said before anything is run
        get_method(method)
    lasting = replace(plan, compression=replace(plan.compression, upstream=""))  # a port may be another
    with open_lines(root, FORMAT, asdict(lasting), _TRIAL) as record:
        kept = {(trial.task, trial.method): trial for trial in record.trials}
        left = [
            (task, method)
            for task, method in cells
            if (kept_one := kept.get((task.name, method))) is None or kept_one.ending == "failed"
        ]
        one_writes = threading.Lock()

        def run(cell: tuple[Task, str]) -> None:
            try:
                trial = run_trial(plan, folder, root, *cell)
            except TamisError as error:  # a proxy that did not start, say, where the machine is busy
                trial = _failed(*cell, note=str(error))
            with one_writes:
                record.add(trial)
                kept[trial.task, trial.method] = trial
            print(f"{trial.task}, {trial.method}: {_told(trial)}", file=sys.stderr, flush=True)

        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(run, left))
    return [kept[task.name, method] for task, method in cells]


def _failed(task: Task, method: str, *, note: str) -> LocaTrial:
    return LocaTrial(
        task=task.name, kind=task.kind, method=method, ending="failed", solved=None, duration_s=0.0, note=note
    )


def _told(trial: LocaTrial) -> str:
    result = {True: "solved", False: "not solved", None: "not measured"}[trial.solved]
    calls = f", {trial.requests.answered} calls" if trial.requests else ""
    return f"{result}, {trial.ending}{calls}, {trial.duration_s:.0f} s {trial.note}".rstrip()


def tables_of(trials: Sequence[LocaTrial]) -> Iterator[Table]:
    """The methods, and the first of them against the others; whole kinds of tasks are resampled."""
    methods = list(dict.fromkeys(trial.method for trial in trials))
    endings: tuple[Ending, ...] = ("stopped", "out of calls", "out of time", "failed")
    figures = ("calls", "tokens read", "tokens written", "compactions", "fell back", "recalls", "seconds")
    yield Table(
        title="Tasks solved, by their own checks; the rest per measured trial",
        columns=["method", "tasks", "solved", "share", *endings, *figures],
        rows=[_row(method, [t for t in trials if t.method == method], endings) for method in methods],
    )
    solved = {
        m: {t.task: float(t.solved) for t in trials if t.method == m and t.solved is not None}
        for m in methods
    }
    yield against_table(
        f"Share solved with {methods[0]}, less that with",
        hold_against(solved, {trial.task: trial.kind for trial in trials}),
    )


def _row(method: str, trials: Sequence[LocaTrial], endings: Sequence[Ending]) -> list[str]:
    measured = [trial for trial in trials if trial.solved is not None]
    requests = [trial.requests for trial in measured if trial.requests]
    decisions = [(r.decisions.get("compacted", 0), r.decisions.get("fallback", 0)) for r in requests]
    counted = " (counted)" * any(r.counted for r in requests)
    return [
        method,
        str(len(measured)),
        str(sum(bool(trial.solved) for trial in measured)),
        _share(measured),
        *(str(sum(trial.ending == ending for trial in trials)) for ending in endings),
        _mean([r.answered for r in requests], 1),
        _mean([r.input_tokens for r in requests]) + counted,
        _mean([r.output_tokens for r in requests]),
        _mean([compacted for compacted, _ in decisions], 1),
        _mean([fell for _, fell in decisions], 1),
        _mean([t.needs.kinds.get("recall", 0) if t.needs else 0 for t in measured], 1),
        _mean([t.duration_s for t in measured]),
    ]


def _share(trials: Sequence[LocaTrial]) -> str:
    if not trials:
        return "not measured"
    sample = by_cluster([float(bool(t.solved)) for t in trials], [t.kind for t in trials])
    hangs_together = 1 < sample.clusters < len(trials) and sample.standard_error > 0
    within = bootstrap_t(sample, within=SHARE) if hangs_together else None
    within = within or share_interval(sum(bool(t.solved) for t in trials), len(trials))
    return f"{sample.mean:.2f} ({within.low:.2f} to {within.high:.2f})"


def _mean(values: Sequence[float | None], digits: int = 0) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):,.{digits}f}" if known else "–"


def main(arguments: Sequence[str] | None = None) -> None:
    """Install, or run what is left and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="LOCA")
    parser.add_argument("--install", action="store_true", help="put what it needs into LOCA/.venv, and end")
    parser.add_argument("--python", default="python3.12", help="what LOCA/.venv is made with")
    parser.add_argument("--model", default="rehearsal")
    parser.add_argument("-m", "--method", action="append", help=f"[default: {' '.join(METHODS)}]")
    parser.add_argument("--config", nargs="+", default=["final_8k"])
    parser.add_argument("--tasks", type=int, default=15, help="so many of each configuration")
    parser.add_argument("--kind", nargs="+", default=[], help="only these, such as ABTestingS2LEnv")
    parser.add_argument("--window", type=int, default=24_000, help="the tools' descriptions take part of it")
    parser.add_argument("--budget", default="2000", help="as for tamis proxy, and so the next two")
    parser.add_argument("--trigger", type=float, default=0.8)
    parser.add_argument("--keep-last", default="10%")
    parser.add_argument("--recall", action="store_true", help="let all but the controls look up what is gone")
    parser.add_argument("--answer-tokens", type=int, default=8_192)
    parser.add_argument("--most-calls", type=int, default=100, help="of the model, in a task")
    parser.add_argument("--timeout", type=float, default=7200.0, help="seconds that a trial may take")
    parser.add_argument("--model-window", type=int, default=32_768, help="of a GGUF file")
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("runs/loca"))
    given = parser.parse_args(arguments)
    try:
        _run(given, given.folder.resolve())
    except (TamisError, subprocess.CalledProcessError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        os._exit(130)  # what runs would be waited for; without its proxy it ends by itself


def _run(given: argparse.Namespace, folder: Path) -> None:
    if given.install:
        install(folder, given.python)
        return
    tasks = read_tasks(folder, given.config, given.tasks, given.kind)
    with endpoint_of(given.model, given.model_window, given.output) as (upstream, name):
        plan = LocaPlan(
            model=f"{given.model.partition('#')[0]}#{name}",
            compression=Compression(
                upstream=upstream,
                **{n: getattr(given, n) for n in ("window", "budget", "trigger", "keep_last")},
            ),
            recall=given.recall,
            answer_tokens=given.answer_tokens,
            most_calls=given.most_calls,
            timeout_s=given.timeout,
        )
        cells = [(task, method) for task in tasks for method in given.method or METHODS]
        trials = run_all(plan, folder, given.output.resolve(), cells, at_once=given.at_once)
    for made in filter(lambda made: made.rows, tables_of(trials)):
        print(f"**{made.title}**\n")
        table([name.removeprefix(">") for name in made.columns], made.rows)
    for trial in trials:
        if trial.note:
            print(f"- not measured: {trial.task}, {trial.method}: {trial.note}")


if __name__ == "__main__":
    main()
