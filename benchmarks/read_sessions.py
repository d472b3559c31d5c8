"""Read every session file below a folder and say what came of it: the coverage and the speed of the readers.

    python benchmarks/read_sessions.py ../shared/sessions

One row a format: files, sessions, messages, calls and results that found no partner, lines that were not
understood, megabytes of text, seconds on one core. Below it what was not understood, by reason, and the files
that are no sessions.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections import Counter, defaultdict
from dataclasses import dataclass

from tamis.errors import InputError
from tamis.messages import Session, pair_calls, part_text
from tamis.sessions import find_sessions, read_all


@dataclass
class Row:
    """The sums over the files of one format."""

    files: int = 0
    sessions: int = 0
    messages: int = 0
    open_calls: int = 0
    orphan_results: int = 0
    unread: int = 0
    characters: int = 0
    seconds: float = 0.0

    def count(self, session: Session) -> None:
        """Add what a session holds."""
        self.sessions += 1
        self.unread += len(session.unread)
        for chain in (session.messages, *session.sidechains.values()):
            pairing = pair_calls(chain)
            self.messages += len(chain)
            self.open_calls += len(pairing.open_calls)
            self.orphan_results += len(pairing.orphan_results)
            self.characters += sum(len(part_text(part)) for message in chain for part in message.parts)


def main() -> None:
    """Read, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("paths", nargs="+")
    rows: defaultdict[str, Row] = defaultdict(Row)
    reasons: Counter[tuple[str, str]] = Counter()
    skipped: list[str] = []
    started = time.perf_counter()
    for found in find_sessions(arguments.parse_args().paths):
        if found.format is None:
            skipped.append(found.skipped or "")
            continue
        row = rows[found.format]
        row.files += 1
        begun = time.perf_counter()
        try:
            sessions = list(read_all(found.path))
        except InputError as error:
            skipped.append(f"FAILED {error}")
            continue
        row.seconds += time.perf_counter() - begun
        for session in sessions:
            row.count(session)
            reasons.update((found.format, _kind(unread.reason)) for unread in session.unread)
    _print(rows, reasons, skipped)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{time.perf_counter() - started:.1f} s with finding and counting; peak memory {peak:.0f} MiB")


def _kind(reason: str) -> str:
    """A reason without its numbers, so that like ones are counted together."""
    return re.sub(r"\d+", "N", reason)


def _print(rows: dict[str, Row], reasons: Counter[tuple[str, str]], skipped: list[str]) -> None:
    columns = ("format", "files", "sessions", "messages", "open", "orphan", "unread", "M chars", "s")
    print(("{:<20}" + "{:>10}" * 8).format(*columns))
    for name, row in sorted(rows.items(), key=lambda item: -item[1].seconds):
        counts = (row.files, row.sessions, row.messages, row.open_calls, row.orphan_results, row.unread)
        print(
            f"{name:<20}"
            + "".join(f"{n:>10}" for n in counts)
            + f"{row.characters / 1e6:>10.1f}{row.seconds:>10.2f}"
        )
    total = sum(row.seconds for row in rows.values())
    print(f"{'all':<20}{sum(row.files for row in rows.values()):>10}{total:>70.2f}")
    print("\nnot understood:")
    for (name, reason), count in reasons.most_common(40):
        print(f"{count:>6}  {name}: {reason}")
    print(f"\nno sessions: {len(skipped)} files")
    for reason in skipped[:40]:
        print(f"  {reason[:160]}")


if __name__ == "__main__":
    main()
