from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.sessions.formats.aider.edit_blocks import EditBlock, split_edits

BLOCK = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"


def edit(path: str | None, search: str = "old\n", replace: str = "new\n") -> EditBlock:
    return EditBlock(path=path, search=search, replace=replace)


@pytest.mark.parametrize(
    "text",
    [
        f"src/app.py\n```python\n{BLOCK}\n```",
        f"```python\nsrc/app.py\n{BLOCK}\n```",
        f"**src/app.py**:\n\n```\n{BLOCK}\n```",
        f"`src/app.py`\n<source>python\n{BLOCK}\n</source>",
        f"# src/app.py\n{BLOCK}",
    ],
)
def test_the_path_is_found_where_models_put_it(text: str) -> None:
    assert list(split_edits(text)) == [edit("src/app.py")]


def test_prose_around_a_block_is_kept() -> None:
    text = f"I change it:\n\nsrc/app.py\n```python\n{BLOCK}\n```\n\nDone."
    assert list(split_edits(text)) == ["I change it:", edit("src/app.py"), "Done."]


def test_a_block_without_a_path_is_about_the_file_before() -> None:
    text = f"src/app.py\n```\n{BLOCK}\n{BLOCK}\n```"
    assert list(split_edits(text)) == [edit("src/app.py"), edit("src/app.py"), "```"]


def test_a_sentence_before_a_block_is_no_path() -> None:
    assert list(split_edits(f"Like this:\n{BLOCK}")) == ["Like this:", edit(None)]


def test_empty_sides_are_empty() -> None:
    block = "a.py\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE"
    assert list(split_edits(block)) == [edit("a.py", search="")]


def test_a_block_that_was_cut_off_is_prose() -> None:
    text = "a.py\n```\n<<<<<<< SEARCH\nold\n======="
    assert list(split_edits(text)) == [text]


LINES = st.sampled_from(["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "```", "a.py", "", "text"])


@given(st.lists(LINES | st.text(max_size=10), max_size=25).map("\n".join))
def test_no_text_breaks_the_parser(text: str) -> None:
    for piece in split_edits(text):
        parts = [piece] if isinstance(piece, str) else [piece.search, piece.replace]
        assert all(part.strip("\n") in text for part in parts)
