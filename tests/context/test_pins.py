"""Pins stand word for word behind every brief; a compaction can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compactors.conversations import run, say, tokens
from tamis.archive import Archive
from tamis.context import Context
from tamis.errors import InputError

BEGIN = [say("user", "Make rows.py skip empty rows.", id="u1")]
RULE = "Speak like a pirate.\n\n   And never push."


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(tmp_path / "a")


def turns(many: int, start: int = 0) -> list[Any]:
    return [
        m for n in range(start, start + many) for m in run(f"c{n}", f"cat {n}.txt", f"content {n} " * 20, 0)
    ]


def small(archive: Archive | None = None, **settings: Any) -> Context:
    return Context(**{"window": 2_000, "budget": 300, "archive": archive, "trigger": None, **settings})


def test_a_pin_survives_every_compaction_word_for_word() -> None:
    context = small()
    context.pin(RULE)
    for start in (0, 30, 60):
        context.extend(turns(30, start))
        assert context.compact_now() is not None
        assert sum(message.text.count(RULE) for message in context.messages()) == 1


def test_what_is_sent_with_a_pin_is_counted() -> None:
    context = small()
    context.extend([*BEGIN, *turns(30)])
    context.pin(RULE)
    context.compact_now()
    assert context.tokens == tokens(context.messages())


def test_before_a_compaction_a_pin_changes_nothing() -> None:
    context = small()
    context.extend(BEGIN)
    context.pin(RULE)
    assert context.messages() == BEGIN


def test_a_message_can_be_pinned_and_unpinned() -> None:
    context = small()
    context.extend([*BEGIN, *turns(30)])
    pin = context.pin(BEGIN[0])
    context.compact_now()
    assert any("whatever the brief says" in m.text and BEGIN[0].text in m.text for m in context.messages())
    context.unpin(pin)
    assert not any("whatever the brief says" in m.text for m in context.messages())


@pytest.mark.parametrize("text", ["", " \n", "word " * 2_000])
def test_what_cannot_be_pinned_is_refused(text: str) -> None:
    context = small()
    with pytest.raises(InputError, match="pin"):
        context.pin(text)
    assert context.pins == ()


def test_pins_are_there_when_the_context_is_taken_up_again(archive: Archive) -> None:
    context = small(archive)
    context.pin(RULE)
    context.extend([*BEGIN, *turns(30)])
    context.compact_now()
    again = Context.resume(archive, window=2_000, budget=300, trigger=None)
    assert again.messages() == context.messages()
    assert again.tokens == context.tokens


def test_undo_gives_back_what_was_and_what_came_since(archive: Archive) -> None:
    context = small(archive)
    given = [*BEGIN, *turns(30)]
    context.extend(given)
    before = context.messages()
    context.compact_now()
    context.append(say("user", "And the docs?", id="u9"))
    assert context.undo()
    assert [m.parts for m in context.messages()] == [m.parts for m in [*before, say("user", "And the docs?")]]
    assert context.tokens == tokens(context.messages())
    assert context.appended == len(given) + 1


def test_undo_goes_one_compaction_back_and_no_further(archive: Archive) -> None:
    context = small(archive)
    context.extend([*BEGIN, *turns(30)])
    context.compact_now()
    after_first = [m.parts for m in context.messages()]
    context.extend(turns(30, 30))
    context.compact_now()
    assert context.undo()
    assert [m.parts for m in context.messages()][: len(after_first)] == after_first
    assert not context.undo()


def test_without_an_archive_or_a_compaction_there_is_nothing_to_take_back(archive: Archive) -> None:
    context = small()
    context.extend([*BEGIN, *turns(30)])
    context.compact_now()
    assert not context.undo()
    assert not small(archive).undo()
