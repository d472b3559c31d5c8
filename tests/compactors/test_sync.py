from __future__ import annotations

import asyncio

import pytest

from compactors.conversations import request, say
from tamis.compactors import Compaction, CompactionRequest, run_compactor
from tamis.compactors.methods.truncate import Truncate
from tamis.errors import MethodFailed

ASKED = request([say("user", "word " * 50), say("user", "hi")], 20)


class Hangs:
    name = "hangs"
    version = "1"

    async def compact(self, request: CompactionRequest) -> Compaction:
        await asyncio.Event().wait()
        raise AssertionError


class Raises:
    name = "raises"
    version = "1"

    async def compact(self, request: CompactionRequest) -> Compaction:
        raise LookupError("no such thing")


def test_with_and_without_a_time_limit_the_answer_is_the_same() -> None:
    assert run_compactor(Truncate(), ASKED) == run_compactor(Truncate(), ASKED, timeout_s=30)


def test_a_method_that_hangs_is_left_behind() -> None:
    with pytest.raises(MethodFailed, match="hangs gave no answer"):
        run_compactor(Hangs(), ASKED, timeout_s=0.05)


@pytest.mark.parametrize("timeout_s", [None, 30])
def test_what_a_method_raises_is_its_failure(timeout_s: float | None) -> None:
    with pytest.raises(MethodFailed, match="raises raised LookupError: no such thing"):
        run_compactor(Raises(), ASKED, timeout_s=timeout_s)
