"""Short talks in very little room: what is decided, who does what, and no chat beside it."""

from __future__ import annotations

import pytest

from compactors.brief.talk import DONE, TASK, brief, edit, told, write
from compactors.conversations import run, say
from tamis.compactors.brief import BRIEF_HEADER
from tamis.compactors.brief.writing.parser import parse_brief
from tamis.ledger import read_ledger
from tamis.text.cues.courtesy import is_aside, only_takes_back, takes_back

PLAN = say("user", "For Bea's garden, let's plant the roses along the wall.", id="plan")
TURN = say(
    "user",
    "Hmm, wait. Scratch that. Instead, let's sow wild meadow flowers in the middle. Forget the old idea.",
    id="turn",
)
CHAT = say("user", "By the way, do you play chess?", id="chat")
LAST = say("user", "What did we settle on?", id="last")
TALK = [PLAN, say("assistant", "Fine."), TURN, CHAT, say("assistant", "I might."), LAST]


def test_in_fifty_tokens_what_holds_instead_stands_and_not_what_only_takes_back() -> None:
    text = brief(TALK, 50)
    assert "let's sow wild meadow flowers in the middle." in text
    assert "What did we settle on?" in text
    assert "Forget the old idea." not in text


def test_an_aside_is_told_last_and_asks_for_nothing() -> None:
    assert CHAT.text not in brief([PLAN, CHAT, LAST], 52)
    assert [s.flags for s in told([PLAN, CHAT, LAST]) if s.text == CHAT.text] == [
        ("alone", "answer", "courtesy", "whole")
    ]
    requests = [entry.value.text for entry in read_ledger([PLAN, CHAT, LAST]).state.requests]
    assert requests == [PLAN.text, LAST.text]


@pytest.mark.parametrize(
    "words",
    [
        "Side note: I renamed the helper.",
        "Unrelated, but can you also bump the version?",
        "By the way, do you run the tests first?",
        "Random: my build crashes.",
        "Did you see the stack trace?",
        "Off-topic: what do you think of `rows.py`?",
    ],
)
def test_what_is_of_the_work_is_no_aside(words: str) -> None:
    assert not is_aside(words)


def test_to_ignore_a_thing_of_the_work_takes_nothing_back() -> None:
    assert not takes_back("Ignore the generated files.")
    assert takes_back("Forget B, take the train.")
    assert not only_takes_back("Forget B, take the train.")


def test_a_very_small_brief_has_a_short_frame_and_reads_back() -> None:
    text = brief(TALK, 60)
    assert len(text.partition("\n")[0]) < len(BRIEF_HEADER)
    assert "### #" not in text
    assert LAST.text in [line.text for line in parse_brief(text) or ()]


def test_in_hardly_any_room_a_request_that_goes_on_stands_behind_the_first() -> None:
    first = say("user", "Help me lay out the beds of the garden behind the mill, with paths.", id="first")
    plants = "one for each of the beds, with the names of all the plants and when each was sown and watered"
    then = say("user", f"and then write it down for Bea, in several small files, {plants}", id="then")
    text = brief(
        [first, say("assistant", "Gladly."), then, say("assistant", "Bed 1 is behind the mill.")], 50
    )
    assert text.index("> Help me lay out the beds") < text.index("> and then write it down")


def test_in_hardly_any_room_the_title_goes_before_a_remark_at_the_end() -> None:
    title = "Cannot drop the fence of a single bed that has a hedge of its own as well as a wall."
    long = "The beds of the garden behind the mill are all of one size and none of them has a name. " * 9
    text = brief([say("user", f"{title}\n\n{long}\nThe garden is in Kent.")], 42)
    assert "> Cannot drop the fence" in text
    assert "Kent" not in text


def test_the_question_itself_goes_before_what_it_rests_on() -> None:
    premises = "A mill stands at the river of the old town. Its sign was painted by a man of the same name."
    question = "In which year was the painter of the sign born?"
    told = brief([say("user", f"{premises} {question}", id="asked")], room=44)
    assert "> In which year was the painter" in told
    assert "A mill stands" not in told


def test_in_little_room_neither_an_older_failure_nor_a_trial_is_told_behind_the_change() -> None:
    failing = run("f", "python try_rows.py", "Traceback\nKeyError: 'weir'", 1)
    trial = write("t", "/work/shop/try_rows.py", "import rows\n")
    text = brief([TASK, *trial, *failing, *edit("e", "/work/shop/src/rows.py", "one", "two")], 130)
    before_state = text.partition("## State")[0]
    assert "KeyError" not in before_state
    assert "wrote try_rows.py" not in before_state


def test_in_little_room_a_question_that_was_answered_is_not_told() -> None:
    talk = [
        TASK,
        say("assistant", "Done.", id="o"),
        say("user", "Where is the weir measured?", id="a"),
        say("assistant", "It is measured at `src/weir.py`. Shall I add a second gauge?", id="b"),
        say("user", "add it below the mill, with the height of the bank", id="c"),
        *edit("e", "/work/shop/src/weir.py", "one", "two"),
        say("assistant", "Added.", id="d"),
    ]
    assert "?" not in brief(talk, 120)


def test_of_the_agents_words_in_little_room_none_is_older_than_the_newest_request() -> None:
    review = "The review is done.\n\nVerify that the gauge of the weir is read twice a day."
    talk = [
        TASK,
        say("assistant", review, id="r"),
        say("user", "The gauge is fine; mend the sluice.", id="m"),
    ]
    assert "Verify" not in brief([*talk, *edit("e", "/work/shop/src/sluice.py", "one", "two")], 240)


def test_in_little_room_a_request_that_was_answered_is_not_told_by_what_was_amiss_or_by_its_steps() -> None:
    plan = "# Keep the herd in a table\n\nThere is a slip in `rows()`.\n\n## Step 1\n\nMend that slip.\n"
    plan += "The otters need a table of their own, row by row and day by day. " * 12
    span = [say("user", plan, id="p"), *edit("e", "/herd/rows.py", "a = 1", "a = 2")]
    assert "slip" in brief(span, 130)
    answered = brief([*span, say("assistant", "The herd lives in a table now.", id="d")], 130)
    assert "Keep the herd in a table" in answered
    assert "slip" not in answered
    short = say("user", "There is a slip in `rows()`.", id="s")
    assert short.text in brief([short, *span[1:], say("assistant", "It is mended.", id="d")], 130)


def test_in_a_talk_what_was_answered_before_the_newest_request_stands() -> None:
    answer = "The night train of 22.14 leaves from platform 7 and has two free berths."
    talk = [
        say("user", "Which trains go to Ulm tonight?", id="a"),
        say("assistant", answer, id="b"),
        say("user", "And which of the trams goes to the station at that hour?", id="c"),
        say("assistant", "Tram 3, every twelve minutes.", id="d"),
        say("user", "Thank you, I take it.", id="e"),
    ]
    assert answer in brief(talk, 160)
    works = [*talk[:2], *edit("x", "src/rows.py", "a = 1", "a = 2"), *talk[2:]]
    told = brief(works, 160)
    assert (talk[0].text in told) == (answer in told)


def test_in_little_room_an_answered_request_gives_its_room_to_what_the_last_turn_came_to() -> None:
    span = [
        TASK,
        *edit("a", "/work/shop/src/rows.py", "a = 1", "a = 2"),
        DONE,
        say("user", "Now sort the tills by their street."),
        say("assistant", "The tills are sorted by `street` now.", id="tills"),
        say("user", "Please sort the lamps of `lamps.py` by their age."),
        say("assistant", "The lamps of `lamps.py` are sorted by age, the oldest first.", id="lamps"),
    ]
    text = brief(span, 130)
    assert "sorted by `street`" not in text
    assert "the oldest first" in text
