from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from made_up_stores import FILES, compacted_session, opencode_database, put

WATCHED = """
import json, os, sys
opened, reached = [], []
REFUSED = ("socket.connect", "socket.sendto", "socket.getaddrinfo", "os.mkdir", "os.rename", "os.remove")
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        mode, flags = arguments[1], arguments[2]
        if (mode and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            opened.append(arguments[0])
    elif event in REFUSED:
        reached.append([event, repr(arguments)])
sys.addaudithook(hook)
from tamis.cli import main
try:
    main(sys.argv[1:])
finally:
    print(json.dumps([opened, reached]), file=sys.stderr)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


def test_the_sessions_of_five_agents_come_onto_one_screen(tamis, home):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    for agent in ("Codex", "Gemini CLI", "Copilot CLI", "pi"):
        put(home, *FILES[agent])
    ran = tamis("audit")
    assert ran.status == 0
    assert ran.out.startswith("5 sessions of 5 agents on this machine")
    assert "You said “Never touch the migrations folder" in " ".join(ran.out.split())


def test_json_holds_the_figures(tamis, home):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    figures = tamis("audit", "--json").json
    assert (figures["sessions"], figures["compactions"], figures["measured"]) == (1, 1, 1)


def test_the_page_is_written_where_it_was_asked_for(tamis, home):
    put(home, *FILES["Codex"])
    ran = tamis("audit", "-o", "a.html")
    assert (home / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert ran.out.endswith("page: a.html\n")


def test_a_page_that_is_there_stops_it_before_anything_is_read(tamis, home):
    put(home, *FILES["Codex"])
    put(home, "a.html", "mine")
    ran = tamis("audit", "-o", "a.html")
    assert (ran.status, ran.out) == (2, "")
    assert "a.html exists" in ran.err


def test_nothing_found_is_one_line_with_what_to_do(tamis, home):
    ran = tamis("audit")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "no sessions found" in ran.err
    assert "tamis audit FOLDER" in ran.err


def test_a_folder_is_looked_at_alone(tamis, home, tmp_path):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    put(tmp_path / "apart", "2.jsonl", compacted_session())
    assert "1 session of 1 agent" in tamis("audit", str(tmp_path / "apart")).out
    assert "2 sessions of 1 agent " in tamis("audit", "--path", str(tmp_path / "apart")).out


def test_nothing_is_written_and_nothing_is_sent(home):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    opencode_database(home)
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, "audit", "--jobs", "1"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    opened, reached = json.loads(ran.stderr.splitlines()[-1])
    assert "on this machine" in ran.stdout
    assert ([path for path in opened if path != os.devnull], reached) == ([], [])
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before
