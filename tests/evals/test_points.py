"""Compaction points: where a session is cut, and why it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.recorded import Flat, compacted_by_itself, say, talk
from strategies import sessions
from tamis.errors import InputError
from tamis.evals import At, NoPoint, Point, find_points
from tamis.messages import Boundary, ExactCounter, Session, pair_calls

COUNTER = ExactCounter()


def points(session: Session, *at: str) -> list[Point]:
    found = list(find_points(session, [At.parse(a) for a in at], COUNTER))
    assert all(isinstance(p, Point) for p in found), found
    return [p for p in found if isinstance(p, Point)]


def reason(session: Session, at: str) -> str:
    [found] = find_points(session, [At.parse(at)], COUNTER)
    assert isinstance(found, NoPoint)
    assert (found.session_id, found.label) == (session.id, at)
    return found.reason


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("50%", At(share=0.5)),
        (" 1.4% ", At(share=0.014)),
        ("18000", At(tokens=18_000)),
        ("18k", At(tokens=18_000)),
        ("#120", At(message=120)),
        ("own", At(own=True)),
    ],
)
def test_places_to_cut(text: str, at: At) -> None:
    assert At.parse(text).share == pytest.approx(at.share)
    assert replace(At.parse(text), share=at.share) == at


@pytest.mark.parametrize("text", ["", "0%", "100%", "-5", "0", "#0", "half", "50 %", "1.5k", "own:1"])
def test_no_place_to_cut(text: str) -> None:
    with pytest.raises(InputError, match="cannot cut at"):
        At.parse(text)


@given(
    st.one_of(
        st.integers(1, 99).map(lambda n: At(share=n / 100)),
        st.integers(1, 10**6).map(lambda n: At(tokens=n)),
        st.integers(1, 10**4).map(lambda n: At(message=n)),
        st.just(At(own=True)),
    )
)
def test_what_is_written_reads_back(at: At) -> None:
    assert At.parse(str(at)) == at


def test_a_share_is_cut_at_the_first_message_that_reaches_it() -> None:
    [point] = points(talk(20), "50%")
    assert (point.cut, len(point.span), len(point.tail)) == (10, 10, 10)


def test_tokens_and_messages() -> None:
    by_tokens, by_message = points(talk(20), "2k", "#6")
    assert by_tokens.span_tokens >= 2_000
    assert by_tokens.span_tokens - 400 < 2_000  # each message is shorter than that
    assert by_message.cut == 6
    assert (by_tokens.label, by_message.label) == ("2000", "#6")


def test_the_system_prompt_stays_out_of_the_span() -> None:
    session = talk(20)
    prompted = replace(session, messages=(say("system", "Be brief.", id="s"), *session.messages))
    [point] = points(prompted, "50%")
    assert [m.id for m in point.system] == ["s"]
    assert (point.span[0].id, point.cut) == ("m0", 11)


def test_the_tail_ends_where_the_agent_compacted_next() -> None:
    session = replace(talk(20), boundaries=(Boundary(index=4), Boundary(index=14)))
    [point] = points(session, "#8")
    assert [point.tail[0].id, point.tail[-1].id] == ["m8", "m13"]


def test_the_agents_own_compactions_each_give_a_point() -> None:
    first, second = points(compacted_by_itself(), "own")
    assert [m.id for m in (*first.span[::7], *first.tail[::6])] == ["m0", "m7", "m9", "m15"]
    assert first.recorded is not None
    assert first.recorded.id == "sum"
    assert [second.span[0].id, second.span[-1].id, second.tail[0].id] == ["sum", "m15", "m16"]
    assert second.recorded is None
    assert [first.label, second.label] == ["own:1", "own:2"]


def test_tries_at_one_task_are_one_cluster() -> None:
    tries = [replace(talk(20, id=f"try-{n}"), meta={"instance_id": "task-7"}) for n in range(2)]
    assert [p.cluster for session in tries for p in points(session, "50%")] == ["task-7", "task-7"]
    assert [p.cluster for p in points(talk(20), "50%")] == ["talk"]


def test_a_session_without_a_point_says_why() -> None:
    assert reason(talk(20), "500000") == "the session ends before this point"
    assert reason(talk(20), "own") == "the agent did not compact this session itself"
    assert "tokens before the cut; 1000 are needed" in reason(talk(20), "#2")
    silent = Session(
        id="talk", format="messages", messages=tuple(m for m in talk(20).messages if m.role == "user")
    )
    assert reason(silent, "50%") == "the agent does nothing after the cut"


@given(
    sessions(missing=True, repeated_ids=True, min_turns=3, max_turns=10),
    st.sampled_from(["10%", "30%", "50%", "80%", "#1", "#4", "3k"]),
)
def test_a_cut_never_tears_a_call_from_its_result(session: Session, at: str) -> None:
    for point in find_points(session, [At.parse(at)], Flat()):
        if isinstance(point, Point):
            for call, result in pair_calls(session.messages).result_of.items():
                assert (call.message < point.cut) == (result.message < point.cut)


@given(sessions(min_turns=3, max_turns=10), st.integers(1, 99))
def test_nothing_is_lost_between_span_and_tail(session: Session, share: int) -> None:
    for point in find_points(session, [At(share=share / 100)], Flat()):
        if isinstance(point, Point):
            assert (*point.system, *point.span, *point.tail) == session.messages
