"""Which calls run a command, and how it ended."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.ledger.outputs.commands import command_of, exit_status
from tamis.messages import ToolCall, ToolResult


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("Bash", {"command": "ls"}, "ls"),
        ("shell", {"command": ["bash", "-lc", "ls -l"]}, "ls -l"),
        ("shell", {"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'"),
        ("local_shell", {"action": {"command": ["ls", "-l"]}}, "ls -l"),
        ("exec_command", {"cmd": "ls"}, "ls"),
        ("execute_bash", {"command": "ls"}, "ls"),
        ("run_shell_command", {"command": "ls"}, "ls"),
        ("run_in_terminal", {"command": "ls"}, "ls"),
        ("mcp__box__executeCommand", {"command": "ls"}, "ls"),
        ("str_replace_editor", {"command": "view", "path": "a.py"}, None),
        ("Read", {"file_path": "a.py"}, None),
        ("Bash", {"command": "  "}, None),
        ("Bash", {"command": 7}, None),
    ],
)
def test_shell_calls_of_all_agents_are_known(
    name: str, arguments: dict[str, Any], expected: str | None
) -> None:
    assert command_of(ToolCall(id="c", name=name, arguments=arguments)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exit code 1\nboom", (1, False)),
        ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok", (0, True)),
        ("<returncode>2</returncode>\n<output>x</output>", (2, False)),
        ("x\n[Command finished with exit code 0]", (0, True)),
        ("x\n[The command completed with exit code 3.]", (3, False)),
        ("(no output)\n\nCommand exited with code 127", (127, False)),
        ("Process exited with code 0\nOutput:\nx", (0, True)),
        ('{"output": "x", "metadata": {"exit_code": 1, "duration_seconds": 0.1}}', (1, False)),
        ("The docs say: exit code 1 means failure", (None, None)),
        ("ok", (None, None)),
    ],
)
def test_the_exit_code_is_read_where_agents_write_it(
    text: str, expected: tuple[int | None, bool | None]
) -> None:
    assert exit_status(ToolResult(call_id="c", text=text)) == expected


def test_the_result_and_its_details_come_before_the_text() -> None:
    text = "Exit code 1"
    assert exit_status(ToolResult(call_id="c", text=text, exit_code=2)) == (2, False)
    assert exit_status(ToolResult(call_id="c", text=text, details={"metadata": {"exit_code": 3}})) == (
        3,
        False,
    )


@pytest.mark.parametrize("is_error", [True, False])
def test_without_a_code_the_error_flag_tells(is_error: bool) -> None:
    assert exit_status(ToolResult(call_id="c", text="x", is_error=is_error)) == (None, not is_error)
