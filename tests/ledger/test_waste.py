from __future__ import annotations

from tamis.ledger import read_ledger
from tamis.ledger.outputs.waste import Waste, find_waste
from tamis.messages import Message, ToolCall, ToolResult, get_counter

COUNTER = get_counter()
SOURCE = "def total(rows):\n    return sum(row.amount for row in rows)\n" * 4


def test_the_same_output_again_is_a_repetition() -> None:
    waste = _waste(_ran("1", "make", SOURCE), _ran("2", "make test", SOURCE), _ran("3", "ls", "other " * 30))
    assert (waste.repeated_outputs, waste.repeated_tokens) == (1, COUNTER.count(SOURCE))


def test_a_short_output_again_is_none() -> None:
    assert _waste(_ran("1", "make", "ok"), _ran("2", "make", "ok")).repeated_outputs == 0


def test_a_view_of_a_file_that_was_changed_later_is_superseded() -> None:
    waste = _waste(_read("1", "/app/a.py", SOURCE), _wrote("2", "/app/a.py", "x = 1\n"))
    assert [(f.path, f.views, f.superseded_tokens, f.reread_tokens) for f in waste.files] == [
        ("/app/a.py", 1, COUNTER.count(SOURCE), 0)
    ]


def test_the_newest_view_of_an_unchanged_file_is_not_waste() -> None:
    waste = _waste(_read("1", "/app/a.py", SOURCE), _read("2", "/app/a.py", SOURCE))
    assert [(f.views, f.superseded_tokens, f.reread_tokens) for f in waste.files] == [
        (2, 0, COUNTER.count(SOURCE))
    ]


def test_one_view_of_a_file_is_no_waste() -> None:
    assert _waste(_read("1", "/app/a.py", SOURCE)).files == ()


def test_the_biggest_outputs_come_first_and_say_what_was_asked() -> None:
    waste = _waste(_ran("1", "ls", "a " * 50), _ran("2", "cat big.log", "b " * 500))
    assert [(o.tool, o.asked) for o in waste.biggest] == [("bash", "cat big.log"), ("bash", "ls")]
    assert waste.output_tokens == sum(o.tokens for o in waste.biggest)


def _waste(*pairs: tuple[Message, Message]) -> Waste:
    messages = [message for pair in pairs for message in pair]
    return find_waste(messages, read_ledger(messages).events, COUNTER)


def _ran(number: str, command: str, output: str) -> tuple[Message, Message]:
    return _pair(number, ToolCall(id=number, name="bash", arguments={"command": command}), output)


def _read(number: str, path: str, output: str) -> tuple[Message, Message]:
    return _pair(number, ToolCall(id=number, name="Read", arguments={"file_path": path}), output)


def _wrote(number: str, path: str, content: str) -> tuple[Message, Message]:
    arguments = {"file_path": path, "content": content}
    return _pair(number, ToolCall(id=number, name="Write", arguments=arguments), "File updated.")


def _pair(number: str, call: ToolCall, output: str) -> tuple[Message, Message]:
    asked = Message(id=f"{number}a", role="assistant", parts=(call,))
    return asked, Message(id=f"{number}b", role="tool", parts=(ToolResult(call_id=number, text=output),))
