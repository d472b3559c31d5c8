"""Compact a million tokens cold, beside counting the same text once: `python benchmarks/speed.py [FOLDER]`.

The session is made of recorded ones, one behind the other, until it has the tokens; without a folder, of made
up turns. Counted are the texts of its messages, with the encoding's exact counters: bpe-openai (the tests'
second opinion), toktok (which tamis uses), and tiktoken where its vocabulary can be had. Every round is a
process of its own, in which nothing was counted or read before, and times everything side by side; medians
are printed.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

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


def counters() -> dict[str, Callable[[str], int]]:
    """Each way to count that is there, by its name."""
    import bpe_openai
    import toktok

    bpe = bpe_openai.get_encoding("o200k_base")
    found: dict[str, Callable[[str], int]] = {
        "bpe-openai": lambda text: len(bpe.encode_ordinary(text)),
        "toktok": lambda text: toktok.batch_count([text], "o200k_base", threads=1)[0],
    }
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")
        found["tiktoken"] = lambda text: len(encoding.encode_ordinary(text))
    except Exception as error:  # it downloads its vocabulary, and fails in its own ways without a network
        print(f"tiktoken is not measured: {type(error).__name__}", file=sys.stderr)
    return found


def compact(messages: tuple[Message, ...], budget_tokens: int) -> None:
    """Compact cold: nothing counted or read before."""
    request = CompactionRequest(span=messages, budget_tokens=budget_tokens, counter=get_counter())
    made = run_compactor(get_method("ledger"), request)
    assert made.outcome == "fits", made.warnings


def one_round(messages: tuple[Message, ...], budget_tokens: int) -> dict[str, float]:
    """CPU seconds of each thing to do, and the peak memory of the compaction as a multiple of the text."""
    texts = [part_text(part) for message in messages for part in message.parts]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    measured = {"tamis compact": cpu_seconds(lambda: compact(messages, budget_tokens))}
    measured["peak"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / size
    for name, counted in counters().items():
        counted("warm up")
        measured[name] = cpu_seconds(lambda f=counted: [f(text) for text in texts])  # type: ignore[misc]
    measured["tokens"] = sum(get_counter().count_many(texts))
    measured["messages"], measured["MB"] = len(messages), size / 1e6
    return measured


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time of a piece of work: what other processes do meanwhile is not in it."""
    start = time.process_time()
    work()
    return time.process_time() - start


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
    what = rounds[0]
    print(f"{what['tokens']:,} tokens in {what['messages']:,} messages, {what['MB']:.1f} MB of text\n")
    print("| | CPU seconds, median | range | a compaction takes |\n|---|---|---|---|")
    for name in [key for key in what if key not in ("peak", "tokens", "messages", "MB")]:
        found = [r[name] for r in rounds]
        ratio = statistics.median(r["tamis compact"] / r[name] for r in rounds)
        print(
            f"| {name} | {statistics.median(found):.2f} | {min(found):.2f}–{max(found):.2f} | {ratio:.1f} × |"
        )
    peak = statistics.median(r["peak"] for r in rounds)
    print(f"\npeak memory of a compaction, beyond the session's own: {peak:.1f} times its text")


if __name__ == "__main__":
    main()
