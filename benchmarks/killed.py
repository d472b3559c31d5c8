"""Ten compactions of a session in a row, and a `kill -9` in each: what is lost, and what comes out.

    python benchmarks/killed.py [--sample 3] [--budget 2000] SESSIONS...

A process feeds a session to a live context in ten pieces and compacts after each. Again and again it kills
itself, each time at another place of a compaction: while the method works, in the middle of a write to the
archive, when the messages are in the archive and the context is not saved yet, when all is saved, and between
two compactions. The next process takes the context up from the archive and goes on. In the end every message
is looked for, byte for byte, in the archive and in the context, and what the context sends is compared with
what it sends when nobody kills it. One line for each session, and one for all.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tamis
from tamis.archive import Archive
from tamis.cli.work.inputs import find_files
from tamis.compactors import Compaction, CompactionRequest, get_method
from tamis.context import Context
from tamis.errors import TamisError
from tamis.messages import Message
from tamis.messages.codec import to_record

PIECES = 10
PLACES = ("method", "write", "unsaved", "saved", "between")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one session: messages that are nowhere, and whether the end is that of a quiet run."""

    messages: int
    kills: int
    lost: int
    same: bool


def main() -> None:
    """Measure, and print the lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--sample", type=int, default=3, help="sessions of each path")
    parser.add_argument("--budget", type=int, default=2_000)
    parser.add_argument("--die", choices=PLACES, help=argparse.SUPPRESS)
    parser.add_argument("--archive", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.archive:
        with Archive.open(options.archive) as archive:
            feed(read(Path(options.paths[0])), archive, options.budget, die=options.die)
        return
    outcomes = []
    print(f"{'messages':>9} {'kills':>6} {'lost':>5}  as if never killed")
    for path in chosen(options.paths, options.sample):
        outcomes.append(measure(path, options.budget))
        show(outcomes[-1], path.name)
    show(
        Outcome(
            messages=sum(o.messages for o in outcomes),
            kills=sum(o.kills for o in outcomes),
            lost=sum(o.lost for o in outcomes),
            same=all(o.same for o in outcomes),
        ),
        f"all {len(outcomes)} sessions",
    )


def measure(path: Path, budget: int, places: Sequence[str] = PLACES * 2) -> Outcome:
    """Feed a session without a kill, and with one at each of the places in turn, and compare."""
    given = read(path)
    with tempfile.TemporaryDirectory() as folder:
        with Archive.open(Path(folder) / "quiet") as archive:
            quiet = feed(given, archive, budget)
        store = Path(folder) / "killed"
        kills = sum(run(path, store, budget, place) for place in places)
        with Archive.open(store) as archive:
            ended = feed(given, archive, budget)
            there = {record(m) for m in (*archive.messages("context"), *ended.messages())}
    return Outcome(
        messages=len(given),
        kills=kills,
        lost=sum(record(message) not in there for message in given),
        same=(ended.messages(), ended.tokens) == (quiet.messages(), quiet.tokens),
    )


def feed(given: Sequence[Message], archive: Archive, budget: int, *, die: str | None = None) -> Context:
    """Go on with a session where the archive's context stopped, to its end or to the place to die."""
    method = DiesInside() if die == "method" else get_method("ledger")
    settings: dict[str, Any] = {"window": 10**9, "budget": budget, "trigger": None, "keep_last": 2}
    context = Context.resume(archive, method=method, **settings)
    if die in ("write", "unsaved", "saved"):
        die_in(archive, die)
    step = -(-len(given) // PIECES)
    while context.appended < len(given):
        at = context.appended
        piece = given[at : (at // step + 1) * step]
        context.extend(piece[: len(piece) // 2 + 1])
        if die == "between":
            kill_oneself()
        context.extend(piece[len(piece) // 2 + 1 :])
        context.compact_now()
    return context


class DiesInside:
    """The ledger, killed while it works."""

    name, version = "ledger", get_method("ledger").version

    async def compact(self, request: CompactionRequest) -> Compaction:
        """Make something, and do not live to tell."""
        await get_method("ledger").compact(request)
        return kill_oneself()


def die_in(archive: Archive, place: str) -> None:
    """Have the next write to the archive be the last thing that this process does."""
    save = "INSERT OR REPLACE INTO snapshot VALUES ('context',"
    statements = {"write": "INSERT OR IGNORE INTO place", "unsaved": save}
    seen: list[str] = []

    def watch(statement: str) -> None:
        saved = any(earlier.startswith(save) for earlier in seen)
        if place in statements and statement.startswith(statements[place]) and len(seen) > 2:
            kill_oneself()
        if place == "saved" and saved and statement.startswith(("BEGIN", "SELECT")):
            kill_oneself()
        seen.append(statement)

    archive._connection.set_trace_callback(watch)


def kill_oneself() -> Any:
    """What nobody can catch."""
    os.kill(os.getpid(), signal.SIGKILL)


def run(path: Path, store: Path, budget: int, die: str) -> bool:
    """One process that goes on until it dies; whether it did."""
    command = [sys.executable, __file__, str(path), "--archive", str(store), "--budget", str(budget)]
    ended = subprocess.run([*command, "--die", die], capture_output=True, text=True, check=False)
    if ended.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(ended.stderr)
    return ended.returncode != 0


def read(path: Path) -> tuple[Message, ...]:
    """The messages of the first session in a file."""
    return next(iter(tamis.read_all(path))).messages


def record(message: Message) -> bytes:
    """A message byte for byte; the context may give one a new id where two have the same."""
    return to_record(replace(message, id=""))


def chosen(paths: Sequence[str], sample: int) -> list[Path]:
    """So many sessions of each path that are long enough to be compacted ten times."""
    found = []
    for path in paths:
        files = (file for _, file in find_files([path])[0])
        long = (file for file in files if is_long(file))
        found += [file for _, file in zip(range(sample), long, strict=False)]
    return found


def is_long(path: Path) -> bool:
    """Whether it is a session of forty messages or more."""
    try:
        return len(read(path)) >= 4 * PIECES
    except TamisError:
        return False


def show(outcome: Outcome, name: str) -> None:
    """A line of the table."""
    same = "yes" if outcome.same else "NO"
    print(f"{outcome.messages:>9,} {outcome.kills:>6} {outcome.lost:>5}  {same:<4} {name}", flush=True)


if __name__ == "__main__":
    main()
