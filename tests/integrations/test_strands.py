"""The conversation manager in a Strands agent, with a scripted model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

from integrations.requests_sent import check_archive
from tamis.archive import Archive

pytest.importorskip("strands", reason="needs tamis[strands]")

import strands
from strands.models import Model
from strands.types.exceptions import ContextWindowOverflowException

from tamis.integrations.strands import conversation_manager

RULE = "Never change b.txt, another program writes it."
PARTS, WINDOW, BUDGET = 30, 6_000, 800


def part_of(number: int) -> str:
    lines = [f"step {n:02} of part {number}: compiled in {n * number % 97} ms" for n in range(40)]
    return "\n".join([f"part {number} was built by runner-{number:04d}", *lines])


@strands.tool
def read_part(number: int) -> str:
    """Read one part of the log.

    Args:
        number: which.
    """
    return part_of(number)


class Script(Model):  # type: ignore[misc]
    """Reads two parts at a time, then answers; refuses what is over the limit, where there is one."""

    def __init__(self, limit: int | None = None) -> None:
        self.requests: list[list[Any]] = []
        self.limit = limit
        self._next = 1

    def update_config(self, **model_config: Any) -> None:
        """There is none."""

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[Any]:
        if self.limit is not None and len(json.dumps(messages)) > self.limit:
            raise ContextWindowOverflowException("too long")
        self.requests.append(json.loads(json.dumps(messages)))
        yield {"messageStart": {"role": "assistant"}}
        calls = range(self._next, min(self._next + 2, PARTS + 1))
        self._next += 2
        for number in calls:
            start = {"toolUse": {"toolUseId": f"call_{number}", "name": "read_part"}}
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps({"number": number})}}}}
            yield {"contentBlockStop": {}}
        if not calls:
            yield {"contentBlockDelta": {"delta": {"text": "All read."}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


def run(script: Script, manager: Any) -> str:
    agent = strands.Agent(
        model=script, tools=[read_part], conversation_manager=manager, callback_handler=None
    )
    return str(agent(f"Read all parts of the build log. {RULE}"))


def calls_and_results(messages: list[Any]) -> tuple[set[str], set[str]]:
    blocks = [block for message in messages for block in message["content"]]
    calls = {block["toolUse"]["toolUseId"] for block in blocks if "toolUse" in block}
    return calls, {block["toolResult"]["toolUseId"] for block in blocks if "toolResult" in block}


def test_a_run_stays_within_its_window(kept: Archive) -> None:
    script = Script()
    assert "All read." in run(script, conversation_manager(window=WINDOW, budget=BUDGET, archive=kept))
    sizes = [len(json.dumps(messages)) for messages in script.requests]
    assert max(sizes) < WINDOW * 4
    assert any(after < before for before, after in pairwise(sizes))
    assert RULE in json.dumps(script.requests[-1])
    check_archive(kept, part_of(1))


def test_no_result_goes_out_without_its_call(kept: Archive) -> None:
    script = Script()
    run(script, conversation_manager(window=WINDOW, budget=BUDGET, archive=kept))
    pairs = [calls_and_results(messages) for messages in script.requests]
    assert all(calls == results for calls, results in pairs)


def test_a_model_that_says_the_window_is_full_is_asked_again_with_less(kept: Archive) -> None:
    script = Script(limit=20_000)
    assert "All read." in run(
        script, conversation_manager(window=100_000, budget=1_000, keep_last=4, archive=kept)
    )
    assert RULE in json.dumps(script.requests[-1])
