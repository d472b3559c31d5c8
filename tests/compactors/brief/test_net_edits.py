"""What edits came to: put back, tried out again and again, told by lines that stand together."""

from __future__ import annotations

from compactors.brief.talk import TASK, edit, texts, write
from compactors.conversations import run
from tamis.compactors.brief.reading.edits.code_lines import telling_lines

ROWS = "/work/shop/src/rows.py"


def test_lines_taken_out_and_put_back_are_not_told() -> None:
    out, back = "import rows_of\nimport cells_of\nlimit = 9\n", "limit = 9\n"
    span = [
        TASK,
        *edit("a", ROWS, out, back),
        *edit("b", ROWS, back, out),
        *edit("c", ROWS, "y = 1", "y = 2"),
    ]
    assert not any("rows_of" in text for text in texts(span, "changed"))


def test_of_a_script_that_the_agent_tries_out_the_last_form_is_told() -> None:
    span = [TASK, *write("w", "/work/shop/reproduce_rows.py", "print(rows(1))\n")]
    for n in range(2, 5):
        span += edit(f"e{n}", "/work/shop/reproduce_rows.py", f"rows({n - 1})", f"rows({n})")
        span += run(f"r{n}", "python reproduce_rows.py", f"NameError: name 'rows{n}' is not defined", 1)
    told = [text for text in texts(span, "changed") if "reproduce_rows" in text and ": " in text]
    assert [text.partition(": ")[2] for text in told] == ["`rows(3)` → `rows(4)`"]


def test_lines_that_are_told_of_a_long_text_stand_together() -> None:
    code = [f"row_{n} = read(table, {n})" for n in range(20)]
    code[9:9] = ["if not row_8:", "    raise EmptyTable(table)"]
    told = telling_lines(code, "a.py", 120)
    assert "if not row_8: ⏎   raise EmptyTable(table)" in told
    assert " … " not in told.removeprefix("… ").removesuffix(" …")
