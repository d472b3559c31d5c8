from __future__ import annotations

from ledger.trails import changes, shell, steps, trail

SHOWN = "[File: /repo/src/a.py (4 lines total)]\n1:def f():\n2:    x = 1\n3:    y = 2\n4:    return x\n"
UPDATED = SHOWN + "File updated. Please review the changes and make sure they are correct."
REFUSED = (
    "Your proposed edit has introduced new syntax error(s).\n" + SHOWN + "Your changes have NOT been applied."
)


def test_an_edit_changes_the_file_that_the_answer_shows() -> None:
    pairs = [
        shell("open src/a.py 2", SHOWN, tool="open"),
        shell("edit 2:3\n    x = 1\nend_of_edit", UPDATED, tool="edit"),
    ]
    read, edited = changes(steps(*pairs))
    assert (read.action, read.path) == ("read", "/repo/src/a.py")
    assert (edited.action, edited.lines_added, edited.lines_removed, edited.touched) == (
        "modified",
        1,
        2,
        ("f",),
    )


def test_an_edit_that_the_linter_refused_did_not_happen() -> None:
    assert trail(shell("edit 2:3\n  x =\nend_of_edit", REFUSED, tool="edit")) == []


def test_an_edit_without_its_range_did_not_happen() -> None:
    assert trail(shell("edit a.py", "Usage: edit <start_line>:<end_line>", tool="edit")) == []


def test_creating_and_scrolling() -> None:
    new = "[File: /repo/b.py (1 lines total)]\n1:\n"
    assert trail(
        shell("create b.py", new, tool="create"),
        shell("create b.py", "Error: File 'b.py' already exists.", tool="create"),
        shell("scroll_down", SHOWN, tool="scroll_down"),
    ) == ["created /repo/b.py", "read /repo/src/a.py"]


def test_a_script_that_was_written_with_the_editor_is_known_when_it_runs() -> None:
    new = "[File: /repo/fix.py (1 lines total)]\n1:\n"
    done = "[File: /repo/fix.py (1 lines total)]\n1:open('out.txt', 'w')\nFile updated."
    assert trail(
        shell("create fix.py", new, tool="create"),
        shell("edit 1:1\nopen('out.txt', 'w')\nend_of_edit", done, tool="edit"),
        shell("python fix.py", ""),
    ) == ["created /repo/fix.py", "modified /repo/fix.py", "created /repo/out.txt"]


def test_the_shell_has_words_like_the_editors() -> None:
    assert trail(shell("open https://example.org", "")) == []
