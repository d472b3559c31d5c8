from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reports.runs import HOSTILE
from tamis.errors import OutputExists
from tamis.evals import Run, Texts
from tamis.evals.figures.summary import kinds_kept, summarise
from tamis.reports import render_html
from tamis.reports.worst_answers import by_badness

VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}


class Reading(HTMLParser):
    """What a browser would make of the page: elements, attributes, text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


@pytest.fixture(scope="module")
def source(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reading(source: str) -> Reading:
    return Reading(source)


def chunks(page: str) -> dict[str, dict[str, object]]:
    """The texts in a page, by point."""
    packed = re.findall(r'<script type="text/plain" id="texts-(\w+)">([\w+/=]+)</script>', page)
    return {key: json.loads(zlib.decompress(base64.b64decode(data))) for key, data in packed}


def test_every_element_is_closed_where_it_was_opened(reading: Reading) -> None:
    assert reading.open == []


def test_no_id_is_there_twice(reading: Reading) -> None:
    ids = [attributes["id"] for _, attributes in reading.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_every_link_within_the_page_leads_somewhere(reading: Reading) -> None:
    ids = {attributes.get("id") for _, attributes in reading.elements}
    links = [a["href"] or "" for tag, a in reading.elements if tag == "a"]
    assert {link[1:] for link in links if not link.startswith("#read=")} <= ids
    assert all(link.startswith("#") for link in links)


def test_nothing_in_a_session_becomes_an_element(reading: Reading, run: Run) -> None:
    scripts = [a.get("type") for tag, a in reading.elements if tag == "script"]
    assert sorted(map(str, scripts)) == ["None", "application/json", *["text/plain"] * len(run.points)]
    assert not {"img", "b", "iframe"} & {t for t, a in reading.elements if "onerror" in a}
    assert "img" not in {tag for tag, _ in reading.elements}


def test_no_handler_and_no_style_stands_in_an_attribute(reading: Reading) -> None:
    names = {name for _, attributes in reading.elements for name in attributes}
    assert {n for n in names if n.startswith("on") or n == "style"} == set()


def test_nothing_is_loaded_from_anywhere(source: str, reading: Reading) -> None:
    assert {"src", "srcset", "data", "poster", "action"} & {
        n for _, a in reading.elements for n in a
    } == set()
    assert "link" not in {tag for tag, _ in reading.elements}
    assert not re.search(r"url\(|@import|https?://", re.sub(r"<script type=.*?</script>", "", source))


def test_the_policy_admits_the_script_and_the_style_sheet_and_nothing_else(
    source: str, reading: Reading
) -> None:
    policy = next(a["content"] or "" for t, a in reading.elements if a.get("http-equiv"))
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", source, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_figures_of_the_run_stand_in_it(reading: Reading, run: Run) -> None:
    text = " ".join(" ".join(reading.text).split())
    for cell in summarise(run):
        if cell.recall and cell.recall.low is not None and cell.tokens_per_task:
            row = f"{cell.recall.mean:.2f} {cell.recall.low:.2f}–{cell.recall.high:.2f} "
            assert row in text
            assert f"{round(cell.tokens_per_task.mean):,}" in text


def test_kinds_lost_stand_in_it(source: str, run: Run) -> None:
    titles = re.findall(r'title="(\d+) of (\d+) lost"', source)
    expected = [(k.needed - k.found, k.needed) for k in kinds_kept(run) if k.method != "nothing"]
    assert sorted((int(a), int(b)) for a, b in titles) == sorted(expected)


def test_a_failure_is_told_with_its_reason_and_is_no_zero(reading: Reading) -> None:
    text = " ".join(" ".join(reading.text).split())
    assert re.search(r"failed ?: [\w: ]*RuntimeError: no <b>luck</b> today", text)
    assert re.search(r"broken – – – – – – – – 0 0", text)


def test_control_characters_are_shown_and_do_not_act(source: str) -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", source)


def test_the_texts_in_it_are_those_of_the_run(source: str, run: Run, texts: Texts) -> None:
    found = chunks(source)
    assert set(found) == {p.key for p in run.points}
    for point in run.points:
        assert found[point.key]["span"] == texts[point.span]
        contexts = {r.context: texts[r.context] for r in run.results if r.point == point.key and r.context}
        assert found[point.key]["contexts"] == contexts


def test_a_hostile_text_is_in_it_and_packed(source: str) -> None:
    assert any(HOSTILE in str(chunk["span"]) for chunk in chunks(source).values())
    assert HOSTILE not in source
    assert "<script>document" not in source


def test_the_same_run_gives_the_same_bytes(run: Run, texts: Texts, page: Path, tmp_path: Path) -> None:
    render_html(run, texts, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_a_file_that_is_there_is_not_overwritten(run: Run, texts: Texts, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("mine")
    with pytest.raises(OutputExists):
        render_html(run, texts, target)
    assert target.read_text() == "mine"


def test_the_worst_points_go_in_first_and_the_page_says_how_many(
    run: Run, texts: Texts, tmp_path: Path
) -> None:
    made = render_html(run, texts, tmp_path / "two.html", points=2)
    source = (tmp_path / "two.html").read_text(encoding="utf-8")
    assert (made.points, made.points_embedded) == (4, 2)
    assert set(chunks(source)) == {p.key for p in by_badness(run)[:2]}
    assert "2 of 4 points can be read here" in " ".join(Reading(source).text)
    assert "--points all" in source


def test_the_file_stays_below_its_limit(run: Run, texts: Texts, page: Path, tmp_path: Path) -> None:
    limit = page.stat().st_size - 1_000
    made = render_html(run, texts, tmp_path / "small.html", max_bytes=limit)
    assert (tmp_path / "small.html").stat().st_size <= limit
    assert 0 < made.points_embedded < made.points


def test_without_any_text_it_is_still_a_report(run: Run, texts: Texts, tmp_path: Path) -> None:
    made = render_html(run, texts, tmp_path / "none.html", points=0)
    source = (tmp_path / "none.html").read_text(encoding="utf-8")
    assert made.points_embedded == 0
    assert "explorer" not in {a.get("id") for _, a in Reading(source).elements}
    assert "All figures" in source
