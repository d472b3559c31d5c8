"""Edits told by their places: what each comes to, what leans on another, what a late diff shows."""

from __future__ import annotations

import re

from compactors.brief.talk import TASK, edit, texts, use, write
from compactors.brief.talk import told as statements_of
from compactors.conversations import run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.edits.hunks import compared

ROWS = "/work/shop/src/rows.py"
CHECK, BODY = "/work/shop/test_rows.py", "print(read_rows())\n"


def test_what_came_in_the_place_of_what_is_told_by_places() -> None:
    old = "if local:\n  start = 'go run'\n  stop = 'go stop'\nelse:\n  start = 'wrap'\n  stop = 'wrap -q'\n"
    new = "if local:\n  start = 'wrap'\n  stop = 'wrap -q'\nelse:\n  start = 'entry'\n  stop = 'entry -q'\n"
    told = compared(old, new.replace("wrap", "wrap2"), ROWS, 420)
    assert told.startswith("`start = 'go run' ⏎ stop = 'go stop'` → `start = 'wrap2'")
    many = "\n".join(f"row_{n} = {n}\nkept_{n} = 0" for n in range(9))
    told = compared(many, re.sub(r"(row_(\d) = )\d", r"\1shelf(9, '\2 of all the shelves')", many), ROWS, 200)
    assert told.startswith("`row_0 = 0` → `row_0 = shelf(9, ")
    assert told.endswith(" ; …")


def test_a_bracket_alone_is_no_place_of_an_edit() -> None:
    bracket = compared(
        f"start(1)\nlimit = 7\ncount()\n}}\n{BODY}", f"start(2)\nlimit = 7\ncount()\n{BODY}", ROWS, 420
    )
    assert bracket == "`start(1)` → `start(2)`"


def test_what_a_short_place_leaves_of_the_room_a_long_one_takes() -> None:
    steps = "".join(f"shelf_{n} = weigh(row_{n}, scale)\n" for n in range(6))
    told = compared("start(1)\nlimit = 7\nrow = 0\n", f"start(2)\nlimit = 7\n{steps}", ROWS, 420)
    assert all(f"shelf_{n} = " in told for n in range(6))


def test_what_tidies_up_behind_an_edit_leans_on_it() -> None:
    body = "def read_rows(path):\n    return rows_of(path)\n    return []\n"
    span = [TASK, *write("w", ROWS, body), say("user", "Weigh the rows.", id="u")]
    span += edit(
        "a",
        ROWS,
        "def read_rows(path):\n    return rows_of(path)",
        "def read_rows(path):\n    return weighed(path)",
    )
    span += edit(
        "b",
        ROWS,
        "def read_rows(path):\n    return weighed(path)\n    return []",
        "def read_rows(path):\n    return weighed(path)",
    )
    done = [s for s in statements_of(span) if s.kind == "changed" and "outline" not in s.flags]
    assert done[-1].text.endswith(": removed `return []`")
    assert "slight" in done[-1].flags
    assert [lead.text for lead in done[-1].leads] == [done[-2].text]


HEADER = "diff --git a/src/rows.py b/src/rows.py\n--- a/src/rows.py\n+++ b/src/rows.py\n@@ -1,4 +1,4 @@\n"
KEPT = " def read_rows(path):\n"


def test_a_late_diff_of_the_work_tells_what_edits_came_to() -> None:
    first, second = "    return rows_of(open(path))", "    return sorted_rows(open(path).read())"
    shown = f"{HEADER}{KEPT}-    return []\n+{second}\n"
    span = [TASK, *edit("a", ROWS, "    return []", first), *run("t", "pytest -q", "1 failed in 1s", 1)]
    span += [*write("w", ROWS, f"def read_rows(path):\n{second}\n"), *run("d", "git diff", shown, 0)]
    told = [text for text in texts(span, "changed") if ": " in text]
    assert told[-1] == f"edited {ROWS} (read_rows; all of #1-5): `return []` → `{second.strip()}`"
    assert told[0].endswith("(the file edited again, #5)")


def test_a_file_that_is_only_copied_is_no_script() -> None:
    body = 'def read(path):\n    """Reads the rows of a mill, whichever it is."""\n    return path\n'
    span = [TASK, *write("w", "/work/shop/part.txt", body)]
    span += run("c", "cat /work/shop/part.txt >> /work/shop/src/rows.py", "", 0)
    assert not [text for text in texts(span, "changed") if "Reads the rows" in text and "src/rows" in text]


def test_lines_of_a_window_that_stood_there_are_not_what_an_edit_puts_in() -> None:
    window = "[File: /work/shop/src/rows.py (40 lines total)]\n7:def read_rows(path):\n"
    window += "8:    return rows_of(path)\n"
    new = "def read_rows(path):\n    limit = limit_of(path)\n    return rows_of(path)\n"
    done = window.replace("8:", "8:    limit = limit_of(path)\n9:") + "File updated."
    span = [TASK, *use("o", "open", window, command="open src/rows.py 7")]
    span += use("e", "edit", done, command=f"edit 7:9\n{new}end_of_edit")
    assert "limit = limit_of(path)" in texts(span, "changed")[-1]
    assert "return rows_of(path)" not in texts(span, "changed")[-1]


def test_a_long_plan_is_told_by_its_headings_and_not_copied_from_its_middle() -> None:
    task = "\n## Task {0}: weigh row {0}\n```sh\n# a remark\ngit commit -m weigh_{0}\n```\n" + "Do it. " * 30
    plan = "# Weighing\n" + "".join(map(task.format, range(1, 7)))
    span = [TASK, *write("w", "/work/shop/docs/plan.md", plan), say("user", "Go on with it.", id="go")]
    [told] = [text for text in texts(span, "changed") if "plan.md" in text]
    assert "(Weighing, Task 1: weigh row 1, Task 2: weigh row 2" in told
    assert "Task 6: weigh row 6)" in told
    assert not [p.text for p in passages_of(span, range(len(span)), 900) if "weigh_3" in p.text]


def test_of_a_script_that_was_edited_again_only_the_last_edit_is_told() -> None:
    span = [TASK, *edit("r", ROWS, "limit = 1", "limit = 2"), *write("w", CHECK, BODY)]
    for at, (old, new) in enumerate((("read_rows()", "read_rows(1)"), ("read_rows(1)", "read_rows(2)"))):
        span += [*edit(f"e{at}", CHECK, old, new), *run(f"t{at}", f"python {CHECK}", f"{at} rows", 0)]
    told = [t for t in texts(span, "changed") if t.startswith(f"edited {CHECK}")]
    assert not any("`read_rows()`" in t for t in told)
    assert any("read_rows(2)" in t for t in told)


def test_a_copy_among_temporary_files_is_not_told() -> None:
    assert texts([TASK, *run("a", "cp /tmp/out-17.txt /tmp/notes.md", "", 0)], "changed") == []
