"""Edits told whole enough to be made out: files written anew, heads of lines, what is left out."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, texts, use, write
from compactors.conversations import run, say
from tamis.compactors.brief.reading.edits.code_lines import telling_lines
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace, with_counts
from tamis.compactors.brief.reading.edits.hunks import compared, rewritten
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.statement import Statement

ROWS = "/work/shop/src/rows.py"
FILE = """def read(page):
    rows = list(page)
    rows.append(0)
    return rows


def count(rows):
    return len(rows)
"""


def test_of_a_file_that_is_written_whole_again_only_what_differs_was_edited() -> None:
    new = FILE.replace("list(page)", "set(page)").replace("rows.append", "rows.add")
    here = [TASK, *run("look", "cat src/rows.py", FILE, 0)]
    told = texts([*here, *run("w", f"cat > /work/shop/src/rows.py <<'E'\n{new}E", "", 0)], "changed")
    assert told[-1].startswith(
        f"edited {ROWS} (read): `rows = list(page) ⏎ rows.append(0)` → `rows = set(page)"
    )
    assert not any("count" in text for text in told)


def test_a_file_of_which_little_stays_is_told_as_rewritten() -> None:
    old, new = ("\n".join(f"{name}_{n} = read_{name}({n})" for n in range(9)) for name in ("row", "cell"))
    assert rewritten(old, new, ROWS, frozenset()).startswith("rewritten whole: `cell_0 = read_cell(0)")
    assert rewritten(old, old.replace("_8 = ", "_9 = "), ROWS, frozenset()).startswith("`row_8 = ")


def test_several_edits_of_a_place_are_not_named_after_what_was_taken_out_again() -> None:
    first = "# Rows are read once.\nROWS = []\n"
    both = "# Rows are read once; empty() reads them anew.\nROWS = []\n"
    helper = "\n\ndef empty():\n    ROWS.clear()\n"
    span = [TASK, *edit("a", ROWS, first, both + helper), *run("t", "pytest -q", "1 failed", 1)]
    told = texts([*span, *edit("b", ROWS, both + helper, both)], "changed")
    assert told[-1].startswith(f"edited {ROWS} (all of #1-5): `# Rows are read once.` → ")


def test_a_line_stands_under_what_holds_it_or_not_at_all() -> None:
    code = ["async read(page: Page) {", "  return page.rows", "}", "async drop(row: Row) {"]
    code = [f"  {line}" for line in code] + [
        "    if (!this.holds(row)) {",
        "      throw new Error(row)",
        "    }",
    ]
    told = telling_lines(code, "a.ts", 90)
    assert "if (!this.holds" not in told or "drop(row: Row) { ⏎" in told
    data = ["{", '  "limits": {', '    "rows": 9,', '    "cells": 99', "  },", '  "name": "mill"', "}"]
    told = telling_lines(data, "a.json", 40)
    assert '"rows"' not in told or '"limits": {' in told


def test_of_a_script_the_lines_with_the_words_of_the_request_are_told() -> None:
    code = [f"step_{n} = start(shop, {n})" for n in range(9)]
    code += ["check(till, skip_empty_rows=True)", *(f"step_{n} = end(shop, {n})" for n in range(9))]
    assert "skip_empty_rows" not in telling_lines(code, ROWS, 60)
    assert "skip_empty_rows" in telling_lines(code, ROWS, 60, about=frozenset({"skip", "empty", "rows"}))


def test_lines_that_are_taken_out_are_counted_where_not_all_are_told() -> None:
    gone = "def drop(row):\n    row.clear()\n    row.log()\n    return row\n"
    told = compared(f"limit = 9\n{gone}", "limit = 9\ntop = 3\n", ROWS, 400)
    assert told == "removed `def drop(row):` (4 lines) ; put in `top = 3`"
    assert compared("a_row = 1\nlimit = 9", "limit = 9", ROWS, 400) == "removed `a_row = 1`"


def test_an_edit_that_went_wrong_says_so() -> None:
    done = [TASK, *edit("a", ROWS, "limit = 1", "limit = 9")]
    told = texts([*done, say("assistant", "The edit was applied to the wrong file.")], "changed")
    assert told == [
        f"edited {ROWS} (in the wrong file by mistake, #3, not edited since): `limit = 1` → `limit = 9`"
    ]
    told = texts([*done, say("assistant", "The edit did not touch the wrong file.")], "changed")
    assert not any("by mistake" in text for text in told)


def test_a_script_is_told_in_the_words_that_announced_it() -> None:
    code = "".join(f"print(rows.read(page={n}), rows.count(page={n}))\n" for n in range(20))
    words = "Now let me try rows that hold neither a key nor a value:"
    told = texts([TASK, say("assistant", words), *write("w", "/work/shop/run_test2.py", code)], "changed")
    words = "try rows that hold neither a key nor a value"
    assert told == [f'wrote /work/shop/run_test2.py: "{words}" (in the agent\'s words)']
    words = "Now let me create a test script to reproduce the issue:"
    told = texts([TASK, say("assistant", words), *write("w", "/work/shop/run_test2.py", code)], "changed")
    assert "in the agent's words" not in told[-1]


def test_what_a_script_wrote_while_it_tried_something_is_no_work() -> None:
    code = "open('rows_app/__init__.py', 'w').write('import rows\\n')\nimport rows_app\n"
    told = texts([TASK, *run("s", f"cat > run_test.py <<'E'\n{code}E\npython run_test.py", "", 0)], "changed")
    assert not any(text.startswith("wrote rows_app/") for text in told)


def test_names_of_functions_are_not_told_twice_by_their_first_lines() -> None:
    names = ("readRow", "countRows", "dropRow", "holdsRow", "emptyRow")
    code = "\n".join(
        f"export function {n}(row: Row): Rows {{\n  const x = 1\n  return {n}s\n}}" for n in names
    )
    told = texts([TASK, *write("w", "/work/shop/src/rows.ts", code * 3)], "changed")
    assert told[-1] == f"wrote /work/shop/src/rows.ts ({', '.join(names)})"


def test_of_edits_of_a_file_that_are_not_told_the_number_is() -> None:
    places = [EditedPlace("rows.py", "/src/rows.py", frozenset(), 7, part) for part in (0, 1, 2, -1)]
    told = Statement(
        kind="changed", text="edited src/rows.py (read)", turn=7, place=(0, 0), key="src/rows.py"
    )
    [counted] = with_counts([told], [Episode(0, 5), Episode(5, 9)], places)
    assert counted.text == "edited src/rows.py (read) (+2 more edits)"
    whole = Statement(
        kind="changed", text="edited src/rows.py (all of #3-7): x", turn=7, place=(0, 0), key="src/rows.py"
    )
    assert with_counts([whole], [Episode(0, 9)], places[:1])[0] is whole


def test_an_edit_of_several_places_is_outlined_with_the_first() -> None:
    old = "a_row = 1\nkept = 0\nb_row = 2\nkeeps = 0\n"
    new = "a_row = 3\nkept = 0\nb_row = mill(2)\nc_row = 9\nkeeps = 0\n"
    head = "def rows():\n"
    indented = ["".join(f"    {line}\n" for line in text.splitlines()) for text in (old, new)]
    told = texts([TASK, *edit("a", ROWS, head + indented[0], head + indented[1])], "changed")
    assert told[0] == f"edited {ROWS} (rows): `a_row = 1` → `a_row = 3` ; …"
    assert brief([TASK, *use("x", "Read", "rows", file_path=ROWS)], 200)
