"""Deeds: each is told as it was done, where it was done, and no longer than it holds."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, edit, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.deeds.run_words import short_run
from tamis.messages import Message

TRY = "/work/shop/try.py"


def test_what_a_user_said_in_place_of_an_output_was_not_printed() -> None:
    refusal = "The user doesn't want to proceed with this tool use. The user said:\n" + lines("too slow", 5)
    span = [TASK, *run("a", "make rows", refusal)]
    assert not [*passages_of(span, range(len(span)), 2_000)]


def test_a_script_that_is_made_anew_is_no_change_of_the_one_before() -> None:
    first = write("a", TRY, "import rows\nprint(rows.read(1))\n")
    anew = write("c", TRY, "import rows\nprint(rows.read(2))\n")
    changed = texts([TASK, *first, *run("b", f"rm {TRY}", "", 0), *anew], "changed")
    assert not any("→" in text for text in changed)


def test_a_printed_block_is_named_by_the_program_that_printed_it() -> None:
    line = "mkdir -p out && cd out && cat > a.env <<'E'\nROWS=3\nE\nchmod +x try.sh && ./try.sh"
    span = [TASK, *run("a", line, "rows: 3\nThe rows are read one by one.", 0)]
    [copied] = [s.text for s in passages_of(span, range(len(span)), 2_000) if "rows: 3" in s.text]
    assert copied.startswith("#2 `./try.sh` in out printed")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cd web && npm test", "ran `cd web && npm test`"),
        ("cd /work/shop\nls doc\nls src", "ran `ls doc; ls src`"),
    ],
)
def test_a_command_is_told_with_where_it_ran_and_line_by_line(command: str, told: str) -> None:
    assert any(text.startswith(told) for text in texts([TASK, *run("a", command, "rows.md till.md", 0)]))


def test_a_tool_that_is_called_by_a_line_is_told_by_it() -> None:
    call = use("a", "find_file", "No matches found", command='find_file "rows.py" src')
    assert texts([TASK, *call])[-1] == 'find_file "rows.py" src → nothing found'


def test_a_search_that_found_nothing_goes_where_a_later_one_shows_what_was_sought() -> None:
    vain = use("a", "Grep", "No matches found", pattern="readRows", path="src")
    found = use("b", "Grep", "lib/rows.py:7:def readRows(path):", pattern="def read", path="lib")
    assert "Grep `readRows` in src → nothing found" in texts([TASK, *vain])
    assert "Grep `readRows` in src → nothing found" not in texts([TASK, *vain, *found])


def test_what_an_edit_put_in_is_told_as_it_was_put_in() -> None:
    """The state tells the names of now, once for all."""
    first = edit("a", "src/rows.go", "return 7", "return kept.KeepRows()")
    later = edit("b", "src/rows.go", "kept.KeepRows", "kept.Rows")
    assert not any("now" in text for text in texts([TASK, *first, *later], "changed"))


def test_a_run_does_not_tell_why_it_failed_before_its_own_script_was_changed() -> None:
    made = write("a", TRY, "print(rows)")
    failed = run("b", "python try.py", "NameError: name 'rows' is not defined", 1)
    span = [
        TASK,
        *made,
        *failed,
        *edit("c", TRY, "print(rows)", "print(7)"),
        *run("d", "python try.py", "7", 0),
    ]
    assert texts(span, "tested") == ["ran `python try.py` → 7"]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (
            "Rows of the first till: ⏎ [1, 2] ⏎ Rows of the second till: ⏎ [3, 4]",
            "… ⏎ Rows of the second till: ⏎ [3, 4]",
        ),
        (
            "Rows: 2 ⏎ Till 1: ⏎ name price ⏎ 1.0 2.0 ⏎ Till 2: ⏎ name price ⏎ 3.0 4.0",
            "… ⏎ Till 2: ⏎ name price ⏎ 3.0 4.0",
        ),
    ],
)
def test_what_a_run_printed_last_is_told_with_what_heads_it(printed: str, told: str) -> None:
    assert short_run(f"ran `python a_table_of_all_rows.py` → {printed}", 80).endswith(f" → {told}")


def test_of_a_run_that_has_little_room_the_outcome_is_told_before_all_words_of_it() -> None:
    assert short_run(f"ran `make {'rows ' * 20}`: ok", 60).endswith("`: ok")


def test_a_call_that_is_cut_keeps_the_folder_that_it_names() -> None:
    told = short_run('ran `grep -r "no rows in the till" /home/till/.shop/ 2>/dev/null` → a.log', 60)
    assert told == 'ran `grep -r "no rows in the till"… /home/till/.shop/…` → a.log'


DIFF = """diff --git a/src/rows.py b/src/rows.py
--- a/src/rows.py
+++ b/src/rows.py
@@ -7,2 +7,3 @@ def read_rows(path):
     rows = []
+    limit = rows_of(path)
     return rows
"""


@pytest.mark.parametrize(
    ("shows", "is_told"),
    [("git diff -- src/rows.py", True), ("git diff main..HEAD", False), ("cat rows.md", False)],
)
def test_what_a_script_put_into_a_file_is_told_from_the_diff_of_the_work(shows: str, is_told: bool) -> None:
    script = "cat > fix.py <<'E'\nimport sys\nE\npython fix.py && sed -i -f fix.sed src/rows.py"
    span = [TASK, *run("a", script, "", 0), *run("b", shows, DIFF, 0)]
    told = "edited src/rows.py (read_rows): added `limit = rows_of(path)` before `return rows`"
    assert (told in texts(span, "changed")) is is_told


def test_what_sed_puts_at_a_line_is_told_by_its_side() -> None:
    [told] = texts([TASK, *run("a", r"sed -i '7s/^/    limit = 3\n/' src/rows.py", "", 0)], "changed")
    assert told == "edited src/rows.py: before line 7: `limit = 3`"


def test_what_was_put_in_and_taken_out_again_is_not_told() -> None:
    line = "OPTIONS = {'keys': False}\n"
    there = edit("a", "src/rows.py", "x = 1\n", f"x = 1\n{line}")
    back = edit("b", "src/rows.py", f"x = 1\n{line}", "x = 1\n")
    assert not any("OPTIONS" in text for text in texts([TASK, *there, *back], "changed"))


def test_a_heading_that_an_edit_took_out_is_not_among_what_it_touched() -> None:
    old, new = "## 3. Read rows - to do\n\nSoon.\n", "## 3. Read rows - DONE\n\nDone.\n"
    told = texts([TASK, *edit("a", "/work/plan.md", old, new)], "changed")
    assert not any("to do" in text.partition(": `")[0] for text in told)


def test_of_what_git_lists_the_newest_is_told_without_its_hints() -> None:
    hint = '  (use "git add <file>..." to include what will be committed)\n'
    first = run("a", "git status", f"On branch main\nUntracked files:\n{hint}\trows.md\n", 0)
    last = run("b", "git status -s", " M src/rows.py\n?? rows.md\n", 0)
    told = [text for text in texts([TASK, *first, *last], "ran") if "git status" in text]
    assert told == ["ran `git status -s` → M src/rows.py ⏎ ?? rows.md"]
    assert not any("use " in text for text in texts([TASK, *first], "ran"))


def test_of_a_script_that_was_written_anew_the_newest_text_is_copied() -> None:
    first, last = (write(str(n), TRY, f"rows = read({n})\nprint(rows, {n})\n") for n in (1, 2))
    span = [TASK, *first, *run("b", f"rm {TRY}", "", 0), *last]
    copied = [s.text for s in passages_of(span, range(len(span)), 2_000) if "rows = " in s.text]
    assert len(copied) == 1
    assert "read(2)" in copied[0]


def test_a_line_of_data_is_told_with_what_it_holds() -> None:
    data = lines("word", 60) + '"row_limits": {\n"first_till": 3\n}\n' + lines("other", 20)
    spoken = say("assistant", "The output shows that the row limits are set in the settings.")
    told = texts([TASK, *run("a", "cat settings.json", data, 0), spoken, *run("b", "ls", "", 0)], "ran")
    assert any('"row_limits": { ⏎ "first_till": 3' in text for text in told)


def test_scripts_that_are_read_from_their_input_are_not_one_run() -> None:
    def script(name: str, code: str, printed: str, ended: int) -> list[Message]:
        return [*run(name, f"python3 - <<'E'\n{code}\nE", printed, ended)]

    span = [TASK, *script("a", "import rows\nprint(a)", "NameError: name 'a' is not defined", 1)]
    span += [
        *edit("b", "/work/shop/src/rows.py", "x = 1", "x = 2"),
        *script("c", "import rows\nprint(rows.n)", "rows: 7", 0),
    ]
    assert "ran `python3 -` → rows: 7" in texts(span, "tested", "ran")
