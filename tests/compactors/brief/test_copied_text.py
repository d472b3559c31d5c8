"""Of copied text, what a brief tells is in order, row by row, with a mark at each cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from compactors.brief.talk import brief
from compactors.conversations import say
from tamis.compactors.brief.copying.pieces import begun

TALK = "The reader of rows{n} should keep what it has read, also where a table is empty. "
SHAPES = {
    "python": ("def read_rows{n}(path):", "    return rows{n}", "if rows{n} == rows: raise ValueError({n})"),
    "console": (
        ">>> read_rows{n}(path)",
        "[{n}, 2, 7]",
        "Traceback (most recent call last):",
        'File "a.py", line {n}, in f',
        "ValueError: no rows{n}",
    ),
    "table": ("| rows{n} | the reader of tables fails |", "| {n} | keeps all that was read |"),
    "bare": (
        "rows{n}     | 3.8.{n} (default, Feb 24 2020)  [Clang 6.0 (clang-600.{n})]",
        "numpy{n}  | 1.{n}",
    ),
    "list": ("- the reader of rows{n} keeps its table", "- rows{n} fail with a ValueError"),
}


@st.composite
def blocks(draw: st.DrawFn) -> list[str]:
    """Lines of one shape, no two alike, in a fence or bare."""
    shape = draw(st.sampled_from(sorted(SHAPES)))
    kinds = draw(st.lists(st.sampled_from(SHAPES[shape]), min_size=3, max_size=18))
    lines = [kind.format(n=n + 10) for n, kind in enumerate(kinds)]
    lines = ["name | version", "---- | -------", *lines] if shape == "bare" else lines
    return ["```", *lines, "```"] if shape in ("python", "console") else lines


def place_of(told: str, source: Sequence[str]) -> int | None:
    """Where a line of a brief stands in the text that it was copied from; None for one of other text."""
    own = told[2:].strip("… ")
    found = [at for at, line in enumerate(source) if own and " ".join(line.split()) == " ".join(own.split())]
    return found[0] if len(found) == 1 else None


@given(blocks(), st.booleans(), st.integers(120, 600))
def test_each_cut_in_copied_text_is_marked_and_its_lines_keep_their_order(
    block: list[str], is_agents: bool, room: int
) -> None:
    text = "\n".join([TALK.format(n=1) * 5, "", *block, "", TALK.format(n=2) * 6])
    span = [say("user", "Read the rows." if is_agents else text)]
    told = brief([*span, say("assistant", text if is_agents else "Done.")], room).splitlines()
    source = [line for line in block if re.search(r"\w", line)]
    places = [(line, place_of(line, source)) for line in told if line.startswith(("> ", "= "))]
    for (before, at), (line, to) in pairwise(places):
        if at is None or to is None:
            continue
        assert at < to, told
        assert to == at + 1 or before.endswith("…") or line[2] == "…", told
    for line in told:  # no two rows in one line
        assert len(set(re.findall(r"(?:rows|numpy)(1\d|2\d)\b", line))) < 2 or "…" in line, told


def test_a_copy_from_the_middle_of_a_file_begins_with_a_statement() -> None:
    page = "\n".join(["41 | \t\tkeep(sacks)", "42 | \t})", "43 | \tconst empty = sacks.filter(weighed)"])
    assert begun(page).startswith("43 |")
    assert begun(unnumbered := "  keep(sacks)\n})") == unnumbered
    assert begun(much := "\n".join(f"{n} | \t\tkeep(sacks)" for n in range(9)) + "\n9 | \t}") == much
    assert begun(much + "\n10 | \tcount(sacks)") == much + "\n10 | \tcount(sacks)"
