from __future__ import annotations

from tamis.evals.statements.places import cut, texts_said
from tamis.messages import Media, Message, Text, ToolCall


def places(text: str) -> list[str]:
    return [" ".join(forms[0] for forms in place if forms) for place in cut([text])]


def test_a_paragraph_is_one_place_and_an_empty_line_ends_it() -> None:
    assert places("The import of rows stops.\nIt is at row 544.\n\nThe rest is fine.") == [
        "import row stop row 544",
        "rest fin",
    ]


def test_an_item_stands_with_the_line_that_leads_the_list_in() -> None:
    assert places("Changed in the parser:\n- rows are kept\n- blanks are cut") == [
        "chang parser",
        "chang parser row kept",
        "chang parser blank cut",
    ]


def test_a_paragraph_leads_no_list_in() -> None:
    assert places("The parser was changed.\n- rows are kept") == ["parser chang", "row kept"]


def test_lines_of_an_item_that_go_on_belong_to_it() -> None:
    assert places("- rows are kept\n  when they are blank\nThe file is read") == [
        "row kept blank",
        "fil read",
    ]


def test_rows_of_a_table_are_places_of_their_own() -> None:
    assert places("| file | rows |\n|---|---|\n| a.csv | 544 |") == ["fil row", "a.csv 544"]


def test_lines_of_code_that_follow_each_other_are_one_place() -> None:
    assert len(places("def keep(row):\n    if row == blank:\n        return (row + 1)")) == 1


def test_a_heap_of_names_falls_apart() -> None:
    assert len(places("parser import blank rows settings limit entries tests minutes")) == 9


def test_a_heap_within_a_sentence_falls_apart_and_the_rest_does_not() -> None:
    found = places("It was in the parser that " + "alpha beta gamma delta epsilon zeta eta theta iota kappa")
    assert len(found) > 5
    assert found[0].startswith("parser")


def test_line_numbers_of_a_view_are_no_words() -> None:
    assert places("   12\tdef keep(row):") == ["def keep row"]


def test_the_arguments_of_a_call_are_read_with_their_line_breaks() -> None:
    body = "The import of rows stops at blank rows.\n\nIt is fixed now in the parser of the files. " * 3
    call = ToolCall(id="1", name="write", arguments={"path": "a.md", "edits": [{"new": body}]})
    message = Message(id="1", role="assistant", parts=(call, Media(kind="image"), Text(text="Done.")))
    texts = list(texts_said(message))
    assert texts[0].startswith("write path=a.md")
    assert body in texts
    assert texts[-1] == "Done."


def test_json_with_escaped_line_breaks_is_cut_at_them() -> None:
    assert (
        len(
            places(
                r'{"content": "The rows are kept.\n\nThe test is so.\n\nThe import goes on.\n\nAll is well."}'
            )
        )
        > 3
    )
