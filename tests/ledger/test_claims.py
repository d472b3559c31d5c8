"""What a sentence states, and whether it lasts."""

from __future__ import annotations

import pytest

from ledger.conversation import said
from tamis.ledger import read_ledger
from tamis.ledger.speech.claims import states
from tamis.ledger.speech.rule_polarity import rule_polarity


@pytest.mark.parametrize(
    "text",
    [
        "We're on Postgres 15 for the search index.",
        "I prefer one decisive recommendation over a list of options.",
        "Backups of the tax calculator go to eu-west-1.",
        "The webhook of the mail relay retries 3 times.",
        "Our office is in Leeds.",
        "Our fiscal year ends on 30 August.",
    ],
)
def test_a_fact_is_kept_as_its_whole_sentence(text: str) -> None:
    state = read_ledger([said("user", f"Funny day. {text} What next?")]).state
    assert text in [entry.value.text for entry in state.facts]


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday Dana and I walked through the form again.",
        "I read an article about lodash on the train.",
        "Step 3 took 20 seconds.",
        "If the port is 8443, tell me.",
        "Please send the list to Dana.",
    ],
)
def test_a_tale_a_condition_and_a_request_are_no_facts(text: str) -> None:
    assert not states(text)


@pytest.mark.parametrize(
    "text",
    [
        "The public API of the mobile client has to stay exactly as it is.",
        "Unless Kofi says otherwise, nothing gets deployed on Friday.",
        "No network access in the tests of the export job.",
        "Treat src/a.py as read-only.",
        "Nobody but Ingrid gets the credentials.",
        "What I need from you is that birth dates never end up in a.sh.",
        "Feel free to change anything except src/a.py.",
        "Our style guide says no emojis.",
        "Whoever changes the schema also updates the docs.",
    ],
)
def test_a_rule_is_known_by_what_it_does(text: str) -> None:
    assert rule_polarity(text)


@pytest.mark.parametrize(
    "text",
    [
        "It has to be the cache, I guess.",
        "We never really found out why it was so slow.",
        "You must be tired of hearing about it.",
        "Nobody should have to look at that.",
        "Retry logic uses exponential backoff.",
        "No idea who came up with it.",
    ],
)
def test_a_sigh_in_the_same_tone_is_none(text: str) -> None:
    assert rule_polarity(text) is None
