"""An orchestrator with layered memory: every iteration is one prompt, built anew from task and memory.

python examples/orchestrator/loop.py                          # 20 tasks, a scripted agent, with and without
python examples/orchestrator/loop.py --model gguf:MODEL.gguf  # a model of your own; --tasks 5 is a beginning

Prints success rate, iterations, tokens and cost of both arms, and whether the published gates are met. The
exit status is 1 where they are not.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel
from tasks import TASKS, Task, make_task

from tamis.memory import LayeredMemory, MemorySettings, load_settings
from tamis.messages import Message, Text, ToolCall, ToolResult, get_counter, identify
from tamis.models import Model, Prompt, Reply, get_model
from tamis.monitoring import MonitoringSettings, load_monitoring, open_monitor

INSTRUCTIONS = """\
You work in iterations; each time you see the task and what is remembered. Answer with two lines. First say in
one sentence what the newest report tells for the task: `NAME.log says KEY = VALUE.` Last line: a command.
READ NAME.log shows a report that you need and have not seen.
WRITE {"KEY": VALUE, ...} ends the task; do it when every value is known."""

PRICE_PER_MILLION = 3.0
"""Dollars for input, as published; output is short and the same in both arms."""

FEWER_SUCCESSES = 0.02
MORE_ITERATIONS = 0.5
LEAST_SAVED = 0.30
"""The published gates of an A/B run."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How one task went in one arm."""

    task: int
    solved: bool
    iterations: int
    tokens: int
    regrets: int


async def work(task: Task, model: Model, memory: LayeredMemory, *, compression: bool) -> Run:
    """The loop: assemble, ask, act, take in; until the task is written or the iterations are used up."""
    counter = get_counter()
    tokens, latest = 0, tuple[Message, ...]()
    for iteration in range(1, 3 * len(task.reports) + 1):
        context = memory.assemble(task.prompt, latest, opt_in=True, compression=compression)
        text = context.prompt
        tokens += counter.count(f"{INSTRUCTIONS}\n{text}")
        reply = await model.ask(Prompt(instructions=INSTRUCTIONS, text=text, max_output_tokens=160))
        result = task.act(reply.text)
        outcome = "error" if result.startswith("ERROR") else "success" if task.is_solved else "partial"
        latest = _exchanged(iteration, reply.text, result)
        memory.end_iteration(task.prompt, latest, outcome=outcome)
        if task.written is not None:
            break
    regrets = sum(bool(regret.missing) for regret in memory.regrets)
    return Run(task=task.number, solved=task.is_solved, iterations=iteration, tokens=tokens, regrets=regrets)


def _exchanged(iteration: int, reply: str, result: str) -> tuple[Message, ...]:
    """What was said and came of it, as a call and its result."""
    said, _, command = reply.strip().rpartition("\n")
    call = ToolCall(id=f"call{iteration}", name="bash", arguments={"command": command})
    answer = ToolResult(call_id=call.id, text=result, exit_code=int(result.startswith("ERROR")))
    return identify(
        [
            Message(id="", role="assistant", parts=(Text(text=said), call) if said else (call,)),
            Message(id="", role="tool", parts=(answer,)),
        ]
    )


class Reader:
    """The scripted agent: it knows nothing but its prompt, and reads again what it does not find there."""

    name = "scripted reader"
    window_tokens = None

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The next step that the prompt allows."""
        del schema
        return Reply(text=_next_step(prompt), model=self.name)


_WANTED = re.compile(r"(\w+) \(in (\w+\.log)\)")


def _next_step(prompt: Prompt) -> str:
    wanted = dict(_WANTED.findall(prompt.text))
    known: dict[str, str] = {}
    for key in wanted:
        values = re.findall(rf"(?:release 2:|says) {key} = (\d+)", prompt.text)
        if values:
            known[key] = values[-1]
    said = " ".join(f"{wanted[key]} says {key} = {value}." for key, value in known.items())
    missing = [name for key, name in wanted.items() if key not in known]
    if missing:
        return f"{said}\nREAD {missing[0]}"
    return f"{said}\nWRITE {{{', '.join(f'{key!r}: {value}' for key, value in known.items())}}}"


async def compare(
    count: int, model: Model, settings: MemorySettings, watched: MonitoringSettings
) -> dict[str, list[Run]]:
    """Every task in both arms, with memory and without."""
    arms: dict[str, list[Run]] = {"without": [], "with": []}
    monitor = open_monitor(watched)
    for number in range(1, count + 1):
        for arm, runs in arms.items():
            is_on = arm == "with"
            listener = monitor.memory(f"task {number}") if is_on else None
            with LayeredMemory(settings, system=INSTRUCTIONS, listener=listener) as memory:
                runs.append(await work(make_task(number), model, memory, compression=is_on))
    monitor.close()
    return arms


@dataclass(frozen=True, kw_only=True)
class Gate:
    """One of the published criteria of an A/B run."""

    name: str
    measured: float
    is_met: bool


def gates(arms: dict[str, list[Run]]) -> list[Gate]:
    """What the two arms say of the criteria."""
    with_, without = arms["with"], arms["without"]
    fewer = _mean([run.solved for run in without]) - _mean([run.solved for run in with_])
    more = _mean([run.iterations for run in with_]) - _mean([run.iterations for run in without])
    saved = 1 - sum(run.tokens for run in with_) / sum(run.tokens for run in without)
    return [
        Gate(name="success rate: at most 2 % lower", measured=-fewer, is_met=fewer <= FEWER_SUCCESSES),
        Gate(name="iterations: at most 0.5 more", measured=more, is_met=more < MORE_ITERATIONS),
        Gate(name="tokens: at least 30 % saved", measured=saved, is_met=saved >= LEAST_SAVED),
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main() -> int:
    """Run both arms and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="as tamis names models; none: the scripted agent")
    parser.add_argument("--tasks", type=int, default=TASKS)
    parser.add_argument("--config", type=Path, help="settings in YAML, as ralph.yaml next to this file")
    given = parser.parse_args()
    settings = load_settings(given.config)
    watched = load_monitoring(given.config) if given.config else MonitoringSettings(enabled=False)
    model = get_model(given.model) if given.model else Reader()
    arms = asyncio.run(compare(given.tasks, model, settings, watched))
    print(f"{'arm':<10}{'tasks':>6}{'solved':>8}{'iterations':>12}{'tokens':>10}{'$':>9}{'regrets':>9}")
    for arm, runs in arms.items():
        tokens = sum(run.tokens for run in runs)
        print(
            f"{arm:<10}{len(runs):>6}{sum(run.solved for run in runs):>8}"
            f"{_mean([run.iterations for run in runs]):>12.2f}{tokens:>10,}"
            f"{tokens * PRICE_PER_MILLION / 1e6:>9.4f}{sum(run.regrets for run in runs):>9}"
        )
    found = gates(arms)
    for gate in found:
        print(f"{gate.name:<34}{gate.measured:>+8.2f}  {'met' if gate.is_met else 'missed'}")
    return 0 if all(gate.is_met for gate in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
