"""Calls read from what models say, and compared."""

from __future__ import annotations

import pytest

from tamis.errors import UnusableReply
from tamis.evals.acting.actions import CallAgreement, Said, action_of, agreement, read_call
from tamis.evals.acting.measuring import tools_told
from tamis.messages import ToolCall


@pytest.mark.parametrize(
    "said",
    [
        '{"tool": "bash", "arguments": {"command": "ls"}}',
        'I list them.\n```json\n{"name": "bash", "input": {"command": "ls"}}\n```',
        '<tool_call>\n{"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}\n</tool_call>',
        '{"type": "function", "function": {"name": "bash", "arguments": {"command": "ls"}}}',
        'With {braces} first: {"tool": "bash", "args": {"command": "ls"}} and more {',
    ],
)
def test_a_call_is_read_in_every_usual_form(said: str) -> None:
    call = read_call(said)
    assert (call.name, call.arguments) == ("bash", {"command": "ls"})


@pytest.mark.parametrize("said", ["I would list the files.", '{"answer": 3}', '{"tool": "ba', "{}"])
def test_what_holds_no_call_is_no_action(said: str) -> None:
    with pytest.raises(UnusableReply, match="no call"):
        read_call(said)


def read(path: str) -> Said:
    return action_of(ToolCall(id="1", name="Read", arguments={"file_path": path}))


def test_another_tool_agrees_in_nothing() -> None:
    ls = action_of(ToolCall(id="1", name="bash", arguments={"command": "cat a.py"}))
    assert agreement(read("a.py"), ls) == CallAgreement(tool=0.0, target=0.0, arguments=0.0)


def test_a_path_is_the_same_said_from_another_folder() -> None:
    assert agreement(read("/repo/src/a.py"), read("src/a.py")).target == 1.0
    assert agreement(read("/repo/src/aa.py"), read("a.py")).target == 0.0


def test_arguments_agree_by_their_words() -> None:
    calls = [ToolCall(id="1", name="grep", arguments={"pattern": "port", "path": p}) for p in ("src", "lib")]
    one, other = map(action_of, calls)
    found = agreement(one, other)
    assert (found.tool, found.target) == (1.0, 0.0)
    assert found.arguments == pytest.approx(3 / 4)


def test_the_tools_are_those_that_the_session_defines() -> None:
    schema = {"type": "object", "properties": {"path": {}, "limit": {}}}
    openai = {"type": "function", "function": {"name": "read", "parameters": schema}}
    anthropic = {"name": "look", "input_schema": schema}
    assert tools_told([openai, anthropic], []) == "- read(path, limit)\n- look(path, limit)"
