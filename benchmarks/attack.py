"""Everything that was thought of to break tamis, tried at once: what was tried, and what broke.

    python benchmarks/attack.py [--short] [--only NAME] [--json FILE]

Sessions that no agent would write, tool output that speaks as the user, texts made to cost more than they
are long, full disks, failing methods, kills, pages and methods that pry. Each line says what is promised; the
exit status is 1 where something promised did not hold. It needs no session, no model and no network.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from attacks import exposure, faults, growth, guarantees, injection
from attacks.line import Line

ATTACKS: dict[str, Callable[..., Iterator[Line]]] = {
    "guarantees": guarantees.lines,
    "injection": injection.lines,
    "growth": growth.lines,
    "faults": faults.lines,
    "exposure": exposure.lines,
}


def main() -> int:
    """Try everything, print the table, and say whether what is promised held."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="a few of each, in seconds")
    parser.add_argument("--only", choices=ATTACKS, action="append", help="this kind; repeat for more")
    parser.add_argument("--json", type=Path, help="write the lines there too")
    options = parser.parse_args()
    print(f"{'tried':>7} {'broken':>7}  what, and what is promised")
    done = []
    for made in attacks(options.only or list(ATTACKS), is_short=options.short):
        done.append(made)
        print(f"{made.tried:>7,} {made.broken:>7,}  {made.attack}: {made.promise}", flush=True)
        for example in made.examples:
            print(f"{'':>17} {example.encode('unicode_escape').decode()[:200]}")
    if options.json:
        options.json.write_text(json.dumps([asdict(made) for made in done], indent=2) + "\n")
    broken = [made for made in done if not made.holds]
    tried, failed = sum(made.tried for made in done), sum(made.broken for made in done)
    print(f"{tried:>7,} {failed:>7,}  all; {len(broken)} lines do not hold")
    return 1 if broken else 0


def attacks(names: list[str], *, is_short: bool) -> Iterator[Line]:
    """The lines of these kinds of attack."""
    for name in names:
        yield from ATTACKS[name](is_short=is_short)


if __name__ == "__main__":
    sys.exit(main())
