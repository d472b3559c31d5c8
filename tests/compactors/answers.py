"""A span, and what models answer of it."""

from __future__ import annotations

from typing import Any

from compactors.conversations import lines, run, say
from tamis.compactors import Compaction
from tamis.errors import (
    ModelRateLimited,
    ModelServerError,
    ModelTimeout,
    ModelUnreachable,
    RequestRejected,
    UnusableReply,
)
from tamis.messages import identify

SPAN = identify(
    [
        say("user", "Make the till accept vouchers. Never touch src/tax.py."),
        say("assistant", "The drawer opens twice because open_drawer is called in two places."),
        *run("c1", "cat src/till.py", "def open_drawer():\n" + lines("    step", 80)),
        *run(
            "c2", "pytest -q", "FAILED tests/test_till.py::test_voucher - ValueError: E401\n" + lines("x", 80)
        ),
        say("assistant", "I will take the voucher off the total before tax, as the receipt demands."),
    ]
)


def section(*said: str, because: str = "") -> dict[str, Any]:
    return {"lines": list(said), "empty_because": because}


STORY: dict[str, Any] = {
    "asked": ["Make the till accept vouchers. [m1]"],
    "done": [],
    "facts": ["The drawer opens twice because open_drawer is called in two places. [m2]"],
    "reasons": ["The voucher comes off the total before tax, as the receipt demands. [m7]"],
    "state": ["tests/test_till.py::test_voucher fails with ValueError. [m6]"],
    "next": [],
}


def text_of(made: Compaction) -> str:
    return "\n".join(m.text for m in made.messages)


FAILURES = [
    ModelTimeout("model: no answer in time"),
    ModelRateLimited("model: status 429"),
    ModelServerError("model: status 500"),
    ModelUnreachable("model cannot be reached"),
    RequestRejected("model: status 401"),
    UnusableReply("model: the answer is empty"),
]

LATER = identify(
    [
        say("user", "Print the voucher too.", id="later"),
        *run("d1", "cat src/receipt.py", lines("print_voucher", 120)),
    ]
)
