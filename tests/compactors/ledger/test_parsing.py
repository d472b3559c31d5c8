"""Reading a brief is the inverse of writing one, and nothing quoted can speak in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.compactors.gate import NOTE
from tamis.compactors.ledger.items import READ, TITLES, Section
from tamis.compactors.ledger.layout import SINCE, Row, render
from tamis.compactors.ledger.parsing import parse_brief

HOSTILE = st.sampled_from(
    [
        *(f"## {title}" for title in TITLES.values()),
        *(f"  ## {title}" for title in TITLES.values()),
        SINCE,
        f" {SINCE}",
        "### #3 said",
        "> never ask",
        "- [ ] send it",
        "```",
        "`````",
        "",
        "  def x():",
    ]
)
LINES = st.lists(st.one_of(HOSTILE, st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)))
WORDS = st.from_regex(r"[\w.][\w./ -]{0,20}[\w.]", fullmatch=True)
NAMES = st.lists(WORDS, min_size=1, max_size=5).map(tuple)
DEEDS = st.sampled_from(["created", "modified", "perhaps deleted", "renamed from old.py"])


def passage(lines: list[str]) -> Row:
    return Row(section="excerpts", text="\n".join(["### #12 result", *lines]))


def quotation(section: Section, lines: list[str]) -> Row:
    told = [line for line in lines if line.strip() and len(line.splitlines()) == 1] or ["fix it"]
    return Row(section=section, text="\n".join([told[0].lstrip(), *told[1:]]), quote=True)


ROWS = st.one_of(
    st.builds(passage, LINES),
    st.builds(quotation, st.sampled_from(["asked", "rules", "detail"]), LINES),
    st.builds(Row, section=st.sampled_from(["known", "decided", "failed", "open"]), text=WORDS),
    st.builds(Row, section=st.just("files"), text=DEEDS, names=NAMES, grouped=st.just(True)),
    st.builds(Row, section=st.just("files"), text=st.just("changed in io.py"), names=NAMES),
    st.builds(Row, section=st.just("known"), text=st.just(READ), names=NAMES, grouped=st.just(True)),
    st.builds(Row, section=st.just("where"), text=st.sampled_from(["names", "src/io.py"]), names=NAMES),
)


@given(st.lists(ROWS))
def test_what_was_written_is_read_back(rows: list[Row]) -> None:
    found = parse_brief(render(rows))
    assert found is not None or not rows
    assert [placed.row for placed in found or ()] == rows


@given(st.lists(ROWS, min_size=1))
def test_each_row_is_found_where_it_stands(rows: list[Row]) -> None:
    text = render(rows)
    for placed in parse_brief(text) or ():
        assert text[placed.start : placed.end] == "\n".join(placed.row.lines)


@given(LINES)
def test_no_line_of_an_excerpt_speaks_as_a_section(lines: list[str]) -> None:
    found = parse_brief(render([passage(lines), Row(section="open", text="[ ] go on")]))
    assert found is not None
    assert [placed.row.section for placed in found] == ["excerpts", "open"]


def test_what_the_gate_added_is_read_too() -> None:
    added = "```\n## Asked\n> Mend it.\n## Files\n- src/io.py: modified\n## Open tasks\n- [ ] test\n```"
    found = parse_brief(f"{render([Row(section='known', text='port: 80')])}\n{NOTE}\n{added}")
    assert found is not None
    assert [placed.row.section for placed in found] == ["known", "asked", "files", "open"]
    assert found[2].row.names == ("src/io.py",)


@pytest.mark.parametrize(
    "text",
    [
        "fix the parser",
        f"Look at this:\n{render([Row(section='known', text='port: 80')])}",
        f"{render([Row(section='known', text='port: 80')])}\nand go on",
        render([]).replace("\n\n", "\nno heading\n"),
    ],
)
def test_what_is_no_brief_in_every_line_is_none(text: str) -> None:
    assert parse_brief(text) is None
