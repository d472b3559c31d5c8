"""Run as a program: feeds a recorded session to a context in ten pieces, compacting after each."""

from __future__ import annotations

import sys

import tamis
from tamis.archive import Archive
from tamis.context import Context

if __name__ == "__main__":
    session = next(iter(tamis.read_all(sys.argv[1])))
    context = Context(
        window=1_000_000, budget=2_000, trigger=None, keep_last=2, archive=Archive.open(sys.argv[2])
    )
    step = -(-len(session.messages) // 10)
    for start in range(0, len(session.messages), step):
        context.extend(session.messages[start : start + step])
        context.compact_now()
        print("compacted", context.compactions, flush=True)  # noqa: T201
