"""A person's seat in a sitting: asked as a browser asks, and in a real Chromium."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from evals.exam.sittings import answered, dealt, judged
from reports.browsing import DESKTOP, PHONE, launched
from tamis.errors import InputError
from tamis.evals.exam.dealing import read_answers, read_grades, read_who
from tamis.reports.sitting import JudgeSeat, ReaderSeat, Seat, open_sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILLED = {"page": "0", "q-p0-1": "rows are kept", "next_action": "test it", "rating": "4"}


@pytest.fixture
def sitting(tmp_path: Path) -> Path:
    return dealt(tmp_path / "exam")


@contextmanager
def served(seat: Seat) -> Iterator[str]:
    with open_sitting(seat, port=0) as viewer:
        thread = Thread(target=viewer.serve)
        thread.start()
        try:
            yield viewer.url
        finally:
            viewer.stop()
            thread.join()


def ask(url: str, fields: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
    data = None if fields is None else urlencode(fields).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_reader_gets_the_texts_one_by_one_and_no_word_of_the_method_or_the_right_answer(
    sitting: Path,
) -> None:
    with served(ReaderSeat(sitting, 0)) as url:
        status, page = ask(url)
        assert (status, "What was done?" in page, "0 of 2 done" in page) == (200, True, True)
        assert "blank rows are kept" not in page
        ask(url, FILLED)
        assert "1 of 2 done" in ask(url)[1]
        ask(url, {**FILLED, "page": "1", "q-p1-1": ""})
        assert "All is done" in ask(url)[1]
    given = read_answers(sitting, 0)
    assert (given["0"].answers, given["0"].rating) == ({"p0-1": "rows are kept"}, 4)
    assert given["1"].answers == {"p1-1": "not in the text"}


def test_what_is_missing_is_said_and_what_was_written_stays_in_the_form(sitting: Path) -> None:
    with served(ReaderSeat(sitting, 0)) as url:
        _, page = ask(url, {"page": "0", "q-p0-1": "<b>half</b> an answer"})
    assert "say from 1 to 5" in page
    assert "&lt;b&gt;half&lt;/b&gt; an answer" in page
    assert read_answers(sitting, 0) == {}


def test_what_was_answered_can_be_looked_at_again_and_changed(sitting: Path) -> None:
    with served(ReaderSeat(sitting, 0)) as url:
        ask(url, FILLED)
        assert "rows are kept" in ask(f"{url}?page=0")[1]
        ask(url, {**FILLED, "rating": "2"})
    assert read_answers(sitting, 0)["0"].rating == 2


def test_a_judge_grades_every_key_point_of_every_answer_and_is_told_how_far_the_other_agrees(
    sitting: Path,
) -> None:
    answered(sitting)
    judged(sitting)
    with served(JudgeSeat(sitting, "grades-anna.json")) as url:
        assert "grade every key point of answer" in ask(url, {"page": "p0-1", "A-0": "1"})[1]
        for page in ("p0-1", "p1-1"):
            who = read_who(sitting)[page]
            right = {f"{a}-{n}": ("1", "0.5")[n] if who[a] == "good" else "0" for a in who for n in (0, 1)}
            ask(url, {"page": page, **right, "A-false": "on"})
        _, end = ask(url)
    assert "Both who graded: 100% of 8 key points alike" in end
    assert read_grades(sitting, "grades-anna.json")["p0-1"]["A"].false


@pytest.mark.parametrize(
    ("headers", "fields"),
    [
        ({"Host": "elsewhere:80"}, None),
        ({"Origin": "http://elsewhere"}, FILLED),
        ({"Host": "elsewhere:80"}, FILLED),
    ],
)
def test_a_strangers_page_is_refused(
    sitting: Path, headers: dict[str, str], fields: dict[str, str] | None
) -> None:
    with served(ReaderSeat(sitting, 0)) as url:
        assert ask(url, fields, **headers)[0] == 403
    assert read_answers(sitting, 0) == {}


def test_a_page_that_does_not_exist_is_not_kept(sitting: Path) -> None:
    with served(ReaderSeat(sitting, 0)) as url:
        assert "there is no page" in ask(url, {**FILLED, "page": "../9"})[1]


def test_a_reader_that_nobody_dealt_to_and_a_file_that_is_not_for_grades_are_refused(sitting: Path) -> None:
    with pytest.raises(InputError, match=r"there is no reader 7; choose one of \[0, 1\]"):
        ReaderSeat(sitting, 7)
    for name in ("key.json", "../grades.json", "grades.txt"):
        with pytest.raises(InputError, match="grades-anna"):
            JudgeSeat(sitting, name)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launched()


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_person_answers_in_a_browser(browser: Browser, sitting: Path, width: int) -> None:
    complaints: list[str] = []
    with served(ReaderSeat(sitting, 1)) as url:
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_label("What was done?").fill("They were kept.")
        page.get_by_label("3", exact=True).check()
        page.get_by_role("button").click()
        page.wait_for_selector("text=1 of 2 done")
        page.close()
    assert read_answers(sitting, 1)["0"].answers == {"p0-1": "They were kept."}
    assert complaints == []
