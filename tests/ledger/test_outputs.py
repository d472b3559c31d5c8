"""Commands, test runs and errors off tool results, told in the order in which the fold needs them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.conversation import answered, called, ran, said
from tamis.ledger.events import CommandRun, ErrorMessage, Event, TestRun
from tamis.ledger.outputs.extractor import extract_outputs
from tamis.ledger.reader import LedgerReader
from tamis.messages import Message, Text, ToolCall, ToolResult, part_text


def read(*messages: Message, cwd: str | None = None) -> list[Event]:
    reader = LedgerReader(cwd=cwd, extractors=(extract_outputs,))
    return [event for message in messages for event in reader.read(message)]


def test_a_command_is_told_when_its_result_is_there() -> None:
    call, result = ran("make all", "done", exit_code=0)
    assert read(call) == []
    [event] = read(call, result)
    assert event.value == CommandRun(command="make all", exit_code=0, ok=True)


def test_the_source_of_a_command_is_where_the_call_says_it() -> None:
    call, result = ran('echo "a\nb" > x', "", exit_code=0)
    [event] = read(call, result)
    text = part_text(call.parts[event.source.part])
    assert event.source.message_id == call.id
    assert text[event.source.start : event.source.end] == r"echo \"a\nb\" > x"


def test_what_a_command_printed_is_told_before_it() -> None:
    output = "FAILED t.py::test_a - ValueError: x\nValueError: x\n=== 1 failed in 0.1s ==="
    events = read(*ran("pytest", output, exit_code=1))
    assert [event.kind for event in events] == ["error", "test", "command"]
    assert isinstance(events[1].value, TestRun)
    assert events[1].value.command == "pytest"


def test_a_source_file_that_is_printed_tells_no_errors_and_no_tests() -> None:
    output = "ValueError: x\n=== 1 failed in 0.1s ===\nfatal: bad"
    for command in ("cat notes.md", "grep -rn failed .", "cd src && sed -n 1,9p a.py"):
        assert [event.kind for event in read(*ran(command, output))] == ["command"]
    assert read(called("Read", {"file_path": "a.py"}), answered(output)) == []


def test_a_log_that_is_printed_tells_them() -> None:
    kinds = [event.kind for event in read(*ran("tail -5 build.log", "=== 1 failed in 0.1s ==="))]
    assert kinds == ["test", "command"]


def test_no_match_is_neither_success_nor_failure() -> None:
    [event] = read(*ran("grep -n nothing a.py", "", exit_code=1))
    assert event.value == CommandRun(command="grep -n nothing a.py", exit_code=1, ok=None)


def test_a_call_that_was_turned_down_did_not_run() -> None:
    refusal: dict[str, Any] = {"is_error": True}
    assert read(*ran("rm -rf /", "The user doesn't want to proceed with this tool use.", **refusal)) == []
    [event] = read(*ran("sleep 60", "<tool_use_error>Blocked: sleep</tool_use_error>", **refusal))
    assert event.value == ErrorMessage(message="Blocked: sleep", type="tool")


def test_a_tool_that_runs_things_without_a_command_line_is_listened_to() -> None:
    events = read(called("run_tests", {"path": "tests"}), answered("=== 1 failed in 0.1s ==="))
    assert [(event.kind, event.subject) for event in events] == [("test", "pytest: run_tests")]


def test_a_result_in_the_message_of_its_call_is_read() -> None:
    call = ToolCall(id="c", name="bash", arguments={"command": "make"})
    message = Message(id="1", role="assistant", parts=(call, ToolResult(call_id="c", text="", exit_code=0)))
    assert [event.kind for event in read(message)] == ["command"]


def test_a_result_without_its_call_tells_only_tool_errors() -> None:
    assert read(answered("make: *** [all] Error 2")) == []


def test_an_error_of_the_api_in_the_place_of_a_reply() -> None:
    [event] = read(said("assistant", "API Error: 529 overloaded"))
    assert event.value == ErrorMessage(message="API Error: 529 overloaded", type="api")
    assert read(said("user", "API Error: 529 overloaded")) == []


def test_parallel_results_find_their_own_calls() -> None:
    calls = tuple(ToolCall(id=i, name="bash", arguments={"command": f"make {i}"}) for i in "ab")
    results = tuple(ToolResult(call_id=i, text="", exit_code=0) for i in "ba")
    events = read(
        Message(id="1", role="assistant", parts=(Text(text="go"), *calls)),
        Message(id="2", role="tool", parts=results),
    )
    assert [(event.subject, event.source.part) for event in events] == [("make b", 2), ("make a", 1)]


@pytest.mark.parametrize("size", [10, 200_000])
def test_a_huge_output_without_errors_tells_nothing(size: int) -> None:
    assert [event.kind for event in read(*ran("./gen", "line of output\n" * size, exit_code=0))] == [
        "command"
    ]
