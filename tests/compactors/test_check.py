"""Checking a method of somebody else's: it may crash, hang, lie, or answer with anything."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from compactors.conversations import COUNTER, lines, say
from tamis.compactors import Budget, Compaction, CompactionRequest
from tamis.compactors.check import CheckReport, check_method
from tamis.compactors.methods.truncate import Truncate
from tamis.messages import Session, identify

SESSION = Session(
    id="s",
    format="trial",
    messages=identify([say("user", lines("a", 20)), say("assistant", "b " * 50), say("user", "c")]),
)


class Broken:
    """Does what the tests ask of it; else it truncates."""

    name = "broken"
    version = "0"

    def __init__(self, behaviour: Any) -> None:
        self.behaviour = behaviour
        self.calls = 0

    async def compact(self, request: CompactionRequest) -> Compaction:
        self.calls += 1
        made = await Truncate().compact(request)
        return await self.behaviour(self, made)  # type: ignore[no-any-return]


def check(behaviour: Any, timeout_s: float = 30) -> CheckReport:
    return check_method(
        Broken(behaviour), [SESSION], COUNTER, budgets=[Budget(tokens=10)], timeout_s=timeout_s
    )


async def crash(method: Broken, made: Compaction) -> Compaction:
    raise ZeroDivisionError("by zero")


async def hang(method: Broken, made: Compaction) -> Compaction:
    await asyncio.Event().wait()
    return made


async def chat(method: Broken, made: Compaction) -> Any:
    return "Here is your summary."


async def waver(method: Broken, made: Compaction) -> Compaction:
    warnings = made.warnings if method.calls % 2 else ("again",)
    messages = made.messages if method.calls % 2 else ()
    return replace(made, warnings=warnings, messages=messages)


async def behave(method: Broken, made: Compaction) -> Compaction:
    return made


def test_a_crash_is_a_finding_and_the_run_goes_on() -> None:
    report = check(crash)
    assert not report.passed
    assert report.broken()["answers without failing"] == report.compactions == 1
    assert "ZeroDivisionError: by zero" in report.findings[0].violation.reason


def test_hanging_is_a_finding() -> None:
    report = check(hang, timeout_s=0.05)
    assert "no answer within" in report.findings[0].violation.reason


def test_an_answer_of_another_kind_is_a_finding() -> None:
    assert "returned str, not a" in check(chat).findings[0].violation.reason


def test_a_method_that_wavers_is_found() -> None:
    assert check(waver).broken()["same input, same bytes"] > 0


def test_a_sound_method_passes() -> None:
    report = check(behave)
    assert report.passed
    assert report.compactions == 2
    assert report.findings == () or not any(f.violation.hard for f in report.findings)


def test_without_a_session_nothing_was_shown() -> None:
    assert not check_method(Truncate(), [], COUNTER).passed
