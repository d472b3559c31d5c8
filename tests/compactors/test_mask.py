from __future__ import annotations

from compactors.conversations import compact, fates, ids, lines, run, say
from tamis.compactors import Compaction
from tamis.messages import Media, Message, ToolCall, ToolResult

FIRST = say("user", "Fix the importer.", id="first")


def output(made: Compaction, message_id: str) -> str:
    (message,) = (m for m in made.messages if m.id == message_id)
    return message.results[0].text


def test_the_oldest_output_is_masked_and_the_newest_kept() -> None:
    old, new = run("old", "cat a.py", lines("a", 40), 0), run("new", "pytest -q", lines("b", 40), 1)
    made = compact("mask", [FIRST, *old, *new], 320)
    assert output(made, "old-result") == "[left out: bash `cat a.py`, 40 lines, exit 0]"
    assert output(made, "new-result") == lines("b", 40)
    assert fates(made) == ["kept", "kept", "condensed", "kept", "kept"]


def test_when_masking_is_not_enough_the_oldest_messages_go() -> None:
    turns = [m for n in range(12) for m in run(f"r{n}", f"cat file{n}.py", lines("x", 30), 0)]
    made = compact("mask", [FIRST, *turns], 100)
    assert ids(made)[-2:] == ["r11-call", "r11-result"]
    assert "r3-call" not in ids(made)
    assert "archived" in fates(made)


def test_output_shorter_than_the_line_stays() -> None:
    turns = [*run("old", "true", "ok", 0), *run("new", "cat b", lines("b", 60), 0)]
    made = compact("mask", [FIRST, *turns], 80)
    assert output(made, "old-result") == "ok"


def test_a_masked_line_is_not_masked_again() -> None:
    span = [FIRST, *run("old", "cat a.py", lines("a", 40), 0), *run("mid", "cat b.py", lines("b", 40), 0)]
    first = compact("mask", span, 120)
    second = compact("mask", run("new", "cat c.py", lines("c", 40), 0), 130, first)
    assert "40 lines" in output(second, "old-result")


def test_pictures_in_old_output_go_and_are_counted() -> None:
    picture = Media(kind="image", data="AAAA")
    call = ToolCall(id="p", name="screenshot", arguments={})
    result = ToolResult(call_id="p", text="taken", media=(picture,), is_error=True)
    shot = [
        Message(id="p-call", role="assistant", parts=(call,)),
        Message(id="p-result", role="tool", parts=(result,)),
    ]
    made = compact("mask", [FIRST, *shot, say("user", "Better now?")], 100)
    assert output(made, "p-result") == "[left out: screenshot, 1 line, 1 media, failed]"
