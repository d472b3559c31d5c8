"""The work that every adapter's example does: forty parts of a log to read, in a window that holds a few.

The model is a script: it reads part after part, then looks up with the recall tool what the first part said,
which has long been taken out of its context, and answers with it.
"""

from __future__ import annotations

from dataclasses import dataclass

PARTS = 40
WINDOW = 6_000
BUDGET = 800
TASK = "Read all parts of the build log. Never write to logs/. Then tell me which runner built part 3."
ANSWER = "runner-0733"


def read_part(number: int) -> str:
    """What one part of the log says; only the third one names the runner that is asked for."""
    runner = ANSWER if number == 3 else f"runner-{9000 + number}"
    lines = [f"step {n:02} of part {number}: compiled in {n * number % 97} ms" for n in range(40)]
    return "\n".join([f"part {number} was built by {runner}", *lines])


@dataclass(frozen=True)
class Call:
    """A tool call of the script: its id, the tool and what goes into it."""

    id: str
    tool: str
    arguments: dict[str, object]


def next_move(answered: int, last_result: str) -> Call | str:
    """What the scripted model does after so many tool results: the next call, or the answer in words."""
    if answered < PARTS:
        return Call(f"call_{answered + 1}", "read_part", {"number": answered + 1})
    if answered == PARTS:
        return Call("call_recall", "recall", {"words": f"part 3 was built by {ANSWER[:6]}"})
    return f"Part 3 was built by {last_result.partition('part 3 was built by ')[2][: len(ANSWER)]}."
