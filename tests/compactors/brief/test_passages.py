"""The newest text word for word: which of it says something."""

from __future__ import annotations

from collections.abc import Sequence

import tamis
from compactors.brief.talk import brief, edit, texts, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.layout import story
from tamis.compactors.brief.writing.told_twice import told_twice
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


def test_what_a_script_that_edits_says_of_itself_is_not_copied() -> None:
    assert copied(run("a", "python mend_rows.py", "Fixed src/rows.py\n", 0)) == ""
    assert "Fixed 3 rows" in copied(run("a", "python count.py", "Fixed 3 rows\nof the shelf 9\n", 0))


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


def test_the_text_of_a_skill_is_not_copied_but_its_name_is_told() -> None:
    skill = use("s", "skill", "Weigh each row twice and write both down.", name="weighing")
    assert copied(skill) == ""
    assert texts(skill, "ran") == ["took up the skill weighing"]
    read = run("r", "sed -n 1,9p /w/skills/weighing/SKILL.md", "Weigh each row twice. Write it down.", 0)
    assert copied(read) == ""


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


def test_lines_that_stood_in_the_old_text_are_not_copied_as_put_in() -> None:
    old = "def open():\n    rows = shop.rows()\n    if rows is None:\n        rows = shop.all()\n    close()"
    new = "def open():\n    # No rows: nothing to sell\n    rows = shop.rows()\n    lock(rows)\n    close()"
    told = copied(edit("a", "/w/rows.py", old, new))
    assert "put into rows.py:\n    # No rows: nothing to sell\n…\n    lock(rows)" in told
    assert "shop.rows()" not in told


def test_pieces_that_touch_are_told_as_one() -> None:
    text = "\n".join(f"rows = keep({n}, 'a row of many words and more')" for n in range(40))
    pieces = list(passages_of(edit("a", "/w/rows.txt", "old", text), range(2), 9_000))
    lines = story(pieces, [Episode(0, 9)], headed=False)
    assert lines[1:] == [f"| {line}" for line in text.splitlines()]


def test_what_a_file_holds_that_was_written_whole_is_not_copied_once_it_was_told() -> None:
    text = "\n".join(f"- The shop has {n} rows of oats and as many of rye." for n in range(9))
    written = write("a", "/w/docs/shop.md", text)
    assert "rows of oats" in copied(written)
    assert "rows of oats" not in copied([*written, say("assistant", "The shop is described.")])


def test_what_was_put_in_is_copied_as_later_edits_left_it_where_the_last_of_them_is() -> None:
    span = edit("a", "/w/rows.cfg", "limit = 1", "def open():\n    limit = of(rows)\n    return limit")
    span = [*span, *edit("b", "/w/rows.cfg", "    limit = of(rows)", "    limit = 9 * size")]
    assert (
        "#2 put into rows.cfg, begun at #0:\ndef open():\n    limit = 9 * size\n    return limit"
        in copied(span)
    )
    rest = edit("c", "/w/rows.cfg", "    return limit\n\ndef shut():", "    return 3\n\ndef shut():")
    assert "def open():" not in copied([*span, *rest])  # what stands there now is not known


def test_of_two_functions_each_is_copied_as_from_the_edit_that_changed_it() -> None:
    def function(name: str, many: int) -> str:
        body = "".join(f"    {name}_{n} = {name}.weigh(sacks[{n}], of='{name}')\n" for n in range(many))
        return f"// {name} by its sacks.\ndef {name}(sacks):\n{body}    return {name}_1\n"

    first, second = function("rye", 25), function("oats", 20)
    span = [*edit("a", "/w/mill.cfg", "", f"{first}\n{second}"), say("assistant", "Both are there.")]
    span += edit("b", "/w/mill.cfg", "    return rye_1", "    kept(rye_2)\n    return rye_2")
    span += edit(
        "c", "/w/mill.cfg", "    return oats_1", "    kept(oats_2)\n    kept(oats_3)\n    return oats_2"
    )
    told = copied(span)
    heads = [line for line in told.splitlines() if line.endswith(":") and "mill.cfg" in line]
    assert "#3 put into mill.cfg, begun at #0:" in heads
    assert "#5 put into mill.cfg, further down, begun at #0:" in heads
    assert "// oats by its sacks.\ndef oats(sacks):" in told  # the remark over it goes with it


def test_a_list_of_like_entries_that_was_acted_upon_is_not_copied() -> None:
    listed = "".join(
        f'{{"time": {n}, "what": "the till of row {n} was {"counted " * 4}"}}\n' for n in range(90)
    )
    told = list(passages_of([*run("a", "./shop log", listed, 0), say("assistant", "So.")], range(3), 9_000))
    assert told == []


def test_who_reads_the_saved_rest_of_an_output_looks_on_at_it() -> None:
    big = run("a", "./shop all", "Output too large. Full output saved to: /w/out/a1.txt", 0)
    rest = use("r", "read", "The till was counted twice today.", file_path="/w/out/a1.txt")
    span = [*big, *rest, say("assistant", "It was counted.")]
    assert all("spare" in s.flags for s in passages_of(span, range(len(span)), 9_000))


def test_of_many_lines_that_say_the_same_the_first_and_the_last_are_copied() -> None:
    steps = "".join(f"  Laying row.{n}_{'ab'[n % 2]}... OK\n" for n in range(9))
    assert copied(run("a", "./shop lay", f"Rows to lay:\n{steps}price missing", 0)).splitlines()[1:] == [
        "Rows to lay:",
        "  Laying row.0_a... OK",
        "…",
        "  Laying row.8_a... OK",
        "price missing",
    ]


def test_an_output_that_is_copied_whole_is_not_told_by_its_lines_as_well() -> None:
    counted = "the till was opened\n" + "drawer of coins: 17 rows\nshelf of tins: 4 rows\nprice list: blank"
    span = [say("user", "Count the shop."), *run("a", "./shop count", counted, 0), say("assistant", "I did.")]
    assert brief(span, 900).count("price list: blank") == 1


def test_base64_and_hashes_of_records_are_neither_told_nor_copied() -> None:
    blob = "A9zQ" * 60
    output = f'the till of rows\n  "proof": "{blob}",\n  "tillID": "til_88afc0bd17e6a1b0",\n  "title": "rows"'
    told = copied(run("a", "till rows", output, 1))
    assert 'the till of rows\n…\n  "title": "rows"' in told
    assert blob not in told
    assert "til_88" not in told


def test_of_a_long_record_one_part_is_enough() -> None:
    record = "".join(f'{{\n  "row": {n},\n  "error": "grain {n} failed"\n}},\n' for n in range(80))
    span = [*run("a", "till rows", record, 0), say("assistant", "Now I look at grain 71.")]
    assert copied(span).count("printed") <= 1


def test_of_an_edit_only_what_is_new_is_copied() -> None:
    old = "## Help\nask the miller\n## Sacks\nof linen"
    told = copied(edit("e", "rows.md", old=old, new=old.replace("## Sacks", "## Price\none coin\n## Sacks")))
    assert "## Price\none coin" in told
    assert "miller" not in told
    assert "linen" not in told


def test_a_decorator_stays_with_its_function() -> None:
    for n in range(86, 98):
        span = use(
            "a", "look", lines("x = ", n) + "@first\n@second\ndef rows() -> None:\n" + lines("  y = ", 90)
        )
        parts = [s.text for s in passages_of(span, range(len(span)), 9_000, is_wide=True)]
        assert any("@first\n@second\ndef rows() -> None:\n  y" in part for part in parts)


def test_how_a_program_is_called_is_neither_told_nor_copied_where_it_says_so_unasked() -> None:
    usage = f"Mills.\n\nCommands:\n{lines('  grind  Grind the sack of', 30)}\n\nUsage:\n  mill [command]\n"
    assert copied(run("a", "mill sacks show 7", usage, 0)) == ""
    span = [
        say("user", "Grind sacks."),
        *run("a", "mill sacks show 7", usage, 0),
        say("assistant", "The mill command grinds sacks."),
    ]
    assert "mill [command]" not in brief(span, 400)


def test_of_what_was_found_in_files_and_of_names_in_columns_no_bare_name_is_told() -> None:
    found = "docs/rows/sacks.md:\n" + lines("  Line 9: of grain, see the", 30) + "docs/rows/grain.md:\n"
    span = [
        say("user", "Go."),
        *use("a", "grep", found, pattern="x"),
        say("assistant", "The rows of docs on grain, sacks."),
    ]
    assert (
        "sacks.md:" not in (told := brief(span, 2_000)).partition("→")[2].partition("\n")[0]
        or "Line 9" in told
    )
    listed = "docs:\nrows  sacks\tgrain\n" + lines("mill  oats", 20)
    span = [
        say("user", "Go."),
        *run("a", "ls -R .", listed, 0),
        say("assistant", "The docs have rows, sacks and grain."),
    ]
    assert "sacks\tgrain" not in brief(span, 200)


def test_what_was_put_in_is_not_copied_beside_the_listing_of_it() -> None:
    code = [f"    row_{n} = read_row({n}, blank=True)" for n in range(9)]
    listing = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(code, 7))
    put_in = Statement(
        kind="passage", text="#3 put into a.py:\n" + "\n".join(code), turn=3, place=(0, 0), key="3.0"
    )
    printed = Statement(kind="passage", text=f"#4 `cat` printed:\n{listing}", turn=4, place=(0, 0), key="4.0")
    assert told_twice([put_in, printed], []) == {id(put_in)}


def test_what_was_printed_for_what_was_asked_long_ago_is_copied_in_wide_room_alone() -> None:
    page = run("a", "cat docs/rows.md", "Rows are kept in tables.\nA table may be empty.\n", 0)
    later = [
        say(role, f"And the till {n}?", id=f"{role}{n}") for n in range(3) for role in ("user", "assistant")
    ]

    def is_copied(*behind: Message, is_wide: bool = False) -> bool:
        span = [
            say("user", "How are rows kept?", id="q"),
            *page,
            say("assistant", "In tables.", id="r"),
            *behind,
        ]
        copies = passages_of(span, range(len(span)), 2_000, is_wide=is_wide)
        return any("tables" in s.text for s in copies)

    assert is_copied(*later[:4])
    assert not is_copied(*later)
    assert is_copied(*later, is_wide=True)


def test_what_somebody_says_line_by_line_is_not_copied_as_well() -> None:
    plan = ["Sort the sacks by weight", "**Line 9** - weigh the oats first", "Mark the torn sacks"]
    told = [line.replace("*", "") for line in plan]
    asked = [
        Statement(kind="asked", text=line, turn=7, place=(0, at), key="") for at, line in enumerate(told)
    ]
    text = "#3 put into plan.md:\n- " + "\n- ".join(plan)
    put_in = Statement(kind="passage", text=text, turn=3, place=(0, 0), key="3.0")
    assert told_twice([put_in, *asked], []) == {id(put_in)}
    assert told_twice([put_in, *asked[1:]], []) == set()


def test_a_diff_is_not_copied_beside_the_edit_that_it_shows() -> None:
    text = (
        "#5 `git diff` printed:\n--- a/mill.toml\n+++ b/mill.toml\n@@ -1,3 +1,3 @@\n"
        ' name = "mill"\n-grain = "oats"\n+grain = "rye"\n kept = 3'
    )
    diff = Statement(kind="passage", text=text, turn=5, place=(0, 0), key="4.0")
    told = 'edited mill.toml: `grain = "oats"` → `grain = "rye"`'
    edited = Statement(kind="changed", text=told, turn=3, place=(0, 0), key="mill.toml")
    elsewhere = Statement(kind="changed", text=told, turn=3, place=(0, 0), key="shop.toml")
    assert told_twice([edited, diff], []) == {id(diff)}
    assert told_twice([elsewhere, diff], []) == set()


def test_an_edit_is_not_copied_again_for_the_names_that_it_has_now() -> None:
    told = "edited mill.py: added `sack = weigh_sack(oats)`"
    edited = Statement(kind="changed", text=told, turn=3, place=(0, 0), key="mill.py")
    text = "#3 put into mill.py, begun at #1:\n    sack = weigh(oats)"
    now = Statement(kind="passage", text=text, turn=3, place=(0, 0), key="3.0")
    assert told_twice([edited, now], ["- renamed: weigh_sack → weigh (#5)"]) == {id(now)}
    assert told_twice([edited, now], []) == set()


def test_an_addition_that_is_told_in_part_goes_where_the_whole_of_it_is_copied() -> None:
    told = "edited mill.py (grind): added `def grind(sack): … return weigh_sack(sack)` (edited again, #7)"
    edited = Statement(kind="changed", text=told, turn=3, place=(0, 0), key="mill.py")
    text = "#3 put into mill.py, begun at #1:\ndef grind(sack):\n    sort(sack)\n    mark(sack)"
    whole = Statement(kind="passage", text=f"{text}\n    return weigh(sack)", turn=3, place=(0, 0), key="3.0")
    part = Statement(kind="passage", text=text, turn=3, place=(0, 0), key="3.0")
    assert told_twice([edited, whole], ["- renamed: weigh_sack → weigh (#5)"]) == {id(edited)}
    assert told_twice([edited, part], []) == set()


def test_of_a_search_the_copied_hits_are_enough() -> None:
    told = "Grep `oats` in shop → mill.py:3: oats … store.py:9: oats"
    search = Statement(kind="ran", text=told, turn=3, place=(0, 0), key="oats")
    text = "#4 `Grep oats in shop` printed:\nmill.py:3: oats\nsack.py:5: oats\nstore.py:9: oats"
    hits = Statement(kind="passage", text=text, turn=4, place=(0, 0), key="3.0")
    assert told_twice([search, hits], []) == {id(search)}
