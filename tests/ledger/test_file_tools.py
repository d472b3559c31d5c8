from __future__ import annotations

from typing import Any

import pytest

from tamis.ledger.files.file_tools import command_line, move_of, paths_of, replacements_of, shape_of
from tamis.messages import ToolCall

PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(id="c", name=name, arguments=arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "shape"),
    [
        ("Read", {"file_path": "a"}, "read"),
        ("Write", {"file_path": "a", "content": ""}, "write"),
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, "edit"),
        ("MultiEdit", {"file_path": "a", "edits": []}, "edit"),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": ""}, "edit"),
        ("Bash", {"command": "ls"}, "shell"),
        ("Grep", {"pattern": "x", "path": "src"}, None),
        ("Glob", {"pattern": "*"}, None),
        ("TodoWrite", {"todos": []}, None),
        ("Task", {"prompt": "read a.py", "description": "x"}, None),
        ("WebFetch", {"url": "https://example.org"}, None),
        ("shell", {"command": ["bash", "-lc", "ls"]}, "shell"),
        ("exec_command", {"cmd": "ls"}, "shell"),
        ("local_shell", {"action": {"command": ["ls"]}}, "shell"),
        ("apply_patch", {"input": PATCH}, "patch"),
        ("str_replace_editor", {"command": "view", "path": "a"}, "editor"),
        ("str_replace_based_edit_tool", {"command": "create", "path": "a", "file_text": ""}, "editor"),
        ("execute_bash", {"command": "ls"}, "shell"),
        ("run_shell_command", {"command": "ls"}, "shell"),
        ("read_file", {"path": "a"}, "read"),
        ("read_many_files", {"paths": ["a", "b"]}, "read"),
        ("list_directory", {"path": "a"}, None),
        ("search_files", {"path": "a", "regex": "x"}, None),
        ("write_to_file", {"path": "a", "content": ""}, "write"),
        ("apply_diff", {"path": "a", "diff": ""}, "edit"),
        ("insert_content", {"path": "a", "line": 1, "content": ""}, "insert"),
        ("search_and_replace", {"path": "a", "search": "x", "replace": "y"}, "edit"),
        ("replace", {"file_path": "a", "old_string": "x", "new_string": "y"}, "edit"),
        ("save", {"path": "a", "content": ""}, "write"),
        ("append", {"path": "a", "content": ""}, "append"),
        ("delete_file", {"target_file": "a"}, "delete"),
        ("move_file", {"source": "a", "destination": "b"}, "move"),
        ("mcp__fs__read_text_file", {"path": "a"}, "read"),
        ("my_edit_file", {"path": "a", "old_string": "x", "new_string": "y"}, "edit"),
        ("tweak", {"path": "a", "old_string": "x", "new_string": "y"}, "edit"),
        ("tweak", {"path": "a"}, None),
        ("get_weather", {"city": "Bern"}, None),
    ],
)
def test_a_tool_is_known_by_its_name_or_its_arguments(
    name: str, arguments: dict[str, Any], shape: str
) -> None:
    found = shape_of(call(name, **arguments))
    if found == "read" and not paths_of(call(name, **arguments)):
        found = None  # a reading tool without a path reads no file
    assert found == shape


def test_a_list_of_words_is_a_command_line() -> None:
    assert command_line(call("shell", command=["bash", "-lc", "a | b"])) == "a | b"
    assert command_line(call("shell", command=["rm", "a b"])) == "rm 'a b'"


def test_paths_are_found_at_any_depth() -> None:
    assert paths_of(call("read_file", args={"file": [{"path": "a"}, {"path": "b"}]})) == ["a", "b"]
    assert paths_of(call("read_file", filePath="a")) == ["a"]


def test_replacements_come_alone_or_in_a_list() -> None:
    assert replacements_of(call("edit", old_str="x", new_str="y")) == [("x", "y")]
    edits = [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": ""}]
    assert replacements_of(call("edit", edits=edits)) == [("a", "b"), ("c", "")]


def test_a_move_has_two_ends() -> None:
    assert move_of(call("rename", path="a", new_path="b")) == ("a", "b")
    assert move_of(call("rename", path="a")) is None
