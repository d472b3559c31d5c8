"""A context taken up again, and one that many threads use."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from typing import Any

import pytest

from compactors.conversations import run, say, tokens
from context.small import BEGIN, small, turns
from tamis.archive import Archive
from tamis.compactors import Compaction, CompactionRequest, get_method
from tamis.context import Context, Trigger
from tamis.errors import InputError, MethodFailed
from tamis.messages import Message, ToolCall, ToolResult


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
