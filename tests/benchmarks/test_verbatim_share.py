from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from verbatim_share import SHARES, Figure, Kept, print_curve, shared

from evals.recorded import talk
from tamis.messages import count_messages, get_counter
from tamis.models.likelihood import Cost, Unigram

COUNTER = get_counter()
SPAN = talk(10).messages


@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_story_and_newest_messages_share_one_budget(share: float) -> None:
    made = asyncio.run(shared(SPAN, share, 900, COUNTER))
    assert 0 < sum(count_messages(made, COUNTER)) <= 900


def test_a_share_is_of_whole_newest_messages_behind_a_brief() -> None:
    brief, *newest = asyncio.run(shared(SPAN, 0.6, 900, COUNTER))
    assert newest
    assert tuple(newest) == SPAN[-len(newest) :]
    assert brief.origin == "summary"


def test_the_whole_share_has_no_brief() -> None:
    made = asyncio.run(shared(SPAN, 1.0, 900, COUNTER))
    assert made == SPAN[-len(made) :]


def test_what_a_model_said_is_kept(tmp_path: Path) -> None:
    class Counted(Unigram):
        asked = 0

        async def bits(self, prefix: str, continuation: str) -> Cost:
            Counted.asked += 1
            return await super().bits(prefix, continuation)

    path = tmp_path / "bits.jsonl"
    first, again = (asyncio.run(Kept(Counted(), path).bits("a b", "b")) for _ in range(2))
    assert (first, Counted.asked) == (again, 1)


def test_only_points_with_every_share_are_in_the_curve(capsys: pytest.CaptureFixture[str]) -> None:
    def at(point: str, share: float, bits: float) -> Figure:
        return Figure(share=share, cluster=point, point=point, bits=bits, recall=None)

    whole = [at("a", share, 100 - 10 * share) for share in SHARES]
    print_curve([*whole, at("b", 0.0, 9_999)])
    printed = capsys.readouterr().out
    assert "| 100% | 90 | 10 | – | – | 1 / 0 |" in printed
    assert "1 points left out" in printed
    assert "9999" not in printed
