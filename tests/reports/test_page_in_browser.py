"""The page in a real Chromium, at the width of a desktop and of a phone; skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.browsing import DESKTOP, PHONE, launched, wait_until
from reports.runs import HOSTILE
from tamis.evals import Run
from tamis.evals.hindsight import Hindsight

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launched()


@dataclass
class Visit:
    """A page that is open, and what it did."""

    page: Page
    url: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def choose(self, **choices: str) -> None:
        """Choose in the reader, and wait until it shows that."""
        for name, value in choices.items():
            self.page.select_option(f"select[name={name}]", value)
        self.wait()

    def wait(self) -> None:
        chosen = "/".join(self.value(name) for name in ("point", "method", "budget"))
        self.page.wait_for_selector(f"#explorer[data-shown='{chosen}']")

    def value(self, name: str) -> str:
        return self.page.input_value(f"select[name={name}]")


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def visit(request: pytest.FixtureRequest, browser: Browser, page: Path) -> Iterator[Visit]:
    """The page at both widths; whatever a test does, nothing may be requested and nothing complained of."""
    yield from _visit(browser, page, request.param)


@pytest.fixture
def desktop(browser: Browser, page: Path) -> Iterator[Visit]:
    yield from _visit(browser, page, DESKTOP)


@pytest.fixture
def phone(browser: Browser, page: Path) -> Iterator[Visit]:
    yield from _visit(browser, page, PHONE)


def _visit(browser: Browser, path: Path, width: int) -> Iterator[Visit]:
    opened = browser.new_page(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    made = Visit(page=opened, url=path.as_uri())
    opened.on("request", lambda request: made.requests.append(request.url))
    opened.on("console", lambda message: made.complaints.append(message.text))
    opened.on("pageerror", lambda error: made.complaints.append(str(error)))
    opened.goto(made.url)
    opened.evaluate("document.querySelectorAll('.part').forEach((part) => { part.open = true; })")
    made.wait()
    yield made
    assert made.complaints == []
    assert {url.partition("#")[0] for url in made.requests} == {made.url}
    opened.close()


def test_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    visit.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    widths = visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


def test_it_opens_on_a_sentence_a_picture_and_the_figures(visit: Visit) -> None:
    visit.page.reload()
    seen = visit.page.locator("main > .part[open] h2").all_inner_texts()
    assert (seen, visit.page.is_visible(".lead"), visit.page.locator("header svg:visible").count()) == (
        ["All figures"],
        True,
        1,
    )


def test_one_chart_of_each_measure_is_seen(visit: Visit) -> None:
    for measure in ("recall", "regret_rate"):
        seen = [
            visit.page.is_visible(f"[aria-labelledby='{measure}-{w}-t {measure}-{w}-d']")
            for w in ("wide", "narrow")
        ]
        assert seen.count(True) == 1


def test_every_method_and_budget_of_every_point_can_be_read(desktop: Visit, run: Run) -> None:
    for point in run.points:
        desktop.choose(point=point.key)
        for result in (r for r in run.results if r.point == point.key):
            desktop.choose(method=result.method, budget=result.budget)
            told = desktop.page.inner_text("#told")
            if isinstance(result.score, Hindsight):
                assert f"{len(result.score.missing)} of {len(point.needs)} needed names are missing" in told
                missing = desktop.page.locator("#names .missing").all_inner_texts()
                assert sorted(missing) == sorted(result.score.missing)
                assert desktop.page.locator("#names .found").count() == len(point.needs) - len(missing)
            else:
                assert result.score.reason in told


def test_found_names_are_marked_on_both_sides_and_missing_ones_in_the_span(visit: Visit) -> None:
    visit.choose(method="ledger", budget="20%")
    marked = {
        (pane, state): sorted(set(visit.page.locator(f"#{pane} mark.{state}").all_text_contents()))
        for pane in ("span", "context")
        for state in ("found", "missing")
    }
    found = sorted(visit.page.locator("#names .found").all_inner_texts())
    missing = sorted(visit.page.locator("#names .missing").all_inner_texts())
    assert found
    assert missing
    assert (marked["span", "found"], marked["span", "missing"]) == (found, missing)
    assert (marked["context", "found"], marked["context", "missing"]) == (found, [])


def test_a_name_leads_to_the_place_where_it_stood(visit: Visit) -> None:
    visit.choose(method="truncate", budget="5%")
    button = visit.page.locator("#names .missing").first
    button.click()
    here = visit.page.locator("#span mark.here")
    assert here.inner_text() == button.inner_text()
    mark, pane = here.bounding_box(), visit.page.locator("#span").bounding_box()
    assert mark is not None
    assert pane is not None
    assert pane["y"] <= mark["y"] <= pane["y"] + pane["height"] - mark["height"]


def test_points_are_listed_with_the_lowest_recall_first(desktop: Visit) -> None:
    desktop.choose(method="truncate", budget="20%")
    listed = desktop.page.locator("select[name=point] option").all_inner_texts()
    recalls = [float(text.split(" ")[0]) for text in listed]
    assert recalls == sorted(recalls)


def test_a_set_narrows_the_points(desktop: Visit, run: Run) -> None:
    desktop.choose(set="odd <set>")
    listed = desktop.page.locator("select[name=point] option").count()
    assert listed == len([p for p in run.points if p.set == "odd <set>"])


def test_previous_and_next_go_through_the_points(desktop: Visit, run: Run) -> None:
    seen = [desktop.value("point")]
    while desktop.page.is_enabled("button[name=next]"):
        desktop.page.click("button[name=next]")
        desktop.wait()
        seen.append(desktop.value("point"))
    assert sorted(seen) == sorted(p.key for p in run.points)
    desktop.page.click("button[name=previous]")
    desktop.wait()
    assert desktop.value("point") == seen[-2]


def test_a_worst_point_leads_to_the_reader(visit: Visit) -> None:
    visit.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    link = visit.page.locator("a.open").last
    method = link.locator("xpath=ancestor::details[1]").locator("summary b").inner_text()
    link.click()
    visit.wait()
    assert visit.value("point") == link.get_attribute("data-point")
    assert visit.value("method") == method


def test_the_address_of_a_compaction_opens_it(desktop: Visit, run: Run) -> None:
    key = tuple(run.points)[-1].key
    desktop.page.goto(f"{desktop.url}#read={key}/index/20%25")
    desktop.page.reload()
    desktop.page.wait_for_selector(f"#explorer[data-shown='{key}/index/20%']")


def test_a_phone_shows_one_side_at_a_time(phone: Visit) -> None:
    assert (phone.page.is_visible("#span"), phone.page.is_visible("#context")) == (True, False)
    phone.page.click("button[data-pane=context]")
    assert (phone.page.is_visible("#span"), phone.page.is_visible("#context")) == (False, True)
    assert phone.page.get_attribute("button[data-pane=context]", "aria-pressed") == "true"


def test_it_can_be_used_with_the_keyboard_alone(desktop: Visit) -> None:
    page = desktop.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("select[name=budget]")
    page.keyboard.press("ArrowDown")
    desktop.wait()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#names') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.locator("mark.here").count() > 0
    page.focus("#span")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    wait_until(page, "() => document.getElementById('span').scrollTop > 0")


def test_a_hostile_session_is_shown_and_does_nothing(desktop: Visit, run: Run) -> None:
    point = next(p for p in run.points if p.set == "odd <set>")
    desktop.choose(point=point.key, method="truncate", budget="20%")
    assert HOSTILE in (desktop.page.text_content("#span") or "")
    assert desktop.page.title().startswith("What survived compaction")
    assert desktop.page.locator("#explorer img, #explorer script").count() == 0


def test_a_look_alike_of_a_heading_starts_no_message(desktop: Visit, run: Run) -> None:
    point = next(p for p in run.points if p.set == "odd <set>")
    desktop.choose(point=point.key)
    titles = desktop.page.locator("#span h4").all_inner_texts()
    assert [title.split(" · ")[0] for title in titles] == [str(i) for i in range(1, len(titles) + 1)]
    assert titles[1] == "2 · assistant"


def test_markup_cannot_be_made_from_text_at_all(desktop: Visit) -> None:
    refused = desktop.page.evaluate(
        "(() => { try { document.body.innerHTML = '<p>x</p>'; return false; } catch { return true; } })()"
    )
    assert refused
    desktop.complaints.clear()  # the browser tells of the refusal


def test_on_paper_stand_the_wide_charts_and_no_reader(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    assert not visit.page.is_visible("#explorer")
    assert visit.page.is_visible("[aria-labelledby='recall-wide-t recall-wide-d']")


def test_the_worst_answers_tell_all_that_it_takes_to_see_why(visit: Visit) -> None:
    visit.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    first = visit.page.locator("#answers .answer").first
    told = first.locator("dt").all_inner_texts()
    assert [name.split()[0] for name in told[:4]] == ["Expected", "Answered", "Score", "Judged"]
    assert first.locator("h4").inner_text()
    assert visit.page.locator("#answers mark.found").count() > 0


def test_the_published_rows_are_marked_as_published(visit: Visit) -> None:
    rows = visit.page.locator("#dimensions .published")
    assert "Published elsewhere, not measured here" in rows.inner_text()
    assert "3.955 / 3.77 / 3.72" in visit.page.inner_text("#dimensions")


def test_fronts_and_comparisons_are_there(visit: Visit) -> None:
    assert visit.page.locator("#fronts svg").count() == 3
    assert "Nothing beyond chance in recall" in visit.page.inner_text("#comparisons")
