"""Looking for a cue's signs first changes nothing but the time that it takes."""

from __future__ import annotations

import pytest

from tamis.ledger.speech.decisions import _AGENT_CUE
from tamis.ledger.tasks.next_steps import _NEXT
from tamis.text.cues.phrases import Cue

SAID = (
    *(
        "We decided on SQLite.",
        "The decision stands.",
        "It chose B",
        "choosing A",
        "opted  for tabs",
        "opt\nfor it",
    ),
    *(
        "They agreed.",
        "settled",
        "Going\nwith C",
        "go  with D",
        "Instead of E",
        "rather\tthan F",
        "Because G",
    ),
    *(
        "since H",
        "the best",
        "simplest",
        "cleanest",
        "right  approach",
        "stick to it",
        "我们决定这样",
        "而不是那样",
    ),
    *(
        "I'll look",
        "i’ll look",
        "Now I will go",
        "I'm  going to see",
        "then I am going to see",
        "I need to see",
    ),
    *(
        "So I should see",
        "Let me see",
        "Let's see",
        "we need to see",
        "We'll see",
        "we should see",
        "I can now see",
    ),
    *(
        "Next: tests",
        "My next step",
        "Remaining: docs",
        "still  to do",
        "接下来看看",
        "让我看看",
        "我会看看",
        "随后",
    ),
    *(
        "was caused\nby it",
        "causes of it",
        "Root cause",
        "due  to it",
        "comes from",
        "it turns out",
        "turned\nout",
    ),
    *(
        "the reason is",
        "The culprit was",
        "the problem is",
        "the issue was",
        "the bug is",
        "found  that",
        "found the",
    ),
    *("原因是", "发现了", "nothing of the kind", "", "option", "letter", "nextafter"),
)


@pytest.mark.parametrize("cue", [_AGENT_CUE, _NEXT])
@pytest.mark.parametrize("text", SAID)
def test_a_cue_with_signs_stands_where_its_expression_is_found(cue: Cue, text: str) -> None:
    assert cue.stands_in(text) == (cue.search_lower(text.lower()) is not None)


def test_a_sign_may_stand_over_a_line_break() -> None:
    assert Cue(r"go\s+with", signs=("go with",)).stands_in("Go\n  with it")
