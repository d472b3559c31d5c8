"""The made-up sessions are what their docstring says."""

from __future__ import annotations

from hypothesis import given

from strategies import messages, sessions
from tamis.messages import Message, Session, pair_calls


@given(messages())
def test_messages_are_whole_and_start_with_a_user(made: tuple[Message, ...]) -> None:
    assert pair_calls(made).whole
    assert next(m for m in made if m.role != "system").role == "user"
    assert len({m.id for m in made}) == len(made)


@given(messages(repeated_ids=True))
def test_repeated_ids_still_pair(made: tuple[Message, ...]) -> None:
    assert pair_calls(made).whole


@given(messages(open_end=True))
def test_only_the_last_calls_are_open(made: tuple[Message, ...]) -> None:
    pairing = pair_calls(made)
    assert not pairing.orphan_results
    assert {c.message for c in pairing.open_calls} == {len(made) - 1}


@given(sessions(media=False, thinking=False))
def test_what_is_not_wanted_is_not_made(made: Session) -> None:
    kinds = {type(p).__name__ for m in made.messages for p in m.parts}
    assert kinds <= {"Text", "ToolCall", "ToolResult"}
    assert not any(r.media for m in made.messages for r in m.results)
