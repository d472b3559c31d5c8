"""Pieces of outputs that tell nothing are not told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactors.brief.talk import TASK, texts, use
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.copying.pieces import says_little
from tamis.compactors.brief.reading.deeds.salience import PendingOutput, evidence
from tamis.messages import Message

SPOKEN = say(
    "assistant",
    "The output shows: the empty rows of the table are skipped by skip_empty in `rows` (a.py, README.md).",
    id="spoken",
)


def told(*span: Message) -> list[str]:
    return texts([TASK, *span, SPOKEN], "ran", "tested", "failed")


def test_a_hit_that_only_echoes_what_was_sought_is_not_told() -> None:
    assert told(*run("c", "grep -n 'rows = skip_empty' a.py", "27:    rows = skip_empty(\n", 0)) == []


def test_of_many_hits_only_their_number_and_their_files_are_told() -> None:
    echoes = "".join(
        f"src/table/{name}.md:7:skip_empty: '42'\n" for name in ("rows", "empty", "skipped", "till")
    )
    hit = "src/a.py:73:def skip_empty(rows, table): ...\n"
    [line] = told(*run("c", "rg -n skip_empty", f"{echoes * 4}{hit}{echoes}", 0))
    files = "src/table/rows.md, src/table/empty.md, src/table/skipped.md, src/table/till.md, …"
    assert line == f"ran `rg -n skip_empty` → 21 lines in 5 files: {files}"
    cut = f"Warning: truncated output (20 of 900 lines)\nTotal output lines: 900\n\n{echoes * 4}{hit}"
    [line] = told(*run("c", "rg -n skip_empty", cut, 0))
    assert line.startswith("ran `rg -n skip_empty` → 900 lines, cut by the tool, some in src/table/rows.md, ")


def test_the_first_hits_of_many_are_not_told() -> None:
    hits = "".join(f"{n}:func TestTill{n}(t *testing.T) {{\n" for n in range(60))
    assert told(*use("g", "Grep", hits, pattern="^func Test", path="/w/till_test.go")) == []
    searched = use("g", "grep", f"Found 60 matches\n{hits}", pattern="^func Test")
    assert texts([TASK, *searched, say("assistant", "Each row has a test.", id="s")], "ran") == []


def test_a_file_refused_for_its_size_is_no_failure() -> None:
    refused = "File content (26800 tokens) exceeds maximum allowed tokens (25000). Please use offset."
    call, result = use("r", "Read", refused, file_path="/w/till_test.go")
    assert told(call, result) == []
    marked = replace(result, parts=(replace(result.results[0], is_error=True),))
    assert told(call, marked) == []


def test_how_long_a_file_is_is_not_told() -> None:
    assert told(*run("c", "wc -l till_test.go", "2256 till_test.go", 0)) == []


def test_of_a_document_one_whole_sentence_is_told() -> None:
    parts = "# Rows\n## Skipping rows of a table\nrows: skip_empty\n" + lines("word", 40)
    said = "The empty rows of a table are skipped by skip_empty alone."
    [line] = told(*run("c", "cat a.md b.md", f"{parts}{said}\n### Empty rows\n{parts}", 0))
    assert line == f"ran `cat a.md b.md` → … {said} …"


def test_of_a_list_of_like_entries_only_what_stands_apart_is_told() -> None:
    entries = "".join(f"row {n} of the table: empty\n" for n in range(30))
    [*_, line] = told(
        *run("c", "till status", f"The empty rows of the table are not skipped by till\n{entries}", 0)
    )
    assert line == "ran `till status` → The empty rows of the table are not skipped by till …"


def test_a_long_list_of_files_is_neither_told_nor_copied() -> None:
    listed = "total 8\n" + "".join(
        f"-rw-r--r--  1 ann ann  58 Jun 17 12:02 rows_of_table_{n}.py\n" for n in range(9)
    )
    span = [TASK, *run("c", "ls -la rows", listed, 0), SPOKEN]
    assert texts(span, "ran") == []
    assert list(passages_of(span, range(len(span)), 2_000)) == []


def test_of_a_log_of_versions_items_below_the_titles_are_not_copied() -> None:
    log = "3f2a91c0 Keep the rows (#7)\nTill: 4\n* feat(rows): keep them\n* fix(till): count\n"
    log += "6e201107 Shut the till\n"
    spoken = say("assistant", "The newest is 3f2a91c0, and before it 6e201107 shut the till.", id="newest")
    span = [TASK, *run("c", "git log -2 '--format=%h %s%n%b'", log, 0), spoken]
    [copied] = passages_of(span, range(len(span)), 2_000)
    assert copied.text.splitlines()[1:] == [
        "3f2a91c0 Keep the rows (#7)",
        "Till: 4",
        "6e201107 Shut the till",
    ]


def test_a_row_of_the_machine_that_an_issue_lists_is_not_told() -> None:
    issue = (
        "<pr_description>\nConsider the following PR description:\nRows are lost\n\n**Your environment**\n"
    )
    issue += "module       | version\n------       | -------\ntillkit      | _module not found_\n\n" + lines(
        "More", 60
    )
    assert not any("tillkit" in text for text in texts([say("user", issue, id="issue")], "asked"))


def test_of_a_listing_neither_what_heads_it_nor_a_field_alone_is_told() -> None:
    preface = "Here's the files and directories up to 2 levels deep in /w/rows, without empty tables:\n"
    assert told(*use("v", "editor", preface + lines("/w/rows/a", 40), command="view", path="/w/rows")) == []
    rows = "rows      skip_empty\n" + lines("till", 40)
    for what, is_there in (("list", False), ("show", True)):
        shown = PendingOutput(words=f"ran `till table {what}`", output=rows, turn=1, part=0, key="")
        assert (evidence(shown, frozenset({"rows", "row", "skip", "empty"})) is not None) == is_there


@pytest.mark.parametrize(("problems", "copied"), [("", False), ("<problems>no rows</problems>\n", True)])
def test_that_a_file_was_written_is_copied_only_where_there_is_trouble(problems: str, copied: bool) -> None:
    answer = (
        "<file_write_result>\n<path>src/rows.ts</path>\n<operation>modified</operation>\n"
        f"{problems}<notice>\n<i>Do not read it again.</i>\n</notice>\n</file_write_result>\n"
    )
    span = [TASK, *use("e", "apply_diff", answer, path="src/rows.ts", diff="+ rows()")]
    assert any("file_write_result" in s.text for s in passages_of(span, range(len(span)), 400)) is copied


def test_the_imports_at_the_head_of_a_go_file_say_little() -> None:
    names = "\n".join(
        f'{n}→\t"example.org/mill/{name}"' for n, name in enumerate(("rows", "till", "lamp"), 4)
    )
    head = f"1→package main\n3→import (\n{names}\n7→)\n9→var limit = read_limit(9)"
    assert says_little(head)
    assert not says_little(
        "9→var limit = read_limit(9)\n10→func grind(sack Sack) error {\n11→\treturn weigh(sack)"
    )


def test_how_a_program_is_called_is_not_told_of_a_call_that_was_put_wrongly() -> None:
    options = "--sandbox     Sandbox mode: no push\n  -v, --verbose   Enable verbose output\n"
    assert told(*run("c", "till link seven related", options, 0)) == []


def test_of_a_timed_pipe_the_time_of_its_first_program_is_told() -> None:
    printed = "kept: 7\n\n./till sync   2  0.33s user 0.07s system 114% cpu 0.349 total\n"
    printed += "tail -2  0.00s user 0.00s system 0% cpu 0.348 total"
    [line] = told(*run("c", "time ./till sync | tail -2", printed, 0))
    assert line.endswith("kept: 7 ⏎ 0.349 total")


def test_a_search_that_found_nothing_and_a_call_that_was_refused_are_not_copied() -> None:
    sought = use("s", "search_dir", 'No matches found for "skip" in /w', query="skip")
    denied = "Permission to use Bash with command ls out has been denied."
    span = [TASK, *sought, *run("d", "ls out", denied), *run("j", "till list --json", '{"rows": 7}', 0)]
    assert [*passages_of(span, range(len(span)), 2_000, is_wide=True)] == []
