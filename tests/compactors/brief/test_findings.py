"""What a review found, and what became of it."""

from __future__ import annotations

from compactors.brief.talk import brief, edit, told
from compactors.conversations import run, say
from tamis.compactors.brief.reading.speech.findings import closed_findings
from tamis.compactors.brief.reading.statement import Statement, StatementKind

REVIEW = say(
    "assistant",
    "I read the branch.\n\n"
    "1. `parse_rows()` swallows the error of a broken row in `src/rows.py`, so that nobody hears of it\n"
    "2. The folder of the cache is never emptied when the herd moves to another valley\n",
)
ASKED = say("user", "Review the branch, please.")
DONE = "Fixed `parse_rows()` in `src/rows.py`: the error of a broken row is raised."


def test_a_finding_is_told_by_the_report_that_settles_it() -> None:
    span = [
        ASKED,
        REVIEW,
        say("user", "Fix the first."),
        *edit("a", "src/rows.py", "pass", "raise"),
        say("assistant", DONE),
    ]
    text = brief([*span, say("user", "Thanks. Is the cache shared?")], 700)
    assert "swallows the error" not in text
    assert DONE in text
    assert "The folder of the cache is never emptied" in text


def test_a_finding_stays_as_long_as_nothing_was_done() -> None:
    text = brief(
        [ASKED, REVIEW, say("user", "Is it fixed?"), *run("a", "ls", "rows.py", 0), say("assistant", "No.")],
        700,
    )
    assert "swallows the error" in text


def test_what_a_review_approves_of_is_not_told_beside_what_is_amiss() -> None:
    remarks = (
        "**otter.py**\n- (1) ✅ Good naming of the otters throughout\n\n**herd.py**\n"
        "- (2) ⚠️ The map of otters in `herd.py` grows without end, as none is ever taken out of it again\n"
        "- (3) ❓ Why is the pond read twice in `pond.py`, once for each keeper who comes by at dawn?\n"
        + "".join(
            f"- ({at}) ✅ The feeding of pond {at} stands where one looks for it\n" for at in range(4, 9)
        )
    )
    text = brief([ASKED, say("assistant", remarks), say("user", "And now?")], 700)
    assert "✅" not in text
    assert "otter.py" not in text
    assert "grows without end" in text


def test_of_numbered_proposals_those_that_were_taken_up_by_their_numbers_are_not_told() -> None:
    names = ("Weir", "Mill pond", "Ferry", "Towpath", "Lock gate")
    listed = "\n\n".join(
        f"### {n}. Describe the {name}\nThe page `{name}.md` leaves out who built the {name}, and when."
        for n, name in enumerate(names, 1)
    )
    span = [
        say("user", "What does the guide lack?", id="a"),
        say("assistant", f"It lacks five things:\n\n{listed}", id="b"),
        say("user", "now let's do 1, 3 and 4", id="c"),
        *edit("e", "guide.md", "one", "two"),
        say("assistant", "I added the three parts.", id="d"),
    ]
    statements = told(span)
    gone = closed_findings(statements)
    assert [s.text[:1] for s in statements if "heading" in s.flags and id(s) not in gone] == ["2", "5"]


def test_what_a_helper_lists_or_a_thought_weighs_goes_where_nobody_speaks_of_it_again() -> None:
    def one(text: str, kind: StatementKind, turn: int) -> Statement:
        return Statement(kind=kind, text=text, turn=turn, place=(0, 0), flags=("item",))

    listed = [one(f"(reported) - `--{name}`: of the till", "reported", 1) for name in ("rows", "heads")]
    weighed = [one("#12 is small.", "thought", 2), one("#15 is the next.", "thought", 2)]
    taken = [
        one("#15 is taken, with `--rows`.", "said", 3),
        one("edited till.py: added `rows`", "changed", 4),
    ]
    assert closed_findings([*listed, *weighed, *taken]) == {id(listed[1]), id(weighed[0])}
    assert not closed_findings([*listed, *weighed, taken[0]])
