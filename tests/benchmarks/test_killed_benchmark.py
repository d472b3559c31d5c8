from __future__ import annotations

import json
from pathlib import Path

import pytest
from killed import PLACES, Outcome, measure

from tamis.archive import Archive
from tamis.context import Context


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Two hundred messages as plain chat, with a rule that is replaced in the middle."""
    items: list[dict[str, object]] = [
        {"role": "system", "content": "You are careful."},
        {"role": "user", "content": "Make rows.py skip empty rows. Never change prices.csv. Use port 8080."},
    ]
    for n in range(99):
        arguments = json.dumps({"command": f"cat src/part{n}/file{n}.py"})
        call = {"id": f"c{n}", "type": "function", "function": {"name": "bash", "arguments": arguments}}
        items.append({"role": "assistant", "content": None, "tool_calls": [call]})
        items.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"value_{n} = compute({n})\n" * 20})
        if n == 50:
            items.append({"role": "user", "content": "Use port 9090 instead of 8080."})
    path = tmp_path / "session.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_ten_compactions_with_a_kill_at_every_place_lose_nothing(session: Path) -> None:
    assert set(PLACES) == {"method", "write", "unsaved", "saved", "between"}
    assert measure(session, 400, PLACES) == Outcome(messages=201, kills=5, lost=0, same=True)


def test_a_message_that_is_nowhere_is_counted(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Archive, "put", lambda *_, **__: [])
    assert measure(session, 400, ()).lost > 100


def test_an_end_that_is_another_is_seen(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restore = Context._restore

    def forgetful(context: Context, snapshot: object) -> None:
        restore(context, snapshot)  # type: ignore[arg-type]
        context._body = context._body[1:]

    monkeypatch.setattr(Context, "_restore", forgetful)
    assert not measure(session, 400, ("saved",)).same
