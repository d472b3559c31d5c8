from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.files.diffs import compare, read_patch, read_replacements, read_structured

LINES = st.lists(st.sampled_from(["a", "b", "c", "  d", ""]), max_size=12)


@given(LINES, LINES)
def test_added_less_removed_is_the_difference_in_lines(old: list[str], new: list[str]) -> None:
    before, after = "".join(f"{x}\n" for x in old), "".join(f"{x}\n" for x in new)
    change = compare("a.txt", before, after)
    assert change.added - change.removed == len(new) - len(old)
    assert 0 <= change.removed <= len(old)
    assert 0 <= change.added <= len(new)


@given(LINES)
def test_nothing_changed_is_no_change(lines: list[str]) -> None:
    text = "\n".join(lines)
    change = compare("a.py", text, text)
    assert (change.added, change.removed) == (0, 0)


def test_what_stands_above_names_the_function() -> None:
    assert compare("a.py", "    x = 1", "    x = 2", context=["def f():"]).touched == ("f",)


def test_a_git_diff_tells_created_deleted_and_renamed() -> None:
    patch = (
        "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
        "diff --git a/old.py b/old.py\ndeleted file mode 100644\n"
        "--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/a.py b/b.py\nsimilarity index 90%\nrename from a.py\nrename to b.py\n"
        "--- a/a.py\n+++ b/b.py\n@@ -1,2 +1,2 @@ def f():\n-    x\n+    y\n     z\n"
    )
    made, gone, moved = read_patch(patch)
    assert (made.action, made.path, made.change.added) == ("created", "new.py", 1)
    assert (gone.action, gone.path) == ("deleted", "old.py")
    assert (moved.action, moved.path, moved.origin, moved.change.touched) == (
        "renamed",
        "b.py",
        "a.py",
        ("f",),
    )


def test_a_diff_with_wrong_line_counts_still_names_its_files() -> None:
    patch = "--- a/x.py\n+++ b/x.py\n@@ -1,9 +1,9 @@\n-a\n+b\n"
    assert [(file.action, file.path) for file in read_patch(patch)] == [("modified", "x.py")]


def test_the_codex_grammar_is_read() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    x\n+    y\n+    z\n"
        "*** Update File: b.py\n*** Move to: c.py\n@@\n-q\n+r\n*** Add File: d.py\n+one\n+two\n"
        "*** Delete File: e.py\n*** End Patch"
    )
    files = read_patch(patch)
    assert [(f.action, f.path, f.change.added, f.change.removed) for f in files] == [
        ("modified", "a.py", 2, 1),
        ("renamed", "c.py", 1, 1),
        ("created", "d.py", 2, 0),
        ("deleted", "e.py", 0, 0),
    ]
    assert files[0].change.touched == ("f",)


def test_text_that_is_no_patch_is_none() -> None:
    assert read_patch("Some words.\n- a list\n+ more") == []


def test_search_and_replace_blocks_are_counted() -> None:
    blocks = (
        "<<<<<<< SEARCH\n:start_line:3\n-------\na\nb\n=======\na\n>>>>>>> REPLACE\n"
        "<<<<<<< SEARCH\nc\n=======\nc\nd\n>>>>>>> REPLACE"
    )
    change = read_replacements("a.txt", blocks)
    assert change is not None
    assert (change.added, change.removed) == (1, 1)


def test_recorded_hunks_are_placed_in_the_original_file() -> None:
    original = "def f():\n    a = 1\n    b = 2\n    c = 3\n"
    hunk = {"oldStart": 3, "newStart": 3, "lines": ["-    b = 2", "+    b = 5"]}
    change = read_structured("a.py", [hunk], original)
    assert (change.added, change.removed, change.touched) == (1, 1, ("f",))


def test_a_removed_function_is_touched() -> None:
    hunk = {"oldStart": 1, "lines": [" import x", "-def f():", "-    pass", " y = 1"]}
    assert read_structured("a.py", [hunk]).touched == ("f",)


def test_a_definition_that_only_stands_behind_removed_lines_is_not_touched() -> None:
    hunk = {
        "oldStart": 1,
        "lines": [" x = 1", "-def f():", "-    pass", "+def h():", "+    run()", " def g():"],
    }
    assert read_structured("a.py", [hunk]).touched == ("h", "f")


def test_a_remark_on_what_follows_does_not_touch_what_stands_before() -> None:
    hunk = {"oldStart": 1, "lines": [" func (a *A) Close() {}", "+", "+// B counts", "+type B struct{}"]}
    assert read_structured("a.go", [hunk]).touched == ("B",)
