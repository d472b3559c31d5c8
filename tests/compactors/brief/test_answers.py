"""Answers to the user: the verdict, what was a guess, what was quoted, and what was not meant."""

from __future__ import annotations

from dataclasses import replace

from compactors.brief.talk import TASK, brief, reading_of, section, texts, told, use
from compactors.conversations import run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.compactors.brief.reading.episodes import Episode
from tamis.compactors.brief.reading.speech.agent_text import parts_of
from tamis.compactors.brief.reading.speech.closed_requests import with_answers
from tamis.compactors.brief.reading.speech.rejections import misread
from tamis.compactors.brief.writing.layout import answers_of, story

ASKED = say("user", "Do I need a till in each shop?", id="asked")
CONFIG = 'Set it like this:\n\n```json\n{\n  "till": true\n}\n```\n\n'


def test_between_fences_with_words_behind_it_json_is_an_example() -> None:
    text = f"{CONFIG}Then restart the shop:\n\n```sh\nshop restart\n```"
    assert parts_of(text).own == text


def test_an_answer_in_a_word_stands_with_the_next_sentence() -> None:
    answer = say("assistant", "Not necessarily.\n\nFor small shops, yes: one till does.", id="a")
    assert "Not necessarily. For small shops, yes: one till does." in texts([ASKED, answer])


def test_what_was_asked_before_leans_on_the_first_words_that_tell_its_answer() -> None:
    first = [ASKED, say("assistant", "No till is needed in the mill.", id="a")]
    words = (
        "You were right to doubt that. The till of the harbour was changed to red and was found to be new."
    )
    old = [say("user", "Paint the till of the harbour", id="p"), say("assistant", words, id="b")]
    statements = with_answers(told([*first, *old, say("user", "Now paint the mill", id="n")]))
    leads = {s.text: [lead.text for lead in s.leads] for s in statements if s.kind == "asked"}
    assert leads["Paint the till of the harbour"] == [words.partition(". ")[2]]
    assert leads["Now paint the mill"] == []


def test_the_code_that_an_answer_opens_with_is_its_verdict() -> None:
    verdict = [s for s in told([ASKED, say("assistant", f"{CONFIG}It is read.")]) if "verdict" in s.flags]
    assert ["till" in s.text for s in verdict] == [True]


def test_what_follows_a_guess_leans_on_it() -> None:
    words = "Maybe the till was shut. The error came of an old run."
    guessed = next(s for s in told([TASK, say("assistant", words)]) if s.text.startswith("The error"))
    assert [lead.text for lead in guessed.leads] == ["Maybe the till was shut."]


def test_what_was_looked_up_for_a_misread_request_goes_with_the_answer() -> None:
    looked = run("a", "sed -n 1,9p tills.md", "The till of the mill is red and new.\n" * 9, 0)
    first = [ASKED, *looked, say("assistant", "The till of the mill is red; it needs none.", id="b")]
    meant = [*first, say("user", "I meant the tills of the harbour", id="meant")]
    assert any("mill" in text for text in texts(first))
    assert not any("mill" in text for text in texts(meant))


def test_what_was_handed_to_another_program_and_reported_is_answered() -> None:
    sent = run("a", "bell ring mill", "The bell of the mill rings.", 0)
    span = [ASKED, *sent, say("assistant", "The mill has `bell.md` now and rings it.", id="b")]
    span += [say("assistant", "", id="h")]  # no more than an event
    span += [say("user", "How do I push?", id="p"), *run("c", "cat push.md", "Push the till.\n" * 9, 0)]
    kept = texts([*span, say("user", "I meant the tills of the harbour", id="m")])
    assert any("bell.md" in text for text in kept)
    assert not any("Push the till" in text for text in kept)


def test_an_answer_behind_which_work_was_done_stays_whatever_was_meant() -> None:
    made = use("a", "Write", "File created successfully at: /w/a.py", file_path="/w/a.py", content="x = 1")
    span = [ASKED, *made, say("assistant", "The mill's till is set."), say("user", "I meant both", id="m")]
    assert any("mill" in text for text in texts(span))


def test_a_call_that_was_refused_is_not_told_as_run() -> None:
    refusal = (
        "The tool execution failed with the following error:\n<error>\nTool is not allowed here.\n</error>"
    )
    assert "did not run `git log -3`: Tool is not allowed here." in texts(
        [TASK, *run("a", "git log -3", refusal, 1)]
    )
    denied = "Permission to use Bash with command make rows has been denied."
    assert f"did not run `make rows`: {denied}" in texts([TASK, *run("a", "make rows", denied)])


def test_of_calls_at_once_the_newest_result_is_of_one_that_gave_something() -> None:
    (asked, found), (again, nothing) = run("a", "ls shop", "till.py", 0), run("b", "rm -f old", "", 0)
    both = replace(asked, parts=(*asked.parts, *again.parts))
    upcoming = section(brief([TASK, both, found, nothing]), "Next")
    assert not any("no error was seen" in line for line in upcoming)


def test_how_a_program_is_used_is_not_told() -> None:
    usage = "Usage: shop [options]\n" + "  --till  which till is used for the rows\n" * 20
    span = [
        TASK,
        *run("a", "shop rows --help", usage, 0),
        say("assistant", "The till option is for the rows."),
    ]
    assert not any("--till" in text for text in texts(span))
    assert not list(passages_of(span, range(len(span)), 9_000))


def test_what_was_searched_for_an_answered_request_is_for_spare_room() -> None:
    hits = "".join(f"src/{n}.py:{n}: the till is counted here\n" for n in range(9))
    span = [TASK, *run("a", "grep -rn till src", hits, 0), say("assistant", "It counts."), ASKED]
    assert not any("spare" in s.flags for s in passages_of(span[:-2], range(3), 9_000))
    assert all("spare" in s.flags for s in passages_of(span, range(5), 9_000))


def test_who_quotes_a_wish_does_not_ask_for_it() -> None:
    words = "Answer the reviewer, in two lines.\n\n> Please rename the till. Also drop the old rows.\n"
    asked = [e.value.text for e in reading_of([say("user", words * 12)]).state.requests]
    assert not any(text.startswith(("Please rename", "Also drop")) for text in asked)


def test_a_question_alone_in_its_section_says_where_it_was_answered_or_that_it_was_misread() -> None:
    span = [ASKED, say("assistant", "Not in `mills.md`.", id="n"), say("user", "And in a mill?", id="m")]
    span += [say("assistant", "One in `mills.md`.", id="o"), say("user", "I meant tills.", id="t")]
    notes = answers_of(told(span[:3]), {})
    assert notes == {0: " (answered)"}
    [turns] = misread(reading_of(span).statements)
    assert answers_of(told(span), {turns: ""})[2] == " (misread, see #4)"
    assert answers_of(told(span), {turns: "Lake"})[2] == " (taken for Lake by the agent, see #4)"
    meant = story(
        [s for s in told(span) if s.turn in (2, 4)],
        [Episode(2, 4), Episode(4, 5)],
        answers={2: " (misread, see #4)"},
    )
    assert meant == ["### #2-4", "> And in a mill? (misread, see #4)", "> I meant tills."]
    [asked, answer, *_] = told(span)
    assert story([asked], [Episode(0, 2)], answers=notes)[1].endswith("shop? (answered)")
    assert "answered" not in "".join(story([asked, answer], [Episode(0, 2)], answers=notes))
