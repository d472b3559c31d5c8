"""A real Chromium for the tests of pages; they are skipped where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESKTOP, PHONE = 1280, 390
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MOST_LOOKS = 1_800
"""Frames of a page that something is waited for."""


def launched() -> Iterator[Browser]:
    """The browser, closed in the end."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("TAMIS_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with api.sync_playwright() as playwright:
        if path is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("there is no Chromium; install one, or name it in TAMIS_CHROMIUM")
        # A container's root has no sandbox to offer; the page is our own.
        options = ["--no-sandbox", "--disable-gpu"]
        try:
            made = playwright.chromium.launch(executable_path=path, args=options)
        except api.Error as error:
            pytest.skip(f"Chromium does not start here: {str(error).splitlines()[0]}")
        yield made
        made.close()


def wait_until(page: Page, condition: str, arg: Any = None) -> None:
    """Wait until a JavaScript function of `arg` holds.

    `Page.wait_for_function` compiles its text anew for each look, which the pages' own policy forbids.
    """
    page.evaluate(
        f"""arg => new Promise((done, fail) => {{
            const holds = {condition};
            let looks = 0;
            const look = () => holds(arg) ? done()
                : ++looks > {MOST_LOOKS} ? fail(new Error("never: " + holds))
                : requestAnimationFrame(look);
            look();
        }})""",
        arg,
    )
