from __future__ import annotations

from compactors.conversations import fates, lines, request, say
from tamis.compactors import Compaction, get_method, run_compactor
from tamis.messages import Message

SPAN = [say("user", lines("old", 40)), say("assistant", "Done.")]
SUMMARY = say("user", "The importer is fixed.", id="summary", origin="summary")


def compact(recorded: Message | None, budget: int = 50) -> Compaction:
    return run_compactor(get_method("recorded"), request(SPAN, budget, recorded=recorded))


def test_the_agents_own_summary_stands_for_the_span() -> None:
    made = compact(SUMMARY)
    assert (made.outcome, made.messages) == ("fits", (SUMMARY,))
    assert fates(made) == ["condensed", "condensed"]


def test_without_a_summary_nothing_is_replaced() -> None:
    made = compact(None)
    assert made.outcome == "unmet"
    assert "no summary" in made.warnings[0]


def test_a_summary_that_does_not_fit_is_not_cut() -> None:
    made = compact(SUMMARY, budget=5)
    assert made.outcome == "unmet"
    assert "the budget is 5" in made.warnings[0]
