from __future__ import annotations

import re

from tamis.evals import Run
from tamis.evals.figures.summary import summarise
from tamis.reports import render_markdown


def test_every_row_of_a_table_has_as_many_cells_as_its_heading(run: Run) -> None:
    for block in render_markdown(run).split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1


def test_recall_stands_with_its_interval(run: Run) -> None:
    text = render_markdown(run)
    for cell in summarise(run):
        if cell.recall and cell.recall.low is not None:
            assert f"{cell.recall.mean:.2f} ({cell.recall.low:.2f}–{cell.recall.high:.2f}" in text


def test_names_of_sets_and_reasons_cannot_become_markup(run: Run) -> None:
    text = render_markdown(run)
    assert "<set>" not in text
    assert "odd &lt;set&gt;" in text
    assert not re.search(r"(?<!\\)<b>", text)


def test_it_says_how_to_measure_again(run: Run) -> None:
    assert "-b 1% -b 5% -b 20% --at 50% --at own" in render_markdown(run)
