"""The reference pages say what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]


def test_no_generated_page_is_stale() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_links_between_files_lead_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+\.md)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).is_file()
    ]
    assert broken == []


def test_every_page_stands_in_what_is_written_for_language_models() -> None:
    pages = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    listed = set(re.findall(r"\]\((\S+)\)", (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")))
    assert listed == pages - {"index.md"}
