"""The skillbook's file: whole or not at all, and nothing lost between two who learn at once."""

from __future__ import annotations

import threading

import pytest

from tamis.errors import InputError, UnreadableFile
from tamis.memory import Skill, Skillbook, read_skillbook, update_skillbook
from tamis.memory.skillbook import skillbook_from_json, skillbook_to_json

BOOK = Skillbook(
    skills=(
        Skill(name="steady-tests", summary="Freeze the clock — and seed.", domains=("testing",), helped=2),
        Skill(name="undo", summary="Revert, never force."),
    )
)


def test_what_was_written_is_read():
    assert skillbook_from_json(skillbook_to_json(BOOK), "x") == BOOK


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 0.99])
def test_a_half_written_file_is_refused_and_left_as_it_is(tmp_path, share):
    path = tmp_path / "skills.json"
    text = skillbook_to_json(BOOK)
    half = text[: int(len(text) * share)]
    path.write_text(half)
    with pytest.raises(UnreadableFile, match=r"skills.json: not whole .*skills.json.bak"):
        update_skillbook(path, lambda book: book.with_outcome(["undo"], helped=True))
    assert path.read_text() == half


def test_the_version_before_the_last_change_is_kept(tmp_path):
    path = tmp_path / "skills.json"
    update_skillbook(path, lambda _: BOOK)
    update_skillbook(path, lambda book: book.with_outcome(["undo"], helped=True))
    assert read_skillbook(path).skills[1].helped == 1
    assert read_skillbook(tmp_path / "skills.json.bak") == BOOK


def test_a_change_that_fails_leaves_the_file(tmp_path):
    path = tmp_path / "skills.json"
    update_skillbook(path, lambda _: BOOK)

    def fail(_: Skillbook) -> Skillbook:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        update_skillbook(path, fail)
    assert read_skillbook(path) == BOOK


def test_two_who_learn_at_once_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "skills.json"
    update_skillbook(path, lambda _: BOOK)

    def learn() -> None:
        for _ in range(10):
            update_skillbook(path, lambda book: book.with_outcome(["undo"], helped=True))

    threads = [threading.Thread(target=learn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read_skillbook(path).skills[1].helped == 40


def test_a_lock_that_is_held_is_an_error_that_says_so(tmp_path):
    path = tmp_path / "skills.json"

    def again(book: Skillbook) -> Skillbook:
        return update_skillbook(path, lambda b: b, timeout_s=0)

    with pytest.raises(InputError, match="being changed by another process"):
        update_skillbook(path, again)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"format": "tamis-skillbook/2", "skills": []}', "of format 'tamis-skillbook/2'"),
        ('{"format": "tamis-skillbook/1", "skills": [{"name": "a"}]}', "skills.0.summary"),
        ('{"format": "tamis-skillbook/1", "skills": [], "x": 1}', "x: Extra inputs"),
        (
            '{"format": "tamis-skillbook/1", "skills": ['
            '{"name": "a", "summary": ""}, {"name": "a", "summary": ""}]}',
            "two skills are called 'a'",
        ),
    ],
)
def test_what_is_no_skillbook_is_refused(text, says):
    with pytest.raises(UnreadableFile, match=says):
        skillbook_from_json(text, "skills.json")


def test_a_skill_of_the_same_name_is_replaced():
    book = BOOK.with_skill(Skill(name="undo", summary="Revert it."))
    assert [s.summary for s in book.skills] == ["Freeze the clock — and seed.", "Revert it."]
