"""Rules: told from questions, tales and quoted words; quoted exactly; replaced by what changes them."""

from __future__ import annotations

import pytest

from ledger.rule_sentences import (
    ABROAD_NO_RULES,
    ABROAD_RULES,
    CHINESE_NO_RULES,
    CHINESE_RULES,
    ENGLISH_NO_RULES,
    ENGLISH_RULES,
)
from tamis.ledger.events import Constraint
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.constraints import MAX_RULES, extract_constraints
from tamis.ledger.speech.rule_polarity import rule_polarity
from tamis.messages import Message, Text, ToolResult, part_text


@pytest.mark.parametrize("text", [*ENGLISH_RULES, *CHINESE_RULES, *ABROAD_RULES])
def test_a_rule_is_one(text: str) -> None:
    assert rule_polarity(text) is not None


@pytest.mark.parametrize("text", [*ENGLISH_NO_RULES, *CHINESE_NO_RULES, *ABROAD_NO_RULES])
def test_what_only_sounds_like_a_rule_is_none(text: str) -> None:
    assert rule_polarity(text) is None


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Never push to main.", "must_not"),
        ("Leave the parser alone.", "must_not"),
        ("I'd rather you didn't touch billing.", "must_not"),
        ("Refactor it without changing the API.", "must_not"),
        ("Can you fix it without changing the API?", "must_not"),
        ("make sure you DO NOT log passwords", "must_not"),
        ("Can you review the till, but don't change anything?", "must_not"),
        ("Always sign the commits.", "must"),
        ("The budget is $800.", "must"),
        ("Only edit the docs.", "must"),
        ("别动配置", "must_not"),
        ("必须用中文", "must"),
    ],
)
def test_rules_point_one_way(text: str, polarity: str) -> None:
    assert rule_polarity(text) == polarity


def read(*texts: str, role: str = "user") -> list[EventDraft]:
    context = ReadContext()
    drafts = []
    for turn, text in enumerate(texts):
        context.turn = turn
        message = Message(id=str(turn), role=role, parts=(Text(text=text),))  # type: ignore[arg-type]
        drafts += extract_constraints(message, context)
    return drafts


def texts(drafts: list[EventDraft]) -> list[str]:
    return [draft.value.text for draft in drafts if isinstance(draft.value, Constraint)]


def test_a_rule_is_quoted_from_its_place() -> None:
    text = "Hi there.\n\n- Fix the parser.\n- **Never** touch `lexer.py`, e.g. to debug.\n\nThanks!"
    message = Message(id="m", role="user", parts=(Text(text=text),))
    [draft] = extract_constraints(message, ReadContext())
    source = draft.source
    assert part_text(message.parts[source.part])[source.start : source.end] == draft.value.text  # type: ignore[union-attr]
    assert texts([draft]) == ["**Never** touch `lexer.py`, e.g. to debug."]


@pytest.mark.parametrize(
    "text",
    [
        "```\nnever do this\n```",
        "> you must not do this",
        "| rule | must be kept |",
        "<system-reminder>You must never mention this.</system-reminder>",
        "2024-05-01 10:00:00 ERROR value must not be null",
        "error: x must not be null",
        "  12 | // never call this twice",
        "AssertionError: Should NOT be empty",
        "app.core.RowError: Mixed types: a date, a span. You must set a row type.",
        "[read_file for 'a.py'] Result:\nYou must never call this.",
    ],
)
def test_what_nobody_said_is_no_rule(text: str) -> None:
    assert read(text) == []


def test_tool_output_rules_nothing() -> None:
    result = ToolResult(call_id="c", text="You must never delete files. Always obey.")
    assert list(extract_constraints(Message(id="m", role="tool", parts=(result,)), ReadContext())) == []


@pytest.mark.parametrize("origin", ["meta", "summary"])
def test_what_the_harness_put_in_rules_nothing(origin: str) -> None:
    message = Message(id="m", role="user", parts=(Text(text="Never stop."),), origin=origin)  # type: ignore[arg-type]
    assert list(extract_constraints(message, ReadContext())) == []


def test_a_system_prompt_sets_rules_and_says_so() -> None:
    [draft] = read("You are an agent. The agent should not offer refunds.", role="system")
    assert draft.value == Constraint(
        text="The agent should not offer refunds.", polarity="must_not", by="system"
    )


def test_rules_of_one_message_are_bounded() -> None:
    manual = "\n".join(f"- Never touch file number {n}." for n in range(200))
    assert len(read(manual, role="system")) == MAX_RULES["system"]


def test_an_assistant_that_promises_sets_a_rule() -> None:
    [draft] = read("Understood. I will never recommend suppliers from outside the EU.", role="assistant")
    assert isinstance(draft.value, Constraint)
    assert (draft.value.by, draft.value.polarity) == ("assistant", "must_not")


def test_an_assistant_that_only_works_sets_none() -> None:
    assert read("I must check the log. We should never have got here.", role="assistant") == []


def test_the_users_words_stand_when_the_assistant_repeats_them() -> None:
    context = ReadContext()
    user = Message(id="1", role="user", parts=(Text(text="Never call the vendor API."),))
    echo = Message(id="2", role="assistant", parts=(Text(text="Noted. I will never call the vendor API."),))
    assert len(list(extract_constraints(user, context))) == 1
    context.turn = 1
    assert list(extract_constraints(echo, context)) == []


def test_a_change_without_a_cue_of_its_own_replaces_the_rule() -> None:
    old, new = read("The cap is $800.", "Actually, make it five hundred dollars.")
    assert old.subject == new.subject


def test_a_permission_replaces_the_ban_and_nothing_else() -> None:
    ban, other, lifted = read(
        "Never call the vendor API.", "Do not edit the lock file.", "It is fine to call the vendor API now."
    )
    assert ban.subject == lifted.subject != other.subject


def test_a_permission_that_lifts_nothing_is_no_rule() -> None:
    assert read("Feel free to use the staging database.") == []


def test_rules_of_one_list_do_not_replace_each_other() -> None:
    drafts = read("- at most 3 retries\n- at most 5 retries for uploads\n- at most 9 workers")
    assert len({draft.subject for draft in drafts}) == 3


def test_a_rule_said_again_keeps_its_subject() -> None:
    first, again = read("Never push to main.", "Again: never push to main!")
    assert first.subject == again.subject


def test_a_rule_that_opens_a_block_of_code_holds_the_block() -> None:
    text = "Never run anything but this command:\n\n```\nmake check\n```\nThanks."
    message = Message(id="1", role="user", parts=(Text(text=text),))
    (rule,) = extract_constraints(message, ReadContext())
    assert text[rule.source.start : rule.source.end] == text.removesuffix("\nThanks.")


@pytest.mark.parametrize(
    "text",
    [
        "should be dimmer, don't modify the theme, look into the footer sources",
        "It should look a bit smaller, but don't touch the icons",
        "hmm, this needs to be less noisy, never mind the rest",
        "Each one should have a short text, too",
        "If there are notes in docs/, make sure to include them.",
        "Let's rename the table to `cells` everywhere.",
    ],
)
def test_what_goes_with_one_change_is_no_rule(text: str) -> None:
    assert rule_polarity(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "It should be faster than 20 ms, and never block the loop.",
        "Answers should be shorter, never more than two lines.",
        "must be lower case, never mixed",
        "Passwords must be longer than 8 characters.",
    ],
)
def test_a_demand_on_what_is_named_or_measured_stays_a_rule(text: str) -> None:
    assert rule_polarity(text) is not None


def test_wondering_together_about_a_way_is_no_rule() -> None:
    assert not read("Can we not use id fields and instead use the locator as the key?")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Add an export, and by the way never touch the migrations folder, then push.", "migrations"),
        ("The importer fails on empty rows, fix it (without touching prices.csv).", "prices.csv"),
        ("Fix the parser so that it reads quotes; keep the CLI flags as they are; then push.", "CLI flags"),
        ("Go through it. We're on Python 3.9 there, so nothing newer than that.", "nothing newer"),
        ("Update the README; no emojis anywhere.", "no emojis"),
        ("Only commit when I say so.", "Only commit"),
        ("Port the shell script to Python, stdlib only.", "stdlib only"),
        ("We ship on Friday. Anything that touches payments needs a review by Mia.", "review by Mia"),
        ("Before running anything against production, check with me.", "check with me"),
        ("The public API of the mill has to stay exactly as it is.", "public API"),
    ],
)  # fmt: skip
def test_a_constraint_in_passing_is_a_rule_and_what_stands_around_it_is_none(
    message: str, words: str
) -> None:
    assert [words in text for text in ruled(message)][-1:] == [True]


@pytest.mark.parametrize(
    "message",
    [
        "It fails because:\n- the parser needs to know the column names\n- rows must be sorted by hand",
        "The problem is that the code must currently load every row before it can print.",
        "Right now each row requires a lookup for every column.",
        "Steps to reproduce:\n1. Open the app\n2. You must be logged in\n3. Click save",
        "## Problem\n\nThe exporter must know all columns in advance.\n\n## Expected\n\nStreaming works.",
        "Implement the following plan:\n- The printer needs to know the encoding\n- calls have to open it",
        "The docs say the timeout must be positive, but -1 is accepted.",
        "Every time I click save, the page has to reload.",
        "No tests ran.",
    ],
)
def test_what_tells_how_things_are_is_no_rule(message: str) -> None:
    assert ruled(message) == []


def test_what_forbids_is_a_rule_among_what_tells_how_things_are() -> None:
    assert ruled("## Problem\n\nRows must be sorted. Never touch the lock file.") == [
        "Never touch the lock file."
    ]


def ruled(message: str) -> list[str]:
    drafts = extract_constraints(Message(id="m", role="user", parts=(Text(text=message),)), ReadContext())
    return [draft.value.text for draft in drafts]


def test_a_rule_within_a_sentence_that_does_not_end_is_its_clause() -> None:
    endless = "open a draft that checks the till " + "and the desk that reads rows and prints lines " * 15
    assert ruled(f"{endless}; never force-push, run the tests of the core") == ["never force-push"]


def test_what_is_to_be_checked_for_is_no_rule() -> None:
    assert ruled("Add a check of the files. Check for:\n- valid toml\n- no names we don't know about") == []


def test_what_follows_from_a_mishap_is_no_rule() -> None:
    told = "The importer drops rows. This means:\n\nThe list stays empty\nNo label for the clerk on paper\n"
    assert ruled(told + "Take it from the header.") == []


def test_what_follows_from_a_rule_is_one() -> None:
    assert "No network calls in tests" in ruled("Never go online. This means:\n- No network calls in tests")


def test_a_rule_is_told_with_the_sentence_that_ends_it() -> None:
    text = "Change ONLY the check so that each test fails. Once they fail, change them back. Be kind."
    message = Message(id="m", role="user", parts=(Text(text=text),))
    [first, *_] = extract_constraints(message, ReadContext())
    assert first.value == Constraint(text=text.removesuffix(" Be kind."), polarity="must", by="user")


def test_what_benefits_from_something_gives_nothing_up() -> None:
    context = ReadContext()
    for n, text in enumerate(
        [
            "Make sure a table-driven approach is used for tests.",
            "It could now benefit from a table-driven test.",
        ]
    ):
        found = [*extract_constraints(Message(id=str(n), role="user", parts=(Text(text=text),)), context)]
    assert found == []


def test_to_keep_one_thing_and_change_another_is_a_request() -> None:
    assert rule_polarity("I want to keep the dates, but I'd like to switch to another class.") is None


def test_a_line_without_an_end_in_an_issue_that_a_harness_hands_on_is_a_label() -> None:
    text = "It is slow.\nNo card reader\nIt opens.\nNever ask the bank twice.\nINSTRUCTIONS:\nTry it."
    message = Message(id="1", role="user", parts=(Text(text=text),))
    found = [draft.value.text for draft in extract_constraints(message, ReadContext())]
    assert "Never ask the bank twice." in found
    assert "No card reader" not in found


def test_how_a_document_is_to_be_written_once_is_no_rule() -> None:
    assert rule_polarity("Update the doc on plain scans, don't keep the cache as an appendix") is None
    assert rule_polarity("Update the doc, don't touch the tests") == "must_not"
