"""State: which commit is the last, whether it is pushed, and on which branch the work stands."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import DONE, TASK, brief, edit, section, use
from compactors.conversations import run
from tamis.messages import Message

COMMIT = run("c", "git commit -m 'Skip rows'", "[main 0a1b2c3] Skip rows", 0)
PUSH = run("p", "git push origin main", "To example.org:x.git\n   1..2  main -> main", 0)


def state(*span: Message) -> str:
    return "\n".join(section(brief([TASK, *span], 1_500), "State"))


def test_a_commit_without_a_push_says_so() -> None:
    assert "last commit 0a1b2c3 (#1), no push seen" in state(*COMMIT, DONE)


def test_a_commit_that_was_pushed_says_so() -> None:
    assert "last commit 0a1b2c3 (#1), pushed" in state(*COMMIT, *PUSH, DONE)


def test_a_commit_after_the_last_push_is_not_pushed() -> None:
    later = run("d", "git commit -m 'Count rows'", "[main 1b2c3d4] Count rows", 0)
    assert "last commit 1b2c3d4 (#5), not pushed since" in state(*COMMIT, *PUSH, *later, DONE)


def test_the_branch_of_a_commit_is_told() -> None:
    assert "on branch main; last commit" in state(*COMMIT, DONE)


def test_the_branch_of_another_project_is_not_told_as_that_of_the_work() -> None:
    here = edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2")
    there = run("g", "cd /work/till && git status", "On branch weigh\nnothing to commit", 0)
    span = [replace(message, cwd="/work/shop") for message in (*COMMIT, *here, *there, DONE)]
    assert "on branch main" in state(*span)
    assert "weigh" not in state(*span)


def test_a_commit_in_another_work_tree_than_the_branch_is_told_with_its_folder() -> None:
    made = use("m", "exec", "[docs 0a1b2c3] List rows", cmd="git commit -m 'List rows'", workdir="/tmp/list")
    seen = use("s", "exec", "## main...origin/main", cmd="git status -sb", workdir="/work/shop")
    span = [replace(message, cwd="/work/shop") for message in (*made, *seen, DONE)]
    assert "last commit 0a1b2c3 (#1) in another checkout (/tmp/list), no push seen" in state(*span)
    assert "the work now stands on branch main" in state(*span)


def test_a_branch_that_follows_no_other_is_known_by_the_short_status() -> None:
    line = "git -C /trees/skip status --short --branch"
    tree = (*edit("a", "/trees/skip/rows.py", "a = 1", "a = 2"), *run("g", line, "## skip\n M rows.py", 0))
    main = run("m", "git status -sb", "## main...origin/main", 0)
    span = [replace(message, cwd="/work/shop") for message in (*main, *tree, DONE)]
    assert "on branch skip" in state(*span)
