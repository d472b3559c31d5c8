"""One line for a tool's output: which tool, what it was asked, how much came back, how it ended."""

from collections.abc import Sequence
from typing import Any

from tamis.compactors.brief import one_line
from tamis.messages import Message, ToolCall, ToolResult, pair_calls

_MAIN_ARGUMENTS = (
    "command", "cmd", "file_path", "path", "filename", "file", "pattern", "query", "url", "code", "input",
)  # fmt: skip
"""What a call is about, in the words of the tools that agents carry; the first that is there."""

_ARGUMENT_CHARS = 80
_LEFT_OUT = "[left out: "


def calls_of_results(messages: Sequence[Message]) -> dict[tuple[int, int], ToolCall]:
    """The call behind each result, by the positions of the result's message and part."""
    found = {}
    for result, call in pair_calls(messages).call_of.items():
        part = messages[call.message].parts[call.part]
        assert isinstance(part, ToolCall)
        found[result.message, result.part] = part
    return found


def describe_output(result: ToolResult, call: ToolCall | None, *, left_out: str | None = None) -> str:
    r"""The line that stands where output was; `left_out` is the text that is gone, by default all of it.

    >>> call = ToolCall(id="c", name="bash", arguments={"command": "pytest -q"})
    >>> describe_output(ToolResult(call_id="c", text="1 failed\n", exit_code=1), call)
    '[left out: bash `pytest -q`, 1 line, exit 1]'
    """
    what = (call.name if call else result.name) or "output"
    argument = main_argument(call) if call else ""
    if argument:  # some agents repeat the tool's name in its command
        what = f"`{argument}`" if argument.startswith(what) else f"{what} `{argument}`"
    said = [what, _size(result.text if left_out is None else left_out)]
    if result.media:
        said.append(f"{len(result.media)} media")
    if result.exit_code is not None:
        said.append(f"exit {result.exit_code}")
    elif result.is_error:
        said.append("failed")
    return f"{_LEFT_OUT}{', '.join(said)}]"


def is_left_out(result: ToolResult) -> bool:
    """Whether an earlier compaction has put such a line there already."""
    return result.text.startswith(_LEFT_OUT) and result.text.endswith("]") and len(result.text) < 200


def main_argument(call: ToolCall) -> str:
    """What the call was about, on one line: the most telling argument, cut between words where it is long."""
    arguments = call.arguments
    value: Any = call.raw_arguments
    if value is None:
        named = [arguments[key] for key in _MAIN_ARGUMENTS if arguments.get(key)]
        value = next(iter(named or [v for v in arguments.values() if isinstance(v, str) and v]), "")
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    return _shortened(str(value)).replace("`", "'")


def _shortened(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    line = one_line(first)
    if len(line) <= _ARGUMENT_CHARS:
        return f"{line} …" if rest.strip() else line
    words = line[:_ARGUMENT_CHARS].rsplit(None, 1)
    return f"{words[0]} …" if len(words) > 1 else "…"


def _size(text: str) -> str:
    lines = len(text.splitlines())
    if lines == 1 and len(text) > 200:
        return f"{len(text):,} characters"
    return "1 line" if lines == 1 else f"{lines:,} lines"
