"""The hybrid method: what of a model's story is taken, and what stands in its place."""

from __future__ import annotations

from typing import Any

import pytest

from compactors.answers import FAILURES, LATER, SPAN, STORY, text_of
from compactors.conversations import compact, lines, run, say
from tamis.compactors.methods.hybrid import Hybrid
from tamis.compactors.methods.ledger import LedgerMethod
from tamis.errors import (
    ModelTimeout,
)
from tamis.messages import identify
from tamis.models import ScriptedModel


@pytest.mark.parametrize("failure", [*FAILURES, "prose, and prose again"])
def test_hybrid_without_an_answer_is_the_ledger_and_says_so(failure: Any) -> None:
    made = compact(Hybrid(ScriptedModel([failure] * 9)), SPAN, 400)
    assert made.messages == compact(LedgerMethod(), SPAN, 400).messages
    assert made.outcome == "fits"
    assert "the ledger alone" in made.warnings[-1]


def told(section: str, *said: str) -> dict[str, Any]:
    """A story of one section."""
    return {name: list(said) if name == section else [] for name in STORY}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("It fails in src/ghost.py. [m2]", "naming what stands nowhere"),
        ("The drawer is rather wide. [m9]", "without a source in the span"),
        ("The drawer is rather wide.", "without a source in the span"),
        ("twice " * 200 + "[m2]", "too long"),
        ("  ", "empty"),
    ],
)
def test_a_line_that_the_session_does_not_bear_out_is_dropped(line: str, why: str) -> None:
    made = compact(Hybrid(ScriptedModel([told("facts", line)])), SPAN, 400)
    assert made.messages == compact(LedgerMethod(), SPAN, 400).messages
    assert made.warnings[-1] == f"of 1 lines that the model wrote, dropped: 1 {why}"


def test_a_line_that_is_said_twice_is_taken_once() -> None:
    line = "The drawer opens twice. [m2]"
    made = compact(Hybrid(ScriptedModel([told("facts", line, line)])), SPAN, 400)
    assert text_of(made).count("\n- The drawer opens twice. (#1)") == 1
    assert made.warnings[-1].endswith("1 said before")


def test_a_line_without_a_citation_is_cited_where_its_names_stand() -> None:
    made = compact(Hybrid(ScriptedModel([told("facts", "open_drawer is called twice")])), SPAN, 400)
    assert "- open_drawer is called twice (#1)" in text_of(made).splitlines()


def test_rules_stand_to_the_letter_beside_the_story() -> None:
    made = compact(Hybrid(ScriptedModel([STORY])), SPAN, 400)
    lines = text_of(made).splitlines()
    assert lines.index("> Never touch src/tax.py.") < lines.index("## Summary, by a model")
    assert "- The voucher comes off the total before tax, as the receipt demands. (#6)" in lines
    assert made.state == compact(LedgerMethod(), SPAN, 400).state


def test_what_the_story_tells_is_not_told_again() -> None:
    made = compact(Hybrid(ScriptedModel([STORY])), SPAN, 400)
    assert text_of(made).count("called in two places") == 1


OVERTAKEN = identify(
    [
        *SPAN,
        say(
            "user", "Take the voucher off after tax. No wait, not after tax: take it off before the discount."
        ),
        *run("c3", "pytest -q", "===== 1 failed, 3 passed in 0.1s ====="),
    ]
)


def test_a_state_that_the_last_run_contradicts_is_dropped() -> None:
    story = told("state", "All tests pass. [m7]", "The drawer opens twice. [m2]")
    made = compact(Hybrid(ScriptedModel([story])), OVERTAKEN, 400)
    assert "All tests pass" not in text_of(made)
    assert made.warnings[-1].endswith("1 saying what no longer holds")


def test_lines_last_and_keep_their_places() -> None:
    first = compact(Hybrid(ScriptedModel([STORY])), SPAN, 300)
    later = {**STORY, "facts": ["The drawer opens twice because open_drawer is called in two places. (#1)"]}
    later["next"] = ["Print the voucher. [m1]"]
    model = ScriptedModel([later])
    made = compact(Hybrid(model), LATER, 300, first)
    assert "facts: The drawer opens twice" in model.prompts[0].text
    assert "step line" not in model.prompts[0].text
    assert "called in two places. (#1)" in text_of(made)
    assert "- Print the voucher. (#7)" in text_of(made)


def test_the_story_of_the_first_part_stands_where_a_later_part_has_no_answer() -> None:
    prose = "I would rather not."
    model = ScriptedModel([STORY, *[prose] * 99], window_tokens=3_400)
    span = identify([*SPAN, *run("p", "cat paste", lines("a long paste of", 400), 0)])
    made = compact(Hybrid(model), span, 700)
    assert "called in two places. (#1)" in text_of(made)
    assert "the story of the first part" in made.warnings[-1]


def test_a_story_that_is_too_long_leaves_out_whole_lines() -> None:
    long = told(
        "facts", *(f"The drawer opens twice, and that for the reason number {n}. [m2]" for n in range(60))
    )
    made = compact(Hybrid(ScriptedModel([long])), SPAN, 400)
    assert made.outcome == "fits"
    assert "reason number 0. (#1)" in text_of(made)
    assert "the story was too long; left out" in " ".join(made.warnings)


def test_a_model_that_is_down_is_not_asked_part_by_part() -> None:
    model = ScriptedModel([ModelTimeout("model: no answer in time")] * 99, window_tokens=2_000)
    span = identify([*SPAN, say("user", lines("a long paste of", 900))])
    compact(Hybrid(model), span, 400)
    assert len(model.prompts) == 1
