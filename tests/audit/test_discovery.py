from __future__ import annotations

from pathlib import Path

import pytest

from made_up_stores import AIDER, CLAUDE, FILES, put
from tamis.audit import STORES, Machine, discover_sessions
from tamis.audit.stores import roots_of
from tamis.errors import UnreadableFile


@pytest.mark.parametrize("agent", FILES)
def test_a_session_is_found_where_its_agent_keeps_it_and_read(agent, home, look):
    put(home, *FILES[agent])
    (looked,) = look()
    assert (looked.stored.store.agent, looked.read, looked.trouble) == (agent, True, None)
    assert looked.messages > 0


def test_xdg_folders_and_variables_lead_to_the_stores_too(home, tmp_path):
    put(tmp_path, "xdg/claude/projects/p/1.jsonl", CLAUDE)
    put(tmp_path, "cx/sessions/2026/rollout-1.jsonl", FILES["Codex"][1])
    variables = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), "CODEX_HOME": str(tmp_path / "cx")}
    found = discover_sessions(Machine(home=home, cwd=home, environment=variables))
    assert [s.store.agent for s in found.sessions] == ["Claude Code", "Codex"]


def test_the_mac_keeps_the_storage_of_editors_in_the_library(home):
    place, text = FILES["Roo Code"]
    below = place.partition("globalStorage")[2]
    put(home, f"Library/Application Support/Cursor/User/globalStorage{below}", text)
    assert not discover_sessions(Machine(home=home, cwd=home)).sessions
    assert len(discover_sessions(Machine(home=home, cwd=home, is_mac=True)).sessions) == 1


def test_aider_is_looked_for_in_the_folder_at_hand(home, tmp_path):
    put(tmp_path, "somewhere/.aider.chat.history.md", AIDER)
    found = discover_sessions(Machine(home=home, cwd=tmp_path / "somewhere"))
    assert [s.store.agent for s in found.sessions] == ["aider"]


def test_a_session_that_two_links_lead_to_is_found_once(home, machine):
    path = put(home, *FILES["Claude Code"])
    (path.parent / "2.jsonl").hardlink_to(path)
    assert len(discover_sessions(machine).sessions) == 1


def test_the_file_of_a_sub_agent_is_told_from_a_session(home, machine):
    put(home, ".claude/projects/p/s/subagents/agent-1.jsonl", CLAUDE)
    (found,) = discover_sessions(machine).sessions
    assert found.is_sub_agent


def test_a_path_that_is_given_is_searched_and_only_it_where_that_is_said(home, machine, tmp_path):
    put(home, *FILES["Codex"])
    put(tmp_path, "mine/talk.jsonl", CLAUDE)
    assert len(discover_sessions(machine, [tmp_path / "mine"]).sessions) == 2
    (only,) = discover_sessions(machine, [tmp_path / "mine"], only=True).sessions
    assert only.path.name == "talk.jsonl"


def test_under_a_path_that_is_given_a_session_is_its_agents_and_what_is_none_is_not_counted(
    machine, tmp_path
):
    put(tmp_path, "mine/talk.jsonl", CLAUDE)
    put(tmp_path, "mine/talk.py", "print('hello')")
    (tmp_path / "mine/talk.bin").write_bytes(b"\0\1\2")
    found = discover_sessions(machine, [tmp_path / "mine"], only=True)
    assert [(s.path.name, s.store.agent) for s in found.sessions] == [("talk.jsonl", "Claude Code")]
    assert [(t.path.name, t.kind) for t in found.troubles] == [
        ("talk.bin", "not readable"),
        ("talk.py", "without a session"),
    ]


def test_a_path_that_is_not_there_is_named(machine):
    with pytest.raises(UnreadableFile, match=r"/nowhere: no such file or folder; check what --path names"):
        discover_sessions(machine, [Path("/nowhere")])


@pytest.mark.parametrize(
    "name", ["1.jsonl.icloud", "1.sync-conflict-20260101.jsonl", "1 (conflicted copy).jsonl"]
)
def test_what_a_sync_left_is_no_session_but_is_told(name, home, machine):
    put(home, f".claude/projects/p/{name}", CLAUDE)
    found = discover_sessions(machine)
    assert not found.sessions
    assert [t.kind for t in found.troubles] == ["half synced or half written"]


def test_an_empty_file_is_told_as_not_synced_yet(home, machine):
    put(home, ".claude/projects/p/1.jsonl", "")
    (trouble,) = discover_sessions(machine).troubles
    assert "1.jsonl: empty: not written yet, or not synced" in trouble.reason


def test_where_it_was_looked_is_told_of_every_store(machine):
    looked = {agent for agent, _ in discover_sessions(machine).looked}
    assert looked == {store.agent for store in STORES}


def test_the_roots_of_a_store_are_absolute_and_each_is_there_once(home, machine):
    for store in STORES:
        roots = list(roots_of(store, machine))
        assert len(roots) == len(set(roots))
        assert all(root.is_absolute() for root in roots)
