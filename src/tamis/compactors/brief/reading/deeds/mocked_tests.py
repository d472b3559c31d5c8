"""Tests that pass as they put a mock in the place of what was asked for: they show nothing of the work."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from tamis.compactors.brief.reading.statement import Statement

MOCKED = "its tests mock"
"""Opens what is said of such a run."""

_PATCHES = re.compile(
    r"\bpatch(?:\.object)?\(\s{0,80}(?:[\w.]{1,80},\s{0,80})?[\"'](?:[\w.]{1,160}\.)?(\w{2,80})[\"']"
    r"|\bspyOn\([^,()\n]{1,80},\s{0,80}[\"'](\w{2,80})[\"']\)\.mock"
)
_MODULE = re.compile(r"(?:\A|/)([\w-]{1,80}(?:\.(?:test|spec))?)\.(?:py|[jt]sx?)\Z")
_IS_TEST = re.compile(r"(?i)test|\.spec\Z")
_WORDS = re.compile(r"[\w-]{1,80}(?:\.(?:test|spec)\b)?")


def mocked_by(command: str, texts: Iterator[tuple[str, str]], about: Collection[str]) -> str:
    r"""What the test files that a command names mock of what was asked; empty where there is none.

    `texts` are paths with the text that is known of each, `about` the words of what was asked.

    >>> text = "@patch('shop.rows.read_rows')\ndef test_rows(read): ..."
    >>> mocked_by("pytest tests/test_rows.py", iter([("/w/tests/test_rows.py", text)]), {"read_rows"})
    'read_rows'
    """
    named = {*_WORDS.findall(command)}
    names = ((_MODULE.search(path), text) for path, text in texts)
    tests = (text for found, text in names if found and found[1] in named and _IS_TEST.search(found[1]))
    mocked = (a or b for text in tests for a, b in _PATCHES.findall(text))
    return next((name for name in mocked if name.lower() in about), "")


def with_mocks(run: Statement, mocked: str) -> Statement:
    """A run of tests that passed, with what its tests mock of what was asked."""
    passed = mocked and run.kind == "tested" and " passed" in run.text
    return replace(run, text=f"{run.text} ({MOCKED} `{mocked}`)") if passed else run
