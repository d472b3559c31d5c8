"""Deeds: what calls came to, in words that show the effect."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, brief, edit, reading_of, texts, told, use, write
from compactors.conversations import compact, lines, run, say
from tamis.compactors.brief.reading.settling.validity import settled
from tamis.messages import Message, ToolCall, part_text

STOPPED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nUse the staging database."
)


@pytest.mark.parametrize(
    ("command", "check"),
    [
        ("git ls-files | xargs npx eslint", True),
        ("docker compose exec web pytest", True),
        ("gh run watch 12", True),
        ("gh pr checks 4", True),
        ("pnpm typecheck", True),
        ("gh pr view 4", False),
        ("uv sync", False),
        ("black tests/rows.py", False),
    ],
)
def test_a_check_is_one_through_whatever_starts_it(command: str, check: bool) -> None:
    assert bool(texts([TASK, *run("c", command, "Done.", 0)], "tested")) is check


def test_a_run_that_is_known_to_have_gone_well_has_not_failed_whatever_it_prints() -> None:
    printed = "ValueError: refused, as it should be\nall is well"
    assert texts([TASK, *run("c", "python try.py", printed, 0)], "failed") == []
    assert texts([TASK, *run("c", "python try.py | tail -5", printed, 0)], "tested") == []


def test_a_script_that_edits_files_is_no_run_of_a_check() -> None:
    script = "python - <<'EOF'\nopen('/repo/src/rows.py', 'w').write('x')\nEOF"
    assert texts([TASK, *run("c", script, "written", 0)], "tested") == []


@pytest.mark.parametrize("tool", ["update_todos", "todo_write", "manage_todo_list"])
def test_tools_for_todos_are_not_told(tool: str) -> None:
    assert texts([TASK, *use("u", tool, "ok", todos="[x] rows")], "ran", "posted") == []


def test_what_the_user_said_when_stopping_a_call_is_the_users() -> None:
    [said] = [s for s in told([TASK, *use("s", "Bash", STOPPED, command="psql live")]) if "answer" in s.flags]
    assert said.kind == "asked"
    assert said.text == "(stopped the agent's Bash psql live) Use the staging database."


def test_a_commit_of_another_agent_is_told_once_by_its_title() -> None:
    report = "The commits:\n- `0a1b2c3` — `Skip rows` — `src/rows.py`, `src/io.py`\n\nNone was left out."
    deeds = [TASK, *use("a", "Task", report, description="Commit", prompt="Commit it.")]
    assert texts(deeds, "committed") == ["committed 0a1b2c3: Skip rows (by another agent)"]
    assert not any("0a1b2c3" in line for line in texts(deeds, "reported"))


def test_an_answered_question_is_the_users() -> None:
    output = 'User has answered your questions: "Which port?"="8443". You can now continue.'
    [said] = [s for s in told([TASK, *use("q", "AskUserQuestion", output)]) if "answer" in s.flags]
    assert (said.kind, said.text) == ("asked", "answered (Which port?) 8443")


@pytest.mark.parametrize(
    ("tool", "output", "given"),
    [
        ("ask_user", "User responded: 8443, as before", {"question": "Which port?"}),
        ("request_user_input", '{"answers": {"port": {"answers": ["8443, as before"]}}}', {}),
        ("question", "8443, as before", {"questions": [{"question": "Which port?"}]}),
        ("ask_human", "8443, as before", {}),
    ],
)
def test_an_answer_is_the_users_whatever_tool_asked(tool: str, output: str, given: dict[str, object]) -> None:
    [said] = texts([TASK, *use("q", tool, output, **given)], "asked")[1:]
    assert said == f"answered{' (Which port?)' if given else ':'} 8443, as before"


def test_of_a_long_question_that_was_answered_the_end_is_told() -> None:
    rows = "Rows come twice a day, from the shop, the mill and both of the stores, with heads, and at night."
    output = (
        f'Your questions have been answered: "{rows} And which of the two are to be kept?"="\'New\'", '
        '"Rows repeat. Log them?"="No". You can now continue with these answers in mind.'
    )
    [said] = [s for s in told([TASK, *use("q", "AskUserQuestion", output)]) if "answer" in s.flags]
    assert said.text == "answered (… And which of the two are to be kept?) 'New'; (Rows repeat. Log them?) No"


def test_a_failing_run_is_gone_when_the_same_command_passes_later() -> None:
    span = [
        TASK,
        *run("a", "pytest -q", "1 failed in 0.1s", 1),
        *run("b", "pytest -q", "3 passed in 0.1s", 0),
    ]
    assert texts(span, "tested", "failed") == ["ran `pytest -q`: 3 passed"]


def test_a_failing_run_of_another_command_stays() -> None:
    span = [
        TASK,
        *run("a", "pytest -q", "1 failed in 0.1s", 1),
        *run("b", "ruff check .", "All checks passed!", 0),
    ]
    assert any("1 failed" in text for text in texts(span, "tested", "failed"))


def test_an_edit_whose_new_text_is_replaced_later_is_gone() -> None:
    first = edit("a", "/repo/src/rows.py", "if row:", "if any(row):")
    second = edit("b", "/repo/src/rows.py", "if any(row):", "if not empty(row):")
    found = " ".join(texts([TASK, *first, *second], "changed"))
    assert "`if row:` → `if not empty(row):`" in found
    assert "`if row:` → `if any(row):`" not in found


def test_an_edit_at_another_place_of_the_file_stays() -> None:
    first = edit("a", "/repo/src/rows.py", "if row:", "if any(row):")
    second = edit("b", "/repo/src/rows.py", "limit = 10", "limit = 20")
    found = " ".join(texts([TASK, *first, *second], "changed"))
    assert "`if row:` → `if any(row):`" in found


def test_a_command_that_only_looks_and_prints_much_is_not_told() -> None:
    assert texts([TASK, *run("a", "cat src/rows.py", lines("row", 90), 0)], "ran") == []


def test_a_short_output_is_told_whole() -> None:
    assert texts([TASK, *run("a", "ls src", "io.py\nrows.py", 0)], "ran") == [
        "ran `ls src` → io.py ⏎ rows.py"
    ]


def test_a_search_that_finds_nothing_is_no_failure() -> None:
    assert texts([TASK, *run("a", "grep -rn limit src", "", 1)], "failed") == []


def test_a_command_that_fails_is_told_with_its_error() -> None:
    [failed] = texts([TASK, *run("a", "python load.py", "ValueError: bad row 7", 1)], "failed")
    assert failed.startswith("ran `python load.py` →")
    assert "ValueError: bad row 7" in failed


def test_a_report_of_another_agent_is_marked() -> None:
    report = "The parser is in src/rows.py and drops nothing. The tests do not cover it at all."
    report += " I left out one file, as you explicitly said."  # to the agent, not by the user
    span = [TASK, *use("t", "Task", report, description="Find the parser", prompt="Find it.")]
    assert texts(span, "reported") == [
        "(reported) The parser is in src/rows.py and drops nothing.",
        "(reported) The tests do not cover it at all.",
    ]
    assert "handed to another agent: Find the parser" in texts(span, "ran")


@pytest.mark.parametrize("tool", ["TodoWrite", "update_plan", "ExitPlanMode"])
def test_tools_that_keep_a_plan_are_not_told(tool: str) -> None:
    assert texts([TASK, *use("p", tool, "Todos have been modified successfully.")], "ran", "posted") == []


def test_a_tool_that_finds_nothing_says_so() -> None:
    [ran] = texts([TASK, *use("g", "Glob", "No files found", pattern="*.toml")], "ran")
    assert ran.endswith("→ nothing found")


def test_what_a_service_made_is_told_by_its_identifier() -> None:
    made = use("i", "mcp__tracker__create_issue", '{"id": "d1", "identifier": "ENT-228"}', title="Empty rows")
    assert texts([TASK, *made], "posted") == ["create_issue title: Empty rows → ENT-228"]


def test_a_call_without_a_result_waits() -> None:
    call = ToolCall(id="x", name="bash", arguments={"command": "make all"})
    reading = reading_of([TASK, Message(id="x-call", role="assistant", parts=(call,))])
    assert [o.call.id for o in reading.open_calls.values()] == ["x"]


DONE_SO_FAR = [TASK, edit("e", "src/rows.py", "limit = 1", "limit = 2")[0]]
EDITED = "edited src/rows.py: `limit = 1` → `limit = 2`"


def test_an_edit_that_the_agent_goes_on_from_is_told_without_its_result() -> None:
    gone_on = [*DONE_SO_FAR, *run("a", "ls", "src", 0), say("assistant", "The limit is two.")]
    assert texts(gone_on, "changed") == [f"{EDITED} (no result on record)"]
    assert "made: " in brief([TASK, write("w", "src/new.py", "x = 1")[0], *gone_on[2:]])


def test_an_edit_of_a_file_that_is_looked_at_later_needs_no_result() -> None:
    gone_on = [*DONE_SO_FAR, *run("a", "ls", "src", 0), say("assistant", "The limit is two.")]
    looked = [*gone_on, *run("b", "cat src/rows.py", "limit = 2", 0)]
    assert texts([*looked, *run("c", "ls", "src", 0)], "changed") == [EDITED]


def test_a_call_that_gives_nothing_but_its_name_is_not_told() -> None:
    assert texts([TASK, *use("s", "submit", "diff --git a/x b/x", command="submit")], "posted", "ran") == []


def test_an_edit_at_which_the_user_steps_in_is_not_told() -> None:
    stopped = [*DONE_SO_FAR, say("user", "I did it myself."), say("assistant", "Good.")]
    assert texts(stopped, "changed") == []


def test_a_result_that_comes_late_takes_the_place_of_none() -> None:
    late = edit("e", "src/rows.py", "limit = 1", "limit = 2")[1]
    span = [*DONE_SO_FAR, *run("a", "ls", "src", 0), say("assistant", "Next."), late]
    assert texts(span, "changed") == [EDITED]


def test_a_message_that_is_only_a_call_without_a_result_is_read_in_a_compaction() -> None:
    span = [*DONE_SO_FAR, *run("a", "cat src/rows.py", lines("row", 200), 0), say("assistant", "So be it.")]
    made = compact("ledger", span, 150)
    assert made.outcome == "fits"
    assert "src/rows.py" in part_text(made.messages[0].parts[0])


def test_a_file_that_the_agent_made_is_scratch_and_one_that_was_there_is_source() -> None:
    span = [TASK, *write("w", "/repo/try.py", "x = 1\n"), *edit("e", "/repo/src/rows.py", "a = 1", "a = 2")]
    flags = {s.key: s.flags for s in told(span) if s.kind == "changed"}
    assert "scratch" in flags["/repo/try.py"]
    assert "source" in flags["/repo/src/rows.py"]


def test_numbers_are_positions_in_the_span_with_torn_pairs_too() -> None:
    torn = run("lost", "ls", "nothing", 0)[1]
    span = [torn, TASK, *run("a", "ls src", "till.py", 0), say("assistant", "The output shows where it is.")]
    assert [(s.kind, s.turn) for s in told(span)] == [("asked", 1), ("ran", 2), ("concluded", 4)]


def test_what_sed_puts_in_the_place_of_what_is_told_once_with_its_lines() -> None:
    line = "sed -i '7s/first/second/' src/rows.py && sed -i '9s/first/second/' src/rows.py"
    assert texts([TASK, *run("s", line, "", 0)], "changed") == [
        "edited src/rows.py: lines 7, 9: `first` → `second`"
    ]


def test_what_an_installer_always_says_is_not_told() -> None:
    warning = "WARNING: Running pip as the 'root' user can result in broken permissions. Use a venv.\n"
    assert not any("WARNING" in text for text in texts([TASK, *run("p", "pip install pytz -q", warning, 0)]))


def test_a_record_is_told_by_its_values_the_outer_before_the_inner() -> None:
    record = '{"items": [{"name": "Lamp", "note": "%s"}], "order_id": "#W12", "status": "pending"}' % (
        "x" * 300
    )
    looked = use("o", "get_order_details", record, order_id="#W12")
    assert "get_order_details → order_id: #W12; status: pending" in texts([TASK, *looked], "ran")


CLASH = """loading 2 files
the shop row is matched twice
Traceback (most recent call last):
  File "repro.py", line 7, in <module>
    shop.load()
  File "shop.py", line 2, in load
    raise KeyError("shop row")
KeyError: 'shop row'
"""


def test_what_the_agents_own_script_printed_is_told_by_what_the_agent_went_on_to_speak_of() -> None:
    span = [
        TASK,
        *run("a", "python repro.py", lines("debug", 60) + CLASH, 1),
        say("assistant", "The shop row is matched twice, so `load` is at fault."),
    ]
    [said] = texts(span, "tested", "failed")
    assert "the shop row is matched twice" in said
    assert "KeyError: 'shop row'" in said
    assert "shop.load()" not in said


def test_what_version_control_complains_of_is_no_failure_of_the_run_beside_it() -> None:
    kept = "0 issues\nerror: Your local changes to the following files would be overwritten by merge:\n\ta.py"
    told = texts([TASK, *run("c", "git stash && make lint; git stash pop", kept, 1)], "failed", "tested")
    assert told[1].startswith("ran `make lint` with the changes put aside → 0 issues")
    assert "Your local changes" in told[0]


def test_an_edit_by_a_script_is_told_by_what_the_script_puts_in() -> None:
    script = "text = text.replace('except (KeyError):',\n    'except (KeyError, TypeError):')\n"
    command = f"cat > mend.py << 'EOF'\n{script}open('src/rows.py', 'w').write(text)\nEOF\npython mend.py"
    seen = run("r", "cat src/rows.py", "try:\n    rows()\nexcept (KeyError):\n    pass", 0)
    assert "edited src/rows.py: `except (KeyError):` → `except (KeyError, TypeError):`" in texts(
        [TASK, *seen, *run("m", command, "done", 0)], "changed"
    )


def test_lines_that_were_there_before_are_not_what_a_script_puts_in() -> None:
    script = "new = '''def rows():\n    count = size // 2\n    return count'''\n"
    command = f"cat > mend.py << 'EOF'\n{script}open('src/rows.py', 'w').write(new)\nEOF\npython mend.py"
    seen = run("r", "cat src/rows.py", "def rows():\n    return count", 0)
    assert "edited src/rows.py: count = size // 2" in texts(
        [TASK, *seen, *run("m", command, "", 0)], "changed"
    )


def test_what_sed_adds_and_takes_out_by_line_is_told() -> None:
    command = "sed -i '7a\\    import re' src/rows.py && sed -i '9,10d' src/rows.py"
    assert texts([TASK, *run("s", command, "", 0)], "changed") == [
        "edited src/rows.py: behind line 7: `import re` ; removed line 9-10"
    ]


def test_a_longer_edit_is_told_with_the_line_that_it_replaces() -> None:
    new = "total = 0\nfor row in rows:\n    total += row\nreturn 0"
    assert texts([TASK, *edit("e", "src/rows.py", "return len(rows)", new)], "changed") == [
        "edited src/rows.py: `return len(rows)` → `total = 0 ⏎ for row in rows: ⏎   total += row ⏎ return 0`"
    ]


def test_a_report_keeps_its_lists_and_loses_what_the_harness_put_around_it() -> None:
    report = (
        "I've completed a thorough exploration of the reader to see how it works. "
        "The reader does three things:\n- It opens `rows.csv`.\n- It skips the head.\n- It counts.\n"
        "agentId: a1b2c3 (for resuming to continue this agent's work if needed)\n"
        "<usage>total_tokens: 7\nduration_ms: 9</usage>"
    )
    span = [TASK, *use("t", "Task", report, description="Read the reader")]
    assert texts(span, "reported") == [
        "(reported) The reader does three things:\n(reported) - It opens `rows.csv`.\n"
        "(reported) - It skips the head.\n(reported) - It counts."
    ]


def test_a_command_that_only_makes_a_file_is_not_told_as_its_content() -> None:
    span = [TASK, *run("c", "touch /repo/new_rows.py", "", 0)]
    assert not any("touch" in text for text in texts(span, "changed"))


def test_paths_that_would_become_one_are_told_in_full() -> None:
    span = [TASK, say("assistant", "Now run `cp /repo/.env .env` in the copy of `/repo/src`.")]
    reading = reading_of(span)
    [told] = [s.text for s in settled(reading, "/repo") if s.kind != "asked"]
    assert "cp /repo/.env .env" in told


def test_of_a_script_that_tries_something_out_the_beginning_is_told() -> None:
    code = "".join(f"print(read_row({n}), 'row {n} of the table')\n" for n in range(40))
    tried = write("w", "/work/shop/reproduce.py", code)
    work = edit("e", "/work/shop/src/rows.py", "one", "two")
    assert max(len(text) for text in texts([TASK, *tried, *work], "changed")) < 240


def test_a_file_of_its_own_that_the_agent_moves_is_no_file_of_the_work() -> None:
    made = write("w", "/work/shop/try/load.py", "one = 1\n")
    again = edit("e", "/work/shop/try/load.py", "one = 1", "one = 2")
    moved = run("m", "mv /work/shop/try/load.py /work/shop/load.py", "", 0)
    work = edit("f", "/work/shop/src/rows.py", "one", "two")
    [change] = [
        s for s in told([TASK, *made, *again, *moved, *work]) if s.text.startswith("edited /work/shop/try")
    ]
    assert "scratch" in change.flags
    assert "- made: load.py" in brief([TASK, *made, *again, *moved, *work]).replace("/work/shop/", "")


def test_of_a_file_that_one_call_makes_and_deletes_nothing_is_told() -> None:
    trial = run("a", "touch shelf/bogus.csv\n./till --count shelf\nrm -f shelf/bogus.csv", "9 rows")
    assert not any("bogus" in text for text in texts([TASK, *trial], "changed"))


def test_a_file_that_was_made_anew_is_not_told_as_deleted() -> None:
    span = [
        *run("a", "echo 1 > shelf.py", ""),
        *run("b", "rm shelf.py", ""),
        *run("c", "echo 2 > shelf.py", ""),
    ]
    assert not any(text.startswith("deleted") for text in texts([TASK, *span], "changed"))
    assert any(text.startswith("deleted") for text in texts([TASK, *span[:4]], "changed"))
