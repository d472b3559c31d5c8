"""Texts of twice the size must not take more than about twice the work: of patterns, and of whole passes.

The work of a pattern is counted in steps (`attacks.steps`), that of a pass in the lines of Python that it
runs; neither looks at a clock, so the figures are the same on every machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from attacks.line import Line, line
from attacks.patterns import MOST_GROWTH, filled, grown
from attacks.sources import patterns_in
from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.ledger import read_ledger
from tamis.messages import Message, Text, ToolCall, ToolResult, get_counter

SIZES = (1_500, 3_000, 6_000, 12_000)
SHAPES = (
    ("Here: ", "A"),
    ("", "a b. "),
    ("<system-reminder>", "x"),
    ("", "<bash-stdout>"),
    ("", "```\n"),
    ("", "never do it. "),
    ("", "src/a/"),
    ("", "a@"),
    ("", "<<'"),
    ("", "$("),
    ("", '{"a": '),
    ("", "["),
    ("", "\n"),
    ("", "- \n"),
    ("", "字"),
    ("", "## Rules\n"),
    ("", "0.1."),
    ("", "'a' "),
    ("", "Use port 80. "),
    ("", "Error: no\n"),
    ("", "+++ b/a\n"),
    ("", "a=b;"),
    ("", " "),
    ("", "\\"),
    ("", "A-"),
)
"""A beginning, and what is repeated behind it; each is tried in four places of a session."""


def lines(*, is_short: bool) -> Iterator[Line]:
    """A line for every pattern of tamis, and one for whole passes."""
    if not is_short:  # the tests try each pattern on its own
        yield line(
            "growth of every pattern of tamis, on texts made for it",
            f"twice the text takes at most {MOST_GROWTH:g} times the steps",
            (_steps_grow(where, pattern) for where, pattern in patterns_in("tamis")),
        )
    passes = ((shape, place) for shape in SHAPES[:: 9 if is_short else 1] for place in _PLACES)
    yield line(
        "growth of a compaction, 100 shapes doubled three times",
        f"twice the text takes at most {MOST_GROWTH:g} times the lines of Python",
        (_grows(shape, place) for shape, place in passes),
    )


def _steps_grow(where: str, pattern: re.Pattern[Any]) -> str:
    found = grown(where, pattern)
    return f"{found.where} on {found.shape}: {found.steps} steps" if found else ""


def _grows(shape: tuple[str, str], place: str) -> str:
    work = [_work(lambda s=size: _pass(_PLACES[place](filled(shape, s)))) for size in SIZES[:2]]
    for size in SIZES[2:]:
        if work[-1] <= MOST_GROWTH * work[-2]:
            return ""
        work.append(_work(lambda s=size: _pass(_PLACES[place](filled(shape, s)))))
    return "" if work[-1] <= MOST_GROWTH * work[-2] else f"{shape!r} as {place}: {work} lines"


def _pass(messages: tuple[Message, ...]) -> None:
    request = CompactionRequest(span=messages, budget_tokens=300, counter=get_counter())
    run_compactor(get_method("ledger"), request)
    read_ledger(messages)


def _work(run: Callable[[], None]) -> int:
    """The lines of Python that something runs."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:  # noqa: ARG001 - as it is called
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def _said(role: Any, text: str) -> tuple[Message, ...]:
    return (
        Message(id="1", role="user", parts=(Text(text="Fix it."),)),
        Message(id="2", role=role, parts=(Text(text=text),)),
        Message(id="3", role="assistant", parts=(Text(text="It is done. " * 40),)),
    )


def _called(command: str, output: str) -> tuple[Message, ...]:
    call = ToolCall(id="c", name="bash", arguments={"command": command})
    return (
        Message(id="1", role="user", parts=(Text(text="Fix it."),)),
        Message(id="2", role="assistant", parts=(call,)),
        Message(id="3", role="tool", parts=(ToolResult(call_id="c", text=output),)),
        Message(id="4", role="assistant", parts=(Text(text="It is done. " * 40),)),
    )


_PLACES: dict[str, Callable[[str], tuple[Message, ...]]] = {
    "the user's words": lambda text: _said("user", text),
    "the agent's words": lambda text: _said("assistant", text),
    "a command": lambda text: _called(text, "done"),
    "a tool's output": lambda text: _called("make", text),
}
