"""Conversations that are handed over whole: known again, kept apart, and the same when read anew."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.archive import Archive
from tamis.errors import BadBudget
from tamis.integrations import adapter as following
from tamis.integrations.adapter import ChatAdapter, ConversationTracker

Item = dict[str, Any]


class Chat(ChatAdapter[Item]):
    """A framework whose messages are chat items."""

    def to_item(self, native: Item) -> Item:
        return native

    def from_items(self, items: list[Item]) -> list[Item]:
        return items


def follow(archive: Archive | None = None, **settings: Any) -> ConversationTracker[Item]:
    return ConversationTracker(
        Chat(), archive=archive, name="talk", **({"window": 2_000, "budget": 300} | settings)
    )


def talk(turns: int, topic: str = "wheat") -> list[Item]:
    said: list[Item] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"Count {topic}."},
    ]
    for n in range(turns):
        call = {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": "count", "arguments": f'{{"n": {n}}}'},
        }
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"{topic} {n} weighs " + "9 " * 90})
    return said


def test_what_fits_is_the_very_history() -> None:
    history = talk(3)
    assert all(a is b for a, b in zip(follow().shorten(history), history, strict=True))


def test_what_stays_of_a_long_one_are_the_very_objects() -> None:
    history = talk(40)
    sent = follow().shorten(history)
    assert len(sent) < len(history)
    assert sent[0] is history[0]
    assert sent[-1] is history[-1]


def test_shown_in_one_piece_or_step_by_step_it_comes_to_the_same() -> None:
    history, one = talk(40), follow()
    for n in range(2, len(history), 2):
        one.shorten(history[:n])
    assert one.shorten(history) == follow().shorten(history)


def test_a_framework_that_goes_on_with_what_it_got_back_comes_to_the_same() -> None:
    history, one = talk(40), follow()
    held = history[:2]
    for n in range(2, len(history), 2):
        held = [*one.shorten(held), *history[n : n + 2]]
    assert one.shorten(held) == follow().shorten(history)


def test_asked_again_it_answers_the_same() -> None:
    history, one = talk(40), follow()
    first = one.shorten(history)
    assert one.shorten(history) == first
    assert one.shorten(first) == first


def test_conversations_that_take_turns_are_held_apart() -> None:
    one, wheat, rye = follow(), talk(40), talk(40, "rye")
    for n in range(2, len(wheat), 2):
        sent_wheat, sent_rye = one.shorten(wheat[:n]), one.shorten(rye[:n])
        assert "rye" not in str(sent_wheat)
        assert "wheat" not in str(sent_rye)


def test_a_history_that_was_rewritten_is_read_anew() -> None:
    one, history = follow(), talk(40)
    one.shorten(history)
    rewritten = [*history[:60], {"role": "user", "content": "No, count barley."}]
    assert one.shorten(rewritten) == follow().shorten(rewritten)


def test_one_that_was_forgotten_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWED", 1)
    one, history = follow(), talk(40)
    for n in range(2, len(history), 2):
        one.shorten(history[:n])
        one.shorten(talk(1, f"other {n}"))
    assert one.shorten(history) == follow().shorten(history)


def test_what_was_taken_out_is_in_the_archive(kept: Archive) -> None:
    follow(kept).shorten(talk(40))
    assert "wheat 3 weighs" in kept.get(kept.search("wheat 3 weighs")[0].id).results[0].text


def test_a_message_that_cannot_be_read_leaves_the_history_and_says_so() -> None:
    class Broken(Chat):
        def read(self, natives: Any) -> Any:
            raise BadBudget("no")

    broken = ConversationTracker(Broken(), archive=None, name="talk", window=2_000, budget=300)
    history = talk(40)
    with pytest.warns(RuntimeWarning, match="not compacted: no"):
        assert broken.shorten(history) == history


def test_after_a_failure_on_the_way_the_conversation_is_read_anew() -> None:
    class FailsOnce(Chat):
        failed = False

        def write(self, messages: Any) -> Any:
            if not self.failed:
                self.failed = True
                raise BadBudget("not this time")
            return super().write(messages)

    one, history = (
        ConversationTracker(FailsOnce(), archive=None, name="talk", window=2_000, budget=300),
        talk(40),
    )
    one.shorten(history[:4])
    with pytest.warns(RuntimeWarning, match="not this time"):
        one.shorten(history)
    assert one.shorten(history) == follow().shorten(history)


def test_it_can_be_told_to_compact_now() -> None:
    one, history = follow(trigger=None), talk(10)
    assert one.shorten(history) == history
    shorter = one.shorten(history, now=True)
    assert len(shorter) < len(history)
    assert one.shorten(shorter, now=True) == shorter


def test_an_archive_that_cannot_be_written_leaves_the_history(kept: Archive) -> None:
    one, history = follow(kept), talk(12)
    kept.close()
    with pytest.warns(RuntimeWarning, match="not compacted"):
        assert one.shorten(history) == history


def test_settings_that_cannot_be_are_refused_at_once() -> None:
    with pytest.raises(BadBudget):
        follow(budget=1_900)
