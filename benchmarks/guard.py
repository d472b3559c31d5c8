"""The figures that are soon measured, beside those of the program as it last landed.

    python benchmarks/guard.py SESSIONS            # two minutes; exit code 1 where a figure fell
    python benchmarks/guard.py SESSIONS --record   # the next change is held to what stands now

A change to what a brief says helps one kind of session and can cost another: what is right for work (tell
only what holds now) halved what chats keep, and nobody saw it for a day. So every change meets every kind:
rules, facts and updates in filler (`rules_in_filler.py`), support chats and talks (`long_chats.py`), the
tickets (`tamis ab --tickets`) and coding sessions (`statements.py`). No model is asked, and the same program
prints the same figures. Those of the last landing lie in `landed.json`. `--cache FOLDER` keeps the key points
of the coding sessions for the next call.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LANDED = HERE / "landed.json"
FELL = 0.015
FIGURE = re.compile(r"(?<![\w.])\d+\.\d+")

Figures = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One command, and the rows of its output that hold figures: a label for each, and how the row begins."""

    command: tuple[str, ...]
    rows: dict[str, str]
    columns: tuple[str, ...]
    scale: float = 1.0

    def measured(self) -> Figures:
        """Run the command and read its figures.

        Raises:
            ValueError: the command failed, or a row is missing from what it printed.
        """
        done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{' '.join(self.command)}: exit code {done.returncode}\n{done.stderr.strip()}")
        return {name: value for label in self.rows for name, value in self.read(label, done.stdout)}

    def read(self, label: str, output: str) -> Iterator[tuple[str, float]]:
        """The figures of one row, column by column; what stands in parentheses is an interval.

        Raises:
            ValueError: there is no such row, or it holds fewer figures than there are columns.
        """
        row = next(
            (line for line in output.splitlines() if line.lstrip(" |").startswith(self.rows[label])), ""
        )
        found = FIGURE.findall(re.sub(r"\([^()]*\)", "", row))
        if len(found) < len(self.columns):
            raise ValueError(f"no row '{self.rows[label]}' with {len(self.columns)} figures was printed")
        for column, value in zip(self.columns, found, strict=False):
            yield f"{label}, {column}", round(float(value) * self.scale, 3)


def measures(sessions: str, cache: str | None, out: str) -> tuple[Measure, ...]:
    """What is measured, the quickest first; `out` is for the tickets, or an earlier run is taken up."""
    filler = (sys.executable, str(HERE / "rules_in_filler.py"), "--methods", "ledger", "--seeds", "2")
    held_out = (*filler, "--held-out")
    chats = (sys.executable, str(HERE / "long_chats.py"), sessions, "--limit", "18", "--method", "ledger")
    tickets = (
        sys.executable,
        "-m",
        "tamis",
        "ab",
        "--tickets",
        "20",
        "-m",
        "ledger",
        "-m",
        "mask",
        "-o",
        out,
    )
    statements = (
        sys.executable,
        str(HERE / "statements.py"),
        sessions,
        "--method",
        "ledger",
        "--limit",
        "90",
    )
    kept = ("--cache", cache) if cache else ()
    return (
        *(
            Measure(
                command=command,
                rows={
                    f"{name}, {budget}": f"ledger       repair  {budget}" for budget in ("10%", "20%", "30%")
                },
                columns=("rule", "fact", "update"),
                scale=0.01,
            )
            for name, command in (("filler", filler), ("filler kept aside", held_out))
        ),
        Measure(command=chats, rows={"long chats": "ledger"}, columns=("5%", "10%", "20%")),
        Measure(command=tickets, rows={"tickets": "ledger"}, columns=("bugs", "rules", "questions", "score")),
        Measure(
            command=(*statements, "--at", "50%", "--shipped", *kept),
            rows={"statements": "ledger"},
            columns=("2%", "5%", "10%"),
        ),
    )


def compare(landed: Figures, now: Figures) -> tuple[list[str], bool]:
    """A line for each figure that moved, and whether one fell by more than `FELL` or is missing now.

    Example:
        >>> compare({"chats": 0.3, "tickets": 0.87}, {"chats": 0.15, "tickets": 0.87})
        (['fell   0.300 -> 0.150  chats'], True)
    """
    lines, fell = [], False
    for name in landed | now:
        before, after = landed.get(name), now.get(name)
        if before == after:
            continue
        if before is None or after is None:
            mark = "new" if before is None else "gone"
        else:
            mark = "fell" if after < before - FELL else "less" if after < before else "rose"
        fell |= mark in ("fell", "gone")
        lines.append(f"{mark:6} {_shown(before)} -> {_shown(after)}  {name}")
    return lines, fell


def _shown(value: float | None) -> str:
    return "    -" if value is None else f"{value:.3f}"


def main() -> None:
    """Measure, compare, and leave with 1 where a figure fell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sessions", help="the folder with a folder for each set")
    parser.add_argument("--record", action="store_true", help="keep these figures as the landed ones")
    parser.add_argument("--cache", metavar="FOLDER", help="keep the key points found there")
    options = parser.parse_args()
    if not Path(options.sessions).is_dir():
        parser.error(f"{options.sessions} is not a folder; give the one with a folder for each set")
    now: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for measure in measures(options.sessions, options.cache, f"{folder}/tickets"):
            try:
                now |= measure.measured()
            except ValueError as error:
                sys.exit(f"guard: {error}")
    landed = json.loads(LANDED.read_text(encoding="utf-8")) if LANDED.is_file() else {}
    lines, fell = compare(landed, now)
    print("\n".join(lines) if lines else f"all {len(now)} figures as landed")
    if options.record:
        LANDED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    elif fell:
        sys.exit(1)


if __name__ == "__main__":
    main()
