"""The small parts: evidence, hunks, posts, wording, terms, episodes, passages."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, texts
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.deeds.call_text import first_lines, last_lines, shortened
from tamis.compactors.brief.reading.deeds.posts import commit_text, commits, identifier_in, post_text, posts
from tamis.compactors.brief.reading.deeds.records import value_of
from tamis.compactors.brief.reading.deeds.salience import PendingOutput, evidence
from tamis.compactors.brief.reading.edits.call_hunks import hunk_of
from tamis.compactors.brief.reading.edits.code_lines import telling_lines
from tamis.compactors.brief.reading.edits.hunks import compared
from tamis.compactors.brief.reading.edits.seen_files import FEW_LINES, SeenFiles
from tamis.compactors.brief.reading.episodes import LONG_TURN, Episode, episodes_of
from tamis.compactors.brief.reading.statement import Statement, statements_from_json, statements_to_json
from tamis.compactors.brief.writing.layout import story
from tamis.ledger.events import FileChange
from tamis.ledger.shell.programs import is_check
from tamis.messages import ToolCall
from tamis.text.terms import rarity, terms_of

CHANGE = FileChange(path="/repo/src/rows.py", action="modified")


def shown(output: str) -> PendingOutput:
    return PendingOutput(words="ran `cat a.txt`", output=output, turn=3, part=0, key="k")


def test_of_a_long_output_the_lines_are_told_that_the_agent_spoke_of() -> None:
    output = lines("filler", 60) + "skip_empty takes rows.\n" + lines("more filler", 60)
    claim = say("assistant", "The output shows that `skip_empty` gets all rows.")
    assert texts([TASK, *run("c", "cat rows.md", output, 0), claim], "ran") == [
        "ran `cat rows.md` → … skip_empty takes rows. …"
    ]


def test_of_an_output_that_nobody_spoke_of_nothing_is_told() -> None:
    printed = run("c", "cat src/rows.py", lines("filler", 90), 0)
    assert texts([TASK, *printed, say("assistant", "Tired, stopping.")], "ran") == []


def test_evidence_keeps_the_order_of_the_output_and_says_a_line_once() -> None:
    found = evidence(shown("beta row table\nalpha row table\nbeta row table\n"), frozenset({"row", "table"}))
    assert found is not None
    assert found.text == "ran `cat a.txt` → beta row table ⏎ alpha row table …"


def test_a_line_of_a_record_is_told_with_the_first_of_its_record() -> None:
    records = "".join(
        f"till {n}\nopen since May\n{'shut' if n - 3 else 'burnt'} in June\n\n" for n in range(5)
    )
    page = PendingOutput(words="ran `tills`", output=records, turn=3, part=0, key="k", reads=False)
    found = evidence(page, frozenset({"burnt", "june"}))
    assert found is not None
    assert found.text == "ran `tills` → … till 3 … burnt in June …"


def test_of_records_that_are_cut_no_lines_are_told() -> None:
    assert (
        evidence(shown('[\n  {\n    "till": "burnt in June",\n    "rows'), frozenset({"burnt", "june"}))
        is None
    )


def test_one_shared_word_is_no_evidence() -> None:
    assert evidence(shown("alpha table\n"), frozenset({"table"})) is None


@pytest.mark.parametrize("text", ["{", "rows: 3", '{"a": '])
def test_what_is_no_json_is_no_record(text: str) -> None:
    assert value_of(text) is None


def test_a_replacement_is_told_as_old_and_new() -> None:
    arguments = {
        "file_path": CHANGE.path,
        "old_string": "a = 1\nif row:",
        "new_string": "a = 1\nif any(row):",
    }
    assert hunk_of(ToolCall(id="c", name="Edit", arguments=arguments), None, CHANGE, SeenFiles()) == (
        "`if row:` → `if any(row):`"
    )


def test_what_is_only_taken_out_is_told_so() -> None:
    arguments = {"file_path": CHANGE.path, "old_string": "a = 1\nif row:", "new_string": "a = 1"}
    assert (
        hunk_of(ToolCall(id="c", name="Edit", arguments=arguments), None, CHANGE, SeenFiles())
        == "removed `if row:`"
    )


def test_a_file_that_is_written_again_is_told_by_what_is_new() -> None:
    files = SeenFiles()
    change = FileChange(path="try.py", action="created")

    def written(content: str) -> str:
        call = ToolCall(id="c", name="Write", arguments={"file_path": "try.py", "content": content})
        return hunk_of(call, None, change, files)

    written("def one():\n    return 1\n")
    assert (
        written("def one():\n    return 1\n\ndef two():\n    return 22\n")
        == "added `def two(): ⏎   return 22`"
    )


def test_of_a_script_that_changes_a_file_its_long_string_is_told() -> None:
    line = "python - <<'E'\nimport re\nnew = '''def skip_empty(rows):\n    return rows\n'''\nE"
    told = hunk_of(ToolCall(id="c", name="bash", arguments={"command": line}), line, CHANGE, SeenFiles())
    assert told == "def skip_empty(rows): ⏎   return rows"


WINDOW = "[File: rows.py (4 lines total)]\n1:rows = load()\n2:skip(rows)\n3:count(rows)\n4:show(rows)\n"


def window_edit(body: str, window: str = WINDOW) -> str:
    files = SeenFiles()
    files.show(CHANGE.path, window, changed=False)
    line = f"edit 2:4\n{body}\nend_of_edit"
    return hunk_of(ToolCall(id="c", name="bash", arguments={"command": line}), line, CHANGE, files)


def test_an_edit_by_line_numbers_is_told_by_what_had_been_shown_there() -> None:
    assert window_edit("skip(rows)\ncount(rows, all=True)\nshow(rows)") == (
        "`count(rows)` → `count(rows, all=True)`"
    )


def test_lines_that_only_stand_elsewhere_now_are_moved() -> None:
    assert window_edit("count(rows)\n# what is empty goes last\nskip(rows)\nshow(rows)") == (
        "moved `count(rows)` before `skip(rows)`"
    )


def test_behind_a_change_lines_further_down_are_not_taken_for_what_they_were() -> None:
    files = SeenFiles()
    files.show("a.py", WINDOW, changed=False)
    files.show("a.py", "1:first()\n2:rows = load()", changed=True)
    assert files.lines("a.py", 1, 2) == ["first()", "rows = load()"]
    assert files.lines("a.py", 2, 3) == []


def edited_again(again: str, *, after_a_run: bool = False) -> str:
    files = SeenFiles()
    files.show(CHANGE.path, WINDOW, changed=False)
    lines = ("edit 2:3\nskip(rows, blank=True)\ncount(rows)\ncount(rows)\nend_of_edit", again)
    for line, window in zip(
        lines, ("2:skip(rows, blank=True)\n3:count(rows)\n4:count(rows)\n", ""), strict=True
    ):
        if line == again and after_a_run:
            files.run()
        told = hunk_of(ToolCall(id="c", name="bash", arguments={"command": line}), line, CHANGE, files)
        files.show(CHANGE.path, window, changed=True)
    return told


@pytest.mark.parametrize("after_a_run", [False, True])
def test_an_edit_of_edited_lines_is_told_beside_what_was_there_at_first(after_a_run: bool) -> None:
    again = "edit 2:4\nskip(rows, blank=True)\ncount(rows)\nend_of_edit"
    assert edited_again(again, after_a_run=after_a_run) == "`skip(rows)` → `skip(rows, blank=True)`"


def test_an_edit_that_mends_a_part_of_another_is_told_with_it() -> None:
    assert edited_again("edit 3:4\ncount(rows)\nend_of_edit") == "`skip(rows)` → `skip(rows, blank=True)`"


def test_an_edit_that_puts_in_more_at_a_part_of_another_is_told_by_itself() -> None:
    assert edited_again("edit 4:4\nsave(rows)\nend_of_edit") == "`count(rows)` → `save(rows)`"


def test_an_edit_of_a_part_of_edited_lines_behind_a_run_is_told_by_itself() -> None:
    again = "edit 3:4\ncount(rows)\nend_of_edit"
    assert edited_again(again, after_a_run=True) == "removed a second `count(rows)`"


def test_an_edit_that_puts_back_behind_a_run_what_was_there_at_first_is_told() -> None:
    again = "edit 2:4\nskip(rows)\ncount(rows)\nend_of_edit"
    assert "`skip(rows, blank=True)` → `skip(rows)`" in edited_again(again, after_a_run=True)


def test_a_long_edit_behind_a_run_is_told_beside_what_stood_at_the_run() -> None:
    files, told = SeenFiles(), ""
    rows = [f"rows.read({n})" for n in range(FEW_LINES + 2)]
    files.show(CHANGE.path, "1:import rows\n", changed=False)
    for last, new in ((1, rows), (len(rows), [*rows[:-1], "rows.close()"])):
        line = "\n".join((f"edit 1:{last}", *new, "end_of_edit"))
        told = hunk_of(ToolCall(id="c", name="bash", arguments={"command": line}), line, CHANGE, files)
        files.show(CHANGE.path, "".join(f"{n}:{text}\n" for n, text in enumerate(new, 1)), changed=True)
        files.run()
    assert told == f"`{rows[-1]}` → `rows.close()`"


def test_what_is_put_into_an_empty_file_is_no_change_of_it() -> None:
    files = SeenFiles()
    files.show(CHANGE.path, "[File: rows.py (1 lines total)]\n1:\n", changed=False)
    for line in ("edit 1:1\nrows = 1\nend_of_edit", "edit 1:1\nrows = 2\nend_of_edit"):
        told = hunk_of(ToolCall(id="c", name="bash", arguments={"command": line}), line, CHANGE, files)
        files.show(CHANGE.path, "1:rows = 1\n", changed=True)
        files.run()
    assert told == "`rows = 1` → `rows = 2`"


def test_definitions_are_told_before_imports() -> None:
    assert telling_lines(["import collections", "def skip(rows):"], "a.py", 20) == "def skip(rows):"


@pytest.mark.parametrize(
    ("command", "commit", "post"),
    [
        ("git commit -m 'x'", True, False),
        ("git -C /repo commit --amend", True, False),
        ("git push origin main", False, True),
        ("gh pr comment 7 --body 'fine'", False, True),
        ("git log --oneline", False, False),
        ("gh pr view 7", False, False),
    ],
)
def test_commits_and_posts_are_known_by_their_command(command: str, commit: bool, post: bool) -> None:
    assert (commits(command), bool(posts(command))) == (commit, post)


def test_a_commit_with_its_push_says_both() -> None:
    made = commit_text("git commit -m 'Skip rows' && git push", "[main 0a1b2c3] Skip rows\n main -> main")
    assert made == "committed and pushed 0a1b2c3: Skip rows"


def test_a_push_that_was_refused_is_no_push() -> None:
    output = "[main 0a1b2c3] Skip rows\n ! [rejected] main -> main"
    assert commit_text("git commit -m 'Skip rows' && git push", output) == "committed 0a1b2c3: Skip rows"


def test_the_names_of_fellow_authors_are_no_part_of_a_commits_message() -> None:
    command = "git commit -m 'Skip rows\n\nCo-Authored-By: Somebody <a@example.org>'"
    assert commit_text(command, "[main 0a1b2c3] Skip rows") == "committed 0a1b2c3: Skip rows"


def test_a_comment_is_told_by_its_words() -> None:
    told = post_text("gh pr comment 7 --body 'Fixed.'", "gh pr comment 7 --body 'Fixed.'", "", failed=False)
    assert told == "gh pr comment 7: Fixed. → ok"


def test_a_reply_names_the_comment() -> None:
    command = "gh api repos/a/b/pulls/7/comments/99/replies -f body='Fixed.'"
    assert post_text(command, command, "{}", failed=False) == "replied to comment 99 of PR 7: Fixed."


def test_what_names_nothing_has_no_identifier() -> None:
    assert identifier_in('{"ok": true}') is None


@pytest.mark.parametrize(
    ("command", "check"),
    [
        ("pytest -q", True),
        ("cd /repo && make", True),
        ("cargo build", True),
        ("echo test", False),
        ("git test", False),
    ],
)
def test_runs_that_check_are_known(command: str, check: bool) -> None:
    assert is_check(command) is check


def test_what_is_short_is_not_shortened() -> None:
    assert shortened("make all", 8) == "make all"


@pytest.mark.parametrize("most", [5, 12, 30])
def test_what_is_shortened_is_no_longer_than_told(most: int) -> None:
    assert len(shortened("make all the tests of the importer run", most)) <= most


def test_lines_that_tell_of_trouble_stand_before_the_last_ones() -> None:
    output = "fatal: no such table\n" + lines("fine", 30)
    assert last_lines(output, 60).startswith("fatal: no such table")


def test_the_first_lines_are_told_as_they_fit() -> None:
    assert first_lines("one row\ntwo rows\nthree rows\n", 16) == "one row ⏎ two rows …"


def test_forms_of_a_word_are_one_term_and_small_words_are_none() -> None:
    assert terms_of("the failing tests") == terms_of("tests failed")


def test_what_stands_everywhere_says_less() -> None:
    weights = rarity([frozenset({"row", "a"}), frozenset({"row", "b"})])
    assert weights["row"] < weights["a"]


def statement(turn: int, kind: str = "asked") -> Statement:
    return Statement(kind=kind, text=f"text {turn}", turn=turn, place=(0, 0))  # type: ignore[arg-type]


def test_each_request_begins_an_episode() -> None:
    found = episodes_of([statement(0), statement(5), statement(9)], 12)
    assert [(e.start, e.end) for e in found] == [(0, 5), (5, 9), (9, 12)]


@pytest.mark.parametrize("turns", [1, LONG_TURN, LONG_TURN + 1, 200])
def test_episodes_cover_the_session_without_a_gap(turns: int) -> None:
    found = episodes_of([statement(0), *(statement(n, "changed") for n in range(3, turns, 7))], turns)
    assert [e.start for e in found] == [0, *(e.end for e in found[:-1])]
    assert found[-1].end == turns
    assert all(e.start < e.end for e in found)


def test_statements_come_back_from_json_with_their_leads() -> None:
    first = statement(0)
    second = Statement(kind="said", text="b", turn=1, place=(0, 3), leads=(first,), key="k", flags=("item",))
    one, two = statements_from_json(statements_to_json([first, second]))
    assert two.leads == (one,)
    assert (two.kind, two.text, two.turn, two.place, two.key, two.flags) == (
        "said",
        "b",
        1,
        (0, 3),
        "k",
        ("item",),
    )


def test_passages_are_the_newest_outputs_first_with_their_number() -> None:
    span = [*run("a", "cat a", "old row", 0), *run("b", "cat b # old row", "new row", 0)]
    assert [p.text for p in passages_of(span, [0, 1, 2, 3], 100)] == [
        "#3 `cat b # old row` printed:\nnew row",
        "#1 `cat a` printed:\nold row",
    ]


def test_the_same_passage_is_given_once() -> None:
    span = [*run("a", "cat a", "one row", 0), *run("b", "cat a", "one row", 0)]
    assert [p.turn for p in passages_of(span, [0, 1, 2, 3], 100)] == [3]


def test_an_earlier_brief_gives_no_passages() -> None:
    span = run("a", "cat a", "one row", 0)
    assert list(passages_of(span, [-1, -1], 100)) == []


def test_a_branch_of_an_edit_keeps_its_else() -> None:
    lines_ = ["if rows:", "    total = sum(rows)", "else:", "    total = None"]
    assert telling_lines(lines_, "a.py", 80) == "if rows: ⏎   total = sum(rows) ⏎ else: ⏎   total = None"


def test_lines_of_two_records_are_set_apart() -> None:
    output = '"rows": [{\n"title": "alpha row",\n"number": 1\n},\n{\n"title": "beta row",\n"number": 2\n}]'
    found = evidence(shown(output), frozenset({"title", "alpha", "beta", "row"}))
    assert found is not None
    assert found.text.partition(" → ")[2] == '… "title": "alpha row", … "title": "beta row", …'


def test_what_one_call_wrote_stands_before_what_it_ran() -> None:
    wrote = Statement(kind="changed", text="wrote x.py", turn=1, place=(0, -1))
    ran = Statement(kind="ran", text="ran `python x.py`", turn=1, place=(0, -1))
    assert story([ran, wrote], [Episode(0, 2)])[1:] == ["- wrote x.py", "- ran `python x.py`"]


def test_of_a_long_listing_no_single_names_are_told() -> None:
    output = "src/rows/blank_rows.py\n" + lines("src/other/file", 40)
    shown = PendingOutput(words="ran `find src -name '*.py'`", output=output, turn=1, part=0, key="")
    assert evidence(shown, frozenset({"rows", "blank", "row"})) is None


def test_lines_of_two_functions_are_told_as_gone_and_as_put_in() -> None:
    old = "def skip(rows):\n    check(rows)\n    name = name.lower()\n    if name:\n        return rows"
    new = "def count(rows):\n    load(rows)\n    kept = [*rows]\n    return len(kept)\ndef skip(rows):"
    told = compared(old, new, "a.py", 300)
    assert told.startswith("added `def count(rows): ")
    assert "name = name.lower()" in told.partition(" ; removed ")[2]


def test_what_a_condition_leads_to_stands_on_both_sides() -> None:
    told = compared("if label in known:\n    raise Twice(", "if low in known:\n    raise Twice(", "a.py", 200)
    assert told == "`if label in known: ⏎   raise Twice(` → `if low in known: ⏎   raise Twice(`"


def test_of_code_the_place_that_it_writes_to_tells_more_than_the_head_of_a_type() -> None:
    code = ["type Sack = {", "  grain?: string;", "};", 'const OUT = "docs/mill/out";', "function grind(a) {"]
    told = telling_lines(code, "a.ts", 60)
    assert "docs/mill/out" in told
    assert "type Sack" not in told
