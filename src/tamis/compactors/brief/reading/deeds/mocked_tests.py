"""Tests that pass as they put a mock in the place of what was asked for: they show nothing of the work."""

import re
from collections.abc import Callable, Collection, Iterable
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


def mocked_by(
    command: str, changed: Iterable[str], text_of: Callable[[str], str], about: Collection[str]
) -> str:
    r"""What the test files that a command names mock of what was asked; empty where there is none.

    `changed` are the files that the agent changed, in order, `about` the words of what was asked.

    >>> text = "@patch('shop.rows.read_rows')\ndef test_rows(read): ..."
    >>> mocked_by("pytest tests/test_rows.py", ["/w/tests/test_rows.py"], lambda path: text, {"read_rows"})
    'read_rows'
    """
    named = {*_WORDS.findall(command)}
    modules = ((path, _MODULE.search(path)) for path in changed)
    tests = (path for path, name in modules if name and name[1] in named and _IS_TEST.search(name[1]))
    mocked = (a or b for path in tests for a, b in _PATCHES.findall(text_of(path)))
    return next((name for name in mocked if name.lower() in about), "")


def with_mocks(run: Statement, mocked: str) -> Statement:
    """A run of tests that passed, with what its tests mock of what was asked."""
    passed = mocked and run.kind == "tested" and " passed" in run.text
    return replace(run, text=f"{run.text} ({MOCKED} `{mocked}`)") if passed else run
