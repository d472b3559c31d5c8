from __future__ import annotations

from ledger.trails import changes, shell, steps, trail, use


def test_touching_a_file_that_is_there_changes_nothing() -> None:
    assert trail(shell("touch a; touch a; cat b; touch b")) == ["created /repo/a", "read /repo/b"]


def test_a_removed_file_can_be_created_again() -> None:
    assert trail(shell("echo > a; rm a; echo > a")) == [
        "created /repo/a",
        "deleted /repo/a",
        "created /repo/a",
    ]


def test_putting_everything_back_names_what_was_changed() -> None:
    lines = trail(shell("sed -i s/a/b/ x.py y.py; cat z.py"), shell("git checkout ."))
    assert lines[3:] == ["reverted /repo/x.py", "reverted /repo/y.py"]


def test_stashed_changes_come_back() -> None:
    lines = trail(shell("sed -i s/a/b/ x.py"), shell("git stash"), shell("git stash pop"))
    assert lines == ["modified /repo/x.py", "reverted /repo/x.py", "modified /repo/x.py"]


def test_a_backup_that_was_made_before_the_change_reverts_it() -> None:
    lines = trail(shell("cp a.py a.bak"), shell("sed -i s/a/b/ a.py"), shell("mv a.bak a.py"))
    assert lines == [
        "created /repo/a.bak",
        "modified /repo/a.py",
        "deleted /repo/a.bak",
        "reverted /repo/a.py",
    ]


def test_a_backup_of_a_changed_file_does_not_revert_it() -> None:
    lines = trail(shell("sed -i s/a/b/ a.py"), shell("cp a.py a.bak"), shell("cp a.bak a.py"))
    assert lines == ["modified /repo/a.py", "created /repo/a.bak", "modified /repo/a.py"]


def test_removing_a_folder_removes_what_is_known_of_it() -> None:
    lines = trail(shell("echo > out/a; echo > out/b; echo > other"), shell("rm -rf out"))
    assert lines[3:] == ["deleted /repo/out/a", "deleted /repo/out/b"]


def test_a_pattern_stands_for_the_known_files_that_match() -> None:
    lines = trail(shell("cat a.py b.py c.txt"), shell("sed -i s/a/b/ *.py"))
    assert lines[3:] == ["modified /repo/a.py ?", "modified /repo/b.py ?"]


def test_a_file_moved_into_a_known_folder_keeps_its_name() -> None:
    [_, moved] = changes(steps(shell("cat src/b.py; mv a.py src")))
    assert (moved.action, moved.path, moved.renamed_from) == ("renamed", "/repo/src/a.py", "/repo/a.py")


def test_a_moved_folder_takes_its_changed_files_along() -> None:
    moved = changes(steps(shell("echo > old/a; mv old new")))[-1]
    assert (moved.path, moved.renamed_from) == ("/repo/new/a", "/repo/old/a")


def test_a_script_that_was_edited_runs_as_it_stands_now() -> None:
    assert trail(
        use("write_file", {"path": "fix.py", "content": "open('old', 'w')\n"}),
        use("edit_file", {"path": "fix.py", "old_string": "old", "new_string": "new"}),
        shell("python fix.py"),
    ) == ["created /repo/fix.py", "modified /repo/fix.py", "created /repo/new"]


def test_a_file_moved_over_another_changes_that_one() -> None:
    lines = trail(shell("cat a.py"), shell("awk 1 a.py > new.py && mv new.py a.py"))
    assert lines[-2:] == ["deleted /repo/new.py", "modified /repo/a.py"]


def test_a_copy_by_its_name_puts_a_file_back() -> None:
    assert trail(shell("cp src/a.py.orig src/a.py")) == ["reverted /repo/src/a.py"]
    assert trail(shell("cp src/a.py.new src/a.py")) == ["created /repo/src/a.py"]


def test_a_formatter_that_found_nothing_changes_nothing() -> None:
    assert trail(shell("black a.py", "1 file left unchanged.")) == []
    assert trail(shell("black a.py", "reformatted a.py\n1 file reformatted, 1 file left unchanged.")) == [
        "modified /repo/a.py ?"
    ]


def test_a_file_read_by_a_relative_path_is_there_when_written_by_an_absolute_one() -> None:
    lines = trail(
        shell("cat src/a.py; cat b.py"), shell("echo > /shop/src/a.py; echo > /shop/b.py"), cwd=None
    )
    assert lines[2:] == ["modified /shop/src/a.py", "created /shop/b.py"]


def test_a_script_that_died_did_nothing_behind_the_line_at_which_it_died() -> None:
    code = "open('a', 'w').write('x')\nfail()\nopen('b', 'w').write('x')\n"
    died = 'Traceback (most recent call last):\n  File "/repo/t.py", line 2, in <module>\nNameError: fail'
    lines = trail(shell(f"cat > t.py <<'E'\n{code}E\npython t.py", died, 1))
    assert lines == ["created /repo/t.py", "created /repo/a"]


def test_a_package_that_is_listed_was_added() -> None:
    command = "go get example.com/rows@v1.2 && grep rows go.mod"
    assert trail(shell(command, "7: example.com/rows v1.2"))[:1] == ["modified /repo/go.mod"]
    assert trail(shell(command, "go: example.com/rows: not found"))[:1] != ["modified /repo/go.mod"]
    assert trail(shell(command, "7: example.com/cells v1"))[:1] == ["modified /repo/go.mod ?"]
