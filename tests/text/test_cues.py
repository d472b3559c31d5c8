"""Cues: what is looked for in lower case is found as if letter case were set aside."""

from __future__ import annotations

import re

import pytest

from tamis.ledger.speech import claims, constraints, decisions, facts, requests, rule_polarity
from tamis.ledger.speech.entities import find_entities
from tamis.ledger.tasks import next_steps
from tamis.text.cues import rules
from tamis.text.cues.discourse_cues import is_announcement, is_label, leans, pointers
from tamis.text.cues.phrases import Cue, either, looked_for

IN_LOWER_CASE = {
    "chosen": decisions._CUE,
    "argued": decisions._AGENT_CUE,
    "next": next_steps._NEXT,
    "asks": requests._ASKS,
    "hints": constraints._HINTS,
    "changes": constraints._CHANGE,
    "promised": rule_polarity.PROMISED,
    "told": rule_polarity._TOLD,
    "must not": rule_polarity._STRONG[0],
    "must": rule_polarity._STRONG[1],
    "had better not": rule_polarity._WEAK[0],
    "had better": rule_polarity._WEAK[1],
    "bound": rule_polarity._BOUND,
    "musing": rule_polarity._MUSING,
    "narration": rule_polarity._NARRATION,
    "command": rule_polarity._DIRECTIVE,
    "wavers": facts._WAVERING,
    "states": claims._STATES,
    "passing": claims._PASSING,
    "replaces": claims._REPLACES,
    "lifts": claims._LIFTS,
    "given up": claims._GIVEN_UP_BEFORE,
}


@pytest.mark.parametrize("cue", IN_LOWER_CASE.values(), ids=IN_LOWER_CASE)
def test_no_capital_stands_in_what_is_looked_for_in_lower_case(cue: Cue) -> None:
    assert re.search(r"(?<!\\)[A-Z]", cue.pattern) is None


@pytest.mark.parametrize(
    "text",
    [
        "We'll GO WITH Redis Instead of Memcached, 因为快.",
        "You MUST Never touch the Lock file; Make sure it stays.",
        "Next, I'll run the Tests. Please KEEP the API as it is.",
        "Nothing of the kind.",
    ],
)
def test_lower_case_finds_the_same_place(text: str) -> None:
    for cue in IN_LOWER_CASE.values():
        found, lower = cue.search(text), cue.search_lower(text.lower())
        assert (found and found.span()) == (lower and lower.span())


def test_what_moved_by_one_word_to_another_value_replaces() -> None:
    assert claims._REPLACES.search("The price fell sharply to 30.") is not None


@pytest.mark.parametrize(
    "role", ["organizer", "organiser", "oncall", "on-call", "point of contact", "co-owner"]
)
def test_a_role_is_found_by_its_own_words(role: str) -> None:
    assert [(e.name, e.role) for e in find_entities(f"Ana Ruiz is the {role}.")] == [("Ana Ruiz", role)]


@pytest.mark.parametrize(
    "text",
    [
        "and then never touch it, as no one may",
        "keep it out of the way (never use tabs), without touching it",
        "we must not stop; don't push",
        "only the tests may change",
        "nothing here",
    ],
)
def test_cues_that_begin_alike_are_found_where_each_alone_is(text: str) -> None:
    for cues in (rules.STRONG_MUST_NOT, rules.STRONG_MUST, rules.WEAK_MUST_NOT, rules.WEAK_MUST):
        together = looked_for(*cues, leads=rules.LEADS).search(text)
        alone = either(*cues).search(text)
        assert (together and together.start()) == (alone and alone.start())


def test_a_bar_in_a_group_or_a_set_parts_no_alternatives() -> None:
    cue = looked_for(r"\b(?:a|b)[|(]", r"\bc\|", "^[]|]x", leads=[r"\b"])
    assert [text for text in ("a|", "b(", "c|", "]x", "a", "c") if cue.search(text)] == [
        "a|",
        "b(",
        "c|",
        "]x",
    ]


def test_what_only_opens_a_report_is_a_label_or_an_announcement() -> None:
    assert all(map(is_label, ("What I implemented", "Recap", "What the issue is, exactly")))
    assert not is_label("Verification")  # over the steps of a request it is told with them
    assert not is_label("What the issue is about: `rows` is None")
    assert is_announcement("Here's my analysis and recommendation.")
    assert is_announcement("Please continue the conversation from where we left off without asking.")
    assert is_announcement("Primero, voy a leer las páginas de la granja.")
    assert is_announcement("I found the gauge on line 7.")
    assert not is_announcement("I found the gauge on line 7 to be read twice.")
    assert is_announcement("All changes are complete and verified.")
    assert pointers("check my tweak") == ["my tweak"]
    assert not pointers("check my version of rows.py")


@pytest.mark.parametrize(
    ("sentence", "goes_back"),
    [
        ("After that, open the sluice.", True),
        ("Afterwards the mill stands.", True),
        ("Do we have the same leak there?", True),
        ("After the flood the mill stood.", False),
        ("Do we have a leak at the weir?", False),
    ],
)
def test_what_comes_after_something_or_asks_of_there_leans(sentence: str, goes_back: bool) -> None:
    assert leans(sentence) is goes_back
