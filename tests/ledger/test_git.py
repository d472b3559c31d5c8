from __future__ import annotations

import pytest

from tamis.ledger.files.shell_commands import shell_effects


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git mv a.py b.py", ["renamed b.py"]),
        ("git rm a.py", ["deleted a.py"]),
        ("git rm --cached a.py", []),
        ("git checkout -- a.py b.py", ["reverted a.py", "reverted b.py"]),
        ("git checkout HEAD~1 src/a.py", ["reverted src/a.py"]),
        ("git checkout main", []),
        ("git checkout -b fix/a.py", []),
        ("git checkout .", ["reverted ."]),
        ("git restore a.py", ["reverted a.py"]),
        ("git restore --staged a.py", []),
        ("git reset --hard HEAD", ["reverted ."]),
        ("git reset HEAD a.py", []),
        ("git stash", ["reverted ."]),
        ("git stash pop", ["modified ."]),
        ("git stash list", []),
        ("git apply fix.diff", ["run fix.diff"]),
        ("git apply --check fix.diff", []),
        ("git add -A && git commit -m 'rm a.py'", []),
    ],
)
def test_what_git_does_to_files(command: str, expected: list[str]) -> None:
    assert [f"{deed.action} {deed.path}" for deed in shell_effects(command)] == expected


def test_git_may_run_in_another_folder() -> None:
    [deed] = shell_effects("git -C sub rm a.py", "/repo")
    assert deed.cwd == "/repo/sub"
