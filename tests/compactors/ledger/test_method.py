"""The ledger method as a whole: what a brief says, and that compacting on is compacting at once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactors.conversations import COUNTER, compact, fates, lines, request, run, say, tokens
from strategies import messages
from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.compactors.ledger.reading import Reading
from tamis.errors import InputError
from tamis.messages import Message, count_messages
from tamis.sessions import read

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "sessions"

TASK = say("user", "Please add a --json flag to src/report.py. Never touch src/legacy.py.", id="task")
WORK = (
    *run("look", "cat src/report.py", lines("report", 300), 0),
    *run("edit", "sed -i 's/a/b/' src/report.py", "", 0),
    *run(
        "test",
        "pytest -q",
        "FAILED tests/test_report.py::test_json - ValueError: bad value\n1 failed, 3 passed in 0.10s\n",
        1,
    ),
)


def brief(span: tuple[Message, ...], budget: int) -> str:
    made = compact("ledger", span, budget)
    assert made.outcome == "fits", made.warnings
    [message] = made.messages
    assert (message.role, message.origin) == ("user", "summary")
    return message.text


def test_a_brief_says_what_was_asked_what_holds_what_was_changed_and_what_failed() -> None:
    text = brief((TASK, *WORK), 400)
    for said in (
        "> Please add a --json flag to src/report.py.",
        "> Never touch src/legacy.py.",
        "src/report.py",
        "tests/test_report.py::test_json",
    ):
        assert said in text


def test_even_a_small_brief_says_what_was_asked_and_what_holds() -> None:
    text = brief((TASK, *WORK), 160)
    assert "> Please add a --json flag to src/report.py." in text
    assert "> Never touch src/legacy.py." in text


def test_of_many_rules_the_one_that_must_be_run_to_the_letter_is_said_first() -> None:
    rules = "".join(f"- Never change the folder vendor{n}, it is not ours to change.\n" for n in range(12))
    submit = "You must use this exact command to submit:\n\n```\necho ALL_IS_DONE_77\n```\n"
    asked = say("user", f"Add a --json flag to src/report.py.\n\n{rules}\n{submit}", id="task")
    assert "echo ALL_IS_DONE_77" in brief((asked, *WORK), 250)


def test_what_the_user_told_stays_before_short_questions() -> None:
    told = "Book the Belfry for the guests from Yarrow, they arrive at half past ten and stay two nights."
    asked = [say("user", told), *(say("user", f"Did step {n} work?") for n in "abcdefgh")]
    talk = [m for n, one in enumerate(asked) for m in (one, *run(f"c{n}", f"ls {n}", lines("file", 90), 0))]
    text = brief((TASK, *talk, say("user", "Go on with the report.")), 120)
    assert told in text


def test_a_rule_that_was_replaced_is_said_no_more_and_the_newest_stands() -> None:
    first = say("user", "The budget cap is $800. Never go above it.", id="first")
    later = say("user", "Change of plan: keep the budget cap under $500.", id="later")
    said = [line for line in brief((first, *WORK, later), 500).splitlines() if line.startswith("> ")]
    assert any("$500" in line for line in said)
    assert not any("$800" in line for line in said)


def test_the_budget_is_a_bound_at_every_size() -> None:
    span = (TASK, *WORK)
    for budget in (60, 100, 300, 1_000):
        made = compact("ledger", span, budget)
        assert made.outcome == "unmet" or made.tokens_after <= budget
        assert made.tokens_after == tokens(made.messages)


def test_what_the_frame_does_not_fit_leaves_the_span() -> None:
    made = compact("ledger", (TASK, *WORK), 10)
    assert made.outcome == "unmet"
    assert made.messages == (TASK, *WORK)
    assert "10 tokens" in made.warnings[0]


def test_every_message_has_its_fate() -> None:
    made = compact("ledger", (TASK, *WORK), 300)
    assert len(fates(made)) == 1 + len(WORK)
    assert fates(made)[0] == "condensed"


def halves(span: tuple[Message, ...], cut: int, budget: int) -> tuple[str, str]:
    """The brief of the whole, and the brief of the second part on top of the first one's."""
    ledger = get_method("ledger")
    whole = run_compactor(ledger, request(span, budget))
    first = run_compactor(ledger, request(span[:cut], budget))
    carried = replace(first, carry=json.loads(json.dumps(dict(first.carry))))
    rest = CompactionRequest(span=span[cut:], budget_tokens=budget, counter=COUNTER, previous=carried)
    second = run_compactor(ledger, rest)
    return whole.messages[0].text, second.messages[0].text


def sections(text: str) -> str:
    """What the ledger says, without excerpts: those can be taken from what is new only."""
    return text.partition("\n## Excerpts")[0]


@pytest.mark.parametrize("name", ["till.claude-code.jsonl", "rota.codex.jsonl", "logmerge.openai-chat.json"])
def test_compacting_on_knows_what_compacting_at_once_knows(name: str) -> None:
    span = read(EXAMPLES / name).messages
    budget = max(600, sum(count_messages(span, COUNTER)) // 10)
    reading = Reading.begin()
    reading.read(span)
    half = Reading.begin()
    half.read(span[: len(span) // 2])
    resumed = Reading.resume(json.loads(json.dumps(half.carry())))
    resumed.read(span[len(span) // 2 :])
    assert resumed.state == reading.state
    assert resumed.mentions == reading.mentions
    at_once, in_two_goes = halves(span, len(span) // 2, budget)
    asked = [line for line in sections(at_once).splitlines() if line.startswith("> ")]
    kept = [line for line in asked if line in in_two_goes]
    assert len(kept) >= 0.7 * len(asked) > 0


@settings(max_examples=15)
@given(messages(missing=True, max_turns=6), st.integers(0, 12))
def test_reading_on_is_reading_at_once(spoken: tuple[Message, ...], cut: int) -> None:
    at_once, first = Reading.begin(), Reading.begin()
    at_once.read(spoken)
    first.read(spoken[:cut])
    resumed = Reading.resume(json.loads(json.dumps(first.carry())))
    resumed.read(spoken[cut:])
    assert resumed.state == at_once.state
    assert resumed.mentions == at_once.mentions


def test_the_same_session_gives_the_same_bytes() -> None:
    span = read(EXAMPLES / "till.claude-code.jsonl").messages
    assert brief(span, 700) == brief(span, 700)


def test_a_carry_of_another_version_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"'tamis-ledger/99'.*compact from the original session"):
        Reading.resume({"format": "tamis-ledger/99"})
