from __future__ import annotations

import sqlite3

from made_up_stores import goose_database, opencode_database, opencode_storage
from tamis.audit import discover_sessions


def test_the_small_files_of_opencode_make_one_session(home, look):
    opencode_storage(home)
    (looked,) = look()
    assert (looked.stored.store.agent, looked.messages, looked.trouble) == ("OpenCode", 2, None)


def test_the_size_of_a_session_in_small_files_is_that_of_all_of_them(home, machine):
    first = opencode_storage(home)
    (found,) = discover_sessions(machine).sessions
    assert found.bytes > 2 * first.stat().st_size


def test_each_session_of_opencodes_database_is_found_and_read(home, look):
    opencode_database(home)
    (looked,) = look()
    assert (looked.stored.inside, looked.agent, looked.messages) == ("ses_9", "opencode", 2)
    assert looked.stored.modified == 1767225600


def test_each_session_of_gooses_database_is_found_and_read(home, look):
    goose_database(home)
    (looked,) = look()
    assert (looked.stored.inside, looked.agent, looked.messages) == ("20260101_1", "goose", 1)
    assert looked.stored.modified == 1767225600


def test_nothing_is_written_beside_a_database(home, look):
    path = opencode_database(home)
    before = {p.name: p.stat().st_mtime_ns for p in path.parent.iterdir()}
    look()
    assert {p.name: p.stat().st_mtime_ns for p in path.parent.iterdir()} == before


def test_a_database_of_an_unknown_version_is_told_with_what_to_do(home, machine):
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE talks (id TEXT)")
    database.close()
    (trouble,) = discover_sessions(machine).troubles
    assert trouble.kind == "a database of an unknown version"
    assert "export its sessions and use --path" in trouble.reason
