"""Edits of documents, by scripts, and by others."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import TASK, brief, edit, texts, use, write
from compactors.conversations import run, say

PAGE = "/work/shop/README.md"


def test_a_section_that_is_taken_out_is_told_first() -> None:
    before = "# Shop\n\n- Rows 2.5\n\n## Why?\n\nRows are kept as they come.\n\n## Use\n\nmake rows\n"
    after = "# Shop\n\n- Rows\n\n## Use\n\nmake rows\n"
    [told] = [
        t for t in texts([TASK, *write("a", PAGE, before), *write("b", PAGE, after)], "changed") if "Why" in t
    ][-1:]
    assert "removed `## Why?`" in told


def test_what_others_changed_stands_in_state() -> None:
    before = "# Shop\n\n## Why?\n\nRows are kept.\n\n## Use\n\nmake rows\n"
    seen = use("b", "Read", before.replace("## Why?\n\nRows are kept.\n\n", ""), file_path=PAGE)
    span = [TASK, *write("a", PAGE, before), say("user", "Now the examples.", id="next"), *seen]
    state = brief(span, 400).partition("## State")[2]
    assert "changed by others, seen: /work/shop/README.md: removed `## Why?`" in state


def test_the_fence_of_a_code_block_is_no_change() -> None:
    hunk = "".join(texts([TASK, *edit("e", PAGE, "```\nmake\n```", "```bash\nmake\n```")], "changed"))
    assert "bash" not in hunk


def test_a_drawing_is_left_out() -> None:
    drawing = (
        "### How it works\n  ┌── rows ──┐\n  │  heads   │\n  └──────────┘\nRows go to heads, which are kept."
    )
    told = "".join(texts([TASK, *edit("e", PAGE, "### Notes", drawing)], "changed"))
    assert "How it works" in told
    assert "│" not in told


def test_a_script_whose_name_ends_like_the_file_is_not_the_file() -> None:
    script = "text = open('src/rows.py').read()\ntext = text.replace('return rows', 'return priced(rows)')\n"
    command = (
        f"cat > fix_rows.py << 'EOF'\n{script}open('src/rows.py', 'w').write(text)\nEOF\npython fix_rows.py"
    )
    [told] = [
        t for t in texts([TASK, *run("s", command, "", 0)], "changed") if t.startswith("edited src/rows.py")
    ]
    assert "`return rows` → `return priced(rows)`" in told


def test_of_a_command_that_was_run_again_the_newest_outcome_stands() -> None:
    first = run("a", "cd /tmp/try && shop reset", "No branch found for rows", 0)
    again = run("b", "cd /tmp/try && shop reset", "Nothing to reset for rows", 0)
    told = " ".join(texts([TASK, *first, *edit("e", "/work/a.py", "x = 1", "x = 2"), *again], "ran"))
    assert "No branch found" not in told
    assert "Nothing to reset" in told


def test_what_the_agent_put_back_is_not_told_as_taken_out_by_others() -> None:
    before = "# Shop\n\n## Why?\n\nRows are kept.\n\n## Use\n\nmake rows\n"
    without = before.replace("## Why?\n\nRows are kept.\n\n", "")
    seen = use("b", "Read", without, file_path=PAGE)
    back = edit("c", PAGE, "## Use\n", "## Why?\n\nRows are kept.\n\n## Use\n")
    state = brief([TASK, *write("a", PAGE, before), *seen, *back], 400).partition("## State")[2]
    assert "changed by others" not in state


def test_what_others_put_in_is_told_by_what_stands_now_until_the_agent_edits_the_file() -> None:
    way = "rows of the shop that are kept for a while " * 2
    before = f"# Shop\n\n- {way}by day\n\n## Use\n\nmake rows\n"
    seen = use("b", "Read", before.replace("by day", "by week"), file_path=PAGE)
    span = [TASK, *write("a", PAGE, before), *seen]
    assert f"README.md: now `- {way}by week`" in brief(span, 600).partition("## State")[2]
    since = edit("c", PAGE, "make rows", "make all")
    assert "changed by others" not in brief([*span, *since], 600).partition("## State")[2]


def test_a_run_in_another_folder_says_where() -> None:
    lines = "cd /tmp/try-shop && cat rows.txt && stat rows.json && shop reset --force && stat rows.json"
    ran = [
        replace(m, cwd="/work/shop") for m in run("a", lines, "stat: rows.json: No such file or directory", 1)
    ]
    assert "ran `cd /tmp/try-shop && cat rows.txt" in " ".join(texts([TASK, *ran], "failed"))


def test_what_should_be_done_says_since_when_it_was_worked_on() -> None:
    words = say("assistant", "The issue is real: we should be slicing the rows before the sum.")
    told = texts(
        [TASK, words, *edit("e", "/work/rows.py", "x = 1", "x = 2"), say("assistant", "It slices them.")]
    )
    assert any(text.endswith("before the sum. (edited since: #2)") for text in told)


def test_of_runs_in_several_folders_the_last_says_where() -> None:
    lines = "go build -o /tmp/shop ./cmd/shop && cd /tmp/try-shop && /tmp/shop reset --force"
    told = " ".join(texts([TASK, *run("a", lines, "Nothing to reset for rows", 0)], "ran", "tested"))
    assert "… in /tmp/try-shop: /tmp/shop reset --force" in told
