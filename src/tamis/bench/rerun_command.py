"""The command that repeats a run, made from the run's log."""

from __future__ import annotations

import re
import shlex

from tamis.bench.run_log import Setup

_NO_NAME = re.compile(r"[^\w.-]+")


def command_of(setup: Setup) -> str:
    """The command line of a run, with every setting, so that it holds when a default changes."""
    options = {
        "--suite": setup.suite,
        "-m": setup.called or setup.method,
        "--reader": setup.reader.removeprefix("model "),
        "--tier": setup.tier,
        "--difficulty": setup.difficulty,
        "--length": setup.length_tokens,
        "--position": setup.position,
        "--slots": setup.slots,
        "--per-family": setup.per_family,
        "--cycles": setup.cycles,
        "--seed-group": setup.seed_group,
        "-o": f"{_NO_NAME.sub('-', setup.method)}.jsonl",
    }
    words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join(["tamis", "bench", "run", *words])
