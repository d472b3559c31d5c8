from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from compactors.conversations import run, say, tokens
from strategies import messages
from tamis.archive import Archive, answer_call
from tamis.compactors import Compaction, CompactionRequest, get_method
from tamis.context import Context, Trigger
from tamis.errors import BadBudget, InputError, MethodFailed
from tamis.messages import Message, ToolCall, ToolResult, pair_calls
from tamis.messages.tokens import ExactCounter

RULE = "Never change prices.csv, another program writes it."
BEGIN = [
    say("system", "You are careful.", id="sys"),
    say("user", f"Make rows.py skip empty rows. {RULE}", id="u1"),
]


def turns(many: int, start: int = 0, size: int = 20) -> Iterator[Message]:
    for n in range(start, start + many):
        yield from run(f"c{n}", f"cat file{n}.txt", f"content of file{n} " * size, 0)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(tmp_path / "a")


def small(archive: Archive | None = None, **settings: Any) -> Context:
    return Context(**{"window": 2_000, "budget": 300, "archive": archive, **settings})


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


def test_appending_goes_on_while_a_compaction_runs() -> None:
    started, go_on = threading.Event(), threading.Event()

    class Waits:
        name, version = "ledger", "1"
        inner = get_method("ledger")

        async def compact(self, request: CompactionRequest) -> Compaction:
            started.set()
            assert go_on.wait(20)
            return await self.inner.compact(request)

    context = small(method=Waits(), trigger=None, keep_last=0)
    context.extend([*BEGIN, *turns(10)])
    worker = threading.Thread(target=context.compact_now)
    worker.start()
    assert started.wait(20)
    late = [*turns(3, start=90)]
    context.extend(late)
    assert context.messages()[-6:] == late
    go_on.set()
    worker.join()
    assert context.compactions == 1
    assert context.messages()[-6:] == late
    assert context.tokens == tokens(context.messages())


def test_many_threads_lose_no_message(archive: Archive) -> None:
    context = small(archive, window=3_000)

    def say_it(who: int) -> None:
        for n in range(40):
            context.append(say("user", f"thread {who} says {n} " + "word " * 30, id=f"{who}-{n}"))

    threads = [threading.Thread(target=say_it, args=(who,)) for who in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    there = {m.id for m in archive.messages("context")} | {m.id for m in context.messages()}
    assert {f"{who}-{n}" for who in range(4) for n in range(40)} <= there
    assert context.appended == 160
    assert context.tokens == tokens(context.messages())


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


def test_it_is_taken_up_again_where_it_was_compacted_last(archive: Archive) -> None:
    given = [*BEGIN, *turns(60)]
    whole = small(archive, session_id="whole")
    whole.extend(given)
    killed = small(archive, session_id="killed")
    killed.extend(given[:70])
    del killed
    again = Context.resume(archive, "killed", window=2_000, budget=300)
    assert 0 < again.appended <= 70
    again.extend(given[again.appended :])
    assert again.messages() == whole.messages()
    assert again.tokens == whole.tokens
    there = {*map(repr, archive.messages("killed")), *map(repr, again.messages())}
    assert {*map(repr, given)} <= there


def test_a_saved_context_of_another_method_or_version_is_refused(archive: Archive) -> None:
    small(archive).extend([*BEGIN, *turns(30)])
    with pytest.raises(InputError, match="compacted by ledger"):
        Context.resume(archive, window=2_000, budget=300, method="truncate")
    data = archive.load_snapshot("context")
    assert data is not None
    archive.save_snapshot("context", {**data, "format": "tamis-context/99"})
    with pytest.raises(InputError, match="tamis-context/99"):
        Context.resume(archive, window=2_000, budget=300)
    archive.save_snapshot("context", {"format": "tamis-context/1"})
    with pytest.raises(InputError, match="cannot be read"):
        Context.resume(archive, window=2_000, budget=300)


def test_without_anything_saved_it_begins_anew(archive: Archive) -> None:
    assert Context.resume(archive, window=2_000, budget=300).appended == 0


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


def test_secrets_stay_masked_after_a_restart(archive: Archive) -> None:
    password = "hunter2" + "hunter2"
    settings: dict[str, Any] = {"window": 2_000, "budget": 300, "mask_secrets": True}
    context = Context(archive=archive, **settings)
    context.extend([*BEGIN, *run("s", "cat settings.py", f"password = '{password}'", 0), *turns(20)])
    assert context.compactions > 0
    again = Context.resume(archive, **settings)
    again.extend([say("assistant", f"The database takes {password}.", id="bare"), *turns(20, start=50)])
    assert again.compactions > 0
    assert "bare" not in {m.id for m in again.messages()}
    assert password not in repr(again.messages())


def test_what_was_recalled_since_stays_recalled_after_a_restart(archive: Archive) -> None:
    settings: dict[str, Any] = {"trigger": None, "keep_last": 4}
    whole, killed = (
        small(archive, session_id="whole", **settings),
        small(archive, session_id="killed", **settings),
    )
    call = ToolCall(id="r", name="recall", arguments={"words": "file3.txt"})
    asked = Message(id="r1", role="assistant", parts=(call,))
    given = Message(id="r2", role="tool", parts=(ToolResult(call_id="r", text="content of file3 " * 9),))
    for context in (whole, killed):
        context.extend([*BEGIN, *turns(9), asked, given, *turns(1, start=20)])
        context.compact_now()
        assert context.messages()[2:4] == [asked, given]
    again = Context.resume(archive, "killed", window=2_000, budget=300, **settings)
    for context in (whole, again):
        context.extend(turns(4, start=30))
        context.compact_now()
    assert asked in whole.messages()
    assert again.messages() == whole.messages()


def test_a_restart_does_not_set_off_a_compaction_that_was_not_due(archive: Archive) -> None:
    settings: dict[str, Any] = {
        "trigger": Trigger(messages=8),
        "keep_last": 10,
        "window": 100_000,
        "budget": 50,
    }
    context = small(archive, **settings)
    context.extend([*BEGIN, *turns(20)])
    again = Context.resume(archive, **settings)
    before = again.compactions
    again.append(say("user", "And now?", id="now"))
    assert again.compactions == before


class FailsNowAndThen:
    """A bare list of names, which raises every third time."""

    name, version = "index", "1"

    def __init__(self) -> None:
        self.asked = 0
        self._inner = get_method("index")

    async def compact(self, request: CompactionRequest) -> Compaction:
        self.asked += 1
        if self.asked % 3 == 0:
            raise ZeroDivisionError("no such luck")
        return await self._inner.compact(request)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_threads_that_append_compact_and_read_at_once_lose_and_mix_up_nothing(archive: Archive) -> None:
    method = FailsNowAndThen()
    context = small(archive, method=method, gate="off", keep_last=2)
    many, rounds, each = 6, 6, 5
    in_step = threading.Barrier(many + 1)
    done = threading.Event()
    wrong: list[str] = []

    def append(who: int) -> None:
        given = [*turns(rounds * each, start=1_000 * who, size=8)]
        for at in range(0, len(given), 2 * each):
            in_step.wait()
            for message in given[at : at + 2 * each]:
                context.append(message)
            in_step.wait()

    def compact() -> None:
        for _ in range(rounds):
            in_step.wait()
            with suppress(MethodFailed):
                context.compact_now()
            in_step.wait()

    def look() -> None:
        while not done.is_set():
            seen = [m.id for m in context.messages()]
            if len(seen) != len(set(seen)):
                wrong.append("a message stands there twice")

    writers = [threading.Thread(target=append, args=(who,)) for who in range(many)]
    writers.append(threading.Thread(target=compact))
    reader = threading.Thread(target=look)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in (*writers, reader):
            thread.start()
        for thread in writers:
            thread.join()
    finally:
        done.set()
        reader.join()
        sys.setswitchinterval(interval)
    assert wrong == []
    assert context.compactions >= 2
    assert context.failures >= 1
    archived = [m.id for m in archive.messages("context")]
    now = [m.id for m in context.messages()]
    for who in range(many):
        given = [m.id for m in turns(rounds * each, start=1_000 * who)]
        own = set(given)
        assert [i for i in archived if i in own] == given[: sum(i in own for i in archived)]
        assert {*archived, *now} >= own
        assert [i for i in now if i in own] == given[len(given) - sum(i in own for i in now) :]
    assert context.appended == 2 * many * rounds * each
    assert context.tokens == tokens(context.messages())
