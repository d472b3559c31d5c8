"""The newest request has its room: all that it asks for is told, where need be in fewer words."""

from __future__ import annotations

from compactors.brief.talk import brief, edit, section
from compactors.conversations import run, say

LIST = "".join(
    f"{n}. Read the page on lock {n} in docs/lock_{n}.md, and note in one line how it was built, "
    f"who kept it in the year {1890 + n}, and what was said of the keeper in the papers of that time\n"
    for n in range(1, 9)
)
LOOKED = run("r", "ls docs", "lock_1.md", 0)


def test_each_of_many_things_that_are_asked_is_told_in_fewer_words() -> None:
    asked = f"Write the book of the locks.\n\nFor it:\n\n{LIST}\nEnd with a table of all keepers."
    told = section(brief([say("user", asked, id="a"), *LOOKED], 520), "Story")
    assert all(
        any(line.startswith(f"> {n}. Read the page on lock {n}") for line in told) for n in range(1, 9)
    )
    assert any(line.endswith(" …") for line in told)
    assert "> End with a table of all keepers." in told


def test_what_goes_on_behind_a_piece_that_was_cut_does_not_hide_that_it_was() -> None:
    items = "".join(f"{line}. Add the name of harbour {n}.\n" for n, line in enumerate(LIST.splitlines()))
    told = section(brief([say("user", f"For the book:\n\n{items}", id="a"), *LOOKED], 620), "Story")
    assert any(" … Add the name of harbour" in line for line in told)


def test_the_whole_request_has_room_before_the_code_that_answers_it() -> None:
    asked = [
        "Closing a till adds a coin to the sum of the day.",
        "The sum is right again when the till is opened once more.",
        "It is the lid that counts as a coin, as its weight is near to that of one.",
        "No other part of the till has such a weight.",
        "The weights stand in a table of the till's own.",
    ]
    code = edit(
        "e", "src/till.py", "sum = 1", "sum = of_coins(till)\n" + "weigh(lid, coin, till, table)\n" * 8
    )
    told = "\n".join(
        section(brief([say("user", " ".join(asked) + " " + "Mend it! " * 60, id="a"), *code], 230), "Story")
    )
    assert all(sentence in told for sentence in asked)


def test_a_request_that_the_agent_only_read_for_is_not_answered() -> None:
    rules = "Never touch the old lock. " + "Write the answer to the harbour office, please. " * 20
    items = "".join(f"- Say in one line why lock {n} was closed\n" for n in range(1, 7))
    reads = [m for n in range(8) for m in run(f"r{n}", f"cat lock_{n}.md", "# A lock", 0)]
    first = [
        say("user", f"{rules}\n\n{items}", id="a"),
        say("assistant", "I will read the pages.", id="b"),
        *reads,
    ]
    text = brief([*first, say("user", "Read them whole.", id="c"), *LOOKED], 400)
    assert "answered request" not in text


def test_code_that_the_user_gives_is_told_whole_or_by_how_long_it_is() -> None:
    code = "def open_till(till):\n" + "".join(f"    till.drawer({n}).open_with(key_{n})\n" for n in range(14))
    asked = (
        f"Put this into src/till.py:\n\n```python\n{code}```\n\n{'It opens each drawer of the till. ' * 24}"
    )
    much = section(brief([say("user", asked, id="a"), *LOOKED], 900), "Story")
    assert "> def open_till(till):" in much
    assert ">     till.drawer(13).open_with(key_13)" in much
    little = section(brief([say("user", asked, id="a"), *LOOKED], 200), "Story")
    assert "> (code of 15 lines, #0)" in little
    assert not [line for line in little if "open_with" in line]


def test_a_bare_command_of_the_program_is_no_request_where_one_follows() -> None:
    talk = [say("user", "/mode", id="m"), say("user", "Mend the lock of the till.", id="a"), *LOOKED]
    told = section(brief(talk, 400), "Story")
    assert "> Mend the lock of the till." in told
    assert "> /mode" not in told


def test_what_the_user_says_was_not_done_is_not_called_answered() -> None:
    asked = [say("user", "Is the page on the lock up to date?", id="a")]
    reply = [say("assistant", "Yes, the page on the lock is up to date.", id="b")]
    denied = say("user", "How can you say so if you haven't read the source of the lock?", id="c")
    again = say("user", "Now write the page on the till, please.", id="c")
    assert "(answered)" not in brief([*asked, *LOOKED, *reply, denied, *LOOKED], 90)
    assert "(answered)" not in brief([*asked, *LOOKED, *reply, denied, *LOOKED], 700)
    assert "> Is the page on the lock up to date?" in brief([*asked, *LOOKED, *reply, again, *LOOKED], 700)


def test_the_steps_that_a_harness_asks_for_are_told_where_there_is_much_room() -> None:
    issue = "<pr_description>\nThe till counts its lid as a coin.\n</pr_description>\n"
    steps = (
        "Follow these steps to resolve the issue:\n1. Write a script that shows it\n2. Think of edge cases\n"
    )
    asked = f"Consider the following PR description:\n\n{issue}{'The lid is of brass. ' * 40}\n{steps}"
    talk = [say("user", asked, id="a"), *edit("e", "src/till.py", "sum = 1", "sum = 2")]
    assert "> 2. Think of edge cases" in brief(
        [*talk, *run("c", "cat src/till.py", "lid = 1\n" * 900, 0)], 900
    )
    assert "edge cases" not in brief(talk, 120)
