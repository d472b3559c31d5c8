"""The example sessions: what they hold, and that the script that recorded them still does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis.messages import count_messages, get_counter, pair_calls

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SHORT = {
    "sessions/till.claude-code.jsonl": "claude-code",
    "sessions/logmerge.openai-chat.json": "openai-chat",
    "sessions/rota.codex.jsonl": "codex",
}
LONG = "long/freight.claude-code.jsonl.xz"
SESSIONS = SHORT | {LONG: "claude-code"}


@pytest.mark.parametrize(("name", "format_name"), SESSIONS.items())
def test_each_is_read_whole_and_is_long_enough_to_compact(name: str, format_name: str) -> None:
    session = tamis.read(EXAMPLES / name)
    assert (session.format, session.unread) == (format_name, ())
    assert len(session) >= 60
    assert sum(count_messages(session.messages, get_counter())) >= 8_000
    assert pair_calls(session.messages).whole


def test_each_is_there_in_another_format() -> None:
    kept = [*(EXAMPLES / "sessions").iterdir(), *(EXAMPLES / "long").iterdir()]
    assert sorted(str(p.relative_to(EXAMPLES)) for p in kept) == sorted(SESSIONS)


def test_one_is_as_long_as_real_work() -> None:
    session = tamis.read(EXAMPLES / LONG)
    assert sum(count_messages(session.messages, get_counter())) >= 40_000


@pytest.mark.parametrize(
    ("arguments", "path", "says"),
    [((), "", "Usage: python examples/record.py FOLDER"), (("FOLDER",), "nowhere", "bash and git must be")],
)
def test_nothing_is_recorded_without_a_folder_or_what_the_stories_need(
    tmp_path: Path, arguments: tuple[str, ...], path: str, says: str
) -> None:
    given = [str(tmp_path) for _ in arguments]
    env = os.environ | ({"PATH": path} if path else {})
    ran = subprocess.run(
        [sys.executable, EXAMPLES / "record.py", *given], env=env, check=False, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert says in ran.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("git") is None, reason="recording needs git")
def test_the_script_records_sessions_of_the_same_shape(tmp_path: Path) -> None:
    """Not the same bytes: what pytest and Python print differs from version to version."""
    subprocess.run([sys.executable, EXAMPLES / "record.py", tmp_path], check=True, capture_output=True)
    for name in SESSIONS:
        recorded, kept = tamis.read(tmp_path / name), tamis.read(EXAMPLES / name)
        assert [m.role for m in recorded.messages] == [m.role for m in kept.messages]
