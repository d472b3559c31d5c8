"""Earlier requests that were carried out."""

from __future__ import annotations

from compactors.brief.talk import brief, edit, told, write
from compactors.conversations import say
from tamis.compactors.brief.reading.speech.closed_requests import with_answers

PLAN = """# Plan: keep the herd in a table

The herd lives in a text file, which every reader parses anew. Start with the rows of `herd.txt`.

## Steps

### 1. Add the table
- Create `herd/table.py` with a class `HerdTable` that loads `herd.txt` once
- Let `HerdTable` look up an otter by name and by tag
- Write the rows back in the order in which they were read

### 2. Use it
- Change `herd/report.py` to take its rows from `HerdTable`
- Change `herd/feeding.py` to take its rows from `HerdTable`
- Drop the helper `parse_lines` from `herd/report.py`

### 3. Tell of it
- Describe the table in `docs/herd.md`

The file itself must not change, because the keepers edit it by hand.
"""
REPORT = """The herd is in a table now.

- Added `HerdTable` in `herd/table.py`: loads `herd.txt` once, looks up an otter by name and by tag
- `herd/report.py` and `herd/feeding.py` take their rows from `HerdTable`; dropped the helper `parse_lines`
"""
WORK = [
    say("user", PLAN),
    *write("a", "herd/table.py", "class HerdTable:\n    pass\n"),
    *edit("b", "herd/report.py", "parse_lines(text)", "HerdTable(path)"),
    *edit("c", "herd/feeding.py", "parse(text)", "HerdTable(path)"),
    say("assistant", REPORT),
]


def test_of_a_plan_that_was_carried_out_the_aim_what_binds_and_what_is_left_is_told() -> None:
    text = brief([*WORK, say("user", "How is an otter without a tag shown?")], 900)
    assert "> Plan: keep the herd in a table (answered)" in text
    assert "> The herd lives in a text file" in text
    assert "must not change, because the keepers" in text
    assert "> - Describe the table in `docs/herd.md`" in text
    assert "> - Change `herd/feeding.py`" not in text
    assert "Start with" not in text


def test_the_steps_of_a_plan_stay_while_it_is_worked_on() -> None:
    for more in ("Go on with step 3 of the plan.", "Continue."):
        assert "(answered" not in brief([*WORK, say("user", more)], 900)


def test_the_steps_of_a_plan_stay_where_little_of_it_was_done() -> None:
    few = [
        say("user", PLAN),
        *edit("a", "herd/names.py", "a", "b"),
        say("assistant", "Renamed `a` in `herd/names.py`."),
    ]
    assert "> - Change `herd/feeding.py`" in brief([*few, say("user", "Is `b` a good name?")], 900)


def test_a_request_that_is_all_paste_is_told() -> None:
    log = "\n".join(
        f'{{"at": {at}, "level": "error", "message": "pond {at} of the herd is dry"}}' for at in range(40)
    )
    span = [
        say("user", f"still dry: {log}"),
        *edit("a", "pond.py", "dry", "wet"),
        say("assistant", "Filled pond 3 in `pond.py`."),
    ]
    assert "> still dry: " in brief([*span, say("user", "Thanks. Who fills it?")], 900)


def test_the_newest_request_is_told_whole_until_it_is_answered() -> None:
    before = [say("user", f"What is in pond {at}?", id=f"q{at}") for at in range(3)]
    assert "(answered)" in brief([*before, *WORK], 900)
    assert "(answered" not in brief([*before, *WORK[:-1]], 900)


def test_a_question_of_before_stands_with_its_answer_and_the_newest_alone() -> None:
    answer = "Yes, `HerdTable` loads `herd.txt` and its notes by itself now."
    span = [
        say("user", "Count the otters in herd.txt."),
        say("assistant", "There are nine otters."),
        say("user", "why did you not count the notes. it is clear enough in herd.md"),
        say(
            "assistant", "No rule in `herd.md` said that the notes are counted; `herd/report.py` does it now."
        ),
        say("user", "I took out the notes. Would a table just work?"),
        *edit("a", "herd/report.py", "parse(text)", "HerdTable(path)"),
        say("assistant", f"{answer}\n\nThe reader loads it if it is there."),
        say("user", "Is it read twice?"),
        say("assistant", "No, once."),
    ]
    leads = {s.text: [lead.text for lead in s.leads] for s in with_answers(told(span)) if s.kind == "asked"}
    assert leads["I took out the notes. Would a table just work?"] == [answer]
    assert leads["why did you not count the notes. it is clear enough in herd.md"]
    assert leads["Is it read twice?"] == leads["Count the otters in herd.txt."] == []


def test_a_question_whose_answer_begins_with_a_list_stands_with_what_was_recommended() -> None:
    listed = "1. The file `herd.txt` grows with each otter.\n2. Nothing in `herd/report.py` makes it shrink."
    advice = "So my recommendation is a `HerdTable` with one `herd.txt` for each river."
    question = "The herd grows for months, thoughts on this?"
    span = [
        say("user", "Count the otters."),
        say("assistant", "Nine."),
        say("user", question),
        *edit("a", "herd/report.py", "parse(text)", "HerdTable(path)"),
        say("assistant", f"{listed}\n\n{advice}"),
        say("user", "Write it down in docs/herd.md."),
    ]
    [asked] = [s for s in with_answers(told(span)) if s.text == question]
    assert [lead.text for lead in asked.leads] == [advice]


def test_a_question_whose_answer_begins_with_code_stands_with_the_words_that_come_of_it() -> None:
    code = "\n".join(f"herd.load(river_{n}, path)\nherd.sort(rows_{n})" for n in range(4))
    shown = f"It is called in `herd/report.py`:\n\n```python\n{code}\n```"
    verdict = "The report reads `herd.txt` twice for each river, once for the rows and once for the notes."
    question = "Can you validate that the report reads the herd once, right?"
    span = [
        say("user", "Count the otters."),
        say("assistant", "Nine."),
        say("user", question),
        say("assistant", f"{shown}\n\n{verdict}"),
        say("user", "Write it down in docs/herd.md."),
    ]
    [asked] = [s for s in with_answers(told(span)) if s.text == question]
    assert [lead.text for lead in asked.leads] == [verdict]
