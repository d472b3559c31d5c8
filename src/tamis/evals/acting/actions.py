"""A call as an action: its tool, its target and its arguments; read from text, and compared with another."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tamis.errors import UnusableReply
from tamis.ledger.files.file_tools import command_line, first_path
from tamis.ledger.shell.programs import run_subject
from tamis.messages import ToolCall
from tamis.messages.conversation import arguments_text

_TOOL = ("tool", "name", "tool_name", "function", "action")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "tool_input", "action_input")
_TARGETS = ("pattern", "query", "url", "id", "name")
_WORD = re.compile(r"\w+")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """An action. `target` is the file, the command or what else it is about; None where nothing says."""

    tool: str
    target: str | None
    arguments: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CallAgreement:
    """How far two actions are the same, each from 0 to 1.

    `target` counts only with the same tool. `arguments` is the F1 of the words of both; 0 with another tool.
    """

    tool: float
    target: float
    arguments: float


def action_of(call: ToolCall) -> Said:
    """The action that a call is.

    >>> action_of(ToolCall(id="1", name="Read", arguments={"file_path": "/repo/src/a.py"})).target
    '/repo/src/a.py'
    >>> action_of(ToolCall(id="1", name="bash", arguments={"command": "CI=1 pytest -q"})).target
    'pytest -q'
    """
    line = command_line(call)
    named = (call.arguments.get(name) for name in _TARGETS)
    target = run_subject(line, None) if line else first_path(call)
    target = target or next((value for value in named if isinstance(value, str) and value), None)
    return Said(tool=call.name, target=target, arguments=arguments_text(call))


def agreement(one: Said, other: Said) -> CallAgreement:
    """Compare two actions.

    >>> ls, cat = (Said(tool="bash", target=c, arguments=f'{{"command": "{c}"}}') for c in ("ls", "cat a.py"))
    >>> agreement(ls, cat).tool, agreement(ls, cat).target
    (1.0, 0.0)
    """
    if _plain(one.tool) != _plain(other.tool):
        return CallAgreement(tool=0.0, target=0.0, arguments=0.0)
    return CallAgreement(
        tool=1.0,
        target=float(_same_target(one.target, other.target)),
        arguments=_f1(one.arguments, other.arguments),
    )


def read_call(text: str) -> ToolCall:
    """The first call in what a model said: JSON, bare, in a fence, in tags, or in the shape of some API.

    Raises:
        UnusableReply: there is none.

    >>> read_call('Sure: <tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>').arguments
    {'command': 'ls'}
    """
    for value in _objects(text):
        if (call := _as_call(value)) is not None:
            return call
    raise UnusableReply(f"no call in what it said: {' '.join(text.split())[:80]!r}")


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _as_call(value: Mapping[str, Any]) -> ToolCall | None:
    inner = next((value[key] for key in _TOOL if isinstance(value.get(key), Mapping)), None)
    if isinstance(inner, Mapping):  # {"function": {"name": ..., "arguments": ...}}
        return _as_call(inner)
    name = next((value[key] for key in _TOOL if isinstance(value.get(key), str) and value[key]), None)
    if name is None:
        return None
    given: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return ToolCall(id="", name=name, raw_arguments=given)
    return ToolCall(id="", name=name, arguments=given if isinstance(given, Mapping) else {})


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _same_target(one: str | None, other: str | None) -> bool:
    """The same, or the same path said from another folder."""
    if one is None or other is None:
        return one == other
    short, long = sorted((one.strip(), other.strip()), key=len)
    is_path = "/" in long and " " not in long
    return short == long or (is_path and long.endswith(f"/{short.removeprefix('./')}"))


def _f1(one: str, other: str) -> float:
    a, b = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    both = (a & b).total()
    return 2 * both / (a.total() + b.total()) if both else float(a == b)
