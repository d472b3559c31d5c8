"""Agents that talk with one another: pages, forms and crashes in their messages, and whose turn it is."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import brief, section, texts
from compactors.conversations import say
from tamis.compactors.brief.reading.speech.agent_text import parts_of, with_markdown_open
from tamis.messages import Message

ASKED = say("user", "Which year does the mill's sign show?", id="asked")
PAGE = (
    "Clicked.\n\nHere is a screenshot of [The Mill](https://mill.example). It is positioned 4% down\n"
    "Home\nVisit\nThe sign of the mill shows 1781.\nShop\n" + "Menu entry\n" * 60
)


def spoken(author: str, text: str) -> Message:
    return replace(say("assistant", text), author=author)


def test_a_page_is_told_by_its_address_and_by_what_was_said_of_it() -> None:
    talk = [
        ASKED,
        spoken("Surfer", PAGE),
        spoken("Lead", "Good, the sign of the mill seems to show the year."),
    ]
    assert "Surfer: looked at The Mill (https://mill.example), 4% down" in texts(talk, "ran")
    assert any(text.endswith("→ … The sign of the mill shows 1781. …") for text in texts(talk, "ran"))
    assert not any("Menu entry" in text for text in texts(talk))


def test_a_crash_is_told_with_its_error() -> None:
    crash = (
        'Looking.\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no such page'
    )
    assert "Surfer: crashed: ValueError: no such page" in texts([ASKED, spoken("Surfer", crash)], "failed")


def test_a_traceback_that_is_quoted_is_no_crash() -> None:
    quoted = (
        "It printed:\nTraceback (most recent call last):\nValueError: x\n"
        + "The cause is the old page. " * 20
    )
    assert parts_of(quoted).crash == ""


def test_a_form_is_told_by_its_texts_and_not_by_its_ticked_boxes() -> None:
    form = 'Ledger:\n```json\n{"done": {"reason": "No year was read yet.", "answer": false}}\n```'
    assert parts_of(form).own.splitlines()[:2] == ["Ledger:", "done.reason: No year was read yet."]


def test_an_example_in_a_fence_among_words_is_no_form_and_its_fence_stays_closed() -> None:
    words = 'Set this:\n```json\n{"cache": {"note": "kept by day", "on": true}}\n```\nWhich name is better?'
    assert parts_of(words).own == words


def test_what_one_agent_says_to_another_is_no_answer() -> None:
    talk = [
        ASKED,
        spoken("Surfer", "I read 1781 on the sign."),
        spoken("Lead", "Does everyone agree with 1781?"),
    ]
    assert section(brief(talk), "Next") == ["- the newest request (#0) is not answered yet"]


def test_agents_who_end_their_talk_have_answered() -> None:
    talk = [
        ASKED,
        spoken("Surfer", "I read 1781 on the sign."),
        spoken("Lead", "FINAL ANSWER: the sign shows 1781."),
    ]
    assert "has answered" in section(brief(talk), "Next")[0]


def test_of_forms_with_ticked_boxes_the_newest_holds() -> None:
    forms = [
        spoken("Lead", f'{{"seen": {{"reason": "{why}", "answer": false}}}}')
        for why in ("No step of the search was made a second time so far.", "The sign was read twice by now.")
    ]
    told = texts([ASKED, forms[0], spoken("Surfer", "I read 1781 on the sign."), forms[1]])
    assert not any("second time" in text for text in told)
    assert any("read twice" in text for text in told)


def test_a_plan_that_is_made_anew_replaces_the_old_one() -> None:
    lines = "We work on the question of the mill.", "The sign shows a year, they say.", "This is the plan:"
    head = "".join(f"{line}\n\n" for line in lines)
    old, new = (
        f"{head}- Ask the miller.",
        f"{head}- Read the book of the town.\n" + "- Ask nobody else.\n\n" * 300,
    )
    told = texts([ASKED, spoken("Lead", old), spoken("Surfer", "He is not in."), spoken("Lead", new)])
    assert not any("Ask the miller" in text for text in told)
    assert any("Read the book" in text for text in told)


def test_an_order_to_look_at_a_page_is_done_when_it_was_looked_at() -> None:
    page = PAGE.replace("The Mill", "The Old Mill of the Town")
    order = spoken("Lead -> Surfer", "Please open 'The Old Mill of the Town' and read the sign.")
    assert not any("Please open" in text for text in texts([ASKED, order, spoken("Surfer", page)]))


def test_what_is_next_among_agents_is_the_newest_order() -> None:
    talk = [
        ASKED,
        spoken("Lead -> Surfer", "Please look for the mill."),
        spoken("Surfer", "Found the mill's page."),
        spoken("Lead -> Surfer", "Please read the sign on it."),
        spoken("Surfer", PAGE),
    ]
    following = "\n".join(section(brief(talk), "Next"))
    assert "newest order (#3): Lead -> Surfer: Please read the sign on it." in following
    assert "newest result (#4): Surfer: looked at The Mill" in following
    assert "The sign of the mill shows 1781." in following


def test_of_one_agents_orders_only_the_newest_is_told_and_once() -> None:
    talk = [
        ASKED,
        spoken("Lead -> Surfer", "Please look for the mill in the town."),
        spoken("Surfer", PAGE),
        spoken("Lead -> Surfer", "Please read the year on the sign."),
    ]
    assert not any("look for the mill" in text for text in texts(talk))
    assert brief(talk).count("Please read the year") == 1


def test_of_a_page_what_its_title_says_is_no_finding() -> None:
    page = PAGE.replace("Home\n", "The Mill\n")
    talk = [ASKED, spoken("Surfer", page), spoken("Lead", "The mill and its sign of the mill seem old.")]
    assert (
        "Surfer: looked at The Mill (https://mill.example), 4% down → … The sign of the mill shows 1781. …"
        in (texts(talk, "ran"))
    )


def test_who_speaks_is_told_once_where_one_goes_on() -> None:
    text = brief([ASKED, spoken("Surfer", "The sign shows 1781. The paint on it is from 1920.")])
    assert "= Surfer: The sign shows 1781. The paint on it is from 1920." in text


def test_who_the_agents_are_is_no_news() -> None:
    assert parts_of("Our team:\nSurfer: An agent that opens pages.\nGo on.").own == "Our team:\n\nGo on."


def test_what_the_run_printed_at_its_end_is_the_answer_and_its_crash_keeps_the_reason() -> None:
    record = "{'error': {'inner': {'code': 7}, 'message': \"Turned down by the service's filter.\"}}"
    trace = "Error processing publish message\nTraceback (most recent call last):\n"
    crash = f"{trace}http.BadRequestError: 400 - {record}\n  answer = await talk()\n"
    ends = "/x/run.py:9: UserWarning: other model\nFINAL ANSWER: 1781\nRUN.SH COMPLETE !#!#"
    talk = [ASKED, spoken("Lead -> Surfer", "Please read the sign."), spoken("Surfer", PAGE + crash + ends)]
    crashed = "the run crashed: http.BadRequestError: 400: Turned down by the service's filter."
    assert crashed in texts(talk, "failed")
    assert section(brief(talk), "Next") == ["- the run ended with FINAL ANSWER: 1781 (#2)"]


def test_a_crash_that_a_page_shows_is_the_pages() -> None:
    shown = "Traceback (most recent call last):\nValueError: of somebody else's\nMenu"
    assert texts([ASKED, spoken("Surfer", PAGE + shown)], "failed") == []


def test_a_crash_at_the_end_is_the_newest_result() -> None:
    crash = "Error processing publish message\nTraceback (most recent call last):\nOSError: the line is cut"
    talk = [ASKED, spoken("Lead -> Surfer", "Please read the sign."), spoken("Surfer", PAGE + crash)]
    assert "- newest result (#2): the run crashed: OSError: the line is cut" in section(brief(talk), "Next")


def test_a_box_that_a_page_shows_is_nobodys_task() -> None:
    assert "Remember me" not in brief([ASKED, spoken("Surfer", f"{PAGE}\n- [ ] Remember me")])


def test_the_way_to_a_page_is_told_by_the_page() -> None:
    typed = PAGE.replace("Clicked.", "I typed 'https://mill.example' into the browser address bar.")
    assert not any("address bar" in text for text in texts([ASKED, spoken("Surfer", typed)]))


def test_of_a_form_neither_why_one_is_asked_nor_that_all_goes_well_is_told() -> None:
    form = (
        '{"is_in_loop": {"reason": "Nothing was done twice.", "answer": false},'
        ' "next": {"reason": "She reads signs well.", "answer": "Surfer"},'
        ' "sign": {"reason": "It is not read yet."}}'
    )
    assert parts_of(form).own == "sign.reason: It is not read yet."


def test_several_samples_of_markdown_stay_code() -> None:
    text = "Add:\n```md\n# Shops\n```\nThen:\n```md\n# Tills\n```"
    assert with_markdown_open(text) == text


def test_an_order_is_no_report() -> None:
    talk = [ASKED, spoken("Lead -> Surfer", "Please visit the 3 mills of July 1781."), spoken("Lead", PAGE)]
    assert "Please visit" not in brief([*talk, spoken("Lead", "FINAL ANSWER: the Old Mill")], 120)
