"""What a command stands for: its text is no request of its own, and binds only while it is carried out."""

from __future__ import annotations

from compactors.brief.talk import reading_of, texts, write
from compactors.conversations import COUNTER, say
from tamis.compactors.brief.writing.rule_lines import rules_of
from tamis.compactors.completeness import find_missing
from tamis.messages import Message

COMMAND = (
    "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
    "<command-args>the herd</command-args>"
)
STEPS = [
    f"Look at the {part} of each otter, line by line." for part in ("name", "tag", "age", "pool", "food")
]
BODY = "\n".join(
    [
        "Review the change as the keepers do.",
        "",
        *STEPS,
        "",
        *STEPS[::-1],
        "",
        *STEPS,
        "",
        "ARGUMENTS: the herd",
    ]
)
REVIEWED = say("assistant", "The review is done: `herd.py` reads each row twice.")
COMMIT = f"""Put the working tree into commits, each of one thought, as the keepers want them to be read.

Rules:

- Do not push.
- Prefer small commits over one large commit, so that the keepers can take one of them back later on.
- If there is nothing to commit, report that clearly.

{chr(10).join(STEPS)}
{chr(10).join(STEPS[::-1])}
"""


def test_the_text_behind_a_command_is_told_until_the_user_asks_for_more() -> None:
    asked = [say("user", COMMAND), say("user", BODY), REVIEWED]
    assert any("line by line" in text for text in texts(asked, "asked"))
    assert texts([*asked, say("user", "Read each row once.")], "asked") == [
        "/review the herd",
        "Read each row once.",
    ]


def commits(n: int) -> list[Message]:
    return [
        say("user", COMMIT),
        *write(f"w{n}", f"otter{n}.py", "x = 1\n"),
        say("assistant", "Two commits were made."),
    ]


def test_of_a_request_made_again_in_the_same_words_the_first_sentence_is_told() -> None:
    span = [*commits(1), say("user", "Name the otters."), *commits(2), say("user", "Feed them.")]
    asked = texts(span, "asked")
    first = "Put the working tree into commits, each of one thought, as the keepers want them to be read."
    assert [text for text in asked if text != first] == ["Name the otters.", "Feed them."]


def test_a_form_binds_only_while_it_is_filled_in() -> None:
    open_form = reading_of([*commits(1), say("user", "Name the otters."), *commits(2)])
    assert any("Do not push." in line for line in rules_of(open_form, COUNTER, 1_000))
    over = reading_of([*commits(1), *commits(2), say("user", "Feed them.")])
    assert rules_of(over, COUNTER, 1_000) == ()
    assert [d for d in find_missing(over.state, ()) if d.section == "rules"] == []


def test_what_was_forbidden_and_then_ordered_binds_no_more() -> None:
    span = [say("user", "Mend the importer. Do not push."), say("assistant", "It is mended.")]
    assert any("Do not push." in line for line in rules_of(reading_of(span), COUNTER, 1_000))
    assert rules_of(reading_of([*span, say("user", "push")]), COUNTER, 1_000) == ()


def test_a_rule_that_the_gate_adds_tells_with_which_request_it_was_said() -> None:
    asked = [
        say("user", "Count the ponds."),
        REVIEWED,
        say("user", "Do not touch prices.csv.", id="b"),
        REVIEWED,
    ]
    state = reading_of([*asked, say("user", "Please mend the importer.", id="c")]).state
    assert "> Do not touch prices.csv. (#2)" in [d.line for d in find_missing(state, ())]


def test_a_box_tells_whether_an_item_is_done() -> None:
    lists = "# Otters\n\nWhat is done for them, and what is left:\n\n- [x] name them\n- [ ] feed them\n\n"
    said = texts([say("user", lists + "Go on with the rest of it. " * 40)], "asked")
    assert {"- [x] name them", "- [ ] feed them"} <= {*said}
