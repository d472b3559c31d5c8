"""Layered memory in figures: time and size of a typical iteration, relevance of skills, hits of their cache.

    python benchmarks/layered_memory.py                     # the three tables
    python benchmarks/layered_memory.py --sessions FOLDER   # shadow mode over recorded sessions instead

A typical iteration is the published one: a skillbook of 2,000 tokens, five errors of 500, an iteration of
800, what worked in 300: 3,600 tokens in. Times are also given as processor time, and as multiples of
counting the same tokens in the same run, so that machines can be compared.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from skill_relevance import labelled_set, measure_accuracy

from tamis.memory import LayeredMemory, MemorySettings, Skill, Skillbook, Stages, shadow_session
from tamis.memory.relevance import SkillFilter, default_weights
from tamis.memory.settings import AsyncSettings, CacheSettings, Scoring, SkillbookSettings
from tamis.memory.shadow import MAX_REGRET_RATE, MIN_SAVINGS, ShadowPass, report
from tamis.messages import Message, Session, Text, ToolCall, ToolResult, get_counter, identify, part_text
from tamis.sessions import find_sessions, read_all

COUNTER = get_counter()
TASK = (
    "Make the tests of the config reader pass; the access tokens of the client expire. Never edit conf.lock."
)
ROUNDS = 200
ITERATIONS_PER_TASK = 5
LONG = 10
"""A session is long when so many of its iterations can be judged: with fewer, memory concludes nothing."""
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


_STEPS = (
    "Reproduce it first with the smallest input that shows it, and keep that input as a test.",
    "Change one place at a time, run the tests of the module after each change, and read the first failure.",
    "When two callers disagree about a value, convert it at the edge; everything behind it relies on that.",
    "Look at who else calls it before a signature changes; a search by name is quicker than a failing build.",
    "Write down what was tried and did not help, so that the next iteration does not try it again.",
    "Leave files alone that a tool writes; change what they are made from, and run the tool.",
    "Before it is called done run everything once from a clean checkout, as somebody new would.",
    "A time-out that is raised hides a cause; find what waits, and for whom, before a number is changed.",
    "Say in the commit what was wrong and how it showed, not only what was changed.",
)
_SKILLS = {
    "token-expiry": ("Expired access tokens of a client: refresh once on a 401, then fail.", "tokens"),
    "config-reader": ("A config reader and its tests: read text, cast at the edge, name the key.", "config"),
    "form-labels": ("Accessible forms: every field has a label, every error is announced.", "forms"),
    "index-scans": ("Slow SQL queries: look at the plan, add the index that the filter wants.", "sql"),
    "image-layers": ("Container images: order layers by how often they change.", "docker"),
    "chart-axes": ("Charts: label axes and units, few colours, the same scale side by side.", "charts"),
    "feature-flags": ("Feature flags: one owner, one day on which it goes.", "flags"),
    "mail-bounces": ("Mail that bounces: read the status code, suppress the address.", "mail"),
    "date-zones": ("Dates: store UTC, show the zone of the reader.", "dates"),
    "queue-lag": ("Queues that lag: count what waits, not what is done.", "queues"),
}


def skillbook() -> Skillbook:
    """Ten skills of 200 tokens, two of them for the task: 2,000 tokens."""
    steps = " ".join(_STEPS)
    return Skillbook(
        skills=tuple(
            Skill(name=name, summary=f"{told} {steps}", domains=(domain,))
            for name, (told, domain) in _SKILLS.items()
        )
    )


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
    for name, level in by_level(stages).items():
        print(f"{name:<12}{level.before:>7,} tokens in, {level.after:>5,} out")
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


@dataclass(frozen=True, kw_only=True)
class Level:
    """Tokens of a section, before and after."""

    before: int
    after: int


def by_level(stages: Stages) -> dict[str, Level]:
    """What became of each section of the past, by its source."""
    kept = {section.section.source: section.tokens for section in stages.injected.sections}
    return {
        section.source: Level(before=section.tokens_before, after=kept.get(section.source, 0))
        for section in stages.collected.sections
        if section.level != "L0" and section.tokens_before
    }


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
    """What active memory does over a sample of every set below a folder; long sessions one by one."""
    print(
        f"{'set':<38}{'sessions':>9}{'passes':>8}{'savings':>9}{'p50 ms':>8}{'p95 ms':>8}{'whole':>7}"
        f"{'regret':>8}{'missed/needed':>15}{'listed':>8}   long: savings >= 30 %, regret < 5 %"
    )
    for part in sorted(path for path in folder.iterdir() if path.is_dir()):
        made = [shadow_session(session) for session in sampled(part, sample, seed)]
        passes = [one for passes, _ in made for one in passes]
        found = report(passes, sessions=len(made), whole=sum(whole for _, whole in made))
        if found.savings is None or found.regret_rate is None:
            print(f"{part.name:<38}{found.sessions:>9}{0:>8}   no context that was large enough")
            continue
        print(
            f"{part.name:<38}{found.sessions:>9}{found.iterations:>8}{found.savings:>9.0%}"
            f"{found.latency_ms_p50:>8.1f}{found.latency_ms_p95:>8.1f}{found.fell_back:>7}"
            f"{found.regret_rate:>8.1%}{found.missing_names:>8,}/{found.needed_names:<6,}"
            f"{found.listed_names / max(found.needed_names, 1):>8.0%}   {_long(made)}"
        )


def _long(made: Sequence[tuple[list[ShadowPass], int]]) -> str:
    """How many of the long sessions meet both criteria, each by itself, with a 95 % interval (Wilson)."""
    reports = [report(passes, sessions=1) for passes, _ in made if sum(bool(p.turns) for p in passes) >= LONG]
    met = sum(
        (one.savings or 0) >= MIN_SAVINGS and (one.regret_rate or 0) < MAX_REGRET_RATE for one in reports
    )
    if not reports:
        return "none is long"
    low, high = proportion_interval(met, len(reports))
    return f"{met} of {len(reports)} ({low:.0%}-{high:.0%})"


def proportion_interval(met: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    z, share = 1.96, met / of
    centre, spread = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + (z / (2 * of)) ** 2)
    return (centre - spread) / (1 + z * z / of), (centre + spread) / (1 + z * z / of)


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
    if given.sessions:
        shadow(given.sessions, given.sample, given.seed)
        return
    typical_iteration()
    relevance()
    cache_hits()


if __name__ == "__main__":
    main()
