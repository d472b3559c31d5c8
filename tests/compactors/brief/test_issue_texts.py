"""Issues, terminals and templates in a request: what of them is the user's word."""

from __future__ import annotations

from compactors.brief.talk import brief, texts, told
from compactors.conversations import run, say
from tamis.compactors.brief.reading.speech.utterances import user_statements

FILLER = "The importer of the warehouse reads every table twice and keeps the second copy. "


def test_of_an_issue_what_is_wrong_goes_before_what_works() -> None:
    fine = "Reading the whole shelf `A7` of the shop works as expected by returning the 9 lamps."
    wrong = "Reading one row of that shelf returns an erroneous total for the lamps."
    issue = f"Rows of a shelf\n\n{fine} {wrong}\n\n{FILLER * 10}"
    text = brief([say("user", issue), *run("b", "make", "ok")], 84)
    assert wrong in text
    assert fine not in text


def test_a_row_of_what_the_reporter_has_installed_is_no_fact_to_go_on_with() -> None:
    row = "The Ruby of the shop is | 3.8.2 since 2020"
    flags = {s.text: s.flags for s in told([say("user", f"Rows of a shelf\n\n{row}\n\n{FILLER * 10}")])}
    assert "fact" not in flags[row]


def test_of_a_terminals_text_beside_words_trouble_or_the_last_line_stands_below_what_was_typed() -> None:
    typed = "[08/03/26 18:19  ~/shop] ./till watch"
    printed = f"{typed}\n\n* shelf 1\n  shelf 2\n* shelf 3\n* 3 shelves\n\nGo on with the lamps."
    [told] = user_statements(say("user", f"The watch seems fine.\n{printed}"), 0)
    assert told.text.splitlines()[1:] == [typed, "… * 3 shelves", "Go on with the lamps."]
    [shown] = user_statements(say("user", f"I just got this:\n{printed}"), 0)
    assert "* shelf 3" in shown.text
    fenced = "1) it stops:\n```\n❯ hello\n  stopped\n```\nand is idle\n2) it ends, and we wait."
    assert [s.text for s in user_statements(say("user", fenced), 0)] == [fenced]


def test_what_a_program_advises_in_a_short_message_is_not_told() -> None:
    hint = (
        "hint: Add one, and run it again.\n- To silence this, run `QUIET=1 tool`\n- To leave, `tool remove`\n"
    )
    refused = f"error: no tool.toml was found\n\n{hint}error: the push was refused\n"
    paste = f"$ tool push\n{refused}$ tool remove\nno such hook\n"
    [told] = user_statements(say("user", f"{paste}\nplease fix. i no longer use the tool"), 0)
    assert "silence" not in told.text
    assert "hint" not in told.text
    assert (
        "error: no tool.toml was found\n… error: the push was refused\n$ tool remove\nno such hook"
        in told.text
    )


def test_what_stands_under_an_item_of_a_long_request_keeps_its_indent() -> None:
    items = "- Read the rows of:\n  - the shop\n  - the mill\n- Write them down.\n"
    told = texts([say("user", f"Please do this:\n\n{items}" + "The mill is old and the shop is new. " * 40)])
    assert [text for text in told if "-" in text[:4]] == [
        "- Read the rows of:",
        "  - the shop",
        "  - the mill",
        "- Write them down.",
    ]


def test_of_an_issue_its_form_and_what_may_be_left_alone_are_no_request() -> None:
    text = (
        "Consider the following PR description:\nThe till is late.\n"
        f"{FILLER * 9}\nI'd expect it to open at eight sharp:\n```\nopens = 8\n```\n"
        "Please include the full name of your till.\nNoted above.\n"
        "This means you DON'T have to modify the tests!\nMake the least change.\n"
    )
    flags = {s.text: s.flags for s in user_statements(say("user", text), 0)}
    form = ["Please include the full name of your till.", "Noted above."]
    form.append("This means you DON'T have to modify the tests!")
    assert all("boilerplate" in flags[line] for line in form)
    assert "boilerplate" not in flags["Make the least change."]
    assert {"wants", "opens"} & {*flags["I'd expect it to open at eight sharp:\nopens = 8"]} == {"wants"}


def test_what_a_commands_template_shows_above_the_task_is_not_what_is_asked() -> None:
    shown = "## Context\n\n- Current request: Count the herd daily.\n\n" + FILLER * 10
    said = list(user_statements(say("user", f"{shown}\n\n## Your task\n\nPlease review it.\n"), 0))
    assert [s.text for s in said if "boilerplate" not in s.flags] == ["Please review it."]
    assert "first" in said[-1].flags


def test_what_was_typed_behind_a_commands_template_is_no_detail() -> None:
    steps = "".join(
        f"{n}. Look at shelf {n} and write down the lamps that stand on it.\n" for n in range(1, 13)
    )
    template = f"Use the `count` skill.\n\nProcess:\n\n{steps}\nReturn:\n\n- The lamps\n\n"
    typed = "shelf 3 - when it comes to lamps - just the green ones (skip others)"
    flags = {s.text: s.flags for s in user_statements(say("user", template + typed), 0)}
    assert "detail" not in flags[typed]
    assert "wants" in flags[typed]
