from __future__ import annotations

from compactors.conversations import compact, fates, lines, run, say
from tamis.compactors.brief import fence
from tamis.messages import Text

OLD = say("user", "Fix src/old_module.py and keep PORT_NUMBER at 8080.", id="old")
NEW = say("assistant", "I look at src/new_module.py with --verbose on.", id="new")


def listed(made: object) -> list[str]:
    (message,) = made.messages  # type: ignore[attr-defined]
    return message.text.split("```")[1].split()


def test_names_come_newest_first() -> None:
    made = compact("index", [OLD, NEW, say("user", "word " * 100)], 60)
    assert listed(made) == ["--verbose", "src/new_module.py", "8080", "PORT_NUMBER", "src/old_module.py"]
    assert made.messages[0].origin == "summary"
    assert made.messages[0].role == "user"


def test_as_many_as_fit_are_listed() -> None:
    made = compact("index", [OLD, NEW, say("user", "word " * 100)], 38)
    full = compact("index", [OLD, NEW, say("user", "word " * 100)], 60)
    assert 0 < len(listed(made)) < 5
    assert listed(full)[: len(listed(made))] == listed(made)
    assert made.tokens_after <= 38


def test_a_name_is_listed_once_and_owned_by_its_newest_message() -> None:
    made = compact("index", [OLD, NEW, say("user", "src/old_module.py again " + "word " * 100)], 60)
    assert listed(made).count("src/old_module.py") == 1
    assert fates(made) == ["condensed", "condensed", "condensed"]
    assert made.account[0].reason == "2 names of it are listed"


def test_names_of_arguments_and_results_are_listed() -> None:
    made = compact("index", [*run("c", "cat src/app.py", "class AppServer: ...\n" + lines("it", 90))], 60)
    assert {"src/app.py", "AppServer"} <= set(listed(made))


def test_a_second_compaction_keeps_the_earlier_names_behind_the_new_ones() -> None:
    first = compact("index", [OLD, say("user", "word " * 100)], 60)
    second = compact("index", [NEW, say("user", "word " * 100)], 60, first)
    assert listed(second) == ["--verbose", "src/new_module.py", "8080", "PORT_NUMBER", "src/old_module.py"]


def test_a_second_compaction_of_an_unchanged_first_reads_everything() -> None:
    first = compact("index", [OLD], 500)
    assert first.outcome == "unchanged"
    second = compact("index", [NEW, say("user", "word " * 100)], 60, first)
    assert "src/old_module.py" in listed(second)


def test_backticks_in_names_cannot_close_the_fence() -> None:
    hostile = say("user", 'The value is "```` ```" and "x ````` y". ' + "word " * 200)
    made = compact("index", [hostile], 80)
    part = made.messages[0].parts[0]
    assert isinstance(part, Text)
    opening = part.text.split("\n")[1]
    assert part.text.count(opening) == 2


def test_a_fence_is_longer_than_any_run_inside() -> None:
    assert fence("a `````` b").startswith("`" * 7 + "\n")
    assert fence("plain").startswith("```\n")
