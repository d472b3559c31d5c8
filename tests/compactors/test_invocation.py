"""Methods of others: whatever they do, what comes is a compaction, or a failure that names the method."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tamis
from compactors.conversations import say
from tamis.compactors import Compaction, CompactionRequest, get_method, run_compactor
from tamis.compactors.gate import guard
from tamis.compactors.methods.truncate import Truncate
from tamis.errors import MethodFailed, UnknownMethod
from tamis.messages import get_counter


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Outside(BaseException):
    """Nobody's exception but the method's."""


RAISED = (
    *(KeyError("x"), RecursionError(), MemoryError(), SystemExit(3), Mute(), TypeError("odd\nlines")),
    *(Outside(), asyncio.CancelledError()),
)
ANSWERS: dict[str, Callable[[Compaction], Any]] = {
    "nothing": lambda made: None,
    "a text": lambda made: "short",
    "an outcome": lambda made: replace(made, outcome="great"),
    "no messages": lambda made: replace(made, messages=None),
    "dicts": lambda made: replace(made, messages=({"role": "user"},)),
    "a part": lambda made: replace(made, messages=(replace(made.messages[0], parts=("hello",)),)),
    "an account": lambda made: replace(made, account=("kept",)),
    "warnings": lambda made: replace(made, warnings=(3,)),
    "counts": lambda made: replace(made, tokens_after=None),
    "usage": lambda made: replace(made, usage=None),
}


class Foreign(Truncate):
    """Somebody else's: its module is not tamis's."""

    name = "foreign"

    def __init__(self, act: Callable[[Compaction], Any]) -> None:
        super().__init__()
        self.act = act

    async def compact(self, request: CompactionRequest) -> Compaction:
        answer: Compaction = self.act(await super().compact(request))
        return answer


def request() -> CompactionRequest:
    span = tuple(say("user", f"line {n} " * 40, id=str(n)) for n in range(8))
    return CompactionRequest(span=span, budget_tokens=400, counter=get_counter())


def raising(error: BaseException) -> Callable[[Compaction], Any]:
    def act(made: Compaction) -> Any:
        raise error

    return act


@pytest.mark.parametrize("timeout_s", [None, 60.0])
@pytest.mark.parametrize("error", RAISED, ids=lambda e: type(e).__name__)
def test_what_a_method_raises_is_its_failure(error: BaseException, timeout_s: float | None) -> None:
    with pytest.raises(MethodFailed, match=rf"foreign raised {type(error).__name__}"):
        run_compactor(Foreign(raising(error)), request(), timeout_s=timeout_s)


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_of_another_shape_is_its_failure(answer: str, gated: bool) -> None:
    method = Foreign(ANSWERS[answer])
    with pytest.raises(MethodFailed, match=r"^foreign "):
        run_compactor(guard(method) if gated else method, request())


def test_a_bug_of_our_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Truncate, "compact", lambda self, given: raising(KeyError("x"))(given))
    with pytest.raises(KeyError):
        run_compactor(get_method("truncate"), request())


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(3)",
        "import sys; sys.exit()",
        "1 / 0",
        "class Odd:\n    def __init__(self): raise OSError('gone')",
        "class Odd:\n    name = version = 'x'\n    @property\n    def compact(self): raise OSError('gone')",
        "class Odd:\n    name, version = 3, '1'\n    async def compact(self, request): ...",
    ],
)
def test_what_cannot_be_loaded_is_an_unknown_method(code: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(code)
    with pytest.raises(UnknownMethod, match=r"odd\.py"):
        get_method(f"{file}:Odd")


def test_a_failure_reaches_who_called_the_library(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "class Odd:\n    name, version = 'odd', '1'\n    async def compact(self, request): return 1 / 0\n"
    )
    messages = [{"role": "user", "content": f"line {n} " * 40} for n in range(8)]
    with pytest.raises(MethodFailed, match="odd raised ZeroDivisionError: division by zero"):
        tamis.compact(messages, budget=200, method=f"{file}:Odd")
