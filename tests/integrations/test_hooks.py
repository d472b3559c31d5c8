"""What Claude Code's hooks do: keep the conversation before a compaction, tell after it what was left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions.claude_lines import call, line, reply, result, save, text, user
from tamis.archive import Archive
from tamis.errors import InputError
from tamis.integrations.agents.hooks import MOST_CHARS, HookCall, answer_hook, read_call
from tamis.messages import get_counter
from tamis.sessions import find_sessions, read

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sessions" / "till.claude-code.jsonl"
BEFORE = [
    user("Never touch src/tax.py. Make src/till.py accept vouchers."),
    reply(text("I read it."), call("c1", command="cat src/till.py")),
    result("c1", "def open_drawer(): ...\n# port 8417, code VX-4471"),
    reply(text("The drawer listens on port 8417, the code is VX-4471.")),
]
AFTER = [
    line("system", subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 900}),
    user(
        "The user wants src/till.py to accept vouchers. The drawer listens on port 8417.",
        isCompactSummary=True,
    ),
]


def hook(event: str, transcript: Path, **fields: Any) -> HookCall:
    given = {"session_id": "s-1", "transcript_path": str(transcript), "hook_event_name": event, **fields}
    return read_call(json.dumps(given))


def told(transcript: Path, archive: Archive, budget: int = 2_000) -> str:
    asked = hook("SessionStart", transcript, source="compact")
    answer = answer_hook(asked, archive, counter=get_counter(), budget_tokens=budget)
    if answer is None:
        return ""
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    context: str = answer["hookSpecificOutput"]["additionalContext"]
    return context


def before_compaction(transcript: Path, archive: Archive) -> None:
    assert answer_hook(hook("PreCompact", transcript, trigger="auto"), archive, counter=get_counter()) is None


def test_before_a_compaction_every_message_is_kept(tmp_path: Path, kept: Archive) -> None:
    before_compaction(save(tmp_path / "log.jsonl", BEFORE), kept)
    assert "def open_drawer" in kept.get(kept.search("open_drawer")[0].id).results[0].text
    assert kept.stats().messages == len(BEFORE)


def test_after_it_only_what_the_summary_leaves_out_is_told(tmp_path: Path, kept: Archive) -> None:
    before_compaction(save(tmp_path / "log.jsonl", BEFORE), kept)
    context = told(save(tmp_path / "log.jsonl", [*BEFORE, *AFTER]), kept)
    assert "Never touch src/tax.py." in context
    assert "VX-4471" in context


def test_it_says_how_the_messages_can_be_had_back(tmp_path: Path, kept: Archive) -> None:
    context = told(save(tmp_path / "log.jsonl", [*BEFORE, *AFTER]), kept)
    assert f"tamis recall {kept.path} WORDS" in context


def test_a_log_without_the_compaction_yet_is_told_without_a_summary(tmp_path: Path, kept: Archive) -> None:
    transcript = save(tmp_path / "log.jsonl", BEFORE)
    before_compaction(transcript, kept)
    context = told(transcript, kept)
    assert "8417" in context
    assert context.startswith("What the conversation held before it was summarised")


def test_an_older_compaction_s_summary_is_not_taken_for_the_newest(tmp_path: Path, kept: Archive) -> None:
    more = [user("Print the receipts too."), reply(text("The printer is LP-9, on 8417."))]
    transcript = save(tmp_path / "log.jsonl", [*BEFORE, *AFTER, *more])
    before_compaction(transcript, kept)
    context = told(transcript, kept)
    assert "LP-9" in context
    assert "8417" in context


def test_at_the_second_compaction_the_first_rules_still_hold(tmp_path: Path, kept: Archive) -> None:
    more = [user("Print the receipts too."), reply(text("The printer is LP-9."))]
    again = [line("system", subtype="compact_boundary"), user("Receipts.", isCompactSummary=True)]
    context = told(save(tmp_path / "log.jsonl", [*BEFORE, *AFTER, *more, *again]), kept)
    assert "Never touch src/tax.py." in context
    assert "LP-9" in context


@pytest.mark.parametrize(("event", "source"), [("SessionStart", "startup"), ("Stop", None)])
def test_other_events_are_nothing_to_it(event: str, source: str | None, kept: Archive) -> None:
    asked = hook(event, Path("/no/such/file"), source=source)
    assert answer_hook(asked, kept, counter=get_counter()) is None


def test_two_hooks_at_once_keep_everything_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def run(_: int) -> None:
        with Archive.open(tmp_path / "work.tamis") as archive:
            before_compaction(EXAMPLE, archive)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(8)))
    with Archive.open(tmp_path / "work.tamis", read_only=True) as archive:
        assert list(archive.messages("s-1"))
        assert len(list(archive.messages("s-1"))) == len(read(EXAMPLE).messages)


@pytest.mark.parametrize("given", ["", "not json", "[]", '{"session_id": "s"}'])
def test_what_is_no_hook_s_call_is_said(given: str) -> None:
    with pytest.raises(InputError, match="hook's JSON on standard input"):
        read_call(given)


def test_recorded_sessions_are_told_within_the_budget(real_sessions: Path, kept: Archive) -> None:
    """At the newest compaction of each; what the recorded summary leaves out is seldom nothing."""
    found = find_sessions([real_sessions / "entire-claude-code"])
    transcripts = [file.path for file in found if file.format == "claude-code"]
    sessions = [path for path in transcripts[:40] if read(path).boundaries][:8]
    assert sessions
    contexts = [told(path, kept) for path in sessions]
    assert all(get_counter().count(c) <= 2_000 and len(c) <= MOST_CHARS for c in contexts)
    assert sum(map(bool, contexts)) > len(contexts) // 2
