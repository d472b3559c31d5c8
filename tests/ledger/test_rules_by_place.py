"""Rules by their place: under an announcement, in a title, behind a condition."""

from __future__ import annotations

import pytest

from tamis.ledger.extract import ReadContext
from tamis.ledger.speech.constraints import extract_constraints
from tamis.messages import Message, Text


def ruled(message: str) -> list[str]:
    """The rules of a user's message, as they are quoted."""
    drafts = extract_constraints(Message(id="m", role="user", parts=(Text(text=message),)), ReadContext())
    return [draft.value.text for draft in drafts]


def test_the_title_of_a_report_names_its_trouble() -> None:
    title = "2.0: Dates cannot be used inside lists"
    assert ruled(f"{title}\n\nSince the update it fails. A list of dates raised. It worked in 1.9.") == []


def test_the_name_of_a_section_is_no_rule() -> None:
    assert ruled("### No Separate Index\n\ncan point at the catalogue here") == []
    assert ruled("## Never touch the lock file\n\nIt is shared.") == ["Never touch the lock file"]


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("Add `math` to the imports. No cycle risk (it is small).", []),
        ("- `meta.json`: it is made from counts. No user content.", []),
        ("Write it in plain SQL. No libraries.", ["No libraries."]),
        ("The page is small.\nNo frameworks.", ["No frameworks."]),
    ],
)
def test_a_remark_that_says_what_is_not_there_is_no_rule(message: str, rules: list[str]) -> None:
    assert ruled(message) == rules


def test_what_somebody_else_proposes_is_no_rule_yet() -> None:
    proposal = "The librarian proposes:\n1. On a clash a new shelf is opened (never the old one moved)."
    assert ruled(f"Judge this.\n\n{proposal}") == []


def test_a_first_line_that_commands_is_a_rule() -> None:
    assert ruled("never touch the lock file\n\nThe import fails. It worked. Look into it.") == [
        "never touch the lock file"
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "If a form is signed, `# seen` has to stand at its end.",
        "Where a parcel goes abroad, the label must hold the weight.",
        "If you change a header, the changelog has to say so.",
        "For each new flag a test is required.",
    ],
)
def test_what_must_be_whenever_something_is_so_is_a_rule(rule: str) -> None:
    assert ruled(f"To know:\n- {rule}\n- Have fun.") == [rule]


@pytest.mark.parametrize(
    "told",
    [
        "If the cache was cold, the first call must have timed out.",
        "Ticket 3 of 9: is_open of src/door.py refuses zero, and must allow it.",
        "For each of them, we need to read the log.",
    ],
)
def test_what_must_be_once_is_no_rule(told: str) -> None:
    assert ruled(told) == []


@pytest.mark.parametrize(
    "message",
    [
        "Sort it. House rules:\n- The seed of a run is 7.\n- Parcels go out by noon.\n\nIt is old.",
        "Sort it.\n\n## Rules\n\nThe seed of a run is 7. Parcels go out by noon.\n\n## Next\n\nIt is old.",
        "The rules, told once: The seed of a run is 7. Parcels go out by noon.\nIt is old.",
        "Rules for all:\nThe seed of a run is 7.\nParcels go out by noon.\n\nIt is old.",
    ],
)
def test_what_is_announced_as_a_rule_is_one_in_any_form(message: str) -> None:
    found = ruled(message)
    assert [words.removeprefix("The rules, told once: ") for words in found] == [
        "The seed of a run is 7.",
        "Parcels go out by noon.",
    ]


def test_what_a_harness_announces_is_not_the_users() -> None:
    harness = (
        "<instructions>\n# Task Instructions\n\n## Command rules\n\n- You see the result.\n</instructions>"
    )
    assert ruled(f"<pr_description>\nIt fails.\n</pr_description>\n\n{harness}") == []


def test_what_is_to_be_weighed_or_confirmed_or_done_first_is_no_rule() -> None:
    weigh = "- Specifically address:\n  - Tables vs gauges (the harbour must NOT need a server)\n"
    confirm = "Confirm the tests are:\n\n- Not repetitive - use a table rather than copies\n"
    first = "## Constraints\n- Use metres.\n\nStart by reading the log, then write the page.\n"
    assert [ruled(text) for text in (weigh, confirm, first)] == [[], [], ["Use metres."]]


def test_what_need_not_be_changed_in_any_way_is_left_alone() -> None:
    rule = "You DON'T have to modify any of the charts!"
    assert ruled(rule) == [rule]
    assert ruled("You don't have to change the title.") == []
    told = "This means you DON'T have to modify any of the charts!"
    assert ruled(told) == [told.removeprefix("This means ")]  # which goes back to a sentence that is no rule
    assert ruled("This means you can sail now.") == []


def test_a_step_that_verifies_a_plan_is_no_rule() -> None:
    steps = "1. `make fmt && make lint` - ensure no trouble with the form\n2. `make test`\n"
    assert ruled(f"# Plan\n\nSail out.\n\n## Verification\n{steps}") == []
