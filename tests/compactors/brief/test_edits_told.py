"""Deeds: what an edit, a patch or a script put into a file, and when it goes."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, edit, section, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.choice.selection import Candidate
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.deeds.salience import PendingOutput, evidence
from tamis.compactors.brief.reading.edits.code_lines import telling_lines
from tamis.compactors.brief.reading.edits.edited_places import EditedPlace
from tamis.compactors.brief.reading.edits.hunks import compared
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.small_brief import as_of_now
from tamis.messages import Message

ROWS = "/work/shop/src/rows.py"
CHECK, BODY = "/work/shop/test_rows.py", "print(read_rows())\n"


def test_a_patch_of_several_files_tells_of_each_what_is_new_in_it() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-limit = 1\n+limit = 2\n"
        "*** Update File: src/shop.py\n@@\n-name = 'a'\n+name = 'b'\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told == [
        "edited src/rows.py: `limit = 1` → `limit = 2`",
        "edited src/shop.py: `name = 'a'` → `name = 'b'`",
    ]


def test_lines_that_a_patch_only_moves_are_not_what_is_new() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n-import b_rows\n-import a_rows\n"
        "+import a_rows\n+import b_rows\n@@\n-limit = 1\n+limit = 2\n*** End Patch"
    )
    told = texts([TASK, *use("a", "apply_patch", "Success.", patchText=patch)], "changed")
    assert told == ["edited a.py: `limit = 1` → `limit = 2`"]


def test_a_branch_of_an_edit_keeps_its_else() -> None:
    new = "x = 0\nif rows:\n    x = count(rows)\nelse:\n    x = None\n    y = 1\n"
    [told] = [t for t in texts([TASK, *edit("a", ROWS, "x = 0\n", new)], "changed") if ": " in t]
    assert "⏎ else: ⏎" in told


@pytest.mark.parametrize("again", [True, False])
def test_a_change_that_was_refused_goes_once_it_is_made(again: bool) -> None:
    patch = "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-{}\n+limit = 2\n*** End Patch"
    refusal = "Error: apply_patch verification failed: Failed to find expected lines"
    span = [TASK, *use("a", "apply_patch", refusal, patchText=patch.format("limit = 9"))]
    if again:
        span += use("b", "apply_patch", "Success.", patchText=patch.format("limit = 1"))
    left = [] if again else [f"apply_patch src/rows.py failed: {refusal}"]
    assert texts(span, "failed") == left


def test_a_backup_is_not_told() -> None:
    assert texts([TASK, *run("a", f"cp {ROWS} {ROWS}.backup", "", 0)], "changed") == []


def test_what_is_printed_into_one_file_is_not_what_another_holds() -> None:
    line = 'printf \'{"enabled": true, "rows": 3}\' > conf.json && make all 2> note.md'
    told = texts([TASK, *run("a", line, "", 0)], "changed")
    assert any(t.startswith("wrote conf.json") and "enabled" in t for t in told)
    assert not any(t.startswith("wrote note.md") and "enabled" in t.partition("`")[0] for t in told)


def test_of_two_texts_each_stands_with_the_file_it_went_into() -> None:
    line = "cat > one.txt <<'A'\nthe first text of all\nA\ncat > two.txt <<'B'\nthe second text of all\nB"
    assert texts([TASK, *run("a", line, "", 0)], "changed") == [
        "wrote one.txt: the first text of all",
        "wrote two.txt: the second text of all",
    ]


def test_a_patch_that_was_refused_is_not_copied_once_its_file_was_changed() -> None:
    patch = "*** Begin Patch\n*** Update File: src/rows.py\n@@\n-a\n+b\n*** End Patch"
    span = [
        TASK,
        *use("p", "apply_patch", "Failed to find expected lines in src/rows.py:\na row", input=patch),
    ]
    assert not [*passages_of(span, range(len(span)), 500, {"rows.py": 3})]


def test_a_function_that_is_taken_out_is_told_as_that() -> None:
    old = "# Old.\ndef read(path):\n    return path\n\n# Reads all the rows.\ndef rows(path):\n    return []"
    new = "# Reads all rows.\ndef rows(path):\n    return []"
    told = texts([TASK, *edit("e", "/repo/a.py", old, new)], "changed")[-1]
    assert "removed `def read(path):`" in told
    assert "`def read(path):` →" not in told


def test_of_two_long_lines_what_differs_is_seen() -> None:
    words = "the summary of the week that is sent to everybody in the house on the first day of the week "
    told = texts([TASK, *edit("e", "/repo/a.md", words * 2 + "by post", words * 2 + "by mail")], "changed")[
        -1
    ]
    assert "by post` → `" in told
    assert told.endswith("by mail`")


def test_an_edit_that_was_stopped_is_told_by_what_it_would_have_changed() -> None:
    refusal = "The user doesn't want to proceed with this tool use. the user said:\nNo."
    told = texts(
        [
            TASK,
            *use(
                "e",
                "Edit",
                refusal,
                replace_all=False,
                file_path="/repo/a.py",
                old_string="x = 1",
                new_string="x = 2",
            ),
        ],
        "asked",
    )[-1]
    assert told == "(stopped the agent's Edit /repo/a.py, nothing written: `x = 1` → `x = 2`) No."


def test_a_view_by_an_editor_changes_nothing() -> None:
    view = use("a", "str_replace_editor", lines("def load_row", 60), command="view", path="/repo/rows.py")
    assert texts([TASK, *view], "ran", "posted", "changed") == []


def test_of_a_script_that_writes_several_files_each_is_told_with_its_own_text() -> None:
    code = "open('a/x.py', 'w').write('')\nopen('a/y.py', 'w').write('import rows\\nrows.read()\\n')\n"
    told = texts([TASK, *run("s", f"cat > s.py <<'E'\n{code}E\npython s.py", "", 0)], "changed")
    assert "wrote a/x.py" not in told
    assert any(line.startswith("wrote a/y.py: ") and "rows.read()" in line for line in told)


def test_a_diff_that_a_call_gave_back_is_not_told_by_its_head() -> None:
    span = [
        TASK,
        *use("s", "submit", "diff --git a/src/rows.py b/src/rows.py\n--- a/src/rows.py", command="submit"),
    ]
    assert "diff --git" not in " ".join(texts(span))


def test_a_refusal_of_the_editor_goes_where_the_edit_is_made_later() -> None:
    refused = use("a", "edit", "No file open. Use the `open` command first.", command="edit src/rows.py")
    made = edit("b", "/work/shop/src/rows.py", "rows = []", "rows = [last]")
    assert "No file open" in " ".join(texts([TASK, *refused]))
    assert "No file open" not in " ".join(texts([TASK, *refused, *made]))


DIFF_OF_TWO = """diff --git a/src/rows.py b/src/rows.py
--- a/src/rows.py
+++ b/src/rows.py
@@ -7,3 +7,3 @@ def read_rows(path):
     rows = []
-    limit = rows_of(path)
+    limit = kept_rows_of(path, limit=7)
     return rows
diff --git a/src/tills.py b/src/tills.py
--- a/src/tills.py
+++ b/src/tills.py
@@ -2,2 +2,2 @@ def open_till(name):
-    till = till_of(name)
+    till = locked(till_of(name))
"""


def test_a_line_that_a_diff_puts_in_is_told_with_its_file() -> None:
    shown = PendingOutput(words="ran `git diff`", output=DIFF_OF_TWO, turn=3, part=0, key="")
    told = evidence(shown, frozenset({"till", "of", "name", "till_of"}), most=110)
    assert told is not None
    assert told.text == ("ran `git diff` → … +++ b/src/tills.py … +    till = locked(till_of(name))")


def test_of_a_diff_that_nobody_has_spoken_of_the_files_are_told() -> None:
    shown = run("p", "cat my.patch", DIFF_OF_TWO, 0)
    told = section(brief([TASK, *edit("e", "src/rows.py", "rows_of", "kept_rows_of"), *shown], 900), "Next")
    assert "- newest result (of #3): ran `cat my.patch` → a diff of src/rows.py, src/tills.py" in told


def test_of_a_long_function_what_it_does_is_told_before_how_it_hands_on_errors() -> None:
    handed = 'if err != nil {\n\treturn nil, fmt.Errorf("failed to VERB the rows of the shop: %w", err)\n}\n'
    steps = [f"{verb}, err := {verb}Rows(path)\n{handed.replace('VERB', verb)}" for verb in ("open", "list")]
    new = f"func rowsOf(path string) ([]Row, error) {{\n{steps[0] * 2}{steps[1]}"
    new += 'if strings.HasSuffix(path, ".tsv") {\nrows = tabRows(list)\n} else {\nrows = commaRows(list)\n}\n'
    new += "".join(f"counted[{n}] = countedRows(rows, {n})\n" for n in range(9))
    [told] = [t for t in texts([TASK, *edit("a", "/work/shop/rows.go", "x\n", new)], "changed") if ": " in t]
    assert "rows = tabRows(list) ⏎ } else { ⏎ rows = commaRows(list)" in told
    assert "failed to" not in told


def _steps(*news: str) -> list[Message]:
    """A function made otherwise again and again, a test behind each time."""
    span, old = [TASK], "return rows"
    for at, new in enumerate(news):
        span += [
            *edit(f"e{at}", ROWS, old, new),
            *run(f"t{at}", "pytest", f"E   ValueError: {at}\n1 failed", 1),
        ]
        old = new
    return span


def test_of_several_edits_of_one_place_the_last_tells_what_they_all_came_to() -> None:
    told = texts(_steps("return rows[:1]", "return rows[:2]", "return rows[1:]"), "changed")
    assert f"edited {ROWS} (all of #1-9): `return rows` → `return rows[1:]`" in told
    assert any("rows[:1]" in t and t.endswith("(not there now)") for t in told)


def test_an_edit_around_an_earlier_one_is_told_with_it_and_one_elsewhere_is_not() -> None:
    span = [*_steps("return rows[:1]  # the first"), *edit("z", ROWS, "limit = 1", "limit = 2")]
    span += edit("y", ROWS, "if rows:\n    return rows[:1]  # the first", "return rows[1:]")
    told = texts(span, "changed")
    assert any("all of #1-7" in t and "`if rows: ⏎   return rows` → `return rows[1:]`" in t for t in told)
    assert f"edited {ROWS}: `limit = 1` → `limit = 2`" in told


def test_what_edits_came_to_is_not_told_where_something_else_changed_the_file() -> None:
    span = _steps("return rows[:1]", "return rows[:2]")
    span[5:5] = run("s", f"sed -i 's/rows/lines/' {ROWS}", "", 0)
    assert not any("all of" in t for t in texts(span, "changed"))


def test_that_the_session_deleted_its_own_backup_is_not_told() -> None:
    span = [TASK, *run("b", "cp /work/till.db /work/till.db.bak", "", 0), *run("m", "make all", "ok", 0)]
    assert texts([*span, *run("r", "rm /work/till.db.bak", "", 0)], "changed") == []
    assert texts([TASK, *run("r", "rm /work/till.db.bak", "", 0)], "changed") == ["deleted /work/till.db.bak"]


def test_of_lines_written_again_only_those_that_changed_are_named() -> None:
    head = "[File: /work/rows.py (4 lines total)]\n"
    now = ["def read():", "    return 1", "def count():", "    return 3"]
    after = head + "".join(f"{n}:{line}\n" for n, line in enumerate(now, 1))
    before = after.replace("return 3", "return 2")
    again = "edit 1:4\n" + "\n".join(now) + "\nend_of_edit"
    span = [TASK, *run("a", "open /work/rows.py", before, 0), *run("b", again, after, 0)]
    assert texts(span, "changed")[-1] == "edited /work/rows.py (count): `return 2` → `return 3`"


def test_what_only_moved_is_not_told_as_put_in_beside_what_is_new() -> None:
    old = "def open():\n    light(lamp)\n    unlock(till)\n\ndef shut():\n    lock(till)"
    new = "def open():\n    unlock(till)\n    count(rows)\n    light(lamp)\n\ndef shut():\n    lock(till)"
    assert compared(old, f"{new}\n    save(rows)", "a.py", 200) == "added `count(rows)` ; added `save(rows)`"


def test_an_edit_of_many_places_is_the_next_of_each() -> None:
    span = [
        TASK,
        *edit("a", ROWS, "a = 1", "a = read_all(1)"),
        *edit("b", ROWS, "b = 2", "b = read_all(2)"),
        *edit("c", ROWS, "read_all", "read"),
    ]
    assert [t.endswith(" (edited again, #5)") for t in texts(span, "changed")][:2] == [True, True]


def test_a_failure_amid_edits_that_are_told_as_one_says_where_it_was_no_more() -> None:
    error = "ran `pytest` → ValueError: 0"
    span = [*_steps("return rows[:1]"), *edit("b", ROWS, "return rows[:1]", "return rows[1:]")]
    passes = run("z", "pytest", "3 passed", 0)
    assert f"{error} (gone at #7)" in texts([*span, *passes])


def test_a_cause_that_was_put_in_and_taken_out_again_is_said_to_be_gone() -> None:
    cause = "The error is due to the 'strict_rows' option."
    span = [
        TASK,
        *edit("a", ROWS, "limit = 1", "limit = 1\nstrict_rows = limit + 1"),
        *run("b", "python check.py", "TypeError: no such option", 1),
        say("assistant", cause),
        *edit("c", ROWS, "limit = 1\nstrict_rows = limit + 1", "limit = 1"),
        *run("d", "python check.py", "all is well", 0),
    ]
    assert f"{cause} (not there now)" in texts(span)


def test_a_small_brief_tells_of_many_edits_none_that_only_takes_out() -> None:
    out = edit("a", "/work/shop/src/count.py", "def old_rows():\n    pass\n", "")
    assert "removed" in brief([TASK, *out], 180)
    assert "removed" not in brief([TASK, *out, *edit("b", ROWS, "a = 1", "a = read_all(1)")], 180)


def test_a_tiny_brief_leaves_out_the_item_that_the_newest_edit_does() -> None:
    item = Statement(kind="asked", text="- `rows.py`: yield none", turn=0, place=(0, 3), flags=("item",))
    candidate = Candidate(statement=item, tokens=9, worth=1.0, episode=0, required=1)
    newest = EditedPlace("rows.py", "/src/rows.py", frozenset(), 7)
    assert as_of_now([candidate], [], room=100, count=len, closed=False) == [candidate]
    assert as_of_now([candidate], [newest], room=100, count=len, closed=False) == []


def test_lines_of_a_change_that_are_no_neighbours_are_told_with_a_gap() -> None:
    old = "class Row:\n    size = 1\nclass Cell:\n    text = ''\nlimit = 9\n"
    told = compared(old, "from shop import Row, Cell\nlimit = 9\n", ROWS, 400)
    assert told == "removed `class Row: … class Cell:` (4 lines) ; put in `from shop import Row, Cell`"
    old = "import os\nclass Shop:\n    x = 1\n    gone = 3\n"
    new = "import os\nfrom rows import read\nclass Shop:\n    def load(cls):\n        pass\n    x = 1\n"
    told = compared(old, new, ROWS, 400)
    assert told == "added `def load(cls): ⏎   pass` ; removed `gone = 3` ; …"


def test_a_condition_is_told_with_what_it_does_or_not_as_the_last() -> None:
    new = "x = 1\nrows = str(given)\nif len(rows) > 20:\n    rows = load(given)\nx = 2\n"
    told = compared("x = 1\nrows = load(given)\nx = 2\n", new, ROWS, 200)
    assert told == "added `rows = str(given) ⏎ if len(rows) > 20: ⏎   rows = load(given)`"
    code = [
        "def read(path):",
        "    limit = given(path)",
        "    if limit > 9:",
        f"        raise Full({'9' * 80})",
    ]
    assert telling_lines(code, "a.py", 70) == "def read(path): ⏎   limit = given(path) …"


def test_a_line_that_goes_on_with_another_is_not_told_alone() -> None:
    code = ["words = path", "    .split('/')", "    .slice(2)", "function last(path) {", "  return words[0];"]
    assert telling_lines(code, "a.ts", 50) == "words = path ⏎   .split('/') ⏎   .slice(2) …"


def test_the_same_change_of_many_lines_is_told_once_by_what_differs() -> None:
    line = '"run": "sh -c \'{}if ! command -v entry >/dev/null 2>&1; then exit 0; fi; exec entry hook {}\'"'
    old, new = (
        "\n".join(line.format(guard, n) for n in "abc") for guard in ("", "test -d .entry || exit 0; ")
    )
    told = compared(old, new, "hooks.json", 420)
    assert told == "put in `…test -d .entry || exit 0; …` (so in 3 lines)"
    told = compared("a = read(1)\nb = read(2)\n", "a = load(1)\nb = load(2)\n", ROWS, 420)
    assert told == "`a = read(1)` → `a = load(1)` (so in 2 lines)"


def test_of_a_new_function_the_lines_that_say_what_it_does_are_told() -> None:
    lines = [
        "def read_rows(path):",
        "    logger.info('reading the rows')",
        "    config = load_config(path)",
        "    rows = []",
        "    for raw in open(path):",
        "        rows.append(raw.split(','))",
        "    if not rows:",
        "        raise EmptyTable(path)",
        "    return rows",
    ]
    told = telling_lines(lines, "a.py", 90)
    assert told.endswith("  if not rows: ⏎     raise EmptyTable(path) ⏎   return rows")
    assert "logger" not in told
    assert "config" not in telling_lines(lines, "a.py", 120, [line.strip() for line in lines[:3]])


def test_what_an_edit_has_in_common_with_what_it_stands_beside_is_not_what_it_tells() -> None:
    old = "def test_one():\n    shop = make_shop()\n    rows = shop.read(1)\n    assert rows == []\n"
    new = "def test_two():\n    shop = make_shop()\n    shop.close_all()\n    assert rows == []\n"
    told = compared(old, f"{old}{new}", "test_a.py", 60)
    assert told == "added `def test_two(): …   shop.close_all() ⏎   assert rows == []`"


def test_an_else_is_not_told_without_the_branch_before_it() -> None:
    lines = ["tidy(rows)", "if rows:", f"    x = '{'y' * 90}'", "else:", "    count(rows)"]
    assert "else" not in telling_lines(lines, "a.py", 60)


def test_an_else_is_told_with_what_it_does_where_that_stood_before() -> None:
    old = "zone = read('UTC')"
    new = "if own:\n    zone = read(own)\nelse:\n    zone = read('UTC')"
    assert compared(old, new, "a.py", 200).endswith("else: ⏎   zone = read('UTC')`")


def test_several_edits_of_one_place_are_named_by_all_that_they_touch() -> None:
    span = [*_steps("def one():\n    return rows[:1]\n\ndef two():\n    return 2")]
    span += edit("z", ROWS, "    return 2", "    return 3")
    assert f"edited {ROWS} (one, two; all of #1-5)" in " ".join(texts(span, "changed"))


def test_that_a_script_was_written_to_try_something_out_is_left_to_its_run() -> None:
    ran = run("r", "python test_rows.py", "9 rows", 0)
    fixed = edit("e", ROWS, "return rows", "return rows[1:]")
    told = texts([TASK, *write("w", CHECK, BODY), *ran, *fixed], "changed", "tested", "ran")
    assert told == ["ran `python test_rows.py` → 9 rows", f"edited {ROWS}: `return rows` → `return rows[1:]`"]


def test_code_that_is_told_in_one_line_stays_set_in() -> None:
    old = "        at = zone\n        return convert(at)\n"
    new = (
        "        at = own(zone)\n        if at:\n            if at != zone:\n                shift(at)\n"
        "        else:\n            shift('UTC')\n        return convert(at)\n"
    )
    told = "⏎ if at: ⏎   if at != zone: ⏎     shift(at) ⏎ else: "
    for text in (new, new.replace("    ", "\t")):
        assert told in compared(old, text, "a.py", 300)


def test_of_several_edits_told_in_part_what_only_the_last_put_in_is_told() -> None:
    body = "".join(
        f"    if row.field_{n} is not None:\n        rows.append(row.field_{n})\n" for n in range(30)
    )
    made = f"def read(row):\n    rows = []\n{body}    last = rows[-1:]\n    return sum(rows)\n"
    span = [TASK, *edit("a", ROWS, "def read(row):\n    pass\n", made)]
    span += edit("b", ROWS, "    last = rows[-1:]\n", "    last = rows[-1:]\n    shown = tail\n")
    (told,) = [t for t in texts(span, "changed") if "all of" in t and ": " in t]
    assert "last = rows[-1:] ⏎ shown = tail" in told
