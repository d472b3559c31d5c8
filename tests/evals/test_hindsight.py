"""Hindsight: which names were needed, and every figure against what a hand works out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.recorded import POINT, SPAN, SYSTEM, TAIL, Flat, say
from strategies import messages
from tamis.evals import Hindsight, Need, NotMeasured, Point, needed_names, score_hindsight
from tamis.evals.hindsight import KindScore, Needs, Regained, regained, tokens_beside
from tamis.messages import Message, count_messages
from tamis.text.names import Name, message_names


def score(*context: str, point: Point = POINT, tokens: int = 7) -> Hindsight:
    made = [say("user", text, id=f"k{i}") for i, text in enumerate(context)]
    result = score_hindsight(needed_names(point), made, context_tokens=tokens, span_tokens=(10, 20, 50))
    assert isinstance(result, Hindsight)
    return result


def test_needed_is_what_was_used_and_stood_in_the_span_only() -> None:
    needs = needed_names(POINT)
    assert needs.needs == (
        Need(name="parse_args", kind="identifier", turn=0, uses=3),
        Need(name="/etc/app.conf", kind="path", turn=1, uses=1),
        Need(name="8080", kind="number", turn=2, uses=1),
    )
    assert needs.turns == 3
    assert needs.carriers == {"parse_args": (0, 2), "/etc/app.conf": (2,), "8080": (0,)}


def test_what_the_system_prompt_says_was_not_needed() -> None:
    without = replace(POINT, system=())
    assert "--quiet" in {n.name for n in needed_names(without).needs}
    assert "--quiet" not in {n.name for n in needed_names(POINT).needs}


def test_what_was_heard_behind_the_cut_before_it_was_used_was_not_needed() -> None:
    deaf = replace(POINT, tail=(TAIL[0], *TAIL[2:]))
    assert "load_config" in {n.name for n in needed_names(deaf).needs}
    assert "load_config" not in {n.name for n in needed_names(POINT).needs}


def test_what_was_heard_only_after_its_use_was_needed() -> None:
    late = replace(POINT, tail=(*TAIL, say("user", "8080 it is", id="8")))
    assert needed_names(late).needs == needed_names(POINT).needs


def test_a_remembering_reader_changes_nothing() -> None:
    asked: list[str] = []

    def remembering(message: Message) -> set[Name]:
        asked.append(message.id)
        return message_names(message)

    assert needed_names(POINT, remembering) == needed_names(POINT)
    assert {m.id for m in SPAN} | {SYSTEM.id} <= set(asked)


def test_the_figures_of_a_context_that_kept_one_of_three_names() -> None:
    figures = score("we spoke of parse_args")
    assert figures == Hindsight(
        recall=pytest.approx(1 / 3),
        weighted_recall=pytest.approx(3 / 5),
        regret_rate=pytest.approx(2 / 3),
        refetch_tokens=10 + 50,
        carried_tokens=7 * 3,
        cached_tokens=7 * 2 + 174 - 60,
        by_kind={
            "path": KindScore(needed=1, found=0),
            "identifier": KindScore(needed=1, found=1),
            "number": KindScore(needed=1, found=0),
        },
        missing=("/etc/app.conf", "8080"),
        regained_tokens=(7 + 50 * 2) + (7 + 50 + 10),  # in turn 1 the result, in turn 2 the request
        fetched_tokens=60,
    )
    assert figures.tokens_per_task == 21 + 174


def test_a_turn_that_fetches_reads_what_stands_beside_the_context_too() -> None:
    needs = needed_names(POINT)
    gone = [n for n in needs.needs if n.name == "8080"]
    assert regained(needs, gone, 7, (10, 20, 50), beside_tokens=(1, 2, 40)) == Regained(
        read=7 + 40 + 10, fetched=10
    )


def test_what_was_fetched_for_one_name_is_not_fetched_again_for_another() -> None:
    needs = needed_names(POINT)
    assert regained(needs, needs.needs, 0, (10, 20, 5)).fetched == 5 + 10  # parse_args brings /etc/app.conf


def test_beside_the_context_stand_the_system_prompt_and_the_tail_so_far() -> None:
    assert tokens_beside(POINT, Flat()) == tuple(
        sum(count_messages([SYSTEM, *TAIL[:n]], Flat())) for n in (0, 2, 4)
    )


def test_taking_all_out_costs_more_than_keeping_what_is_needed_where_work_goes_on_for_long() -> None:
    idle = tuple(say("assistant", "on", id=f"i{n}") for n in range(50))
    long = replace(POINT, tail=(*TAIL, *idle))
    kept = score("parse_args /etc/app.conf 8080", point=long)
    assert kept.tokens_per_task < score("", point=long, tokens=0).tokens_per_task


def test_two_names_gone_in_one_turn_are_one_regret() -> None:
    together = replace(POINT, tail=(say("assistant", "parse_args, /etc/app.conf, 8080", id="t"),))
    assert score("nothing of it", point=together).regret_rate == 1.0
    assert score("8080 only", point=together).regret_rate == 1.0


def test_a_message_that_holds_two_missing_names_is_fetched_once() -> None:
    assert score("8080").refetch_tokens == 50  # parse_args and /etc/app.conf both stand in the result
    assert score("/etc/app.conf").refetch_tokens == 10  # parse_args and 8080 both stand in the request
    assert score("8080 and /etc/app.conf").refetch_tokens == 10  # the cheaper of two


def test_the_end_of_a_longer_path_can_be_read_in_it_and_a_piece_of_a_word_cannot() -> None:
    path = replace(
        POINT, span=(say("user", "see app/io.py", id="0"),), tail=(say("assistant", "app/io.py", id="1"),)
    )
    assert score("src/app/io.py", point=path).recall == 1.0
    assert score("myapp/io.python", point=path).recall == 0.0


def test_a_path_can_be_read_from_a_folder_and_the_way_from_there_and_from_neither_alone() -> None:
    path = "/srv/shop/src/cart.py"
    span, tail = say("user", f"see {path}", id="0"), say("assistant", f"I edit {path}.", id="1")
    used = replace(POINT, span=(span,), tail=(tail,))
    assert score("in /srv/shop: changed src/cart.py", point=used).recall == 1
    assert score("in /srv/shop", point=used).recall == 0
    assert score("changed src/cart.py", point=used).recall == 0


def test_no_need_is_not_measured_and_no_zero() -> None:
    idle = replace(POINT, tail=(say("assistant", "All done.", id="t"),))
    figure = score_hindsight(needed_names(idle), SPAN, context_tokens=9, span_tokens=(1, 1, 1))
    assert figure == NotMeasured(reason="the agent used no name from the span after the cut")


@st.composite
def points(draw: st.DrawFn) -> Point:
    """A cut anywhere through a made-up session in which names come back."""
    made = draw(messages(min_turns=2, max_turns=8, missing=True))
    again = say("assistant", " ".join(sorted({n.text for m in made for n in message_names(m)})), id="again")
    cut = draw(st.integers(0, len(made)))
    return replace(POINT, system=(), span=made[:cut], tail=(*made[cut:], again))


def figure_of(needs: Needs, point: Point, context: Sequence[Message]) -> Hindsight | NotMeasured:
    return score_hindsight(needs, context, context_tokens=100, span_tokens=[10] * len(point.span))


@given(points())
def test_the_whole_span_keeps_everything_and_nothing_keeps_nothing(point: Point) -> None:
    needs = needed_names(point)
    full, nothing = figure_of(needs, point, point.span), figure_of(needs, point, ())
    if isinstance(full, NotMeasured):
        assert not needs.needs
        assert full == nothing
        return
    assert isinstance(nothing, Hindsight)
    assert (full.recall, full.weighted_recall, full.regret_rate, full.refetch_tokens) == (1.0, 1.0, 0.0, 0)
    assert (nothing.recall, nothing.weighted_recall, len(nothing.missing)) == (0.0, 0.0, len(needs.needs))
    assert 0 < nothing.regret_rate <= 1
    assert 0 < nothing.refetch_tokens <= 10 * len(point.span)


@given(points(), st.data())
def test_more_context_never_scores_lower(point: Point, data: st.DataObject) -> None:
    needs = needed_names(point)
    more = data.draw(st.integers(0, len(point.span)))
    fewer = data.draw(st.integers(0, more))
    large, small = figure_of(needs, point, point.span[:more]), figure_of(needs, point, point.span[:fewer])
    if isinstance(large, Hindsight) and isinstance(small, Hindsight):
        assert large.recall >= small.recall
        assert large.regret_rate <= small.regret_rate


@given(points())
def test_every_need_stands_in_the_messages_that_are_said_to_carry_it(point: Point) -> None:
    needs = needed_names(point)
    for need in needs.needs:
        assert needs.carriers[need.name]
        for position in needs.carriers[need.name]:
            assert need.name in {n.text for n in message_names(point.span[position])}
