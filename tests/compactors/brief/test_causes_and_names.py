"""Reversals: causes that were ruled out, and names and formulas that took another's place."""

from __future__ import annotations

from compactors.brief.talk import DONE, TASK, brief, edit, section, texts, write
from compactors.conversations import run, say
from tamis.messages import Message

WHERE = "/repo/src/rows.py"


def spoken(*messages: str) -> list[Message]:
    return [TASK, *(say("assistant", text) for text in messages)]


def test_a_place_of_the_fault_is_all_that_it_names() -> None:
    span = spoken(
        "The issue is in the `load` method of the `Table` class.",
        "The fix is to change the `load` method of `LazyTable`.",
    )
    assert not any("`Table` class" in text for text in texts(span))


def test_an_account_under_a_name_that_is_corrected_goes() -> None:
    span = spoken(
        "The cause is that `read_table` drops the last row.", "I see, it's `read_rows` not `read_table`."
    )
    assert texts(span, "said", "found", "concluded") == ["it's `read_rows` not `read_table`."]


def test_a_cause_goes_whose_cure_left_the_same_error() -> None:
    failed = "Traceback (most recent call last):\nRowsNotReadyError: rows are not open yet"
    span = [
        TASK,
        *run("a", "python try_rows.py", failed, 1),
        say("assistant", "The error occurs because the table is in another folder."),
        *edit("b", WHERE, "here = '.'", "here = '/rows'"),
        *run("c", "python try_rows.py", failed, 1),
        say("assistant", "The error occurs because rows are read before they are open."),
    ]
    told_of = [text for text in texts(span, "said", "found", "concluded") if "error occurs" in text]
    assert told_of == ["The error occurs because rows are read before they are open."]


def test_a_cause_that_is_ruled_out_before_anything_was_changed_goes() -> None:
    span = spoken(
        "The root cause is that the rows prompt has no terminal.",
        "The settings answer the rows prompt already. So the issue is not that the prompt has no terminal.",
    )
    assert not any("root cause" in text for text in texts(span))


def test_no_cause_stands_of_what_does_not_happen() -> None:
    fine = "Everything works fine when I test it."
    for cause in (
        "The loader likely causes the error.",
        "Found the root cause. The loader asks for a terminal, which a hook has not.",
        "The fix is to either:\n1. Open a terminal\n2. Ask nothing",
        "Perhaps the loader runs elsewhere, which could explain why it stops.",
        "The file `names.json` is missing. This is likely why it stops.",
    ):
        assert texts(spoken(cause, fine), "said", "found", "concluded") == [fine]


def test_what_was_described_in_words_is_replaced_by_a_later_formula() -> None:
    span = spoken(
        "I suggest:\n- `Row.id`: a hash of table and number\n- `Row.name`: the name as it is",
        "The row number:\n- `row_id = sha256(place_of_row)`\n- Rows are kept.",
    )
    assert "I suggest: …\n- `Row.name`: the name as it is" in texts(span)


def test_a_formula_that_was_replaced_in_a_draft_since_is_not_told() -> None:
    draft = 'Here it is:\n\n```md\n## Rows\n- `row_id = "row_" + sha256(place)`\n- Rows are kept.\n```'
    span = [
        *spoken("I suggest:\n- `row_id = sha256(number)`\n- Keep the rows.\n- Drop the index."),
        say("user", "Use the place.", id="place"),
        say("assistant", draft),
    ]
    assert not any("`row_id = sha256(number)`" in text for text in texts(span))
    assert any("- Keep the rows." in text for text in texts(span))


def test_a_file_that_was_proposed_and_made_as_several_is_not_told() -> None:
    words = "Recommended file:\n\n- `shop/rows.sql`\n\nIt holds the rows."
    parts = [m for name in ("open", "shut") for m in write(name, f"/repo/shop/{name}.sql", "select 1;")]
    span = [TASK, say("assistant", words), say("user", "Split it.", id="b")]
    assert any("rows.sql" in text for text in texts(span))
    assert any("rows.sql" in text for text in texts([*span, *write("r", "/repo/shop/rows.sql", "x"), *parts]))
    assert not any("rows.sql" in text for text in texts([*span, *parts]))


def test_a_formula_that_was_drafted_anew_is_told() -> None:
    draft = 'Here it is:\n\n```md\n- `row_id = "row_" + sha256(place)`\n```'
    span = [*spoken("- `row_id = sha256(number)`"), say("assistant", draft)]
    assert any('`row_id = "row_" + sha256(place)`' in text for text in texts(span))


def test_names_that_edits_replaced_are_told_once_with_the_new_ones() -> None:
    span = [
        say("user", "Rows go through `shop.readRows`, please."),
        *edit("a", WHERE, "readRows", "rows"),
        *edit("b", "/repo/src/shop.py", "shop.readRows(1)", "shop.rows(1)"),
        *edit("c", WHERE, "is_open = first", "is_shut = first"),
    ]
    [line] = [line for line in section(brief(span), "State") if "renamed" in line]
    assert line == "- renamed: readRows → rows (#1-3)"
    assert not any("`readRows` → `rows`" in text for text in texts(span, "changed"))


def test_another_name_where_one_was_used_renames_nothing_but_its_definition_does() -> None:
    uses = (
        *edit("a", WHERE, "age > old_rows", "age > new_rows"),
        *edit("b", WHERE, "f(old_rows)", "f(new_rows)"),
    )
    assert "renamed" not in brief([TASK, *uses])
    defined = edit("c", WHERE, "old_rows = 7", "new_rows = 7")
    assert "- renamed: old_rows → new_rows" in brief([TASK, *uses, *defined])


def test_a_name_that_came_back_is_not_told_as_renamed() -> None:
    span = [TASK, *edit("a", WHERE, "readRows", "rows"), *edit("b", WHERE, "rows", "readRows")]
    assert "renamed" not in brief(span)


def test_words_that_a_later_formula_spells_out_stand() -> None:
    span = spoken(
        "I suggest:\n- `Row.id`: a hash of place and table\n- `Row.name`: the name as it is",
        "The row number:\n- `row_id = sha256(place_in_table)`\n- Rows are kept.",
    )
    assert "replaced" not in " ".join(texts(span))


def test_what_was_unused_and_is_taken_out_goes() -> None:
    seen = say("assistant", "The `find_rows` function appears unused in the reader.", id="seen")
    out = edit("o", "/w/rows.py", "def find_rows():\n    return 1\n", "")
    assert "appears unused" in " ".join(texts([TASK, seen]))
    assert "appears unused" not in " ".join(texts([TASK, seen, *out]))


def test_what_the_user_contradicts_goes() -> None:
    denied = say("assistant", "There are no rows in the till. I propose to make some.", id="denied")
    for answer, stands in (
        ("Umm... yes there are, one table below.", False),
        ("Yes there are some, now.", True),
    ):
        span = [TASK, denied, say("user", answer, id="answer"), DONE]
        assert any("There are no rows" in text for text in texts(span)) is stands


def test_an_edit_that_keeps_a_name_does_not_rename_it() -> None:
    span = [
        say("user", "Rows are typed, please."),
        *edit("a", WHERE, "read(row: anyRow): anyRow", "read(row: anyRow): typedRow"),
        *edit("b", "/repo/src/shop.py", "rows: anyRow = 1", "rows: typedRow = 1"),
    ]
    assert "renamed" not in brief(span)
