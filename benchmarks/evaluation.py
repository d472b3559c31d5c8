"""How long an evaluation takes, and what it takes up: `python benchmarks/evaluation.py FOLDER_OF_SESSIONS`.

Six methods at four budgets, hindsight and offline probes, without a model. It prints the wall time, the CPU
time of all processes, the most memory that one of them took, and the bytes of the run directory. `--files N`
measures so many files, drawn by the hash of their names, and says what all would take by their bytes.

`--compare` runs the same with each number of jobs and each engine that is installed, checks that the results
are the same to the byte, and prints the efficiency: the wall time with one process / (jobs x wall time).
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tamis.evals import read_run
from tamis.evals.experiment.experiment_run import ResourceLimits, conduct
from tamis.evals.experiment.runner import SessionFile
from tamis.evals.rundir.results import Settings
from tamis.reports import reading_tables, run_tables
from tamis.sessions import find_sessions

SETTINGS = Settings(
    methods=("truncate", "head-tail", "mask", "index", "extractive", "ledger"),
    budgets=("1.4%", "5%", "10%", "20%"),
    readers=("lexical",),
    judges=("offline",),
    timeout_s=300.0,
)
COMPARED = ("points", "probes", "results", "answers", "judgements", "skipped", "journal")


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What a run took. `parent_mb` and `worker_mb` are the most memory of this process and of one worker."""

    wall_s: float
    cpu_s: float
    parent_mb: int
    worker_mb: int
    disk_mb: float


def files_of(folder: Path, many: int | None) -> tuple[list[SessionFile], float]:
    """The files to measure, and the share of all bytes that they are."""
    found = [f.path for f in find_sessions([folder]) if f.format is not None]
    found.sort(key=lambda path: hashlib.sha256(path.name.encode()).digest())
    files = [SessionFile(set=path.relative_to(folder).parts[0], path=path) for path in found]
    chosen = files[:many] if many else files
    return chosen, sum(f.bytes for f in chosen) / sum(f.bytes for f in files)


def measure(files: Sequence[SessionFile], folder: Path, means: ResourceLimits) -> Taken:
    """One run, its tables made as `tamis eval` makes them."""
    wall, cpu = time.perf_counter(), _cpu_s()
    conduct(files, SETTINGS, folder, means=means)
    run = read_run(folder)
    tables = [*run_tables(run), *reading_tables(run)]
    taken = Taken(
        wall_s=time.perf_counter() - wall,
        cpu_s=_cpu_s() - cpu,
        parent_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        worker_mb=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
        disk_mb=sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6,
    )
    print(
        f"{means.engine}, {means.jobs} jobs: {len(files)} files, {run.messages:,} messages, "
        f"{len(run.points):,} points, {len(run.results):,} results, {len(run.answers):,} answers, "
        f"{len(tables)} tables: {taken.wall_s:.0f} s, {taken.cpu_s:.0f} s of CPU, "
        f"{taken.parent_mb} MB here, {taken.worker_mb} MB a worker, {taken.disk_mb:.0f} MB on disk"
    )
    return taken


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def compare(files: Sequence[SessionFile], folder: Path) -> None:
    """One process, then all cores, then Ray: the same bytes, and the efficiency."""
    cores = os.cpu_count() or 1
    ways = [ResourceLimits(jobs=1), ResourceLimits(jobs=cores)]
    if importlib.util.find_spec("ray") is not None:
        ways.append(ResourceLimits(jobs=cores, engine="ray"))
    one = measure(files, folder / "0", ways[0])
    for i, means in enumerate(ways[1:], 1):
        taken = measure(files, folder / str(i), means)
        for name in COMPARED:
            same = (folder / "0" / f"{name}.jsonl").read_bytes() == (
                folder / f"{i}/{name}.jsonl"
            ).read_bytes()
            if not same:
                raise SystemExit(f"{name}.jsonl is another with {means}")
        print(f"  the same to the byte; efficiency {one.wall_s / (means.jobs * taken.wall_s):.0%}")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="holds the sets as folders")
    parser.add_argument("--files", type=int, help="so many files only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--engine", choices=("processes", "ray"), default="processes")
    parser.add_argument("--compare", action="store_true", help="every engine against one process")
    args = parser.parse_args()
    files, share = files_of(args.folder, args.files)
    with tempfile.TemporaryDirectory(prefix="tamis-bench-") as folder:
        if args.compare:
            compare(files, Path(folder))
            return
        taken = measure(files, Path(folder) / "run", ResourceLimits(jobs=args.jobs, engine=args.engine))
    if share < 1:
        print(f"all files, by bytes: {taken.cpu_s / share:.0f} s of CPU, {taken.disk_mb / share:.0f} MB")


if __name__ == "__main__":
    main()
