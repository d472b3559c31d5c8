"""Twenty small tasks with hidden checks: read reports, write a settings file, and keep to what was ruled out.

The reports are made up, the same for the same number. Each holds one value in many lines that hold none; some
hold an older value as well. What the check looks for stands nowhere in what the agent is told.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass, field

TASKS = 20
_AREAS = ["ingest", "billing", "search", "mailer", "gateway", "ledger", "export", "audit", "quota", "render"]
_KEYS = ["retry_limit", "timeout_s", "batch_size", "max_depth", "page_rows", "lease_s", "burst_rate"]
_DOING = ["rotated", "flushed", "replayed", "sampled", "merged", "pruned", "opened", "closed"]


@dataclass(kw_only=True)
class Task:
    """What is asked, the world that it is asked in, and what the world has become."""

    number: int
    prompt: str
    reports: dict[str, str]
    hidden: dict[str, int]
    written: dict[str, int] | None = None
    read: list[str] = field(default_factory=list)

    def act(self, reply: str) -> str:
        """Carry out the command in the last line of a reply, and say what came of it."""
        command, _, rest = reply.strip().rpartition("\n")[2].partition(" ")
        if command == "READ":
            name = rest.strip()
            if name not in self.reports:
                return f"ERROR: there is no report {name!r}; there are {', '.join(self.reports)}"
            self.read.append(name)
            return f"{name}:\n{self.reports[name]}"
        if command == "WRITE":
            return self._write(rest)
        return "ERROR: the last line has to be READ and a report, or WRITE and a dictionary"

    @property
    def is_solved(self) -> bool:
        """Whether what was written passes the hidden check."""
        return self.written == self.hidden

    def _write(self, text: str) -> str:
        try:
            value = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError) as error:
            return f"ERROR: not a dictionary: {error}"
        if not isinstance(value, dict):
            return f"ERROR: {type(value).__name__}, not a dictionary"
        self.written = value
        return "settings.py is written."


def make_task(number: int) -> Task:
    """The task of this number."""
    draw = random.Random(number)
    areas = draw.sample(_AREAS, 3 + number % 6)
    reports, hidden = {}, {}
    for area in areas:
        key = draw.choice(_KEYS)
        value = draw.randrange(11, 997)
        hidden[f"{area}_{key}"] = value
        reports[f"{area}.log"] = _report(draw, area, f"{area}_{key}", value, older=number % 3 == 0)
    wanted = ", ".join(f"{key} (in {key.partition('_')[0]}.log)" for key in hidden)
    prompt = (
        f"Task {number}: write settings.py as one dictionary with these keys: {wanted}. Where a report has "
        "two values the one of release 2 counts. Never write a value that no report has."
    )
    return Task(number=number, prompt=prompt, reports=reports, hidden=hidden)


def _report(draw: random.Random, area: str, key: str, value: int, *, older: bool) -> str:
    lines = [
        f"{hour:02}:{minute:02} {area} worker {draw.randrange(90)} {draw.choice(_DOING)} segment"
        f" {draw.randrange(16**6):06x} in {draw.randrange(900)} ms"
        for hour in range(3)
        for minute in range(0, 60, 4)
    ]
    if older:
        lines.insert(draw.randrange(len(lines)), f"release 1: {key} = {value + draw.randrange(1, 9)}")
    lines.insert(draw.randrange(len(lines)), f"release 2: {key} = {value}")
    return "\n".join(lines)
