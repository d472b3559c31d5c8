from __future__ import annotations

import json

import pytest

from ledger.conversation import answered, called, said
from ledger.trails import changes, shell, steps, trail, use
from tamis.ledger.events import FileChange
from tamis.ledger.files.extractor import extract_files
from tamis.ledger.files.trail import fold_change
from tamis.ledger.reader import LedgerReader
from tamis.messages import Message, ToolCall, ToolResult, part_text

EDIT = {"file_path": "/repo/a.py", "old_string": "    x = 1", "new_string": "    x = 2\n    y = 3"}


def test_claude_code_edits_are_read_from_the_recorded_patch() -> None:
    details = {
        "filePath": "/repo/a.py",
        "originalFile": "def f():\n    x = 1\n",
        "structuredPatch": [
            {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 3,
             "lines": [" def f():", "-    x = 1", "+    x = 2", "+    y = 3"]}
        ],
    }  # fmt: skip
    [change] = changes(steps(use("Edit", EDIT, is_error=False, details=details)))
    assert (change.action, change.lines_added, change.lines_removed, change.touched) == (
        "modified",
        2,
        1,
        ("f",),
    )


def test_an_edit_without_a_record_is_compared() -> None:
    [change] = changes(steps(use("Edit", EDIT)))
    assert (change.lines_added, change.lines_removed) == (2, 1)


def test_the_record_says_whether_a_written_file_is_new() -> None:
    arguments = {"file_path": "/repo/a.md", "content": "# A\ntext\n"}
    created = use("Write", arguments, details={"type": "create", "filePath": "/repo/a.md"}, is_error=False)
    [change] = changes(steps(created))
    assert (change.action, change.lines_added, change.lines_removed, change.touched) == (
        "created",
        2,
        0,
        ("A",),
    )
    updated = use("Write", arguments, details={"type": "update", "filePath": "/repo/a.md"}, is_error=False)
    assert trail(updated) == ["modified /repo/a.md"]


def test_a_file_that_was_seen_is_modified_when_it_is_written() -> None:
    assert trail(
        use("read_file", {"path": "a.py"}),
        use("write_to_file", {"path": "a.py", "content": "x"}),
        use("write_to_file", {"path": "b.py", "content": "x"}),
    ) == ["read /repo/a.py", "modified /repo/a.py", "created /repo/b.py"]


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("The user doesn't want to proceed with this tool use.", {"is_error": True}),
        ("<tool_use_error>String to replace not found in file.</tool_use_error>", {}),
        ("ERROR:\nNo replacement was performed, old_str did not appear verbatim.", {}),
        ('{"success": false, "error": "no such file"}', {}),
    ],
)
def test_an_edit_that_failed_leaves_no_trace(output: str, result: dict[str, bool]) -> None:
    assert trail(use("Edit", EDIT, output, **result)) == []


def test_a_file_that_begins_with_the_word_error_was_read_all_the_same() -> None:
    text = "Error handling\n\n1. Raise early.\n2. Name the value.\n3. Say what to do.\n"
    assert trail(use("read_file", {"path": "errors.md"}, text)) == ["read /repo/errors.md"]


def test_the_text_editor_of_anthropic_and_openhands() -> None:
    path = "/repo/a.py"
    shown = "The file /repo/a.py has been edited:\n     1\tdef f():\n     2\t    return 2\n"
    tool = "str_replace_editor"
    pairs = [
        use(tool, {"command": "create", "path": path, "file_text": "def f():\n    return 1\n"}),
        use(tool, {"command": "view", "path": path}),
        use(tool, {"command": "view", "path": "/repo"}, "Here's the files and directories up to 2 levels"),
        use(
            tool,
            {"command": "str_replace", "path": path, "old_str": "return 1", "new_str": "return 2"},
            shown,
        ),
        use(tool, {"command": "insert", "path": path, "insert_line": 2, "new_str": "x = 1\n"}),
    ]
    found = changes(steps(*pairs))
    assert [change.action for change in found] == ["created", "read", "modified", "modified"]
    assert [change.touched for change in found] == [("f",), (), ("f",), ()]


def test_codex_patches_may_be_bare_text() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Delete File: b.py\n*** End Patch"
    call = ToolCall(id="c", name="apply_patch", raw_arguments=patch)
    result = ToolResult(call_id="c", text="Success. Updated the following files:\nM a.py\nD b.py")
    assert trail((call, result)) == ["modified /repo/a.py", "deleted /repo/b.py"]


def test_a_call_may_bring_its_own_folder() -> None:
    assert trail(use("exec_command", {"cmd": "rm a", "workdir": "/other"}, exit_code=0)) == [
        "deleted /other/a"
    ]


def test_cd_counts_for_its_own_command_line_only_in_a_fresh_shell() -> None:
    assert trail(shell("cd src && rm a"), shell("rm b")) == ["deleted /repo/src/a", "deleted /repo/b"]


def test_cd_stays_in_a_shell_that_stays_open() -> None:
    first, second = shell("cd src && rm a", tool="execute_bash"), shell("rm b", tool="execute_bash")
    assert trail(first, second) == ["deleted /repo/src/a", "deleted /repo/src/b"]


def test_the_folder_that_an_answer_reports_is_believed() -> None:
    first = shell("ls", "a\n[Current working directory: /elsewhere]")
    assert trail(first, shell("rm a")) == ["deleted /elsewhere/a"]


def test_a_single_command_that_failed_leaves_no_trace() -> None:
    assert trail(shell("rm a", "", 1), shell("sed -i s/a/b/ f", "", 2)) == []


def test_a_redirection_makes_its_file_even_where_the_command_fails() -> None:
    assert trail(shell("pytest > log.txt", "", 1)) == ["created /repo/log.txt"]


def test_after_a_failure_what_came_before_it_is_uncertain() -> None:
    assert trail(shell("rm a && pytest", "1 failed", 1)) == ["deleted /repo/a ?"]


def test_a_complaint_in_the_output_takes_back_what_it_names() -> None:
    output = "rm: cannot remove 'a': No such file or directory"
    assert trail(shell("rm a; rm b", output, None)) == ["deleted /repo/b"]


def test_a_script_that_the_shell_could_not_parse_did_nothing() -> None:
    assert trail(shell("rm a", "bash: -c: line 1: syntax error near unexpected token `)'", 2)) == []


def test_a_rejected_command_did_nothing() -> None:
    assert trail(use("Bash", {"command": "rm a"}, "The user rejected this.", is_error=True)) == []


def test_a_script_written_and_run_in_one_command_is_followed() -> None:
    code = "p = 'a.py'\ntext = open(p).read()\nopen(p, 'w').write(text + 'x')\n"
    assert trail(shell(f"cat > fix.py <<'E'\n{code}E\npython fix.py")) == [
        "created /repo/fix.py",
        "modified /repo/a.py",
    ]


def test_a_patch_file_that_the_session_wrote_is_followed() -> None:
    patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert trail(
        shell(f"cat > f.patch <<'E'\n{patch}E"), shell("git apply f.patch"), shell("git apply -R f.patch")
    ) == [
        "created /repo/f.patch",
        "modified /repo/a.py",
        "reverted /repo/a.py",
    ]


def test_an_unknown_patch_is_told_by_what_patch_says() -> None:
    assert trail(shell("patch -p1 < f.patch", "patching file src/a.py\n")) == ["modified /repo/src/a.py"]


def test_a_call_that_is_never_answered_is_uncertain_once_the_user_speaks() -> None:
    messages = [called("write_file", {"path": "a", "content": "x"}), said("user", "Go on.", "u")]
    [change] = changes(messages)
    assert (change.action, change.certain) == ("created", False)


def test_parallel_calls_wait_for_their_own_answers() -> None:
    calls = tuple(ToolCall(id=x, name="write_file", arguments={"path": x, "content": ""}) for x in "ab")
    messages = [
        Message(id="1", role="assistant", parts=calls),
        answered("ok", call_id="b", message_id="2"),
        answered("ok", call_id="a", message_id="3"),
    ]
    assert [(change.path, change.certain) for change in changes(messages)] == [
        ("/repo/b", True),
        ("/repo/a", True),
    ]


def test_the_source_points_at_the_path_in_the_call() -> None:
    call, result = shell("echo hi > notes/a.txt")
    reader = LedgerReader(extractors=(extract_files,))
    [event] = [event for message in steps((call, result)) for event in reader.read(message)]
    assert event.source.message_id == "a0"
    assert part_text(call)[event.source.start : event.source.end] == "notes/a.txt"


def test_what_is_not_a_path_stays_out() -> None:
    assert trail(shell('echo x > "$OUT"; cat $(find . -name a); rm "$(date).txt"')) == []


def test_reading_goes_on_after_being_put_away() -> None:
    messages = steps(shell("cat > fix.py <<'E'\nopen('a', 'w')\nE"), shell("python fix.py"))
    whole = changes(messages)
    for cut in range(len(messages)):
        reader = LedgerReader(cwd="/repo", extractors=(extract_files,))
        events = [event for message in messages[:cut] for event in reader.read(message)]
        snapshot = json.loads(json.dumps(reader.snapshot()))
        again = LedgerReader.restore(snapshot, extractors=(extract_files,))
        events += [event for message in messages[cut:] for event in again.read(message)]
        assert [event.value for event in events] == whole


def test_a_file_that_was_surely_edited_stays_so_behind_what_may_have_changed_it() -> None:
    sure = fold_change(None, FileChange(path="a.go", action="modified"))
    assert fold_change(sure, FileChange(path="a.go", action="modified", certain=False)).certain
