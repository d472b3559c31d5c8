"""Corrections: what the user says later replaces what it updates, and nothing else."""

from __future__ import annotations

import pytest

from ledger.conversation import said
from tamis.ledger import State, read_ledger


def after(*texts: str) -> State:
    return read_ledger([said("user", text, f"m{i}") for i, text in enumerate(texts)]).state


def replaced(state: State) -> list[tuple[str, str]]:
    return [(entry.value.old, entry.value.new) for entry in state.corrections]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The timeout is 30 seconds.", "Timeout should be 45 seconds now."),
        (
            "The invoice module uses Postgres.",
            "We're going with MySQL rather than Postgres for the invoice module.",
        ),
        ("Never exceed $900.", "Budget was raised to $956."),
        ("The login token is valid for 15 minutes.", "The login token should be valid for 60 minutes."),
        ("The deadline for the report is 3 May.", "The deadline moved to 14 May."),
        ("Dana owns the export job.", "Marek took over the export job from Dana."),
        ("The reports read from MongoDB.", "The reports no longer read from MongoDB but from MySQL."),
        ("Deployments run through Terraform.", "Deployments have been switched over to Bazel."),
        ("The cat is called Mimi.", "The cat's name is Momo, not Mimi."),
        ("I want the report in English.", "I want the report in German."),
        ("Lukas lives in Berlin.", "Lukas moved to Hamburg last month."),
    ],
)
def test_a_later_sentence_replaces_what_it_updates(old: str, new: str) -> None:
    state = after(old, new)
    assert replaced(state) == [(old, new)]
    tables = (state.constraints, state.facts, state.entities, state.decisions)
    assert old not in [getattr(entry.value, "text", "") for table in tables for entry in table]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The read timeout is 30 seconds.", "The connect timeout is 10 seconds now."),
        ("The hotel budget is $900.", "The flight budget is $400."),
        ("Never touch config.yaml.", "Never touch secrets.yaml."),
        ("Anna owns billing.", "Ben owns shipping now."),
        ("The first payment is due on 1 May.", "The second payment is due on 1 June."),
        ("Order W1 was shipped on Monday.", "Order W2 was shipped on Tuesday."),
        ("Anna has two kids.", "Ben has three kids."),
        ("Don't deploy on Friday.", "The release is planned for Tuesday."),
        ("Sessions expire after 90 seconds.", "Invitations expire after 250 ms."),
    ],
)
def test_two_subjects_both_stand(old: str, new: str) -> None:
    assert replaced(after(old, new)) == []


@pytest.mark.parametrize(
    ("rule", "lifted"),
    [
        ("Dates must be in ISO format.", "ISO dates are no longer required."),
        ("Always run `make verify` before a commit.", "You don't need to run `make verify` any more."),
        ("config/prod.yaml is off limits.", "The restriction on config/prod.yaml is lifted."),
        ("Every commit has to name PO-66102.", "Forget the rule about naming PO-66102 in commits."),
    ],
)
def test_a_rule_that_is_taken_back_goes(rule: str, lifted: str) -> None:
    assert rule not in [entry.value.text for entry in after(rule, lifted).constraints]


def test_a_list_in_one_message_stands_as_a_whole() -> None:
    assert replaced(after("Titles: at most 60 words. Titles: at most 80 words.")) == []


def test_make_it_means_the_value_said_last() -> None:
    state = after("The timeout is 30 seconds.", "Make that 45 seconds.")
    assert replaced(state) == [("The timeout is 30 seconds.", "Make that 45 seconds.")]


def test_what_replaces_a_rule_is_a_rule_and_remembers_it() -> None:
    [rule] = after("Keep answers under 90 words.", "Answers can be up to 150 words.").constraints
    assert rule.value.text == "Answers can be up to 150 words."
    assert [old.text for old in rule.superseded] == ["Keep answers under 90 words."]
