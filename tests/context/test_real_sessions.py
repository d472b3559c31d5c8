"""Recorded sessions, compacted ten times in a row, killed in between and taken up again: nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis.archive import Archive
from tamis.context import Context
from tamis.messages import count_messages, get_counter, pair_calls

FEEDER = Path(__file__).with_name("feeder.py")
SETTINGS = {"budget": 2_000, "trigger": None, "keep_last": 2}
WINDOW = 1_000_000


def find(folder: Path, pattern: str) -> tuple[Path, tamis.Session]:
    """The largest session of the kind that is not huge and goes on for a while."""
    sizes = sorted(((p.stat().st_size, p) for p in folder.glob(pattern)), reverse=True)
    for size, path in sizes:
        if size < 1_500_000 and len((session := next(iter(tamis.read_all(path)))).messages) >= 40:
            return path, session
    pytest.skip(f"no {pattern} among the recorded sessions")


@pytest.mark.parametrize(
    "pattern",
    ["claude-code*/**/*.jsonl", "sweagent*/**/*.traj*", "mini-swe-agent*/**/*.json*"],
)
def test_ten_compactions_and_a_kill_lose_nothing(real_sessions: Path, tmp_path: Path, pattern: str) -> None:
    path, session = find(real_sessions, pattern)
    messages = session.messages
    store = tmp_path / "a"
    feeder = subprocess.Popen(
        [sys.executable, str(FEEDER), str(path), str(store)], stdout=subprocess.PIPE, text=True
    )
    assert feeder.stdout is not None
    for _ in range(5):
        assert feeder.stdout.readline().startswith("compacted")
    feeder.kill()
    feeder.communicate()
    with Archive.open(store) as archive:
        context = Context.resume(archive, window=WINDOW, **SETTINGS)
        assert context.appended >= len(messages) // 2 - 10
        step = -(-len(messages) // 10)
        while context.appended < len(messages):
            context.extend(messages[context.appended : context.appended + step])
            context.compact_now()
        now = context.messages()
        brief = context._previous
        assert brief is not None
        assert sum(count_messages(brief.messages, get_counter())) == brief.tokens_after <= 2_000
        there = {repr(m.parts) for m in (*archive.messages("context"), *now)}
        assert {repr(m.parts) for m in messages} <= there
        assert pair_calls(now).whole or not pair_calls(messages).whole
