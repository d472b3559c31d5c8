"""The user's words as they stood: their lines, the gaps in them, and the order that they end with."""

from __future__ import annotations

from compactors.brief.talk import TASK, brief, edit, reading_of, section, texts
from compactors.conversations import run, say
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.utterances import sentences_of_request
from tamis.compactors.brief.reading.statement import Statement
from tamis.compactors.brief.writing.in_short import in_short
from tamis.compactors.brief.writing.layout import story
from tamis.messages import Message, Text

EDIT = edit("e", "/work/shop/src/rows.py", "rows.append(row)", "rows.append(row or None)")
LINES = "Print this notice:\nAnother reader is open.\nYes. Close that one\nNo. Keep both of them and go on"
LONG = "The reader of the north barn goes through every row of the table twice, which is slow for long ones."
STOP = Message(id="s", role="user", origin="meta", parts=(Text(text="[Request interrupted by user]"),))


def request(text: str) -> Statement:
    (whole,) = (s for s in reading_of([say("user", text)]).statements if s.kind == "asked")
    return whole


def test_sentences_of_one_line_of_the_users_stand_on_one_line() -> None:
    sentences = [*sentences_of_request(request(LINES))]
    assert len(sentences) > len(LINES.split("\n"))
    told = story(sentences, [Episode(0, 1)], headed=False)
    assert told == [f"> {line}" for line in LINES.split("\n")]


def test_what_was_corrected_in_the_midst_of_a_request_leaves_a_mark() -> None:
    first = "Please write src/login.py. The login token is valid for 15 minutes. Then run the tests."
    span = [say("user", first), say("user", "The login token should be valid for 60 minutes.")]
    assert texts(span)[0] == "Please write src/login.py. … Then run the tests."


def test_a_request_that_is_too_long_keeps_the_short_order_that_it_ends_with() -> None:
    assert (
        in_short(request(f"{LONG} draft a plan."), 60)
        == "The reader of the north barn goes through … draft a plan."
    )
    assert in_short(request(f"{LONG}\n\nand fix it"), 60).endswith(" … and fix it")
    assert in_short(request(f"{LONG} It was so all year."), 60).endswith("row of the…")
    assert in_short(request("Draft a plan."), 60) == "Draft a plan."


def test_the_order_at_the_end_has_room_in_the_smallest_brief() -> None:
    asked = say("user", f"{LONG} {LONG.replace('north', 'south')} {LONG.replace('north', 'east')} Fix it.")
    told = section(brief([asked, *run("r", "ls src", "rows.py", 0)], 75), "Story")
    assert "Fix it." in " ".join(told)
    assert "…" in " ".join(told)


def test_a_request_that_is_told_whole_without_what_it_leans_on_has_no_mark() -> None:
    ways = "\n".join(f"{n}. **Way {n}**: {LONG}" for n in range(1, 5))
    span = [
        TASK,
        *EDIT,
        say("assistant", f"These ways are left:\n\n{ways}"),
        say("user", "Let's try 4 and 1 first"),
    ]
    told = section(brief(span, 150), "Story")
    assert "> Let's try 4 and 1 first" in told


def test_a_request_that_was_sent_too_early_was_not_broken_off() -> None:
    early, other = "Print the notice. Then say:", "Feed the herons."

    def told(newest: str) -> str:
        return brief([TASK, *EDIT, say("user", early, id="a"), STOP, say("user", newest, id="b")])

    assert "was broken off" in told(other)
    assert "was broken off" not in told(f"{early}\n- rows are kept")


def test_what_is_checked_next_is_an_announcement() -> None:
    checks = "Now also check we don't need `rows` taken from `table.py`."
    span = [TASK, *EDIT, say("assistant", checks), *run("r", "ls src", "rows.py", 0)]
    span += [say("assistant", "`rows` is still used in `table.py`.")]
    assert checks not in texts(span)
    assert "Also check that your barn is open." in texts(
        [TASK, say("assistant", "Also check that your barn is open."), TASK]
    )
