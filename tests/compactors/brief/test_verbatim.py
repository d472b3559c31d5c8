"""The newest text word for word: which of it says something."""

from __future__ import annotations

from collections.abc import Sequence

import tamis
from compactors.brief.talk import edit, texts, use
from compactors.conversations import lines, run, say
from tamis.compactors.brief.writing.verbatim import passages_of
from tamis.messages import Message


def copied(span: Sequence[Message], **changed: int) -> str:
    """The passages of a span."""
    names = {f"{name}.py": turn for name, turn in changed.items()}
    return "\n".join(s.text for s in passages_of(span, range(len(span)), 2_000, names))


def test_the_names_of_files_alone_are_not_copied() -> None:
    listed = "src/rows:\n__init__.py  rows.py\nloader.py\nrows_test.py\n"
    assert copied(run("a", "ls -R src", listed, 0)) == ""


def test_how_a_program_is_called_is_not_copied() -> None:
    assert copied(run("a", "otter --help", "Usage: otter FILE\nIt reads rows of the file.", 0)) == ""


def test_the_way_that_an_error_took_is_not_copied() -> None:
    trace = 'Traceback (most recent call last):\n  File "/x.py", line 1, in f\n    f(1)\nValueError: no rows'
    assert "ValueError: no rows" in (text := copied(run("a", "python x.py", trace, 1)))
    assert "File" not in text


def test_a_call_that_was_put_wrongly_is_not_copied() -> None:
    assert copied(run("a", "python y.py", "python: can't open file 'y.py': No such file", 2)) == ""


def test_the_log_of_tests_that_all_pass_is_not_copied_and_the_first_line_keeps_its_margin() -> None:
    log = "=== test session starts ===\nplatform linux\nrows are read\n=== 1 passed in 0.1s ==="
    assert copied(run("a", "pytest -v", log, 0)) == ""
    assert "rows are read" in copied(run("a", "pytest -v", log.replace("1 passed", "1 passed, 1 failed"), 1))
    short = copied(run("a", "git status --short", " M the rows.py\n M the till.py", 0))
    assert short.endswith(":\n M the rows.py\n M the till.py")


def test_what_an_editor_asks_for_each_time_and_the_command_are_not_copied() -> None:
    asks = "File updated. Please review the changes and make sure they are correct. Edit again if necessary."
    assert copied(use("a", "edit", f"[File: /w/rows.py (9 lines total)]\n1:rows = [last]\n{asks}")) == (
        "#1 `edit` printed:\n1:rows = [last]"
    )
    assert copied(run("b", "cat notes", "cat notes\nall rows are kept here", 0)) == (
        "#1 `cat notes` printed:\nall rows are kept here"
    )


def test_a_view_in_an_editor_of_a_file_that_was_changed_since_is_not_copied() -> None:
    view = f"[File: /w/rows.py (9 lines total)]\n{lines('1:row = ', 9)}"
    assert copied(use("a", "edit", view), rows=4) == ""


def test_what_a_refused_call_was_to_write_is_not_copied() -> None:
    content = "def read(path):\n    return rows_of(path)"
    assert "rows_of" in copied(use("w", "Write", "ok", file_path="a.py", content=content))
    refused = use("w", "Write", "ERROR: a.py exists already.", file_path="a.py", content=content)
    assert "rows_of" not in copied(refused)


def test_a_look_at_code_is_for_spare_room_behind_an_edit_or_an_answer() -> None:
    look = run("a", "sed -n 1,9p shop.py", "open = shop.first\nclose = shop.last", 0)

    def spare(span: Sequence[Message], **changed: int) -> list[bool]:
        files = {f"{name}.py": at for name, at in changed.items()}
        return ["spare" in s.flags for s in passages_of(span, range(len(span)), 9_000, files)]

    assert spare(look) == [False]
    assert spare(look, rows=4) == [True]
    assert spare([*look, say("assistant", "The shop opens first.")]) == [True]


def test_a_page_behind_which_files_were_changed_and_a_document_of_ones_own_are_for_spare_room() -> None:
    def spare(span: Sequence[Message], **changed: int) -> list[bool]:
        return ["spare" in s.flags for s in passages_of(span, range(len(span)), 9_000, changed)]

    page = use("w", "webfetch", "Rows are kept for nine days.", url="https://shop.example/rows")
    note = use("r", "read", "Rows are kept for ten days.", file_path="/w/notes.md")
    assert (spare(page), spare(page, rows=4)) == ([False], [True])
    later = [say("user", "Go on."), *note, say("assistant", "Read.")]
    assert (spare(later), spare(later, **{"notes.md": 0})) == ([False], [True])


def test_the_text_of_a_skill_is_not_copied_but_its_name_is_told() -> None:
    skill = use("s", "skill", "Weigh each row twice and write both down.", name="weighing")
    assert copied(skill) == ""
    assert texts(skill, "ran") == ["took up the skill weighing"]


def test_what_an_edit_put_in_is_not_copied_where_it_stands_no_more() -> None:
    put_in = edit("a", "/w/rows.py", "limit = 1", "limit = of(rows)\nsize = 7")
    assert "limit = of(rows)" in copied(put_in)
    changed = edit("b", "/w/rows.py", "limit = of(rows)", "limit = 9")
    assert "of(rows)" not in copied([*put_in, *changed])
    assert "size = 7" not in copied(put_in, rows=8)


def test_an_edit_that_only_takes_lines_out_puts_nothing_in() -> None:
    assert copied(edit("a", "/w/rows.py", "limit = 1\nsize = of(rows)\n", "limit = 1")) == ""


def test_of_a_command_that_was_run_again_the_newest_output_is_copied() -> None:
    span = [*run("a", "./shop list", "no rows: gone", 1), *run("b", "./shop list", "two rows: kept", 0)]
    assert "gone" not in (text := copied(span))
    assert "kept" in text


def test_room_that_is_left_shows_what_was_only_looked_at() -> None:
    code = "\n".join(f"drawer_{n} = shop.row({n * 37})" for n in range(40))
    span = [say("user", "Open the shop."), *run("a", "cat shop.py", code, 0)]
    span += edit("b", "/w/rows.py", "a", "b")
    span += run("c", "cat till.py", code.replace("drawer", "coin"), 0)
    span += edit("d", "/w/rows.py", "b", "c")
    [made, *_] = tamis.compact(span, budget=600, keep_last=0).messages
    assert "coin_7 = shop.row(259)" in made.text
