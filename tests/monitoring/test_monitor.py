"""A live context that is watched: its decisions are written down, and what it needs again is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compactors.conversations import COUNTER, run, say
from context.small import BEGIN, small, turns
from tamis.compactors import Compaction, CompactionRequest, get_method
from tamis.context import Trigger
from tamis.context.listener import CompactionAttempt
from tamis.errors import MethodFailed
from tamis.messages import Message, Session
from tamis.monitoring import DecisionLog, Monitor, QualityCheck, replay_session
from tamis.monitoring.decision_log import LogReader
from tamis.monitoring.entries import (
    DecisionEntry,
    LogEntry,
    LostLinesEntry,
    QualityEntry,
    RegretEntry,
    TurnsEntry,
)


def watched(tmp_path: Path, **settings: Any) -> tuple[Any, Any, DecisionLog]:
    log = DecisionLog(tmp_path / "log.jsonl")
    quality = QualityCheck(every=2, sample=1, beside=False)
    listener = Monitor(log=log, quality=quality).context("s1", tokenizer=COUNTER)
    return small(listener=listener, tokenizer=COUNTER, **settings), listener, log


def noted(log: DecisionLog) -> list[LogEntry]:
    return [line.entry for line in LogReader(log.path).read()]


def decisions(log: DecisionLog) -> list[DecisionEntry]:
    return [entry for entry in noted(log) if isinstance(entry, DecisionEntry)]


def test_every_compaction_is_written_down(tmp_path: Path) -> None:
    context, _, log = watched(tmp_path)
    context.extend([*BEGIN, *turns(40)])
    made = decisions(log)
    assert len(made) == context.compactions > 1
    first = made[0]
    assert (first.source, first.session, first.decision, first.trigger) == (
        "context",
        "s1",
        "compacted",
        "tokens",
    )
    assert (first.method, first.outcome, first.budget_tokens) == ("ledger", "fits", 300)
    assert first.tokens_before is not None
    assert first.tokens_before >= 1_600 > (first.tokens_after or 0) > 0
    assert (first.latency_ms or 0) > 0


def test_what_set_it_off_is_written_down(tmp_path: Path) -> None:
    context, _, log = watched(tmp_path, trigger=Trigger(messages=12))
    context.extend([*BEGIN, *turns(8)])
    context.compact_now()
    assert {made.trigger for made in decisions(log)} == {"messages", "demand"}


def test_turns_and_regret_are_written_down_as_they_happen(tmp_path: Path) -> None:
    context, listener, log = watched(tmp_path)
    context.extend([*BEGIN, *turns(40)])
    before = [entry for entry in noted(log) if isinstance(entry, RegretEntry)]
    context.extend(run("again", "cat file1.txt", "content of file1 " * 20, 0))
    seen = [entry for entry in noted(log) if isinstance(entry, RegretEntry)][len(before) :]
    (reread,) = [entry for entry in seen if entry.kind == "reread"]
    assert reread.tokens > 20
    assert sum(entry.new_turn for entry in seen) == 1
    told = [entry for entry in noted(log) if isinstance(entry, TurnsEntry)]
    assert sum(entry.turns for entry in told) == listener.regret.turns > 0


def test_nothing_that_was_said_stands_in_the_log(tmp_path: Path) -> None:
    context, _, log = watched(tmp_path)
    context.extend([*BEGIN, *turns(40), *run("again", "cat file1.txt", "content of file1 " * 20, 0)])
    text = log.path.read_text()
    assert not [word for word in ("prices.csv", "rows.py", "file1", "cat ") if word in text]


class Failing:
    """Fails in one of the ways in which a method can."""

    name, version = "failing", "1"

    def __init__(self, warning: str | None = None) -> None:
        self.warning = warning

    async def compact(self, request: CompactionRequest) -> Compaction:
        if self.warning is None:
            raise ValueError("prices.csv is at fault")
        made = await get_method("full").compact(request)
        return Compaction(
            messages=made.messages,
            account=made.account,
            tokens_before=made.tokens_before,
            tokens_after=made.tokens_before,
            outcome="unmet",
            warnings=(self.warning,),
            method=self.name,
            version=self.version,
        )


@pytest.mark.parametrize(("warning", "outcome"), [(None, ""), ("no room for prices.csv", "unmet")])
def test_a_compaction_that_fails_is_a_fallback(tmp_path: Path, warning: str | None, outcome: str) -> None:
    context, listener, log = watched(tmp_path, method=Failing(warning), gate="off", trigger=None)
    context.extend([*BEGIN, *turns(40)])
    with pytest.raises(MethodFailed):
        context.compact_now()
    (made,) = decisions(log)
    assert (made.decision, made.outcome, made.warnings) == ("fallback", outcome, int(warning is not None))
    assert made.reason == ("unmet" if warning else "ValueError")
    assert made.tokens_before == made.tokens_after
    assert "prices.csv" not in log.path.read_text()
    assert not listener.regret.is_watching


def test_warnings_are_written_down_where_that_is_asked_for(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "log.jsonl")
    listener = Monitor(log=log, with_details=True).context()
    context = small(listener=listener, method=Failing("no room for prices.csv"), gate="off", trigger=None)
    context.extend([*BEGIN, *turns(40)])
    with pytest.raises(MethodFailed):
        context.compact_now()
    assert "no room for prices.csv" in decisions(log)[0].detail


def test_nothing_to_replace_is_a_decision_too(tmp_path: Path) -> None:
    context, _, log = watched(tmp_path, trigger=None)
    assert context.compact_now() is None
    assert [(made.decision, made.reason) for made in decisions(log)] == [("untouched", "nothing-to-replace")]


def test_quality_is_checked_every_so_many_compactions(tmp_path: Path) -> None:
    context, _, log = watched(tmp_path)
    context.extend([*BEGIN, *turns(60)])
    checks = [entry for entry in noted(log) if isinstance(entry, QualityEntry)]
    assert len(checks) == context.compactions // 2 > 0
    assert all(check.asked > 0 and check.score is not None for check in checks)


def test_a_log_on_a_full_disk_stops_no_conversation(tmp_path: Path) -> None:
    class Full(DecisionLog):
        def _append(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    listener = Monitor(log=Full(tmp_path / "log.jsonl")).context()
    context = small(listener=listener)
    with pytest.warns(RuntimeWarning, match="No space left on device.*the work goes on") as told:
        context.extend([*BEGIN, *turns(40)])
    assert context.compactions > 1
    assert len(told) == 1


def test_a_listener_that_fails_stops_no_conversation() -> None:
    class Broken:
        def appended(self, message: Message) -> None:
            raise KeyError(message.id)

        def compacted(self, attempt: CompactionAttempt) -> None:
            raise KeyError("compacted")

    context = small(listener=Broken())
    with pytest.warns(RuntimeWarning, match="a listener failed"):
        context.extend([*BEGIN, *turns(40), say("user", "Go on.")])
    assert context.compactions > 1
    assert context.failures == 0


def test_a_recorded_session_is_replayed_as_a_shadow(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "log.jsonl")
    messages = (*BEGIN, *turns(40), *run("again", "cat file1.txt", "content of file1 " * 20, 0))
    session = Session(id="s1", format="native", messages=messages)
    watch = replay_session(session, Monitor(log=log), window=2_000, budget=300, tokenizer=COUNTER)
    assert {entry.mode for entry in noted(log) if not isinstance(entry, LostLinesEntry)} == {"shadow"}
    assert len(decisions(log)) > 1
    assert watch.by_kind["reread"] == 1
    assert replay_session(session, window=200_000, tokenizer=COUNTER).rate is None
