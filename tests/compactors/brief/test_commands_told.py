"""Deeds: command lines that are told shorter, and what tests and chains of commands came to."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, texts
from compactors.conversations import run
from tamis.compactors.brief.reading.deeds.action_runs import as_written


def test_each_failing_test_is_told_with_its_own_error() -> None:
    rule = "=" * 60
    first = f"{rule}\nFAIL: test_sacks (mill.Tests)\n{'-' * 60}\nAssertionError: 3 != 4\n\n"
    chained = "KeyError: 'rye'\n\nDuring handling of the above exception, another exception occurred:\n\n"
    second = f"{rule}\nERROR: test_rye (mill.Tests)\n{'-' * 60}\n{chained}mill.GritError: no rye\n\n"
    printed = f"{first}{second}{'-' * 60}\nRan 5 tests in 0.3s\n\nFAILED (failures=1, errors=1)"
    told = texts([TASK, *run("a", "python -m unittest", printed, 1)])
    own = "test_sacks: AssertionError: 3 != 4; test_rye (mill.Tests): mill.GritError: no rye"
    assert told[1:] == [f"ran `python -m unittest`: 3 passed, 1 failed, 1 errors ({own})"]
    summary = "FAILED t.py::a\nFAILED t.py::b\nE   KeyError: 1\nE   TypeError: none\n=== 2 failed in 0.1s ==="
    assert "(t.py::a, t.py::b) — e.g. " in texts([TASK, *run("a", "pytest -q", summary, 1)], "tested")[0]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "git ls-files grain/ && cat .gitignore | grep grain",
            "git ls-files grain/ && cat .gitignore | grep grain",
        ),
        (
            "test -f mill.json && sed -n '1,9p' mill.json || true",
            "test -f mill.json && sed -n '1,9p' mill.json",
        ),
        ('make && D=/srv\necho "sacks: $(ls $D)"', 'make … echo "sacks: $(ls $D)"'),
        ("mill load < sacks.txt", "mill load < sacks.txt"),
        (
            "git fetch origin && git status --short --branch && git config --get core.hooksPath && ls hooks",
            "git fetch origin && git status --short --branch && git config --get core.hooksPath && ls hooks",
        ),
    ],
)
def test_a_command_that_is_told_shorter_stays_true(command: str, told: str) -> None:
    assert as_written(command, None) == told


def test_that_nothing_is_there_any_more_is_no_failure() -> None:
    assert texts([TASK, *run("a", "rm -f a.txt && ls a*.txt", "Exit code 1", 1)], "failed", "ran") == []


def test_a_mistyped_call_that_a_look_puts_right_is_not_told() -> None:
    slip = run("a", "git show --no-stat HEAD", "fatal: unrecognized argument: --no-stat", 128)
    right = run("b", "git show HEAD", "commit 0a1b2c3\n    Skip blank rows", 0)
    assert "unrecognized" in brief([TASK, *slip])
    assert "unrecognized" not in brief([TASK, *slip, *right])


def test_an_exit_status_that_was_echoed_is_told_before_what_is_listed_behind_it() -> None:
    sizes = "\n".join(f"{n}.1M /repo/build/a_long_name_of_a_folder/shop-{n}" for n in range(9))
    line = (
        'go test ./... > /dev/null 2>&1; echo "go test exit: $?" && go build -o build/shop . && ls -l build/*'
    )
    [short, *_] = texts([TASK, *run("t", line, f"go test exit: 0\n{sizes}", 0)], "tested")
    assert "→ go test exit: 0" in short


def test_a_command_that_is_cut_keeps_what_it_is_told_not_to_do() -> None:
    command = f"./sync --session {'8fd5765e-' * 12} --no-cloud --dry-run --out /tmp/rows"
    (told,) = texts([TASK, *run("s", command, "ValueError: no rows", 1)], "failed")
    assert "8f… --no-cloud --dry-run` → " in told


def test_of_a_chain_that_failed_behind_a_move_the_last_part_is_named() -> None:
    line = "git clone x:a_shop_far_away /tmp/shop && git -C /tmp/shop switch --orphan a_branch_of_rows"
    line += " && git -C /tmp/shop rm -rf ."
    [came] = texts(
        [TASK, *run("a", line, "Cloning\nfatal: pathspec '.' did not match any files", 128)], "failed"
    )
    assert came.startswith("ran `git clone x:a_shop")
    assert "rm -rf .` → fatal: pathspec" in came


def test_a_command_too_long_goes_without_the_variables_set_for_it() -> None:
    line = f"SHOP_FOLDER=/work/{'shop/' * 12} SHOP_SETTINGS=tests.settings_of_a_day python weigh_rows.py"
    [came] = texts([TASK, *run("a", line, "KeyError: 'rye'", 1)], "failed")
    assert came.startswith("ran `… python weigh_rows.py` → ")


def test_a_file_copied_where_another_is_there_is_told_by_the_copy() -> None:
    line = "test -f /work/shop/.env && cp /work/shop/.env .env || true; bun install"
    assert "wrote .env: `cp /work/shop/.env .env || true`" in texts(
        [TASK, *run("a", line, "done", 0)], "changed"
    )
