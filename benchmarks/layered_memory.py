"""Layered memory in figures: time and size of a typical iteration, relevance of skills, hits of their cache.

    python benchmarks/layered_memory.py                     # the three tables
    python benchmarks/layered_memory.py --sessions FOLDER   # and shadow mode over recorded sessions

A typical iteration is the published one: a skillbook of 2,000 tokens, five errors of 500, an iteration of
800, what worked in 300: 3,600 tokens in. Times are also given as processor time, and as multiples of
counting the same tokens in the same run, so that machines can be compared.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tamis.memory import LayeredMemory, MemorySettings, Skill, Skillbook, shadow_sessions
from tamis.memory.learning import labelled_set, measure_accuracy
from tamis.memory.relevance import SkillFilter, default_weights
from tamis.memory.settings import AsyncSettings, CacheSettings, Scoring, SkillbookSettings
from tamis.messages import Message, Session, Text, ToolCall, ToolResult, get_counter, identify, part_text
from tamis.sessions import find_sessions, read_all

COUNTER = get_counter()
TASK = (
    "Make the tests of the config reader pass; the access tokens of the client expire. Never edit conf.lock."
)
ROUNDS = 200
ITERATIONS_PER_TASK = 5
SCORINGS: tuple[Scoring, ...] = ("published", "bm25", "learned")


def errors() -> list[str]:
    """Five errors, three of them one and the same: 500 tokens."""
    frames = "\n".join(f'  File "/srv/app/{name}.py", line {{line}}, in {name}' for name in "abcde")
    return [
        f"Traceback (most recent call last):\n{frames.format(line=line)}\n    {call}\n{error}"
        for line, call, error in (
            (12, "import reader", "ModuleNotFoundError: No module named 'reader'"),
            (48, "import reader", "ModuleNotFoundError: No module named 'reader'"),
            (97, "port = int(value)", "ValueError: invalid literal for int() with base 10: ''"),
            (13, "import reader", "ModuleNotFoundError: No module named 'reader'"),
            (71, "open(path)", "FileNotFoundError: [Errno 2] No such file or directory: '/etc/app.conf'"),
        )
    ]


def iteration(number: int) -> tuple[Message, ...]:
    """What an agent says, runs and gets in one iteration: 800 tokens."""
    output = "\n".join(f"tests/test_conf_{number}.py::test_reads_key_{i} PASSED" for i in range(34))
    failure = (
        "E   TypeError: expected int, got str\nsrc/conf/reader.py:41: TypeError\n1 failed, 46 passed in 2.1s"
    )
    said = (
        "The reader takes the port as text, and the comparison in check_port fails. I decided to cast it at "
        "the edge, because everything behind it expects numbers. The lock file stays as it is. "
    )
    call = ToolCall(
        id=f"c{number}", name="bash", arguments={"command": f"pytest -q tests/test_conf_{number}.py"}
    )
    result = ToolResult(call_id=call.id, text=f"{output}\n{failure}\n", exit_code=1)
    return identify(
        [
            Message(id="", role="assistant", parts=(Text(text="I run the tests of the reader first."), call)),
            Message(id="", role="tool", parts=(result,)),
            Message(id="", role="assistant", parts=(Text(text=said * 2),)),
        ]
    )


def worked() -> list[str]:
    """What helped before: 300 tokens."""
    return [
        f"Iteration {i}: running the tests of one module with -x showed the first failure in seconds, and"
        f" reading the traceback from its end named the line in part_{i}.py that had to change"
        for i in range(8)
    ]


def skillbook() -> Skillbook:
    """The skills of the labelled set, and what was learned about the services of a plant: 2,000 tokens."""
    learned = (
        Skill(
            name=f"service-{i}-restart",
            summary=f"Restart service {i} when its queue is empty, then watch its log for {i + 2} minutes.",
        )
        for i in range(22)
    )
    return Skillbook(skills=(*labelled_set().skills, *learned))


def typical_iteration() -> None:
    """Time and size of one pass, of condensing, and of counting the same tokens."""
    settings = MemorySettings().model_copy(update={"asynchronous": AsyncSettings(enabled=False)})
    given = {"errors": errors(), "worked": worked()}
    texts = [
        *(f"{s.name}: {s.summary}" for s in skillbook().skills),
        *given["errors"],
        *given["worked"],
        *(part_text(p) for m in iteration(1) for p in m.parts),
    ]
    counting = [once(lambda: COUNTER.count_many(texts)) for _ in range(ROUNDS)]
    condensing, passes = [], []
    for _ in range(ROUNDS):
        with LayeredMemory(settings, skillbook=skillbook()) as memory:
            condensing.append(once(partial(memory.end_iteration, TASK, iteration(1))))
            passes.append(once(partial(memory.assemble, TASK, **given)))
            made = memory.assemble(TASK, **given)
    stages = made.stages
    assert stages is not None
    before, after = stages.collected.past_tokens, stages.injected.tokens
    both = [
        Took(wall_ms=a.wall_ms + b.wall_ms, cpu_ms=a.cpu_ms + b.cpu_ms)
        for a, b in zip(condensing, passes, strict=True)
    ]
    unit = statistics.median(took.cpu_ms for took in counting)
    print(f"a typical iteration: {before:,} tokens in, {after:,} out: {before / after:.1f}x smaller")
    print(f"{'median of ' + str(ROUNDS):<34}{'wall ms':>9}{'p95':>9}{'cpu ms':>9}{'x counting':>12}")
    for name, took in (
        ("condensing the iteration", condensing),
        ("a pass of four stages", passes),
        ("both", both),
        ("counting the tokens", counting),
    ):
        wall = sorted(t.wall_ms for t in took)
        cpu = statistics.median(t.cpu_ms for t in took)
        middle, high = wall[len(wall) // 2], wall[int(0.95 * len(wall))]
        print(f"{name:<34}{middle:>9.2f}{high:>9.2f}{cpu:>9.2f}{cpu / unit:>12.1f}")
    print()


def relevance() -> None:
    """Precision and recall of every scorer on both halves of the labelled set."""
    labelled = labelled_set()
    print(f"{'relevance':<12}{'half':<10}{'tasks':>6}{'chosen':>8}{'precision':>11}{'recall':>8}")
    for scoring in SCORINGS:
        for half, tasks in (("learning", labelled.learning), ("held out", labelled.held_out)):
            found = measure_accuracy(labelled.skills, tasks, default_weights(), scoring=scoring)
            precision = "-" if found.precision is None else f"{found.precision:.2f}"
            recall = "-" if found.recall is None else f"{found.recall:.2f}"
            print(f"{scoring:<12}{half:<10}{found.tasks:>6}{found.chosen:>8}{precision:>11}{recall:>8}")
    print()


def cache_hits() -> None:
    """Every task of the set as a loop of five iterations, four loops at a time, 50 seconds a step."""
    now = [0.0]
    labelled = labelled_set()
    chooser = SkillFilter(
        Skillbook(skills=labelled.skills), COUNTER, SkillbookSettings(), CacheSettings(), clock=lambda: now[0]
    )
    tasks = [*labelled.learning, *labelled.held_out]
    for four in (tasks[i : i + 4] for i in range(0, len(tasks), 4)):
        for _ in range(ITERATIONS_PER_TASK):
            for task in four:
                chooser.select(task.text)
            now[0] += 50
    rate = chooser.cache.hit_rate
    assert rate is not None
    held = len(chooser.cache)
    print(f"cache: {rate:.0%} hits, {held} entries at the end; {ITERATIONS_PER_TASK} iterations a task\n")


def shadow(folder: Path, sample: int, seed: int) -> None:
    """Shadow mode over a sample of every set below a folder."""
    print(
        f"{'set':<38}{'sessions':>9}{'passes':>8}{'savings':>9}{'p50 ms':>8}{'p95 ms':>8}"
        f"{'regret, iterations':>20}{'turns':>7}{'names':>14}"
    )
    for part in sorted(path for path in folder.iterdir() if path.is_dir()):
        found = shadow_sessions(sampled(part, sample, seed))
        if not found.passes:
            print(f"{part.name:<38}{found.sessions:>9}{0:>8}   no context that was large enough")
            continue
        print(
            f"{part.name:<38}{found.sessions:>9}{found.iterations:>8}{found.savings:>9.0%}"
            f"{found.latency_ms_p50:>8.1f}{found.latency_ms_p95:>8.1f}{found.regret_rate:>20.1%}"
            f"{found.regret_rate_turns:>7.1%}{found.missing_names:>7,}/{found.needed_names:,}"
        )


def sampled(folder: Path, sample: int, seed: int) -> Iterator[Session]:
    """Some sessions of a folder, drawn by the seed."""
    files = [found.path for found in find_sessions([folder]) if found.format]
    random.Random(seed).shuffle(files)
    sessions = (session for path in files for session in read_all(path) if len(session.messages) >= 10)
    yield from itertools.islice(sessions, sample)


@dataclass(frozen=True, kw_only=True)
class Took:
    """The time of one call, on the wall and of the processor."""

    wall_ms: float
    cpu_ms: float


def once(call: Callable[[], object]) -> Took:
    """Call it and time it."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Took(wall_ms=1000 * (time.perf_counter() - wall), cpu_ms=1000 * (time.process_time() - cpu))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=Path, help="a folder with a folder for every set")
    parser.add_argument("--sample", type=int, default=3, help="sessions of every set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    typical_iteration()
    relevance()
    cache_hits()
    if given.sessions:
        shadow(given.sessions, given.sample, given.seed)


if __name__ == "__main__":
    main()
