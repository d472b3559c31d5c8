from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from compactors.conversations import run, say, tokens
from context.small import BEGIN, RULE, small, turns
from strategies import messages
from tamis.archive import Archive, answer_call
from tamis.compactors import Compaction, CompactionRequest, get_method
from tamis.context import Context, Trigger
from tamis.errors import BadBudget, InputError, MethodFailed
from tamis.messages import Message, ToolCall, ToolResult, pair_calls
from tamis.messages.tokens import ExactCounter


def test_below_the_trigger_nothing_is_touched() -> None:
    context = small()
    given = [*BEGIN, *turns(3)]
    context.extend(given)
    assert context.messages() == given
    assert context.tokens == tokens(given)
    assert (context.compactions, context.last_compaction) == (0, None)


def test_at_the_trigger_the_older_part_is_replaced(archive: Archive) -> None:
    context = small(archive)
    given = [*BEGIN, *turns(40)]
    context.extend(given)
    now = context.messages()
    assert context.compactions > 1
    assert context.tokens == tokens(now) < 1_600
    assert now[0] == BEGIN[0]
    assert RULE in now[1].text
    assert now[-2:] == given[-2:]
    assert pair_calls(now).whole


def test_everything_taken_out_is_in_the_archive(archive: Archive) -> None:
    context = small(archive)
    given = [*BEGIN, *turns(40)]
    context.extend(given)
    there = {*map(repr, archive.messages("context")), *map(repr, context.messages())}
    assert {*map(repr, given)} <= there


def test_only_what_is_new_is_given_to_the_method() -> None:
    spans: list[tuple[str, ...]] = []

    class Watched:
        name, version = "ledger", "1"
        inner = get_method("ledger")

        async def compact(self, request: CompactionRequest) -> Compaction:
            spans.append(tuple(m.id for m in request.span))
            assert (request.previous is None) == (len(spans) == 1)
            return await self.inner.compact(request)

    context = small(method=Watched(), gate="off")
    given = [*BEGIN, *turns(60)]
    context.extend(given)
    seen = [i for span in spans for i in span]
    assert len(spans) > 2
    assert seen == [m.id for m in given[1 : 1 + len(seen)]]


@pytest.mark.parametrize("form", ["openai-chat", "openai-responses", "anthropic"])
def test_dictionaries_come_back_as_the_same_api_takes_them(form: str) -> None:
    items = tamis.compact([*BEGIN[1:], *turns(40)], budget="100%").to(form)
    context = small()
    context.extend(items)
    sent = context.messages()
    assert context.compactions > 0
    assert sent[-1] == items[-1]
    assert all(isinstance(item, dict) for item in sent)
    assert tamis.compact(sent, budget="100%").session.format == form


def test_the_tail_keeps_at_least_so_many_messages() -> None:
    context = small(keep_last=6)
    given = [*BEGIN, *turns(40)]
    context.extend(given)
    made = context.compact_now()
    assert made is not None
    assert context.messages()[-6:] == given[-6:]


def test_the_newest_messages_stay_though_all_behind_the_brief_are_system_messages() -> None:
    context = Context(window=4_000, budget=200, trigger=None, keep_last=2)
    context.extend([say("user", "word " * 90, id=f"u{n}") for n in range(9)])
    notes = [say("system", "note " * 90, id=f"s{n}") for n in range(6)]
    for note in notes:
        context.append(note)
        context.compact_now()
    assert context.messages()[-2:] == notes[-2:]


def test_a_call_that_waits_for_its_result_stays() -> None:
    context = small(keep_last=0)
    call, result = run("w", "make", "done", 0)
    context.extend([*BEGIN, *turns(5), call])
    context.compact_now()
    assert context.messages()[-1] == call
    context.append(result)
    assert pair_calls(context.messages()).whole


def test_a_message_larger_than_the_window_is_condensed() -> None:
    context = small()
    context.extend([*BEGIN, *run("big", "cat huge.log", "one line of a log\n" * 3_000, 0)])
    assert context.compactions == 1
    assert context.tokens < 1_600
    assert RULE in context.messages()[1].text


def test_one_compaction_does_not_set_off_the_next() -> None:
    context = small(trigger=Trigger(messages=8), keep_last=10, window=100_000, budget=150)
    counts = []
    for message in [*BEGIN, *turns(20)]:
        context.append(message)
        counts.append(context.compactions)
    steps = [i for i, (a, b) in enumerate(pairwise(counts)) if a != b]
    assert len(steps) > 2
    assert min(b - a for a, b in pairwise(steps)) >= 2


@pytest.mark.parametrize(
    ("trigger", "fires_at"),
    [(0.5, 1_000), (0.9, 1_800), (Trigger(tokens=700), 700), (Trigger(share=0.6), 1_200)],
)
def test_it_fires_where_the_trigger_says(trigger: float | Trigger, fires_at: int) -> None:
    context = small(trigger=trigger)
    given = iter([*BEGIN, *turns(40)])
    so_far: list[Message] = []
    while context.compactions == 0:
        so_far.append(next(given))
        context.append(so_far[-1])
    assert tokens(so_far[:-1]) < fires_at <= tokens(so_far)


def test_without_a_trigger_it_compacts_on_demand_only() -> None:
    context = small(trigger=None)
    context.extend([*BEGIN, *turns(40)])
    assert context.compactions == 0
    made = context.compact_now()
    assert made is not None
    assert made.outcome == "fits"
    assert context.compactions == 1


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"window": 0}, BadBudget),
        ({"window": 300}, BadBudget),
        ({"budget": 0}, BadBudget),
        ({"budget": "90%"}, BadBudget),
        ({"trigger": 0.2}, InputError),
        ({"trigger": Trigger(share=0.5), "budget": 1_000}, BadBudget),
        ({"keep_last": -1}, InputError),
        ({"keep_last": "many"}, InputError),
        ({"method": "nosuch"}, InputError),
        ({"format": "aider"}, InputError),
        ({"gate": "ajar"}, InputError),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        small(**settings)


class Breaks:
    name, version = "breaks", "1"

    async def compact(self, request: CompactionRequest) -> Compaction:
        raise ZeroDivisionError("no such luck")


def test_a_failure_leaves_everything_as_it_was_and_is_recorded() -> None:
    context = small(method=Breaks())
    given = [*BEGIN, *turns(20)]
    with pytest.warns(RuntimeWarning, match="no such luck"):
        context.extend(given)
    assert context.messages() == given
    assert context.failures >= 1
    assert context.last_failure == "breaks raised ZeroDivisionError: no such luck"
    with pytest.raises(MethodFailed, match="no such luck"):
        context.compact_now()
    assert context.messages() == given


def test_an_archive_that_cannot_be_written_keeps_the_messages_in_the_context(archive: Archive) -> None:
    context = small(archive)
    holder = Archive.open(archive.path)
    archive._connection.execute("PRAGMA busy_timeout=0")
    holder._connection.execute("BEGIN IMMEDIATE")
    given = [*BEGIN, *turns(20)]
    with pytest.warns(RuntimeWarning, match="is locked"):
        context.extend(given)
    assert context.messages() == given
    holder._connection.execute("ROLLBACK")
    assert context.compact_now() is not None
    assert context.compactions == 1


def test_what_was_recalled_stays_through_the_next_compaction(archive: Archive) -> None:
    context = small(archive)
    context.extend([*BEGIN, *turns(30)])
    call = ToolCall(id="r", name="recall", arguments={"words": "file3.txt"})
    answer = ToolResult(call_id="r", text=answer_call(archive, "recall", call.arguments))
    recalled = [
        Message(id="r1", role="assistant", parts=(call,)),
        Message(id="r2", role="tool", parts=(answer,)),
    ]
    context.extend([*recalled, *turns(4, start=50)])
    before = context.compactions
    context.compact_now()
    assert context.compactions == before + 1
    now = context.messages()
    at = now.index(recalled[0])
    assert now[at : at + 2] == recalled
    assert now[at - 1].origin == "summary"
    context.extend(turns(8, start=60))
    context.compact_now()
    assert recalled[0] not in context.messages()
    assert {*map(repr, recalled)} <= {*map(repr, archive.messages("context"))}


def test_what_did_not_change_keeps_its_bytes() -> None:
    context = small()
    context.extend([*BEGIN, *turns(6)])
    before = context.messages()
    shares = []
    for message in turns(30, start=6):
        compactions = context.compactions
        context.append(message)
        now = context.messages()
        if context.compactions == compactions:
            assert now[:-1] == before
            assert context.cached_share() == tokens(now[:-1]) / tokens(now)
        else:
            shares.append(context.cached_share())
        before = now
    assert shares
    assert all(share is not None and 0 < share < 1 for share in shares)


def test_the_share_is_unknown_before_the_second_request() -> None:
    context = small()
    context.extend(BEGIN)
    assert context.cached_share() is None
    context.messages()
    assert context.cached_share() is None


class CountingCounter:
    """Counts how many characters it is given to count."""

    name, exact = "o200k_base", True

    def __init__(self) -> None:
        self.characters = 0
        self._inner = ExactCounter()

    def count(self, text: str) -> int:
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        self.characters += sum(map(len, texts))
        return self._inner.count_many(texts)


def test_the_work_for_a_message_does_not_grow_with_the_session() -> None:
    counter = CountingCounter()
    context = small(method="truncate", gate="off", tokenizer=counter)
    work = []
    for begin in range(0, 400, 100):
        before = counter.characters
        context.extend(turns(100, start=1_000 + begin))
        work.append(counter.characters - before)
    assert context.compactions > 20
    assert max(work[1:]) < 1.2 * min(work[1:])


@given(
    st.lists(messages(max_turns=6, repeated_ids=True, system=False), min_size=1, max_size=5),
    st.sampled_from(["ledger", "truncate", "mask"]),
    st.data(),
)
def test_nothing_is_lost_pairs_stay_whole_and_the_budget_is_kept(
    tmp_path_factory: pytest.TempPathFactory,
    said: list[tuple[Message, ...]],
    method: str,
    data: st.DataObject,
) -> None:
    with Archive.open(tmp_path_factory.mktemp("context") / "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a budget that cannot be met is no loss
        context = Context(window=800, budget=80, method=method, archive=archive, keep_last=2)
        given_: list[str] = []
        for part in said:
            for message in part:
                context.append(message)
                given_.append(repr((message.role, message.parts)))
            if data.draw(st.booleans()):
                with suppress(MethodFailed):
                    context.compact_now()
            if data.draw(st.booleans()):
                answer_call(archive, "recall", {"words": "failing test 端口"})
        now = context.messages()
        there = {repr((m.role, m.parts)) for m in (*archive.messages("context"), *now)}
        assert set(given_) <= there
        assert pair_calls(now).whole
        if context.compactions:
            assert context.last_compaction is not None
            brief = context._previous
            assert brief is not None
            assert tokens(brief.messages) == brief.tokens_after <= 80
        assert context.tokens == tokens(now)
