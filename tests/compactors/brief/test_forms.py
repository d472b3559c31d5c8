"""What a command stands for: its text is no request of its own, and binds only while it is carried out."""

from __future__ import annotations

from compactors.brief.talk import brief, reading_of, texts, told, use, write
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
FILLER = " The keepers of the lake wait for it, and will look at it together in the evening." * 3
PARTS = [(1, "Name"), (2, "Count"), (3, "Feed")]
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


def test_a_box_tells_whether_an_item_is_done() -> None:
    lists = "# Otters\n\nWhat is done for them, and what is left:\n\n- [x] name them\n- [ ] feed them\n\n"
    said = texts([say("user", lists + "Go on with the rest of it. " * 40)], "asked")
    assert {"- [x] name them", "- [ ] feed them"} <= {*said}


def test_of_a_request_in_parts_what_the_list_of_tasks_has_done_is_left_out() -> None:
    parts = "\n\n".join(
        f"**Phase {n}: {what} the otters**\n{what} each otter at dawn, in every pond.{FILLER}"
        for n, what in PARTS
    )
    asked = say("user", f"Go through the herd of the lake in these phases, one after the other:\n\n{parts}")
    todos = [
        {"content": f"Phase {n}: {what}", "status": "completed" if n < 3 else "pending"} for n, what in PARTS
    ]
    span = [
        asked,
        *use("t", "TodoWrite", "Todos have been modified.", todos=todos),
        say("assistant", "Two are done."),
    ]
    text = brief(span, 300)
    assert "> Feed each otter at dawn, in every pond." in text
    assert "Name each otter" not in text
    assert "Count each otter" not in text
    assert "> Count each otter at dawn, in every pond." in brief(span, 1_500)  # where the whole has room


def test_a_row_keeps_its_cells_and_frames_go() -> None:
    said = "What is this?\n├──────┼─────┤\n│ Pond A          │ 10 otters │ 1m 48s\n  ●\n  ○\n"
    assert texts([say("user", said)], "asked") == ["What is this?\n│ Pond A │ 10 otters │ 1m 48s"]


ISSUE = f"""We're currently solving the following issue within our repository. Here's the issue text:
ISSUE:
The count of otters is wrong
Otters are counted twice where two ponds touch.{FILLER}{FILLER}{FILLER}
Without ponds
The count is what the keepers see.
With two ponds
But this does not work, while it should
>>> count(ponds)
4
The otters of both should be counted once. Secondly, no pond should be read twice.
PS: a drawing

INSTRUCTIONS:
Answer with one command at a time.
"""


def test_a_line_over_a_part_of_an_issue_stands_with_what_is_below_it() -> None:
    said = {s.text: s for s in told([say("user", ISSUE)])}
    shown = said["But this does not work, while it should\n>>> count(ponds)\n4"]
    assert [lead.text for lead in shown.leads] == ["With two ponds"]
    assert "opens" in said["With two ponds"].flags
    assert "courtesy" in said["PS: a drawing"].flags


def test_what_counts_on_in_an_issue_is_no_rule() -> None:
    assert not any("Secondly" in line for line in rules_of(reading_of([say("user", ISSUE)]), COUNTER, 1_000))


def test_what_a_template_has_printed_is_not_demanded_as_what_was_asked() -> None:
    form = "## Context\n\n- Current git status: On branch rows\n\nPlease review the rows.\n"
    span = [say("user", form, id="a"), say("assistant", "Done."), say("user", "Now count them.", id="b")]
    state = reading_of(span).state
    assert not any("git status" in demand.words for demand in find_missing(state, []))
