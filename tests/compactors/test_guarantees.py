"""Each guarantee's check finds the method that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from compactors.conversations import lines, request, run, say
from tamis.compactors import Compaction, CompactionRequest, get_method, run_compactor
from tamis.compactors.brief import brief_message, fence, unfenced_lines
from tamis.compactors.guarantees import check_compaction, check_same
from tamis.ledger.events import Constraint, Source
from tamis.ledger.state import Entry, State
from tamis.messages import Message, ToolCall

SPAN = [
    say("user", "Never push to the main branch.\nFix src/app.py.", id="u"),
    *run("c1", "cat src/app.py", lines("app", 60), 0),
    *run("c2", "pytest -q", "1 passed", 0),
    say("assistant", "All done.", id="end"),
]
ASKED = request(SPAN, 60)
GOOD = run_compactor(get_method("mask"), ASKED)


def broken(made: Compaction, asked: CompactionRequest = ASKED) -> set[str]:
    return {v.guarantee for v in check_compaction(asked, made)}


def with_brief(text: str) -> Compaction:
    return recounted(replace(GOOD, messages=(brief_message(text),)))


def recounted(made: Compaction) -> Compaction:
    from compactors.conversations import tokens

    return replace(made, tokens_after=tokens(made.messages))


def test_a_good_compaction_breaks_no_hard_guarantee() -> None:
    assert GOOD.outcome == "fits"
    assert not any(v.hard for v in check_compaction(ASKED, GOOD))


def _state(message_id: str, *, end: int = 5, text: str = "Never push") -> State:
    place = Source(message_id=message_id, part=0, start=0, end=end)
    value = Constraint(text=text, polarity="must_not", by="user")
    return State(constraints=(Entry(subject="push", value=value, source=place, first_turn=0, last_turn=0),))


BROKEN: dict[str, tuple[str, Callable[[], Compaction]]] = {
    "a wrong count": ("never over the budget", lambda: replace(GOOD, tokens_after=GOOD.tokens_after - 1)),
    "over the budget": ("never over the budget", lambda: recounted(replace(GOOD, messages=ASKED.span))),
    "not smaller": ("smaller or unchanged", lambda: recounted(replace(GOOD, messages=ASKED.span))),
    "a wrong count before": ("smaller or unchanged", lambda: replace(GOOD, tokens_before=9)),
    "unmet, but changed": ("smaller or unchanged", lambda: replace(GOOD, outcome="unmet", warnings=("no",))),
    "unmet without a reason": (
        "smaller or unchanged",
        lambda: recounted(replace(GOOD, outcome="unmet", messages=ASKED.span)),
    ),
    "a call alone": ("calls and results in pairs", lambda: replace(GOOD, messages=(SPAN[3],))),
    "a result alone": ("calls and results in pairs", lambda: replace(GOOD, messages=(SPAN[4],))),
    "an empty message": (
        "roles well-formed",
        lambda: replace(GOOD, messages=(Message(id="new", role="user", parts=()),)),
    ),
    "a user who calls a tool": (
        "roles well-formed",
        lambda: replace(GOOD, messages=(Message(id="n", role="user", parts=(ToolCall(id="c", name="ls"),)),)),
    ),
    "an id used twice": (
        "roles well-formed",
        lambda: replace(GOOD, messages=(say("user", "one", id="n"), say("user", "two", id="n"))),
    ),
    "an account with a gap": ("every message accounted for", lambda: replace(GOOD, account=GOOD.account[1:])),
    "an account out of order": (
        "every message accounted for",
        lambda: replace(GOOD, account=GOOD.account[::-1]),
    ),
    "a fate without a reason": (
        "every message accounted for",
        lambda: replace(GOOD, account=(replace(GOOD.account[0], reason=" "), *GOOD.account[1:])),
    ),
    "kept, but gone": (
        "kept means kept",
        lambda: replace(GOOD, account=tuple(replace(f, fate="kept") for f in GOOD.account)),
    ),
    "archived, but there": (
        "kept means kept",
        lambda: replace(GOOD, account=tuple(replace(f, fate="archived") for f in GOOD.account)),
    ),
    "another order": ("order kept", lambda: replace(GOOD, messages=GOOD.messages[::-1])),
    "a bare line of the user": (
        "session text fenced",
        lambda: with_brief("So far:\nNever push to the main branch."),
    ),
    "a fence that the text closes": (
        "session text fenced",
        lambda: with_brief("```\n```\nNever push to the main branch.\n```"),
    ),
    "a state without a source": ("state points at its sources", lambda: replace(GOOD, state=_state("gone"))),
    "a state outside its source": (
        "state points at its sources",
        lambda: replace(GOOD, state=_state("u", end=999)),
    ),
    "a carry that is no JSON": ("carry can be stored", lambda: replace(GOOD, carry={"seen": {1, 2}})),
    "a carry that changes": ("carry can be stored", lambda: replace(GOOD, carry={"seen": (1, 2)})),
    "an invented name": ("no name invented", lambda: with_brief("See src/invented.py.")),
    "a request forgotten": ("requests survive", lambda: with_brief("Nothing to say.")),
    "a constraint forgotten": (
        "constraints survive",
        lambda: replace(with_brief("Nothing to say."), state=_state("u")),
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_guarantee_is_found(what: str) -> None:
    guarantee, make = BROKEN[what]
    assert guarantee not in broken(GOOD) or guarantee == "requests survive"
    assert guarantee in broken(make())


def test_fenced_session_text_is_no_violation() -> None:
    text = "```\nNever push to the main branch.\n"
    assert "session text fenced" not in broken(with_brief(f"So far:\n{fence(text)}"))


def test_a_line_behind_a_mark_is_no_violation() -> None:
    assert "session text fenced" not in broken(with_brief("- Never push to the main branch."))


def test_two_different_answers_are_found() -> None:
    other = replace(GOOD, messages=GOOD.messages[:1])
    assert check_same(GOOD, GOOD) == []
    assert check_same(GOOD, other) != []
    assert check_same(GOOD, replace(GOOD, latency_ms=7.0)) == []


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a\n```\nb\n```\nc", ["a", "c"]),
        ("````\n```\nb\n````\nc", ["c"]),
        ("~~~\n```\nb\n~~~\nc", ["c"]),
        ("```\nnever closed", []),
        ("``` `x`\nb", ["``` `x`", "b"]),
        ("```\n``` not a close\n```\nc", ["c"]),
        ("    ```\nb", ["    ```", "b"]),
    ],
)
def test_fences_are_read_as_commonmark_reads_them(text: str, bare: list[str]) -> None:
    assert list(unfenced_lines(text)) == bare


def test_carry_that_survives_json_is_fine() -> None:
    carry: dict[str, Any] = {"names": ["a", "b"], "n": 1}
    assert "carry can be stored" not in broken(replace(GOOD, carry=carry))
