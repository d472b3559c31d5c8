"""What is in view when the agent acts, and what it did then."""

from __future__ import annotations

from dataclasses import replace

from evals.recorded import POINT, TAIL, say
from tamis.evals.acting.scenes import ACT_TOKENS, TAIL_TOKENS, Scene, scene_of, shown
from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import Point
from tamis.messages import Message, Thinking, ToolCall, get_counter

COUNTER = get_counter()


def scene(point: Point) -> Scene:
    found = scene_of(point, COUNTER)
    assert isinstance(found, Scene)
    return found


def test_a_short_tail_is_followed_by_the_last_act_of_all() -> None:
    found = scene(POINT)
    assert found.act == TAIL[-1].text
    assert found.tail.endswith("user:\nGo on.")


def test_the_act_is_the_first_behind_enough_tail() -> None:
    long = say("user", "word " * 300, id="long")
    found = scene(replace(POINT, tail=(long, *TAIL)))
    assert found.act.startswith("I look at parse_args")
    assert found.call is not None
    assert found.call.name == "bash"
    assert COUNTER.count(found.tail) <= TAIL_TOKENS


def test_thinking_and_ids_stand_nowhere() -> None:
    text = scene(replace(POINT, tail=TAIL[:1])).act
    assert (
        text == 'I look at parse_args and at brand_new.\n{"tool": "bash", "arguments": {"command": "cat x"}}'
    )
    assert shown(TAIL[:1]) == f"assistant:\n{text}"


def test_an_act_that_writes_a_whole_file_is_cut() -> None:
    call = ToolCall(id="w", name="write", arguments={"content": "line of code\n" * 900})
    found = scene(replace(POINT, tail=(Message(id="w", role="assistant", parts=(call,)),)))
    assert COUNTER.count(found.act) <= ACT_TOKENS
    assert found.act.startswith('{"tool": "write"')


def test_one_who_only_thinks_does_nothing_that_could_be_measured() -> None:
    mute = Message(id="t", role="assistant", parts=(Thinking(text="hm"),))
    assert isinstance(scene_of(replace(POINT, tail=(mute,)), COUNTER), NotMeasured)


def test_every_context_is_followed_by_the_same() -> None:
    found = scene(POINT)
    one, other = found.behind(()), found.behind(POINT.span)
    assert other.endswith(one)
    assert one.endswith("assistant:\n")
