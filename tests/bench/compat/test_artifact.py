"""What an artifact holds within a budget that is meant for all of it."""

from __future__ import annotations

from tamis.bench.compat.artifact import Artifact, StructuredState, artifact_tokens, artifact_within
from tamis.compactors import Compaction, CompactionRequest, get_method, run_compactor
from tamis.messages import Message, Text, get_counter

COUNTER = get_counter("cl100k_base")
RULE = "Never ship with the red van."
TALK = (
    ("user", f"We plan the autumn deliveries with Dana. {RULE} That is a hard rule."),
    *[("user", f"Aside number {n}: the weather was fine at the lake again this week.") for n in range(6)],
    ("user", "Now draft the list of deliveries."),
)
CHATTER = (("assistant", "Fine weather at the lake."),) * 4


def made(talk: tuple[tuple[str, str], ...], budget_tokens: int, method: str = "ledger") -> Artifact:
    span = tuple(
        Message(id=str(n), role="user" if role == "user" else "assistant", parts=(Text(text=text),))
        for n, (role, text) in enumerate(talk)
    )

    def compact(room: int) -> Compaction:
        request = CompactionRequest(span=span, budget_tokens=room, counter=COUNTER)
        return run_compactor(get_method(method), request)

    return artifact_within(budget_tokens, compact, COUNTER)[1]


def test_the_budget_holds_for_the_summary_and_the_state_together() -> None:
    artifact = made(TALK, 80)
    assert artifact.structured_state.forbidden_behaviors == [RULE]
    assert artifact.summaryText
    assert artifact_tokens(artifact, COUNTER) <= 80


def test_where_no_brief_fits_the_lines_of_the_state_stand_alone() -> None:
    artifact = made(TALK, 12)
    assert artifact.summaryText == ""
    assert artifact.structured_state == StructuredState(forbidden_behaviors=[RULE])


def test_where_no_line_fits_either_all_is_as_it_was() -> None:
    artifact = made(CHATTER, 3)
    assert artifact.summaryText == "\n\n".join(text for _, text in CHATTER)


def test_a_method_without_a_state_is_given_none() -> None:
    assert made(TALK, 60, "truncate").structured_state == StructuredState()


def test_the_summary_has_no_frame_and_does_not_repeat_the_state() -> None:
    artifact = made(TALK, 80)
    assert "```" not in artifact.summaryText
    assert f"> {RULE}" not in artifact.summaryText.splitlines()
    assert "Now draft the list of deliveries." in artifact.summaryText
