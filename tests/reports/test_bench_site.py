from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench.boards import run
from reports.test_page_in_browser import DESKTOP, PHONE, browser  # noqa: F401 - a fixture
from tamis.bench.board import BoardRow
from tamis.bench.standings import stand
from tamis.errors import InputError, OutputExists
from tamis.reports.bench_site import write_site

HOSTILE = '<script>alert("x")</script>'
METHODS = ("head-tail", "truncate", "index", "full", "nothing")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[BoardRow]:
    folder = tmp_path_factory.mktemp("runs")
    return [run(folder / method, method) for method in METHODS]


@pytest.fixture(scope="module")
def page(rows: list[BoardRow], tmp_path_factory: pytest.TempPathFactory) -> Path:
    hostile = replace(rows[0], setup=replace(rows[0].setup, method=HOSTILE))
    other = replace(rows[1], setup=replace(rows[1].setup, reader="model other"))
    return write_site(stand([*rows, hostile, other]), tmp_path_factory.mktemp("board") / "site")


def test_nothing_is_fetched_and_nothing_can_run(page: Path) -> None:
    text = html.unescape(page.read_text())
    assert "default-src 'none'; style-src 'sha256-" in text
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)
    assert "<script" not in page.read_text()
    assert "&lt;script&gt;" in page.read_text()


def test_every_segment_stands_apart(page: Path) -> None:
    text = page.read_text()
    assert text.count('<section id="segment-') == 2
    assert "read by model other" in text


def test_every_run_shows_why_it_does_not_qualify_and_how_to_make_it_again(
    page: Path, rows: list[BoardRow]
) -> None:
    text = page.read_text()
    assert text.count("tamis bench run --suite practice") == len(rows) + 2
    assert "compression 0." in text or "compression 1." in text
    assert "By the published floors" in text
    assert "Hands on" in text


def test_what_was_not_measured_is_counted_beside_the_score(rows: list[BoardRow], tmp_path: Path) -> None:
    row = rows[0]
    answers = row.score.answers
    cut = replace(
        row, score=replace(row.score, measured=answers // 2), least=replace(row.least, overall=0.125)
    )
    text = write_site(stand([cut]), tmp_path).read_text()
    assert f"{answers // 2 / answers * 100:.1f}&nbsp;% measured" in text
    assert "at least 0.125" in text
    assert "% measured</span>" not in write_site(stand([row]), tmp_path / "whole").read_text()


def test_a_run_of_which_nothing_was_measured_is_shown_without_a_score(
    rows: list[BoardRow], tmp_path: Path
) -> None:
    score = replace(rows[0].score, overall=None, contradiction_rate=None, measured=0)
    nothing = replace(rows[0], score=score, published=None, elite=None)
    assert "nothing measured" in write_site(stand([nothing, rows[1]]), tmp_path).read_text()


def test_a_board_without_a_qualified_run_says_so(page: Path) -> None:
    after = page.read_text().partition("Qualified: every floor passed")[2]
    assert re.match(r"[^>]*(<[^>]*>\s*)*no run<", after)


def test_the_figures_are_written_beside_the_page(page: Path) -> None:
    segments = json.loads((page.parent / "board.json").read_text())
    standing = segments[0]["standings"][0]
    assert {"place", "score", "elite", "margin", "families", "command"} <= standing.keys()
    assert "cases" not in standing["row"]["score"]


def test_a_board_is_not_written_over_unless_asked(rows: list[BoardRow], tmp_path: Path) -> None:
    write_site(stand(rows), tmp_path)
    with pytest.raises(OutputExists):
        write_site(stand(rows), tmp_path)
    write_site(stand(rows[:1]), tmp_path, force=True)
    assert "truncate" not in (tmp_path / "index.html").read_text()


def test_a_folder_that_cannot_be_made_is_named(rows: list[BoardRow], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        write_site(stand(rows), tmp_path / "file" / "site")


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen_and_nothing_is_asked_for(
    page: Path,  # made before the browser, whose loop of events runs on in this thread
    browser,  # noqa: F811
    width: int,
    scheme: str,
) -> None:
    opened = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    asked: list[str] = []
    complaints: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: complaints.append(message.text))
    opened.goto(page.as_uri())
    opened.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    scrolled, inner = opened.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert scrolled <= inner
    assert asked == [page.as_uri()]
    assert complaints == []
    opened.close()


def test_every_run_can_be_opened_by_keyboard(browser, page: Path) -> None:  # noqa: F811
    opened = browser.new_page()
    opened.goto(page.as_uri())
    closed = opened.locator("details:not([open]) > summary").first
    closed.focus()
    opened.keyboard.press("Enter")
    assert opened.evaluate("document.activeElement.parentElement.open")
    opened.close()
