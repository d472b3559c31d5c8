from __future__ import annotations

from dataclasses import replace

import pytest

from made_up_stores import FILES, RULE, compacted_session, put
from tamis.audit import discover_sessions
from tamis.audit.narrative import SuggestedCommand, advise, lost, nothing_found, shrinking
from tamis.audit.page import write_page
from tamis.audit.scan import conduct
from tamis.audit.screen import screen
from tamis.audit.totals import add_up

NEXT = [SuggestedCommand(line="tamis wrap claude-code", does="let tamis compact there")]


@pytest.fixture
def figures(home, audit):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    put(home, *FILES["Codex"])
    return audit()


def shown(figures, home, width=80):
    return "\n".join(screen(figures, NEXT, width=width, home=home))


@pytest.mark.parametrize("width", [64, 80, 120])
def test_no_line_is_wider_than_the_screen(figures, home, width):
    assert max(map(len, shown(figures, home, width).split("\n"))) <= width


def test_the_screen_fits_one_screen(figures, home):
    assert shown(figures, home).count("\n") < 50


def test_it_says_what_was_lost_in_the_users_words_and_what_to_type(figures, home):
    said = " ".join(shown(figures, home).split())
    assert f"You said “{RULE.rstrip('.')}”. After the compaction it was gone" in said
    assert "compacted their sessions once" in said
    assert "tamis wrap claude-code" in said


def test_what_was_not_read_is_never_passed_over_in_silence(figures, home):
    said = " ".join(shown(replace(figures, sessions=40, waiting=38), home).split())
    assert "2 of 40 were read" in said
    assert "--all reads everything" in said


def test_where_nothing_was_compacted_it_says_so(home, audit):
    put(home, *FILES["Codex"])
    assert "None of the agents compacted" in " ".join(shown(audit(), home).split())


def test_a_control_character_of_a_session_does_not_reach_the_terminal(figures, home):
    example = figures.examples[0]
    bad = replace(example, loss=replace(example.loss, text="never \x1b[2J touch it"))
    assert "\x1b" not in shown(replace(figures, examples=(bad,)), home)


def test_a_long_path_is_told_by_its_end(figures):
    example = next(e for e in figures.examples if e.loss.kind == "name")
    long = replace(example.loss, text="/home/ada/work/shop/backend/importer/rows/parse_rows.py")
    assert "…/backend/importer/rows/parse_rows.py in 1 turn" in lost(replace(example, loss=long))


def test_what_tamis_keeps_is_told_before_what_it_loses_too(figures):
    loss = next(e for e in figures.examples if e.loss.kind == "name").loss
    kept, heavier = replace(loss, kept_by_tamis=True), replace(loss, kept_by_tamis=False, weight=99.0)
    assert sorted([heavier, kept], key=lambda one: one.rank) == [kept, heavier]


def test_the_sizes_of_the_compactions_are_told(figures):
    assert shrinking(figures).startswith("1 compaction measured: ")


def test_no_sessions_found_says_where_it_looked_and_what_to_do(home, machine):
    (home / ".codex/sessions").mkdir(parents=True)
    said = nothing_found(discover_sessions(machine), home)
    assert "Claude Code, Codex, Gemini CLI" in said
    assert "~/.codex/sessions holds none" in said
    assert "tamis audit FOLDER" in said


def test_a_folder_without_sessions_is_told_alone(machine, home, tmp_path):
    (tmp_path / "mine").mkdir()
    said = nothing_found(discover_sessions(machine, [tmp_path / "mine"], only=True), home)
    assert said.startswith(f"no sessions found ({tmp_path}/mine holds none); name their folder")


def test_what_was_compacted_at_least_is_told_where_not_all_was_read(figures, home):
    said = " ".join(shown(replace(figures, waiting=3), home).split())
    assert "compacted their sessions at least once (counted by their marks" in said


def test_the_next_commands_show_what_tamis_makes_of_it_and_are_for_the_agent_that_compacts_most(
    home, machine
):
    put(home, ".claude/projects/-repo/1.jsonl", compacted_session())
    put(home, *FILES["Codex"])
    audited = conduct(discover_sessions(machine), jobs=1, seconds=1e6, watch=lambda *told: None)
    figures = add_up(audited)
    path = home / ".claude/projects/-repo/1.jsonl"
    made, wrap, page = (command.line for command in advise(figures, audited, page=None))
    assert made == f"tamis compact {path} -b 2% --as text"
    assert (wrap, page) == ("tamis wrap claude-code", "tamis audit -o audit.html")
    short = [command.line for command in advise(replace(figures, unreached=3), audited, page=path)]
    assert short == [made, wrap, "tamis audit --all"]


def test_a_file_of_several_sessions_is_none_to_compact(home, machine):
    chat = "\n# aider chat started at 2025-03-03 09:00:00\n\n#### Make it quick\n\nIt is quick now.\n" * 90
    put(home, "code/app/.aider.chat.history.md", chat)
    put(home, *FILES["Codex"])
    audited = conduct(discover_sessions(machine), jobs=1, seconds=1e6, watch=lambda *told: None)
    first, *_ = advise(add_up(audited), audited, page=None)
    assert FILES["Codex"][0] in first.line


def test_the_page_holds_the_losses_escaped_and_asks_nothing_of_the_network(figures, home, tmp_path):
    example = figures.examples[0]
    bad = replace(example, loss=replace(example.loss, text="never <script>alert(1)</script>"))
    page = write_page(replace(figures, examples=(bad,)), NEXT, tmp_path / "a.html", home=home)
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "default-src &#39;none&#39;" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
