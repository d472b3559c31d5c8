"""Test runs: the totals that a runner printed, and the names of the tests that failed.

Most runners are a row of a table: how the line with the totals looks, and how a failing test is named. The
counts are read by the words beside the numbers, which all runners share. Go and JUnit's XML have no such line
and are read by functions of their own.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tamis.ledger.events import TestRun
from tamis.ledger.outputs.error_messages import without_colours

MAX_FAILING = 100
"""How many failing tests are named."""

_COUNTED = frozenset({"go test", "cargo test", "dotnet test"})
"""Runners whose totals are added up from many lines."""


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A test run and the range of its last total in the text."""

    run: TestRun
    start: int
    end: int


_CLIPS = re.compile(
    r"\|\s{0,9}(?:(?P<how>head|tail)(?:\s{1,9}-(?:n\s{0,3})?(?P<lines>\d{1,6}))?|[ef]?grep|rg|sed|awk)\b"
)


def is_clipped(command: str, output: str) -> bool:
    r"""Whether a command line lets through only a part of what a run prints.

    >>> is_clipped("go test -v | tail -2", "a\nb"), is_clipped("go test -v | tail -9", "a\nb")
    (True, False)
    """
    found = _CLIPS.search(command)
    if found is None or not found["how"]:
        return found is not None
    return output.count("\n") + 3 >= int(found["lines"] or 10)


def find_test_runs(text: str, command: str | None = None, *, clipped: bool = False) -> list[FoundRun]:
    r"""The test runs that an output shows, at most one per runner.

    What passed is not counted line by line in an output that was `clipped`: some of it is not there.

    >>> [found] = find_test_runs("FAILED t.py::test_a - assert 0\n=== 1 failed, 2 passed in 0.03s ===")
    >>> found.run.failed, found.run.passed, found.run.failing
    (1, 2, ('t.py::test_a',))
    """
    found = (read(text, command) for read in (*(r.read for r in RUNNERS), _read_go, _read_junit))
    runs = [run for run in found if run]
    if clipped:
        runs = [replace(r, run=replace(r.run, passed=None)) if r.run.runner in _COUNTED else r for r in runs]
    return runs


@dataclass(frozen=True, slots=True)
class Runner:
    """How a test runner's output looks.

    One of `cues` stands in the text. `summary` finds the totals: the last ones count, or all of them together
    where it `adds_up`. `failing` finds the failing tests, the name being its one group that took part.
    """

    name: str
    cues: tuple[str, ...]
    summary: re.Pattern[str]
    failing: re.Pattern[str]
    adds_up: bool = False

    def read(self, text: str, command: str | None) -> FoundRun | None:
        """The run, if the text shows one of this runner's."""
        if not any(cue in text for cue in self.cues):
            return None
        plain = without_colours(text)
        totals = list(self.summary.finditer(plain))
        if not totals:
            return None
        counts = _counts(total[0] for total in (totals if self.adds_up else totals[-1:]))
        if not counts:
            return None
        red = counts.get("failed") or counts.get("errors")
        names = (match[match.lastindex or 0] for match in self.failing.finditer(plain)) if red else ()
        run = _run(self.name, command, counts, names)
        return FoundRun(run, *_range(text, plain, totals[-1].start(), totals[-1].end()))


_COUNT = re.compile(
    r"\b(?P<n>\d{1,9}) +(?P<word>[a-z]+)"
    r"|(?:(?<![A-Za-z])(?P<key>(?:(?:un)?expected )?[A-Za-z]+)[=:] *|[#ℹ] (?P<tap>\w+) )"
    r"(?P<value>\d{1,9})(?!\d| [a-z])"
)

_MEANING = {
    "passed": "passed", "passing": "passed", "pass": "passed", "xpassed": "passed",
    "failed": "failed", "failing": "failed", "failure": "failed", "failures": "failed", "fail": "failed",
    "unexpected successes": "failed",
    "error": "errors", "errors": "errors",
    "skipped": "skipped", "skip": "skipped", "pending": "skipped", "ignored": "skipped", "todo": "skipped",
    "xfailed": "skipped", "deselected": "deselected", "expected failures": "skipped", "incomplete": "skipped",
    "tests": "total", "test": "total", "examples": "total", "example": "total", "total": "total",
    "run": "total",
}  # fmt: skip
"""What the words beside the numbers mean."""


def _counts(totals: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for total in totals:
        for match in _COUNT.finditer(total):
            word = (match["word"] or match["key"] or match["tap"]).lower()
            if meaning := _MEANING.get(word):
                counts[meaning] = counts.get(meaning, 0) + int(match["n"] or match["value"])
    if "passed" not in counts and "total" in counts:
        counts["passed"] = max(0, 2 * counts["total"] - sum(counts.values()))
    if counts.keys() == {"deselected"}:  # tests that were not asked for are told only where nothing ran
        counts["passed"] = 0
    return counts


def _run(runner: str, command: str | None, counts: dict[str, int], failing: Iterable[str]) -> TestRun:
    return TestRun(
        runner=runner,
        command=command,
        passed=counts.get("passed"),
        failed=counts.get("failed"),
        errors=counts.get("errors"),
        skipped=counts.get("skipped"),
        failing=tuple(dict.fromkeys(" ".join(name.split()) for name in failing))[:MAX_FAILING],
    )


def _range(text: str, plain: str, start: int, end: int) -> tuple[int, int]:
    """The range in the text as it came: the same where there are no colours, else the lines around it."""
    if text is plain or text == plain:
        return start, end
    before = plain.count("\n", 0, start)
    lines = text.splitlines(keepends=True)
    first = sum(map(len, lines[:before]))
    span = lines[before : before + plain.count("\n", start, end) + 1]
    return first, first + len("".join(span).rstrip("\n"))


def _multiline(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


RUNNERS = (
    Runner(
        "pytest",
        (" in ",),
        _multiline(
            r"^=*\s?(?!\d+ warnings? in)(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|rerun"
            r"|errors?|warnings?|subtests passed)(?:, )?)+ in [\d.]+s\b.*$"
        ),
        _multiline(
            r"^(?:FAILED|ERROR) (?=\S*::|\S+\.py)([^\s\[]*+(?:\[.*?\]|\S*+))(?: - .*)?$"
            r"|^(?=\S+::\S)(\S.*?) (?:FAILED|ERROR)\b"
        ),
    ),
    Runner(
        "unittest",
        ("\nRan ", "Ran "),
        _multiline(r"^Ran \d+ tests? in [\d.]+s(?:\s+(?:OK|FAILED)(?: \([^)\n]*\))?)?"),
        _multiline(r"^(?:FAIL|ERROR): (\S+(?: \([\w.]+\))?)"),
    ),
    Runner(
        "jest",
        ("Tests: ",),
        _multiline(r"^Tests: +(?:\d+ [a-z]+, )*\d+ total"),
        _multiline(r"^[ \t]+● (.+ › .+)$"),
    ),
    Runner(
        "vitest",
        ("Tests  ",),
        _multiline(r"^[ \t]*Tests  +(?:\d+ [a-z ]+(?: \| )?)+\(\d+\)"),
        _multiline(r"^[ \t]*(?:FAIL|×)[ \t]+(?:\|[^|\n]+\| )?(\S+\.\w+ > .+?)(?: \d+ms)?$"),
    ),
    Runner(
        "mocha",
        (" passing",),
        _multiline(r"^[ \t]+\d+ passing(?: \([^)\n]*\))?(?:\n\s+\d+ (?:failing|pending))*"),
        _multiline(r"^[ \t]+\d+\) (\S.*(?:\n[ \t]{5,}\S.*){0,6}?):$"),
    ),
    Runner(
        "node",
        ("# tests ", "ℹ tests "),
        _multiline(r"^[#ℹ] tests \d+(?:\n[#ℹ] \w+ \d+)+"),
        _multiline(r"^[ \t]*(?:not ok \d+ - (.+)|✖ (.+?) \([\d.]+m?s\))$"),
    ),
    Runner(
        "bun",
        (" tests across ",),
        _multiline(r"(?:^[ \t]+\d+ (?:pass|fail|skip|todo)\n){1,4}(?:^.*\n)??Ran \d+ tests? across .*"),
        _multiline(r"^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$"),
    ),
    Runner(
        "cargo test",
        ("test result: ",),
        _multiline(r"^test result: (?:ok|FAILED)\. .*"),
        _multiline(r"^test (\S.*?) \.\.\. FAILED"),
        adds_up=True,
    ),
    Runner(
        "cargo nextest",
        ("Summary [",),
        _multiline(r"^[ \t]*Summary \[[^\]\n]*\] .*tests? run: .*"),
        _multiline(r"^[ \t]+(?:FAIL|TIMEOUT|SIGABRT) \[[^\]\n]*\] +(?:\([^)\n]*\) +)?(\S+ \S+)"),
    ),
    Runner(
        "gotestsum",
        ("DONE ",),
        _multiline(r"^DONE \d+ (?:runs?, )?(?:\d+ )?tests?.* in [\d.]+s"),
        _multiline(r"^=== FAIL: (\S+ \S+)"),
    ),
    Runner(
        "rspec",
        (" examples, ", " example, "),
        _multiline(r"^\d+ examples?, \d+ failures?.*"),
        _multiline(r"^rspec (\S+)"),
    ),
    Runner(
        "phpunit",
        ("Assertions: ", " assertions)", " assertion)"),
        _multiline(r"^(?:OK \(\d+ tests?, .*\)|Tests: \d+, Assertions: .*)"),
        _multiline(r"^\d+\) (\S+::\S+)"),
    ),
    Runner(
        "surefire",
        ("Tests run: ",),
        _multiline(r"Tests run: \d+, +Failures: \d+(?:, +Errors: \d+)?(?:, +Skipped: \d+)?"),
        _multiline(r"^\[ERROR\] +(?:Tests? )?([\w.$]+[.#]\w+)(?::\d+|[ \t].*<<<)"),
    ),
    Runner(
        "gradle",
        (" tests completed", " test completed"),
        _multiline(r"^\d+ tests? completed.*"),
        _multiline(r"^(\S+ > .+) FAILED$"),
    ),
    Runner(
        "dotnet test",
        ("ed!  - Failed:",),
        _multiline(r"^(?:Passed|Failed)!  - Failed: .*"),
        _multiline(r"^[ \t]+Failed (\S+) \["),
        adds_up=True,
    ),
)

_GO_TEST = _multiline(r"^[ \t]*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)")
_GO_PACKAGE = _multiline(r"^(ok|FAIL)\s*\t(\S+)(?:\s+\[(build|setup) failed\]|\s+(?:\d[\d.]*s|\(cached\)))")
_GO_WORDS = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}


def _read_go(text: str, command: str | None) -> FoundRun | None:
    """`go test`, as text or as JSON lines. Without `-v` it does not say how many tests passed."""
    if '"Action":"' in text:
        return _read_go_json(text, command)
    if not any(cue in text for cue in ("--- ", "ok  \t", "FAIL\t")):
        return None
    plain = without_colours(text)
    tests, packages = list(_GO_TEST.finditer(plain)), list(_GO_PACKAGE.finditer(plain))
    if not tests and not packages:
        return None
    counts: dict[str, int] = {}
    for test in tests:
        counts[_GO_WORDS[test[1]]] = counts.get(_GO_WORDS[test[1]], 0) + 1
    broken = [p[2] for p in packages if p[3]]
    if broken:
        counts["errors"] = len(broken)
    failing = [test[2] for test in tests if test[1] == "FAIL"]
    failing += broken if failing else [p[2] for p in packages if p[1] == "FAIL"]
    last = max((*tests, *packages), key=lambda match: match.start())
    run = _run("go test", command, counts, failing)
    return FoundRun(run, *_range(text, plain, last.start(), last.end()))


def _read_go_json(text: str, command: str | None) -> FoundRun | None:
    counts: dict[str, int] = {}
    failing, at, end = [], 0, 0
    for line in text.splitlines(keepends=True):
        if line.startswith("{") and '"Action":"' in line and '"Test":"' in line:
            try:
                event = json.loads(line)
            except ValueError:  # another program's braces, or a line cut short
                event = {}
            if meaning := _GO_WORDS.get(str(event.get("Action", "")).upper()):
                counts[meaning] = counts.get(meaning, 0) + 1
                failing += [str(event.get("Test"))] if meaning == "failed" else []
                end = at + len(line.rstrip())
        at += len(line)
    start = text.rfind("\n", 0, end) + 1
    return FoundRun(_run("go test", command, counts, failing), start, end) if counts else None


_SUITE = re.compile(r"<testsuites?\b[^<>]*\btests=\"\d{1,9}\"[^<>]*>")
_ATTRIBUTE = re.compile(r"\b(tests|failures|errors|skipped)=\"(\d{1,9})\"")
_CASE = re.compile(r"<testcase\b([^<>]*[^/<>])>\s*<(?:failure|error)\b")
_CASE_NAME = re.compile(r"\b(classname|name)=\"([^\"]*)\"")


def _read_junit(text: str, command: str | None) -> FoundRun | None:
    """JUnit's XML, which many runners write."""
    suites = list(_SUITE.finditer(text)) if "<testsuite" in text else []
    if not suites:
        return None
    whole = [s for s in suites if s[0].startswith("<testsuites")][:1] or suites
    counts = _counts("; ".join(f"{key}={n}" for key, n in _ATTRIBUTE.findall(suite[0])) for suite in whole)
    cases = (dict(_CASE_NAME.findall(case[1])) for case in _CASE.finditer(text))
    failing = (".".join(filter(None, (case.get("classname"), case.get("name")))) for case in cases)
    return FoundRun(_run("junit", command, counts, failing), suites[-1].start(), suites[-1].end())
