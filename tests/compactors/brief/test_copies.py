"""What is copied where room is left: what nothing answered, the part that is spoken of, one's own text."""

from __future__ import annotations

from collections.abc import Sequence

from compactors.brief.talk import edit, use, write
from compactors.conversations import lines, run, say
from tamis.compactors.brief.copying.passages import passages_of
from tamis.messages import Message


def copied(span: Sequence[Message]) -> str:
    """The passages of a span."""
    return "\n".join(s.text for s in passages_of(span, range(len(span)), 2_000))


def is_spare(span: Sequence[Message]) -> list[bool]:
    """Of each passage of a span, whether it is for spare room."""
    return ["spare" in s.flags for s in passages_of(span, range(len(span)), 9_000)]


def test_an_output_is_for_spare_room_behind_an_answer() -> None:
    look = run("a", "sed -n 1,9p shop.cfg", "open = shop.first\nclose = shop.last", 0)
    note = use("r", "read", "Rows are kept for ten days.", file_path="/w/notes.md")
    assert is_spare(look) == is_spare(note) == [False]
    assert is_spare([*look, say("assistant", "The shop opens first.")]) == [True]
    assert is_spare([*note, say("assistant", "Ten days.")]) == [True]


def test_an_output_is_not_copied_where_the_work_went_on_without_a_word_of_it() -> None:
    page = use("w", "webfetch", "Rows are kept for nine days.", url="https://shop.example/rows")
    assert "nine days" in copied(page)
    assert "nine days" not in copied([*page, *edit("e", "/w/till.py", "x = 1", "x = 2")])


def test_of_files_that_were_opened_one_after_the_other_what_was_spoken_of_is_copied_first() -> None:
    said = say("assistant", "The `till-refresh` call blocks the start.")
    filler = "\n".join(f"lamp{n} = rows.of({n}) + desk" for n in range(90))
    first = use("a", "Read", f"{filler}\nurl = shop + '/till-refresh'\n{filler}", file_path="/w/auth.py")
    then = use("b", "Read", f"{filler}\n{filler}\n{filler}", file_path="/w/main.py")
    span = [say("user", "Why is the start slow?"), said, *first, *then]
    of_auth, of_main = [*passages_of(span, range(len(span)), 2_000)][:2][::-1]
    assert "/till-refresh" in of_auth.text
    assert "spare" in of_main.flags
    assert "spare" not in of_auth.flags


def test_of_a_page_the_ways_to_others_are_not_copied() -> None:
    page = "- Guides\n  - [Rows](/docs/rows)\n  - [Tills](/docs/tills)\nRows are kept for nine days.\n"
    told = copied(use("w", "webfetch", page, url="https://shop.example/rows"))
    assert "nine days" in told
    assert "Guides" not in told
    assert "/docs/tills" not in told


def test_an_output_that_was_answered_long_ago_is_not_copied() -> None:
    look = run("a", "./shop count", "The till_7 holds nine coins.", 0)
    later = [message for n in range(5) for message in run(f"b{n}", f"./shop open {n}", "Open.", 0)]
    taken_up = say("assistant", "So till_7 holds nine coins.")
    assert is_spare([*look, taken_up, *later[:4]]) == [True]
    assert "nine coins" not in copied([*look, taken_up, *later, *run("c", "./shop shut", "Shut.", 0)])
    behind = [*look, taken_up]
    assert not [*passages_of(behind, range(len(behind)), 900, tail=[*later, *later])]


def test_of_a_long_output_that_was_gone_on_from_the_part_spoken_of_is_copied_under_its_heading() -> None:
    rows = [f"## Shop {n}\n{lines(f'The row of shop {n} holds oats and', 30)}" for n in range(4)]
    rows[2] += "- sacks of linen\n  - mended by Ottokar\n"
    page = run("a", "./shop describe", "\n".join(rows), 0)
    tail = [say("assistant", "Ottokar mended the sacks of linen.")]
    assert len([*passages_of(page, range(2), 2_000)]) > 1
    [told] = passages_of(page, range(2), 2_000, tail=tail)
    assert "mended by Ottokar" in told.text
    assert told.text.startswith("#1 `./shop describe` printed, further down under `## Shop 2`:\n")


def test_the_word_that_a_tool_cut_is_not_copied_and_what_only_parts_others_neither() -> None:
    cut = run("a", "./shop count", "title:\tTill\nlabels:\t\n---\nAll sacks were wei\n... (truncated)\n", 0)
    assert copied(cut).splitlines()[1:] == ["title:\tTill", "All sacks were …"]


def test_a_path_is_told_from_the_root() -> None:
    look = use("r", "Read", "The till is open.", file_path="/w/docs/till.md")
    [told] = passages_of(look, range(2), 900, root="/w")
    assert told.text.startswith("#1 `Read docs/till.md` printed:")
    [told] = passages_of(look, range(2), 900, root="/shop")
    assert told.text.startswith("#1 `Read /w/docs/till.md` printed:")


def test_what_the_tail_edits_is_not_copied_as_it_was() -> None:
    look = use("r", "Read", "till = coins(7)\nlamp = till", file_path="/w/till.py")
    edited = edit("e", "/w/till.py", "till = coins(7)", "till = coins(8)")
    assert [*passages_of(look, range(2), 900)]
    assert not [*passages_of(look, range(2), 900, tail=edited)]
    put_in = edit("p", "/w/lamp.cfg", "", "[lamp]\nlit = at(dusk)\nout = at(dawn)")
    later = edit("q", "/w/lamp.cfg", "lit = at(dusk)", "lit = at(nine)")
    [told] = passages_of(put_in, range(2), 900, tail=later)
    assert told.text.startswith("#0 put into lamp.cfg, as edited since:")
    assert "lit = at(nine)" in told.text
    assert told.turn == 0


def test_of_a_long_text_that_was_written_the_sections_are_copied_that_say_what_it_comes_to() -> None:
    talk = lines("The sacks of the shop are weighed by hand and", 30)
    sections = f"## History\n{talk}## Recommendation\nBuy a scale.\n### Price\nNine coins.\n## Trade\n{talk}"
    text = f"# Scales\n{talk}{sections}## Open questions\n- Who pays the coins?\n"
    told = copied([*write("a", "/w/docs/scale.md", text), say("assistant", "The report is written.")])
    assert told.splitlines()[1:] == [
        *("…", "## Recommendation", "Buy a scale.", "### Price", "Nine coins."),
        *("…", "## Open questions", "- Who pays the coins?"),
    ]
    steps = f"# Scales\n{talk}### Task 4: add the weighing and a summary of it behind each sack\n{talk}"
    assert copied([*write("a", "/w/docs/plan.md", steps), say("assistant", "The plan is written.")]) == ""


def test_hits_that_a_tool_cut_for_their_number_are_not_copied_but_a_page_is() -> None:
    cut = "Warning: truncated output (original token count: 90000)\nTotal output lines: 4100\n\n"
    hits = "\n".join(f"src/till_{n}.py:7:The rows of till {n} are kept for ten days." for n in range(30))
    assert copied(run("a", "rg -n rows", cut + hits, 0)) == ""
    assert "till 3" in copied(run("a", "rg -n rows", hits, 0))
    page = copied(run("a", "cat notes.md", f"{cut}Rows are kept for ten days.\n{lines('more', 9)}", 0))
    assert "ten days" in page
    assert "truncated output" not in page


def test_an_edit_that_was_never_answered_while_others_were_is_not_copied() -> None:
    lost = edit("a", "/w/till.py", "x = 1", "def weigh_sacks(): return 7")[0]
    told = say("user", "I did it by hand.")
    assert "weigh_sacks" in copied([lost, told])
    assert "weigh_sacks" not in copied(
        [*edit("b", "/w/rows.py", "y = 1", "y = 2"), lost, told, *edit("c", "/w/rows.py", "y = 2", "y = 3")]
    )
