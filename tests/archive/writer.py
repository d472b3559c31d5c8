"""Run as a program: puts messages into an archive, and says so on stdout for each that is there."""

from __future__ import annotations

import sys

from tamis.archive import Archive
from tamis.messages import Message, Text


def message(session: str, n: int) -> Message:
    return Message(
        id=f"{session}-{n}", role="user", parts=(Text(text=f"{session} said {n} " + "x" * (n % 50) * 40),)
    )


if __name__ == "__main__":
    path, session, many = sys.argv[1], sys.argv[2], int(sys.argv[3])
    archive = Archive.open(path)
    for n in range(many):
        archive.put(session, [message(session, n)])
        print(n, flush=True)  # noqa: T201
