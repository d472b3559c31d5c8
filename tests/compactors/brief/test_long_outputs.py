"""What is told of outputs that are too long to be told whole: whole statements, or nothing."""

from __future__ import annotations

import json

from compactors.brief.talk import TASK, section, texts, use
from compactors.brief.talk import brief as brief_of
from compactors.conversations import lines, run, say
from tamis.compactors.brief.reading.deeds.call_text import output_of
from tamis.compactors.brief.reading.deeds.run_words import short_run
from tamis.compactors.brief.reading.deeds.search_hits import unfound
from tamis.messages import Message, ToolResult

FILLER = lines("filler", 60)
SPOKEN = say(
    "assistant",
    "The output shows: the empty rows of the table are skipped by skip_empty in `rows` (a.ts, README.md).",
    id="spoken",
)


def found(command: str, printed: str, *more: Message) -> list[str]:
    return texts([TASK, *run("c", command, printed, 0), SPOKEN, *more], "ran", "tested")


def test_of_code_that_was_sought_only_whole_statements_are_told() -> None:
    hits = "src/a.ts:7:  skip_empty: rows,\nsrc/a.ts:9:    ] as Table['skip_empty rows'])\n"
    hits += (
        "src/a.ts:12:function skip_empty(rows, table) {\nREADME.md:3:skip_empty: which rows of the table\n"
    )
    [told] = found("rg -n skip_empty", hits + FILLER)
    shown = "src/a.ts:12:function skip_empty(rows, table) { ⏎ README.md:3:skip_empty: which rows of the table"
    assert told.endswith(f"→ … {shown} …")


def test_a_search_that_shows_only_the_beginning_of_a_definition_is_not_told() -> None:
    printed = "14:def skip_empty(\n15-    rows,\n" + lines("16-    table", 40)
    assert found("grep -n -A 40 'def skip_empty' src/rows.py", printed) == []


def test_a_record_of_a_log_is_not_told_by_its_beginning() -> None:
    record = f'{{"time":"2026-01-01","msg":"skip_empty rows of the table","more":"{"word " * 40}"}}\n'
    assert not any("time" in told for told in found("tail -n 9 shop.log", record * 9))


def test_a_heading_over_what_is_not_told_is_not_told() -> None:
    printed = f"{FILLER}=== skip_empty rows ===\n{{\n{lines('more', 9)}skip_empty leaves rows.\n{FILLER}"
    assert found("cat a.md b.md", printed)[0].endswith("→ … skip_empty leaves rows. …")


def test_the_words_of_an_address_are_no_sign_of_what_was_spoken_of() -> None:
    printed = "It was fixed, https://rows.example/table/skip_empty\n" + FILLER
    assert found("tracker list", printed)[1:] == []


def test_where_the_rest_of_an_output_lies_is_told_before_that_it_is_long() -> None:
    printed = f"Output too large to read at once (22.1 KB). Saved to: /tmp/out-7.txt\n\n{FILLER}"
    told = brief_of([TASK, *run("c", "grep -rn rows src", printed, 0)], 90)
    assert "→ Saved to: /tmp/out-7.txt" in section(told, "Next")[0]
    assert "/tmp/out-7.txt (the output is too large)" in output_of(ToolResult(call_id="c", text=printed))


def test_of_code_read_last_it_is_told_which_lines() -> None:
    page = "".join(f"{n} | \tkeep(rows[{n}])\n" for n in range(200, 260))
    told = brief_of([TASK, *use("r", "Read", page, file_path="/work/shop/src/rows.ts")], 200)
    assert "rows.ts, lines 200 to 259" in section(told, "Next")[0]


def test_instructions_that_stay_at_hand_are_no_result() -> None:
    printed = "Skip the empty rows with skip_empty.\n" + FILLER
    assert found("cat ~/.agent/skills/rows/SKILL.md", printed) == []


def test_of_a_long_list_it_is_told_how_many_there_are() -> None:
    printed = "Found 10 stuck jobs:\n\n" + lines("A job of the warehouse waits", 40)
    assert found("jobs doctor", printed)[0].startswith("ran `jobs doctor` → Found 10 stuck jobs: … A job")


def test_what_let_through_some_of_what_was_printed_is_told_with_the_lines_around() -> None:
    [told] = found("python rows.py 2>&1 | grep -A 2 'empty cell'", "empty cell: 7\nrow 7")
    assert told.startswith("ran `python rows.py 2>&1 | grep -A 2 'empty cell'` →")


def test_a_heading_under_which_stands_another_is_not_told() -> None:
    printed = f"{FILLER}=== skip_empty old rows ===\n=== skip_empty rows ===\nskip_empty leaves rows.\n"
    assert found("cat a.md b.md", printed)[0].endswith(
        "→ … === skip_empty rows === ⏎ skip_empty leaves rows."
    )


def test_the_remark_over_a_command_is_no_part_of_it() -> None:
    [told] = texts([TASK, *run("c", "# Which sacks?\nls sacks", "a.txt", 0)], "ran")
    assert told.startswith("ran `ls sacks`")


def test_of_a_search_in_code_neither_lines_around_a_hit_are_told_nor_a_hit_that_says_no_more() -> None:
    around = '8-    """Which empty rows of the table are skipped."""\n' + lines("9-    table", 40)
    hit = "7:def skip_empty(table, skipped):\n"
    [told] = found("grep -n -A 40 skip_empty src/rows.py", hit + around)
    assert told.endswith("→ def skip_empty(table, skipped): …")
    assert found("grep -n -A 40 'class SkipEmpty' src/rows.py", "7:class SkipEmpty:\n" + around) == []


def test_a_line_that_quotes_the_request_is_none_of_an_output() -> None:
    printed = 'Session 7\nLast prompt: "Please make src/rows.py skip empty rows."\nAgent: stoat\n'
    asked = say("user", "Please make src/rows.py skip empty rows of any table.", id="asked")
    printed = printed.replace('rows."', 'rows of any..."')
    assert texts([asked, *run("c", "stoat session", printed, 0)], "ran") == [
        "ran `stoat session` → Session 7 … Agent: stoat"
    ]


def test_a_heading_at_the_end_under_which_nothing_was_printed_leaves_a_mark() -> None:
    printed = "=== rows ===\nMATCH\n=== a search ===\n"
    [told] = texts([TASK, *run("c", "sh compare.sh", printed, 0)], "tested", "ran")
    assert told.endswith("→ === rows === ⏎ MATCH …")


def test_an_error_that_another_library_raised_again_is_told_once() -> None:
    trace = 'Traceback (most recent call last):\n  File "/mill.py", line 1, in f\n    f(1)\n'
    printed = f"{trace}grain.RowError: empty rows of the table\n\nThe above was the cause:\n\n"
    printed += f"{trace}mill.errors.RowError: empty rows of the table\n"
    [told] = texts([TASK, *run("c", "python mill.py", printed, 1), SPOKEN], "ran", "failed", "tested")
    assert told.count("empty rows of the table") == 1
    assert "mill.errors.RowError" in told


def test_of_json_with_many_records_no_field_of_some_record_is_told() -> None:
    records = "".join(
        f'    {{\n      "name": "rows {n}",\n      "note": "skip_empty rows of the table"\n    }},\n'
        for n in range(9)
    )
    export = f'Exporting: rows{{\n  "version": "1.2",\n  "sets": [\n{records}  ]\n}}\n'
    assert found("shop export rows", export) == []
    fault = export.replace("  ]\n}", '  ],\n  "last": {\n    "log": "TableError: skip_empty rows"\n  }\n}')
    assert "TableError: skip_empty rows" in "".join(found("shop export rows", fault))


def test_between_what_a_script_computed_a_gap_is_marked() -> None:
    script = "cat > a.py <<'E'\nprint('Odd ones:')\nprint(f'rows: {rows}')\nE\npython a.py"
    printed = "rows: 3\n\nOdd ones:\n\nsacks: 2 of 4"
    told = texts([TASK, *run("c", script, printed, 0)], "ran", "tested")
    assert any(text.endswith("→ rows: 3 … sacks: 2 of 4") for text in told)


def test_of_lines_that_count_up_the_last_is_enough() -> None:
    came = "".join(f"Mill // {n}/30 sack of rye from barn {n * 7 % 5}\n" for n in range(1, 31))
    came += "Mill // Wrote it all (sacks=30,ok=30,failed=0,into=/w/shop/mill/flour/of/the/northern/barns)\n"
    [told] = texts([TASK, *run("b", "bun mill.sh.ts", came, 0)], "tested", "ran")
    assert told.startswith("ran `bun mill.sh.ts` → Mill // 30/30 sack of rye from barn 0 ⏎ Mill // Wrote it")
    assert short_run(told, 80) == "ran `bun mill.sh.ts` → … sacks=30,ok=30,failed=0"


def test_what_was_looked_for_beside_what_was_found_is_told() -> None:
    look = "find /w -type d \\( -name 'mill' -o -path '*/barn/rye-7' \\)"
    [told] = texts([TASK, *run("b", look, "/w/shop/mill", 0)], "ran")
    assert told == f"ran `{look}` → /w/shop/mill; none by '*/barn/rye-7'"
    assert [unfound(look, came) for came in ("/w/mill\n/w/barn/rye-7", "/w/rye", "")] == ["", "", ""]
    assert unfound(look.replace("-type d", "-not"), "/w/shop/mill") == ""


def test_of_many_records_none_is_told_by_chance() -> None:
    records = [{"name": f"sack of rye no {n}", "number": n, "barn": "north " * 9} for n in range(9)]
    said = say("assistant", "The sacks of rye are sack no 3 and sack no 7 of the north.", id="s")
    assert texts([TASK, *run("b", "barn show --json", json.dumps(records), 0), said], "ran") == []


def test_a_page_of_which_its_tool_showed_nothing_is_told_so() -> None:
    cut = "\n...9471 bytes truncated...\n\nThe tool call succeeded but the output was truncated.\n"
    [told] = texts([TASK, *use("a", "webfetch", cut, url="https://rye.example/map", format="text")], "ran")
    assert told.endswith("→ too large for its tool: nothing was shown")


def test_of_an_output_that_is_kept_in_a_file_its_place_and_its_beginning_are_told() -> None:
    rows = "\n".join(f"error in sack {n} of the northern barn" for n in range(40))
    kept = "<persisted-output>\nOutput too large (9KB). Full output saved to: /w/out/b1.txt\n\n"
    kept += f"Preview (first 2KB):\n{rows}"
    [told] = texts([TASK, *run("b", "mise run weigh", kept, 0)], "tested", "ran")
    assert told.startswith(
        "ran `mise run weigh` → Full output saved to: /w/out/b1.txt (the output is too large) ⏎ error in"
    )


def test_how_far_two_branches_are_apart_is_told_whole() -> None:
    status = "On branch rye\nYour branch and 'origin/rye' have diverged,\nand have 17 and 2 commits each.\n"
    [told] = texts([TASK, *run("b", "git status", status, 0)], "ran")
    assert "have diverged, and have 17 and 2 commits each." in told
