from __future__ import annotations

from dataclasses import replace

from made_up_stores import FINDING, RULE, WORDY, compacted_session, put
from tamis.audit.compactions import CompactionAuditor, RecallCounts

PLACE = ".claude/projects/-repo/1.jsonl"
KEPT = f"The user wants the importer fixed. {RULE} {FINDING} The code is in importer/parse_rows.py. {WORDY}"


def losses(figures):
    return {example.loss.kind: example.loss for example in figures.examples}


def test_what_a_summary_dropped_and_was_needed_is_counted(home, audit):
    put(home, PLACE, compacted_session())
    figures = audit()
    assert (figures.compactions, figures.measured, figures.unmeasured) == (1, 1, 0)
    assert figures.statements.needed >= 1
    assert figures.statements.theirs.mean == 0
    assert figures.names.theirs.mean < 1


def test_a_summary_that_says_it_all_loses_nothing(home, audit):
    put(home, PLACE, compacted_session(KEPT))
    figures = audit()
    assert figures.measured == 1
    assert figures.statements.theirs.mean == 1
    assert "rule" not in losses(figures)
    assert "statement" not in losses(figures)


def test_a_rule_of_the_users_that_is_gone_is_told_in_the_users_words(home, audit):
    put(home, PLACE, compacted_session())
    assert losses(audit())["rule"].text == RULE


def test_a_statement_that_the_agent_came_back_to_is_told(home, audit):
    put(home, PLACE, compacted_session())
    assert losses(audit())["statement"].text == FINDING


def test_a_file_that_the_agent_used_again_is_told_with_how_often(home, audit):
    put(home, PLACE, compacted_session())
    loss = losses(audit())["name"]
    assert (loss.text, loss.uses) == ("importer/parse_rows.py", 1)


def test_tamis_takes_no_more_tokens_than_the_summary_did(home, audit):
    put(home, PLACE, compacted_session(KEPT))
    figures = audit()
    assert 0 < figures.tamis_tokens <= figures.tokens_after < figures.tokens_before


def test_a_compaction_in_a_session_that_was_resumed_into_another_file_counts_once(home, audit):
    put(home, PLACE, compacted_session())
    put(home, ".claude/projects/-repo/2.jsonl", compacted_session())
    figures = audit()
    assert (figures.sessions, figures.measured) == (2, 1)


def test_every_compaction_counts_once_in_a_share_however_much_was_needed_after_it(home, audit, monkeypatch):
    put(home, PLACE, compacted_session())
    put(home, ".claude/projects/-repo/2.jsonl", compacted_session(KEPT))
    more = RecallCounts(needed=8, theirs=2, tamis=4), RecallCounts(needed=1, theirs=1, tamis=0)
    measure, given = CompactionAuditor.measure, iter(more)
    monkeypatch.setattr(
        CompactionAuditor, "measure", lambda *a, **k: replace(measure(*a, **k), statements=next(given))
    )
    kept = audit().statements
    assert (kept.needed, kept.theirs.points, kept.theirs.mean, kept.tamis.mean) == (9, 2, 0.625, 0.25)
    assert kept.theirs.low < 0.625 < kept.theirs.high


def test_the_tokens_are_divided_by_what_they_went_to(home, audit):
    put(home, PLACE, compacted_session())
    use = audit().tokens
    assert use.results > use.text > 0
    assert use.results + use.calls + use.text + use.thinking <= use.total


def test_a_summary_so_short_that_tamis_says_nothing_in_as_many_tokens_is_not_measured(home, audit):
    put(home, PLACE, compacted_session("The importer."))
    figures = audit()
    assert (figures.compactions, figures.measured, figures.unmeasured) == (1, 0, 1)
