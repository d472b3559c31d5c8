from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from made_up_stores import CLAUDE, CODEX, FILES, compacted_session, put
from tamis.audit import StoredSession, add_up, discover_sessions
from tamis.audit.inspection import HUGE_BYTES, InspectionJob, inspect_session
from tamis.audit.narrative import coverage
from tamis.audit.scan import FIRST_OF_EACH, ScanResult, conduct, in_order
from tamis.messages import get_counter


def whole(stored: StoredSession) -> InspectionJob:
    forever = float("inf")
    return InspectionJob(stored=stored, until=forever, most_seconds=forever)


def test_what_was_compacted_comes_first_then_the_newest(home, machine):
    for number in range(3):
        put(home, f".claude/projects/p/{number}.jsonl", CLAUDE)
    found = [replace(s, modified=float(i)) for i, s in enumerate(discover_sessions(machine).sessions)]
    ordered = in_order(found, {found[0]: 2})
    assert [s.path.stem for s in ordered] == ["0", "2", "1"]


def test_no_agent_waits_for_all_sessions_of_another(home, machine):
    for number in range(FIRST_OF_EACH + 2):
        put(home, f".claude/projects/p/{number}.jsonl", CLAUDE)
    put(home, *FILES["Codex"])
    found = [
        replace(s, modified=0.0 if s.store.agent == "Codex" else 9.0)
        for s in discover_sessions(machine).sessions
    ]
    agents = [s.store.agent for s in in_order(found, {})]
    assert agents.index("Codex") == FIRST_OF_EACH


def test_with_no_time_left_nothing_is_read_and_that_is_told(home, audit):
    put(home, *FILES["Claude Code"])
    figures = audit(seconds=0.0)
    assert (figures.sessions, figures.read, figures.is_whole) == (1, 0, False)


def test_compactions_of_what_was_not_read_are_counted_by_their_marks(home, machine):
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    (stored,) = (found := discover_sessions(machine)).sessions
    closed = replace(stored, bytes=HUGE_BYTES + 1)
    audited = conduct(replace(found, sessions=(closed,)), jobs=1, seconds=1e6, watch=lambda *told: None)
    assert audited.marks == {"Claude Code": 1}
    assert audited.searched


def test_under_a_path_that_is_given_too_compactions_are_counted_by_their_marks(home, machine, tmp_path):
    put(tmp_path, "mine/1.jsonl", compacted_session())
    found = discover_sessions(machine, [tmp_path / "mine"], only=True)
    figures = add_up(conduct(found, jobs=1, seconds=0.0, watch=lambda *told: None))
    assert (figures.waiting, figures.compactions, figures.searched) == (1, 0, False)
    closed = replace(found.sessions[0], bytes=HUGE_BYTES + 1)
    audited = conduct(replace(found, sessions=(closed,)), jobs=1, seconds=1e6, watch=lambda *told: None)
    assert [(a.agent, a.compactions) for a in add_up(audited).agents] == [("Claude Code", 1)]


def test_sessions_are_counted_and_not_files(home, audit):
    chat = "\n# aider chat started at 2026-01-0{} 10:00:00\n\n#### fix it\n\nI will.\n"
    put(home, "code/app/.aider.chat.history.md", chat.format(1) + chat.format(2))
    figures = audit()
    assert (figures.sessions, figures.read, figures.is_whole) == (2, 2, True)


def test_processes_find_the_same_as_one(home, machine, monkeypatch):
    monkeypatch.setattr("tamis.audit.scan.SMALL_BYTES", 0)
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    put(home, *FILES["Codex"])
    found = discover_sessions(machine)
    one, two = (conduct(found, jobs=jobs, seconds=1e6, watch=lambda *told: None) for jobs in (1, 2))
    assert one.looked == two.looked


def test_what_is_done_is_told_while_it_goes_on(home, machine):
    put(home, *FILES["Claude Code"])
    told = []
    conduct(discover_sessions(machine), jobs=1, seconds=1e6, watch=lambda *step: told.append(step))
    assert [step[0] for step in told] == ["searching", "reading"]
    assert told[-1][1] == told[-1][2] > 0


def test_a_session_that_takes_too_long_keeps_what_was_found_by_then(home, machine, monkeypatch):
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    (stored,) = discover_sessions(machine).sessions

    def measure(*given, **named):
        while True:
            pass

    monkeypatch.setattr("tamis.audit.inspection.CompactionAuditor.measure", measure)
    get_counter().count("warm")
    looked = inspect_session(replace(whole(stored), most_seconds=2.0))
    assert (looked.read, looked.cut_short, looked.compactions) == (True, True, 1)


def test_a_session_is_read_before_any_is_measured(home, machine):
    for number in range(2):
        put(home, f".claude/projects/p/{number}.jsonl", compacted_session())
    told = []
    conduct(discover_sessions(machine), jobs=1, seconds=1e6, watch=lambda *step: told.append(step))
    assert [step[0] for step in told] == ["searching"] * 2 + ["reading"] * 2 + ["measuring"] * 2
    assert [done < total for _, done, total in told] == [True, False] * 3


def test_the_newest_compactions_can_be_measured_without_the_others(home, machine):
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    (stored,) = discover_sessions(machine).sessions
    job = replace(whole(stored), task="measure")
    assert (inspect_session(job).tried, inspect_session(replace(job, newest=(1, 9))).tried) == (1, 0)


def test_what_bears_no_marks_is_measured_as_it_is_read(home, machine):
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    (stored,) = (found := discover_sessions(machine)).sessions
    unmarked = replace(stored, store=replace(stored.store, marks=()))
    audited = conduct(replace(found, sessions=(unmarked,)), jobs=1, seconds=1e6, watch=lambda *told: None)
    assert audited.looked[0].measured


def test_compactions_that_there_was_no_time_for_are_told(home, machine):
    put(home, ".claude/projects/p/1.jsonl", compacted_session())
    (stored,) = discover_sessions(machine).sessions
    read = inspect_session(replace(whole(stored), task="read"))
    found = discover_sessions(machine)
    figures = add_up(ScanResult(found=found, looked=(read,), marks={}, searched=True, seconds=1.0))
    assert (figures.unreached, figures.measured, figures.is_whole) == (1, 0, True)
    assert "not every compaction was measured" in coverage(figures)
    unread = {"Claude Code": 4}
    figures = add_up(ScanResult(found=found, looked=(read,), marks=unread, searched=True, seconds=1.0))
    assert figures.unreached == 5


def test_a_file_that_is_too_large_is_told_and_not_read(home, machine):
    put(home, *FILES["Claude Code"])
    (stored,) = discover_sessions(machine).sessions
    looked = inspect_session(whole(replace(stored, bytes=HUGE_BYTES + 1)))
    assert (looked.read, looked.trouble.kind) == (False, "too large for a look")
    assert "tamis show" in looked.trouble.reason


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"price": 1}\n{"price": 2}\n', "of a version or format that tamis does not know"),
        ('{"messages": [{"ro', "of a version or format that tamis does not know"),
        ("\0\1\2", "half synced or half written"),
    ],
)
def test_a_file_that_is_no_session_is_told_and_the_others_are_read(home, audit, text, kind):
    put(home, *FILES["Claude Code"])
    put(home, ".claude/projects/p/odd.jsonl", text)
    figures = audit()
    assert (figures.read, [(t.kind, t.files) for t in figures.troubles]) == (1, [(kind, 1)])


def test_a_file_that_is_being_written_is_read_as_far_as_it_goes(home, audit):
    put(home, ".codex/sessions/rollout-1.jsonl", CODEX + '{"timestamp": "2026-01-01T00:0')
    figures = audit()
    assert (figures.read, figures.cut_off) == (1, 1)


def test_a_file_that_is_gone_by_then_is_told(home, machine):
    path = put(home, *FILES["Claude Code"])
    found = discover_sessions(machine)
    Path(path).unlink()
    audited = conduct(found, jobs=1, seconds=1e6, watch=lambda *told: None)
    assert audited.looked[0].trouble is not None
    assert not audited.looked[0].read
