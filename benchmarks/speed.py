"""Compact a million tokens cold, beside counting the same text once: `python benchmarks/speed.py [FOLDER]`.

The session is made of recorded ones, one behind the other, until it has the tokens; without a folder, of made
up turns. Counted are the texts of its messages, with the encoding's exact counters: tiktoken, bpe-openai (the
tests' second opinion) and toktok (which tamis uses), one text after the other, on one thread. tiktoken is
given its vocabulary as a file written from toktok's table, which it checks against its own digest.

Every round is a process of its own and times everything side by side. Each is got ready first, by a little
text of another kind (libraries loaded, vocabulary read, most patterns compiled), and what that took is
printed beside; the session is met cold, and the patterns that only its kind of text needs are compiled then.
Medians are printed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TypeVar

from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.errors import TamisError
from tamis.messages import Message, Text, count_messages, get_counter, part_text
from tamis.sessions import find_sessions, read_all


def recorded(folder: Path) -> Iterator[Message]:
    """Messages of recorded sessions, one behind the other."""
    for found in find_sessions([folder]):
        if found.format:
            try:
                for session in read_all(found.path):
                    yield from (m for m in session.messages if m.role != "system")
            except TamisError:
                continue  # a broken file is not what is measured here


def made_up() -> Iterator[Message]:
    """Turns of an agent that reads and names files, for as long as they are asked for."""
    rng = random.Random(0)
    for turn in count():
        names = [f"src/area_{rng.randrange(40)}/part_{rng.randrange(400)}.py" for _ in range(40)]
        lines = "\n".join(f"{name}:{rng.randrange(900)}: value_{rng.randrange(5000)} = 1" for name in names)
        role, text = ("user", lines) if turn % 2 else ("assistant", f"Looking at {names[0]} and {names[1]}.")
        yield Message(id="", role=role, parts=(Text(text=text),))  # type: ignore[arg-type]


def session_of(tokens: int, folder: Path | None) -> tuple[Message, ...]:
    """About so many tokens of messages, each with an id of its own."""
    counter = get_counter()
    messages: list[Message] = []
    total = 0
    for number, message in enumerate(recorded(folder) if folder else made_up()):
        messages.append(replace(message, id=f"m{number}"))
        total += count_messages([message], counter)[0]
        if total >= tokens:
            break
    return tuple(messages)


VOCABULARY = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"

T = TypeVar("T")
Count = Callable[[str], int]


def tiktoken_counter() -> Count:
    """The counter of tiktoken. Its vocabulary is laid where it looks before it downloads."""
    import tiktoken

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / hashlib.sha1(VOCABULARY.encode()).hexdigest()).write_bytes(vocabulary())
        os.environ["TIKTOKEN_CACHE_DIR"] = folder
        encoding = tiktoken.get_encoding("o200k_base")
    return warmed(lambda text: len(encoding.encode_ordinary(text)))


def vocabulary() -> bytes:
    """The published file, from toktok's table: a line a token, its bytes in base64 and its number."""
    import toktok

    table = toktok._encoding("o200k_base")
    lines = [
        base64.b64encode(token) + b" " + str(number).encode()
        for number, token in enumerate(table.token_byte_values())
        if not table.is_special_token(number)
    ]
    return b"\n".join(lines) + b"\n"


def bpe_counter() -> Count:
    """The counter of bpe-openai."""
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    return warmed(lambda text: len(encoding.encode_ordinary(text)))


def toktok_counter() -> Count:
    """The counter of toktok."""
    import toktok

    return warmed(lambda text: int(toktok.batch_count([text], "o200k_base", threads=1)[0]))


def warmed(counter: Count) -> Count:
    """The counter, once used."""
    assert counter("warm up") == 2
    return counter


COUNTERS = {"tiktoken": tiktoken_counter, "bpe-openai": bpe_counter, "toktok": toktok_counter}


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of processor time, and by the clock on the wall."""

    cpu: float
    wall: float


def timed(work: Callable[[], T]) -> tuple[T, Took]:
    """What a piece of work gives, and what it takes. Other processes show in the wall time only."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, Took(time.process_time() - cpu, time.perf_counter() - wall)


def compact(messages: tuple[Message, ...], budget_tokens: int) -> None:
    """Compact from the start, without a previous compaction."""
    request = CompactionRequest(span=messages, budget_tokens=budget_tokens, counter=get_counter())
    made = run_compactor(get_method("ledger"), request)
    assert made.outcome == "fits", made.warnings


def map_all(counter: Count, texts: Sequence[str]) -> list[int]:
    """One text after the other, as a loop over a session would."""
    return [counter(text) for text in texts]


def one_round(messages: tuple[Message, ...], budget_tokens: int) -> dict[str, object]:
    """What everything took, and the peak memory of the compaction as a multiple of the text."""
    texts = [part_text(part) for message in messages for part in message.parts]
    plain = [text.encode("utf-8", "replace").decode() for text in texts]  # tiktoken takes no cut emoji
    size = sum(len(text.encode()) for text in plain)
    took, ready = {}, {}
    _, ready["tamis compact"] = timed(lambda: compact(tuple(islice(made_up(), 40)), 1_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, took["tamis compact"] = timed(lambda: compact(messages, budget_tokens))
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / size
    tokens = set()
    for name, make in COUNTERS.items():
        counter, ready[name] = timed(make)
        counts, took[name] = timed(partial(map_all, counter, plain))
        tokens.add(sum(counts))
    assert len(tokens) == 1, f"the counters do not agree: {tokens}"
    return {
        "took": {name: asdict(t) for name, t in took.items()},
        "ready": {name: asdict(t) for name, t in ready.items()},
        "peak": peak,
        "about": f"{tokens.pop():,} tokens in {len(messages):,} messages, {size / 1e6:.1f} MB of text",
    }


def main() -> None:
    """Time, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--budget", type=int, default=8_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one-round", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_round:
        print(json.dumps(one_round(session_of(options.tokens, options.folder), options.budget)))
        return
    command = [sys.executable, __file__, *sys.argv[1:], "--one-round"]
    rounds = [
        json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        for _ in range(options.rounds)
    ]
    print(f"{rounds[0]['about']}\n")
    print("| | CPU seconds, median | range | a compaction takes, CPU | wall | to get ready, CPU seconds |")
    print("|---|---|---|---|---|---|")
    for name in rounds[0]["took"]:
        cpu = [r["took"][name]["cpu"] for r in rounds]
        times = [
            statistics.median(r["took"]["tamis compact"][clock] / r["took"][name][clock] for r in rounds)
            for clock in ("cpu", "wall")
        ]
        ready = statistics.median(r["ready"][name]["cpu"] for r in rounds)
        print(
            f"| {name} | {statistics.median(cpu):.3f} | {min(cpu):.3f}–{max(cpu):.3f} "
            f"| {times[0]:.1f} × | {times[1]:.1f} × | {ready:.2f} |"
        )
    peak = statistics.median(r["peak"] for r in rounds)
    print(
        f"\npeak memory of a compaction, beyond what was there before it: {peak:.1f} times the session's text"
    )


if __name__ == "__main__":
    main()
