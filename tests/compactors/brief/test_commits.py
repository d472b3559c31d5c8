"""Deeds: commits, pushes and the parts of a chained command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.brief.talk import TASK, reading_of, texts
from compactors.conversations import run


def test_a_quiet_commit_is_told_with_the_hash_that_a_log_shows() -> None:
    made = run("c", "git commit -q -m 'Skip rows' && git log --oneline -1", "0a1b2c3 Skip rows", 0)
    assert texts([TASK, *made], "committed") == ["committed 0a1b2c3: Skip rows"]


@pytest.mark.parametrize(("code", "told"), [(0, ["committed: Skip rows"]), (1, []), (None, [])])
def test_a_quiet_commit_without_a_hash_is_one_where_it_went_well(code: int | None, told: list[str]) -> None:
    assert (
        texts([TASK, *run("c", "git add -A && git commit -q -m 'Skip rows'", "", code)], "committed") == told
    )


CHAIN = "pytest -q && git add -A && git commit -m 'Skip rows' && git push"
DONE = "3 passed, 9 deselected in 0.1s\n[main 0a1b2c3] Skip rows\n 1 file changed\n   1..2  main -> main"


def test_every_part_of_a_chained_command_is_told_with_its_own_outcome() -> None:
    assert texts([TASK, *run("c", CHAIN, DONE, 0)], "committed", "posted", "tested", "failed") == [
        "committed and pushed 0a1b2c3: Skip rows",
        "ran `pytest -q`: 3 passed",
    ]


def test_in_a_chain_that_stops_at_its_tests_nothing_is_committed_nor_pushed() -> None:
    assert texts(
        [TASK, *run("c", CHAIN, "1 failed, 2 passed in 0.1s", 1)], "committed", "posted", "tested"
    ) == [
        "ran `pytest -q`: 2 passed, 1 failed",
    ]


def test_a_push_that_is_refused_behind_a_commit_is_told_as_that() -> None:
    refused = "All good!\n[main 0a1b2c3] Skip rows\n ! [rejected] main -> main (fetch first)"
    command = "ruff check . && git commit -am 'Skip rows' && git push"
    assert texts([TASK, *run("c", command, refused, 1)], "committed", "posted", "tested", "failed") == [
        "committed 0a1b2c3: Skip rows",
        "ran `git push` → ! [rejected] main -> main (fetch first)",
        "ran `ruff check .` → All good!",
    ]


def test_a_push_that_a_commits_message_names_is_none() -> None:
    made = run("c", "git commit -m 'Never git push from here'", "[main 0a1b2c3] Never git push from here", 0)
    assert texts([TASK, *made], "committed", "posted") == ["committed 0a1b2c3: Never git push from here"]


def test_a_quiet_commit_is_told_with_the_hash_that_its_push_shows() -> None:
    output = "To example.org:x.git\n   4afc7ae..c1a49bf  main -> main"
    made = run("c", "git commit -qm 'Skip rows' && git push 2>&1 | tail -3", output, 0)
    assert texts([TASK, *made], "committed", "posted") == ["committed and pushed c1a49bf: Skip rows"]


def test_a_merge_without_a_message_of_its_own_is_told_by_the_one_it_got() -> None:
    made = run(
        "c", "git merge rows --no-commit; git commit --no-edit", "[main 0a1b2c3] Merge branch 'rows'", 0
    )
    assert texts([TASK, *made], "committed") == ["committed 0a1b2c3: Merge branch 'rows'"]


def test_a_hash_of_another_commit_is_not_taken() -> None:
    made = run("c", "git commit -q -m 'Skip rows'; git log --oneline -1", "0a1b2c3 Start", 0)
    assert texts([TASK, *made], "committed") == []


@pytest.mark.parametrize("more", ["", " && ./skip --all 2>&1 | tail -3"])
def test_a_commit_in_a_repository_made_to_try_something_out_is_none_of_the_work(more: str) -> None:
    made = "cd /tmp/trial && git init && touch a && git add a && git commit -m 'First'"
    again = "cd /tmp/trial && git commit -am 'Second'"
    span = [
        TASK,
        *run("a", made + more, "[trunk (root-commit) 0a1b2c3] First", 0),
        *run("b", again, "[trunk 1b2c3d4] Second", 0),
    ]
    span = [replace(message, cwd="/w") for message in span]
    assert texts(span, "committed") == []
    assert reading_of(span).branch == ""


def test_a_commit_in_a_worktree_that_is_not_kept_is_one() -> None:
    made = run("a", "cd /tmp/rows && git commit -am 'Skip rows'", "[rows 0a1b2c3] Skip rows", 0)
    span = [replace(message, cwd="/w") for message in (TASK, *made)]
    assert texts(span, "committed") == ["committed 0a1b2c3: Skip rows"]


def test_what_a_tracker_was_told_to_make_is_told_by_its_titles_and_names() -> None:
    opened = (
        "git push -u origin rows && gh pr create --draft --title 'Skip blank rows' --body \"$(cat n.md)\""
    )
    url = "https://github.com/o/shop/pull/7"
    assert texts([TASK, *run("p", opened, url, 0)], "posted") == [
        "git push -u origin rows; created PR #7: Skip blank rows"
    ]
    two = "bd create 'Skip blank rows' -p 1 | tail -2 && bd create --title='Round half up' | tail -2"
    said = "✓ Created issue: sh-1 — Skip blank rows\n  Status: open\n  Status: open"
    assert texts([TASK, *run("b", two, said, 0)], "posted", "ran") == [
        "created by `bd create`: Skip blank rows; Round half up"
    ]


def test_a_rebase_is_told_by_its_own_word_whatever_is_shown_behind_it() -> None:
    line = "git status -s && git rebase origin/main 2>&1 | tail -5 && git show 0a1b2c3 --stat | head -20"
    said = (
        "Rebasing (1/1)\rSuccessfully rebased and updated refs/heads/rows.\ncommit 0a1b2c3\n"
        + " io.py | 5 ++++-\n" * 30
    )
    [told] = texts([TASK, *run("r", line, said, 0)], "posted", "ran")
    assert "Successfully rebased and updated refs/heads/rows." in told
