"""The small parts: lists, headings and what leans on the line before."""

from __future__ import annotations

import pytest

from compactors.brief.talk import TASK, texts
from compactors.conversations import say
from tamis.compactors.brief.reading.speech.agent_text import parts_of
from tamis.compactors.brief.reading.speech.limits import taken_up_together
from tamis.compactors.brief.reading.speech.pieces import TextPiece, pieces_of
from tamis.compactors.brief.reading.speech.short_lists import lists_together
from tamis.text.sentences import split_sentences


def lists_of(text: str) -> list[tuple[str, list[str]]]:
    pieces = lists_together(pieces_of(text, split_sentences(text)))
    return [(piece.text, [lead.text for lead in piece.leads]) for piece in pieces]


def test_items_of_two_lists_below_one_another_stay_apart() -> None:
    text = (
        "It does:\n1. Reads thrice to find:\n   - rows\n   - heads\n2. Then writes:\n   - sheets\n   - sums"
    )
    assert lists_of(text) == [
        ("It does:", []),
        ("1. Reads thrice to find:\n  - rows\n  - heads", ["It does:"]),
        ("2. Then writes:\n  - sheets\n  - sums", ["It does:"]),
    ]


def test_what_is_set_in_below_an_item_stands_under_it() -> None:
    text = "1) Commits\n- `0a1b2c3` Skip rows\n  - `src/rows.py`\n  - `src/io.py`\n2) Left out\n- `tmp/`"
    assert lists_of(text) == [
        ("1) Commits", []),
        ("- `0a1b2c3` Skip rows\n  - `src/rows.py`\n  - `src/io.py`", ["1) Commits"]),
        ("2) Left out", []),
        ("- `tmp/`", ["2) Left out"]),
    ]


def leads_of(text: str) -> dict[str, list[str]]:
    return {
        piece.text: [lead.text for lead in piece.leads] for piece in pieces_of(text, split_sentences(text))
    }


def test_what_a_colon_opens_leans_on_it() -> None:
    leads = leads_of("What is left is one file of somebody else's:\n\n`data/old.csv`")
    assert leads["`data/old.csv`"] == ["What is left is one file of somebody else's:"]


def test_what_only_announces_opens_nothing() -> None:
    assert leads_of("Let me look at the file:\n\nThe table has rows.")["The table has rows."] == []


def test_items_with_bold_numbers_are_a_list_and_keep_them() -> None:
    leads = leads_of(
        "Some ways:\n\n**1. By hand** - slow\n\n**2. By script** - quick\n\n3. **By mail**:\n   - dear"
    )
    assert leads["2. By script - quick"] == leads["3. By mail:"] == ["Some ways:"]


def test_nothing_leans_on_a_line_that_only_frames_a_task() -> None:
    text = "Summary\nThis request is about the rows."
    pieces = list(pieces_of(text, split_sentences(text)))
    assert not any(piece.leads for piece in pieces)


@pytest.mark.parametrize(
    ("text", "piece", "lead"),
    [
        (
            "1. The reader keeps the head.\n2. But the writer drops it.",
            "2. But the writer drops it.",
            "1. The reader keeps the head.",
        ),
        ("Name the table of rows.\nMake it short.", "Make it short.", "Name the table of rows."),
        ("The guide says that\n\nheads are optional.", "heads are optional.", "The guide says that"),
        ("```\nrows: 3\n```\n\nor\n\n```\nrows: 4\n```\n", "or", "rows: 3"),
        ("The till keeps rows.\n\nIt never drops one.", "It never drops one.", "The till keeps rows."),
        ("It reads `a`. It skips the others.", "It skips the others.", "It reads `a`."),
        ("Rows are slow. Worth mending soon.", "Worth mending soon.", "Rows are slow."),
    ],
)
def test_what_goes_back_to_the_line_before_leans_on_it(text: str, piece: str, lead: str) -> None:
    assert leads_of(text)[piece][-1:] == [lead]


def test_items_that_begin_alike_stand_side_by_side() -> None:
    assert leads_of("- It opens rows.\n- It counts them.")["- It counts them."] == []


def cut(text: str) -> list[TextPiece]:
    return list(pieces_of(text, split_sentences(text)))


def test_a_step_leans_on_the_step_before_it_and_a_point_does_not() -> None:
    items = "".join(f"{n}. Turn the wheel of the mill for the {n}th time\n" for n in range(1, 4))
    steps = cut(f"Steps, in this order:\n\n{items}")
    assert [lead.text for lead in steps[2].leads] == ["Steps, in this order:", steps[1].text]
    points = cut(f"What I saw:\n\n{items}")
    assert [lead.text for lead in points[2].leads] == ["What I saw:"]


def test_a_quoted_note_behind_a_list_does_not_break_it_up() -> None:
    note = "> Note: " + "the wheel of the mill turns by itself. " * 14
    whole = [
        p.text for p in lists_together(cut(f"## The mill\n\n- one wheel\n- two stones\n- no door\n\n{note}"))
    ]
    assert "- one wheel\n- two stones\n- no door" in whole


def test_an_item_whose_first_sentence_is_bold_keeps_its_number() -> None:
    items = [p.text for p in cut("Ways:\n\n1. **(Best) Oil the wheel.** It is cheap.\n2. Wait.")]
    assert items[1:] == ["1. (Best) Oil the wheel. It is cheap.", "2. Wait."]


def test_a_question_about_this_thing_leans_on_the_paragraph_before_it() -> None:
    *_, question = cut("The wheel in `mill.py` is loose.\n\nShall I tighten this wheel?")
    assert [lead.text for lead in question.leads] == ["The wheel in `mill.py` is loose."]


def test_what_speaks_for_a_thing_is_one_with_what_speaks_against_it() -> None:
    told = [p.text for p in taken_up_together(cut("## The oil\n\n- Pros: no noise.\n- Cons: it drips."))]
    assert told == ["The oil", "- Pros: no noise.\n- Cons: it drips."]


def test_a_bold_line_with_a_remark_in_brackets_is_a_heading() -> None:
    told = cut("**`mill.py`**\n- Oil.\n\n**`test_mill.py`** (new)\n- Checks the oil.")
    assert [lead.text for lead in told[3].leads] == ["`test_mill.py` (new)"]


def test_an_item_in_bold_keeps_its_number_alone_and_before_a_remark() -> None:
    told = cut(
        "1. **Oil the wheel**\n   - Gently.\n2. **Count the stones** (two)\n\nOil it. No risk (it is old)."
    )
    assert [p.text for p in told[:3]] == ["1. Oil the wheel", "- Gently.", "2. Count the stones (two)"]
    assert [lead.text for lead in told[-1].leads] == ["Oil it."]


def told_pieces(text: str) -> list[TextPiece]:
    return list(pieces_of(text, split_sentences(text)))


def test_the_marks_of_bold_words_go_but_not_those_in_code_or_of_paths() -> None:
    text = "**Shops** skip `**/*.till` and shops/**/old.\n\n| **Till** | `shops/**` |\n"
    assert [piece.text for piece in told_pieces(text)] == [
        "Shops skip `**/*.till` and shops/**/old.",
        "| Till | `shops/**` |",
    ]


def test_what_goes_as_well_hangs_on_the_case_that_it_is_said_of() -> None:
    text = "The till fails to close. On the other hand, if it is named, it opens. Closing it also succeeds."
    _, case, also = told_pieces(text)
    assert also.leads == [case]


def test_a_question_behind_samples_stands_without_the_last_of_them() -> None:
    text = "Show it:\n```\ntill.open()\n```\n\nWould you like me to add these?"
    assert told_pieces(text)[-1].leads == []


def test_what_opens_a_sample_stands_under_the_number_of_its_heading() -> None:
    text = "### 2. The shops\nNone is told. Say which:\n```\nshops = 3\n```\n"
    heading, _, opening, _ = told_pieces(text)
    assert opening.leads == [heading]


def test_blanks_within_quoted_code_are_kept() -> None:
    said = say("assistant", 'The file has  a line "    SELECT row," and `a   = 1`.')
    assert 'The file has a line "    SELECT row," and `a   = 1`.' in texts([TASK, said])


def test_what_are_goals_stands_under_the_word() -> None:
    assert lists_of("## Goals\n\n- Rows stay in order.\n\nNow `read` sorts.")[1] == (
        "- Rows stay in order.",
        ["Goals"],
    )


def test_all_that_is_said_under_one_of_several_headings_stands_under_it() -> None:
    text = "## 1. The reader\n\nIt is slow.\n\n## 2. The writer\n\nNone is lost.\n\nThe disk is full."
    assert leads_of(text)["The disk is full."] == ["2. The writer"]
    assert leads_of(text.replace("2. ", ""))["The disk is full."] == []


def test_lines_of_a_file_lean_on_the_line_that_names_it() -> None:
    text = "## 1. The till\n\n**Location:** `/shop/till.ts`\n\n**Sums (lines 8-9):**\n- It adds.\n- It cuts."
    [(_, _), (place, under), (told, leads)] = lists_of(f"{text}\n\n## 2. The rest\n\nSee line 7.")[:3]
    assert (place, under) == ("Location: `/shop/till.ts`", ["1. The till"])
    assert (told, leads) == ("Sums (lines 8-9):\n- It adds.\n- It cuts.", ["1. The till", place])
    assert leads_of(f"{text}\n\nSee lines 4-5 of `heads.ts`.")["See lines 4-5 of `heads.ts`."] == []


def test_a_part_of_a_section_leans_on_the_file_that_the_section_is_about() -> None:
    text = "### 3. A\n\n**File: `/shop/heads.ts`**\n\n#### load (lines 2-5)\n- It reads.\n\n#### Cuts\n- End"
    leads = leads_of(f"{text}\n\n### 4. The rest\n- None.")
    assert leads["load (lines 2-5)"] == leads["Cuts"] == ["File: `/shop/heads.ts`"]
    assert leads["4. The rest"] == []


def test_what_is_listed_behind_code_leans_on_what_stands_over_the_code() -> None:
    text = "### Config\n\n**Cuts (lines 3-9):**\n```ts\nconst cut = 1;\n```\n\n**Fields:**\n- a\n- b"
    assert lists_of(text)[-1] == ("Fields:\n- a\n- b", ["Cuts (lines 3-9):"])


def test_what_stands_below_a_numbered_sentence_in_bold_leans_on_it() -> None:
    text = "## To do\n\n**1. Rows are lost.**\nEmpty ones end.\n\n**2. Heads are cut.**\nOne line. None."
    leads = leads_of(parts_of(text).own)
    assert leads["2. Heads are cut."] == ["To do"]
    assert leads["Empty ones end."] == ["1. Rows are lost."]
    assert leads["One line."] == leads["None."] == ["2. Heads are cut."]


def test_what_goes_otherwise_leans_on_what_it_differs_from() -> None:
    leads = leads_of("Rows go through the till. Heads are read in `load` and come through differently.")
    assert leads["Heads are read in `load` and come through differently."] == ["Rows go through the till."]
    leads = leads_of("Rows pass the till.\n\nNine new cases cover exactly those paths (a, b).")
    assert leads["Nine new cases cover exactly those paths (a, b)."] == ["Rows pass the till."]
