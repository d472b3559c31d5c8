from __future__ import annotations

from typing import Any

import pytest

from tamis.compactors.methods.output_placeholder import describe_output, main_argument
from tamis.messages import ToolCall, ToolResult


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"command": "ls -l"}, "ls -l"),
        ({"content": "x = 1", "file_path": "a.py"}, "a.py"),
        ({"command": ["bash", "-lc", "ls"]}, "bash -lc ls"),
        ({"note": "only this"}, "only this"),
        ({"command": "cat <<EOF\nx\nEOF"}, "cat <<EOF …"),
        ({"command": "echo `date`"}, "echo 'date'"),
        ({"limit": 3}, ""),
        ({}, ""),
    ],
)
def test_the_main_argument_is_told_on_one_line(arguments: dict[str, Any], told: str) -> None:
    assert main_argument(ToolCall(id="c", name="tool", arguments=arguments)) == told


def test_a_long_argument_is_cut_between_words() -> None:
    command = "grep -rn " + " ".join(f"pattern{n}" for n in range(30))
    told = main_argument(ToolCall(id="c", name="bash", arguments={"command": command}))
    assert told.endswith(" …")
    assert set(told.split()[:-1]) <= set(command.split())


def test_one_long_word_is_not_cut_but_left_out() -> None:
    call = ToolCall(id="c", name="bash", arguments={"command": "x" * 200})
    assert main_argument(call) == "…"


def test_arguments_that_were_no_object_are_told_as_they_came() -> None:
    assert main_argument(ToolCall(id="c", name="bash", raw_arguments="ls -la")) == "ls -la"


def test_a_tool_name_that_the_command_repeats_is_said_once() -> None:
    call = ToolCall(id="c", name="find_file", arguments={"command": "find_file a.py"})
    line = describe_output(ToolResult(call_id="c", text="a\nb"), call)
    assert line == "[left out: `find_file a.py`, 2 lines]"


def test_one_long_line_is_measured_in_characters() -> None:
    assert "5,000 characters" in describe_output(ToolResult(call_id="c", text="x" * 5000, name="t"), None)
