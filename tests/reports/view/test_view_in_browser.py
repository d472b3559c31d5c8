"""The viewer in a real Chromium, at the width of a desktop and of a phone, with the mouse and without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from reports.browsing import DESKTOP, PHONE, launched, wait_until
from reports.runs import HOSTILE
from reports.serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launched()


@dataclass
class Visit:
    """A viewer that is open, and what it complained of."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def at(self, **state: str) -> None:
        """Go to an address, as a bookmark does, and wait for the list."""
        self.page.goto(f"{self.url}#{urlencode(state)}")
        self.page.reload()
        self.page.wait_for_selector("#list[data-of]", state="attached")

    def rows(self) -> list[str]:
        return self.page.locator("#list .said").all_inner_texts()

    def open(self, at: int = 0) -> None:
        self.page.locator("#list a").nth(at).click()
        self.page.wait_for_selector("#detail[data-shown] h2")

    def choose(self, name: str, value: str) -> None:
        """Choose in the form, and wait until another list is there."""
        before = self.page.get_attribute("#list", "data-of")
        self.page.select_option(f"select[name='{name}']", value)
        wait_until(self.page, "before => document.getElementById('list').dataset.of !== before", before)


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def visit(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Visit]:
    yield from _visit(browser, served, request.param)


@pytest.fixture
def desktop(browser: Browser, served: Served) -> Iterator[Visit]:
    yield from _visit(browser, served, DESKTOP)


@pytest.fixture
def phone(browser: Browser, served: Served) -> Iterator[Visit]:
    yield from _visit(browser, served, PHONE)


def _visit(browser: Browser, served: Served, width: int) -> Iterator[Visit]:
    opened = browser.new_page(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    made = Visit(page=opened, url=served.url)
    opened.on("console", lambda message: made.complaints.append(message.text))
    opened.on("pageerror", lambda error: made.complaints.append(str(error)))
    opened.on("request", lambda request: made.hosts.add(request.url.split("/")[2]))
    made.at()
    yield made
    assert made.complaints == []
    assert made.hosts == {f"127.0.0.1:{served.port}"}
    opened.close()


def arm(method: str, budget: str = "5%", *, run: int = 0) -> str:
    return json.dumps([run, method, budget, 1, "lexical"])


def test_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    for state in ({}, {"tab": "contexts"}, {"tab": "figures"}, {"b": arm("truncate")}):
        visit.at(**state) if state != {"tab": "figures"} else visit.page.click("[data-tab=figures]")
        if state == {"tab": "figures"}:
            visit.page.wait_for_selector("#figures table")
        else:
            visit.open()
        widths = visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1], state


def test_an_answer_opens_with_its_question_context_and_source(visit: Visit) -> None:
    question = visit.rows()[0]
    visit.open()
    assert visit.page.inner_text("#detail h2").startswith(question)
    assert visit.page.locator("#detail .pane").count() == 2
    assert visit.page.locator(".sources article").count() > 0


def test_two_methods_stand_side_by_side(visit: Visit) -> None:
    visit.choose("b-method" if visit.page.locator("select[name='b-method']").count() else "b-run", "0")
    visit.open()
    assert visit.page.locator("#detail .side").count() == 2


def test_the_filter_narrows_the_list(desktop: Visit) -> None:
    everything = desktop.rows()
    kind = desktop.page.locator("select[name=kind] option").nth(1).get_attribute("value") or ""
    desktop.choose("kind", kind)
    assert 0 < len(desktop.rows()) < len(everything)
    assert all(where.startswith(kind) for where in desktop.page.locator("#list .where").all_inner_texts())


def test_words_are_searched_while_they_are_typed(desktop: Visit) -> None:
    before = desktop.page.get_attribute("#list", "data-of")
    desktop.page.fill("input[name=search]", "which files")
    wait_until(desktop.page, "b => document.getElementById('list').dataset.of !== b", before)
    assert desktop.rows()
    assert all("which files" in row.lower() for row in desktop.rows())
    desktop.page.fill("input[name=search]", "nosuchword")
    wait_until(desktop.page, "() => document.getElementById('count').textContent.startsWith('Nothing fits')")


def test_the_address_says_what_is_shown_and_back_goes_back(desktop: Visit) -> None:
    desktop.choose("a-method", "truncate")
    desktop.open()
    shown = desktop.page.inner_text("#detail h2")
    desktop.page.reload()
    desktop.page.wait_for_selector("#detail[data-shown] h2")
    assert desktop.page.inner_text("#detail h2") == shown
    desktop.page.go_back()
    desktop.page.wait_for_selector("#detail", state="hidden")
    assert desktop.page.input_value("select[name='a-method']") == "truncate"


def test_it_can_be_used_with_the_keyboard_alone(desktop: Visit) -> None:
    keyboard, page = desktop.page.keyboard, desktop.page
    keyboard.press("j")
    page.wait_for_selector("#detail[data-shown] h2")
    first = page.get_attribute("#detail", "data-shown")
    keyboard.press("j")
    wait_until(page, "b => document.getElementById('detail').dataset.shown !== b", first)
    keyboard.press("k")
    wait_until(page, "b => document.getElementById('detail').dataset.shown === b", first)
    keyboard.press("Escape")
    page.wait_for_selector("#detail", state="hidden")
    assert page.evaluate("document.activeElement.closest('#list') !== null")
    keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "search"
    keyboard.type("j")
    assert page.input_value("input[name=search]") == "j"


def test_a_phone_shows_the_list_or_what_is_open(phone: Visit) -> None:
    assert phone.page.is_visible("#filter")
    phone.open()
    assert not phone.page.is_visible("#filter")
    assert not phone.page.is_visible("#list")
    phone.page.click(".back")
    phone.page.wait_for_selector("#detail", state="hidden")
    assert phone.page.is_visible("#list")


def test_a_context_shows_what_is_missing_and_what_is_found(visit: Visit) -> None:
    visit.at(tab="contexts", a=arm("truncate", "20%"))
    visit.open()
    assert visit.page.locator("#detail .names .missing").count() > 0
    assert visit.page.locator(".sources mark.missing").count() > 0
    visit.page.locator(".sources .jump button").click()
    assert visit.page.locator("mark.here").count() == 1


def test_runs_are_compared_with_each_other(desktop: Visit) -> None:
    desktop.at(a=arm("ledger"), b=arm("ledger", run=1))
    scores = desktop.page.locator("#list .scores").all_inner_texts()
    assert all(" / " in score for score in scores)
    paired = next(i for i, score in enumerate(scores) if not score.endswith("–"))
    desktop.open(paired)
    assert desktop.page.locator("#detail .side").count() == 2


def test_figures_lead_to_the_answers_behind_them(visit: Visit) -> None:
    visit.page.click("[data-tab=figures]")
    visit.page.wait_for_selector("#figures table")
    visit.page.locator("#figures tbody a", has_text="index").first.click()
    visit.page.wait_for_selector("#list a")
    assert visit.page.input_value("select[name='a-method']") == "index"


def test_a_hostile_session_is_shown_and_does_nothing(desktop: Visit) -> None:
    desktop.at(tab="contexts", a=arm("ledger", "20%"), set_name="odd <set>")
    desktop.open()
    assert HOSTILE in (desktop.page.text_content(".sources .pane") or "")
    assert desktop.page.title().startswith("tamis view")
    assert desktop.page.locator("main img, main script").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_light_and_dark(
    browser: Browser, served: Served, scheme: str
) -> None:
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(served.url)
    page.wait_for_selector("#list a")
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        ".map((c) => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3)"
    )
    assert abs(ink - paper) > 150
    assert (ink < paper) == (scheme == "light")
    page.close()
