"""What runs show of what the agent claims of tests."""

import re
from collections.abc import Sequence

from tamis.compactors.brief.reading.deeds.call_text import JOINT, is_trouble, shortened
from tamis.compactors.brief.reading.deeds.mocked_tests import MOCKED
from tamis.compactors.brief.reading.deeds.own_scripts import HELP_TEXT, NOT_THE_WORK, WELL
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.statement import DEEDS, Statement
from tamis.compactors.brief.reading.statement_reader import BEFORE
from tamis.compactors.brief.writing.frame import one_line

_PASSES = re.compile(
    r"\btests? (?:cases? |suites? )?"
    r"(?:(?:are|is) (?:now |all |still )?(?:passing|green)|(?:have )?(?:all |now )?pass(?:ed)?)\b",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"\b(?:should|will|would|if|whether|until|ensure|verify|make|makes|sure|checks?|confirm|could|must|to|when|once"
    r"|see|let|no|not)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"test|spec|check|verify|tox|nox|jest|make|mvn|gradle|ninja", re.IGNORECASE)
"""A run that may be one of tests: who ran it may speak of tests that pass."""

_ALL = re.compile(r"\b(?:all|every|full)\b", re.IGNORECASE)
_BUT = re.compile(r"fail|except|but\b|other than|pre-?existing|unrelated|error", re.IGNORECASE)
_FIXED = re.compile(
    r"\b(?:fix(?:ed|es)|(?:resolve|solve)[sd]?|address(?:ed|es)) (?:the|this) (?:\w{1,12} )?"
    r"(?:issue|bug|problem)\b"
    r"|\bconfirms? that\b.{1,80}\b(?:now|correctly)\b|\b(?:is|are) now (?:being \w{3,20}|correct)\b",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\bworks? (?:(?:just )?as (?:expected|intended)|correctly|properly|perfectly)\b"
    r"|\bcorrectly handle[sd]?\b"
    r"|\bhandle[sd]?\b.{1,40}\b(?:correctly|properly|edge cases)\b|\bhandled (?:correctly|properly)\b"
    r"|\b(?:is|are) (?:now )?(?:fully |available and )?functional\b"
    r"|\b(?:I|we)(?:['’]ve| have)? (?:\w{4,12}ly )?(?:confirmed|tested|verified)\b"
    r"(?! (?:the|this|that) (?:\w{3,12} )?(?:bug|error|issue|problem))",
    re.IGNORECASE,
)
_CLAIMS = (_FIXED, _PASSES, _WORKS)
_WANTED = re.compile(
    r"(?i)(?:\w{2,12}[!.,] )?(?:this|that|it|the \w{3,12}) (?:(?:is|was) (?:exactly )?(?:as )?expected"
    r"|correctly (?:catch|detect|error|fail|find|identifie|raise|refuse|reject|report)(?:e?s|ed)?)\b"
)
"""Says that a failure was to come."""

_NOW_WORKS = re.compile(r"(?i)\b(?:now working|as expected)\b")
VERDICT_CHARS = 160
_OPENS = frozenset({"announces", "opens", "question"})
_MOCKS = re.compile(rf"{MOCKED} `\w{{1,80}}`")
_RUNS = frozenset({"failed", "ran", "tested"})
_BESIDE = re.compile(
    r"(?:\A|/)(?:tests?|testing|docs?|CHANGES|CHANGELOG)(?:/|\Z)|(?:\A|/)test_[^/]{1,80}\Z|\.(?:md|rst|txt)\Z"
)
"""A file of tests or documents: what is in it mends nothing."""

DOCUMENT = re.compile(r"(?i)\.(?:mdx?|rst|adoc)\Z|(?:^|/)(?:changelog|license|notice)[^/]*\Z")
"""A file whose text no run of the program reads, unless it names it."""

_PART = re.compile(
    r"(?<!\S)(?:-(?:run|k|t)|--(?:grep|filter|testNamePattern))[ =]"
    r"(?:'[^'\n]{1,60}'?|\"[^\"\n]{1,60}\"?|\S{1,60})|::[\w:]{1,60}"
)
"""Picks some of the tests."""

_SPARES = re.compile(
    r"(?<!\S)--(?:dry-run|skip-[\w-]{2,30}|no-[\w-]{0,20}(?:build|deploy|push|sync|test|upload)[\w-]{0,9})"
)
"""Leaves out part of what a run would do."""

_CODE = re.compile(r"`[^`\n]{1,200}`")
_CALL = re.compile(r"`([\w./-]{2,60} [^`\n]{2,60})`")
_COUNT = re.compile(r"\b(\d{1,7}) (?:passed|failed|errors)\b")
_RED = re.compile(r"`: (?:\d{1,7} passed, )?[1-9]\d{0,6} (?:failed|errors)\b")


def unproved(statements: Sequence[Statement]) -> dict[int, str]:
    """What there is to add to what the agent says of passing tests, by the statement's identity.

    It has changed something and run no test since, or says of all tests that they pass where the newest run
    of tests had failures, or was of its own script or some tests, or of far fewer than before; or that it
    mended what it wrote only tests or notes of. A script that failed shows none of it.
    """
    notes: dict[int, str] = {}
    hoped = wanted(statements)
    untested = False
    red = -1
    own = part = few = vain = why = ""
    spared = "", ""  # the newest run that left something out, and how
    most: dict[str, tuple[int, int]] = {}  # of each command the run of the most tests, with its turn
    written: set[str] = set()
    beside: set[bool] = set()
    for s in statements:
        if s.kind in ("tested", "ran"):
            left = " ".join(_SPARES.findall(s.key))
            spared = (s.key, f" (run with {left})") if left else ("", "")
        if s.kind == "changed" and "source" in s.flags:
            untested = untested or not DOCUMENT.search(s.key)
            beside.add(_BESIDE.search(s.key) is not None)
        elif s.kind == "changed" and s.text.startswith("wrote "):
            written.add(s.key.rpartition("/")[2])
        elif s.kind in _RUNS and "reads" not in s.flags and _TESTS.search(s.key):
            untested = False
            own = next((name for name in [*file_names(s.key)][::-1] if name in written), "")
            how = "failed" if s.kind == "failed" and (s.turn, s.place) not in hoped else ""
            vain = next((sign for sign in (HELP_TEXT, NOT_THE_WORK) if sign in s.text), how)
            why = f"its own {own}, #{s.turn}: {vain}" if vain else f"the newest run was of its own {own}"
            if mocks := _MOCKS.search(s.text):
                own = vain = why = mocks[0]
            part = found[0] if (found := _PART.search(s.key)) else ""
            many = sum(map(int, _COUNT.findall(s.text.partition(BEFORE)[0])))
            held, at = most.get(s.key, (0, 0))
            few = f" (claimed; {many} tests were run, {held} at #{at})" if 0 < 2 * many < held else ""
            most[s.key] = max((many, s.turn), (held, at))
            red = s.turn if s.kind == "tested" and _RED.search(s.text.partition(BEFORE)[0]) else -1
        elif s.kind in ("said", "found") and any(name in spared[0] for name in _CALL.findall(s.text)):
            notes[id(s)] = spared[1]
        elif few and s.kind in ("said", "found") and (_FIXED.search(s.text) or _PASSES.search(s.text)):
            notes[id(s)] = few
        elif beside == {True} and s.kind in ("said", "found") and _FIXED.search(s.text):
            notes[id(s)] = " (claimed; only tests and documents were changed)"
        elif (untested or red >= 0 or own or part) and s.kind in ("said", "found"):
            claim = _PASSES.search(s.text)
            before = s.text[: claim.start()] if claim else ""
            works = _WORKS.search(s.text) if own and not untested else None
            if works and not _WISHES.search(_CODE.sub("", s.text[: works.start()])):
                line = s.text[works.start() :].partition("\n")[0]
                if vain or (own not in s.text and line[-1:] != ":"):
                    notes[id(s)] = f" (claimed; {why})"
            if not claim or _WISHES.search(before):
                continue
            if untested:
                notes[id(s)] = " (claimed; no test run seen)"
            elif _ALL.search(s.text) and not _BUT.search(s.text):
                kinds = before.lower().rpartition("all ")[2].split()
                named = any(kind == "new" or kind in part.lower() for kind in kinds)
                some = f" (only `{part}` was run)" if part and not named else ""
                some = f" (claimed; {why})" if own else some
                notes[id(s)] = f" (claimed; the run at #{red} had failures)" if red >= 0 else some
    return notes


def wanted(statements: Sequence[Statement]) -> dict[tuple[int, tuple[int, int]], Statement]:
    """What the agent says of a run whose trouble was to come, by the turn and the place of the run."""
    found: dict[tuple[int, tuple[int, int]], Statement] = {}
    run: Statement | None = None
    for s in statements:
        if s.kind in DEEDS:
            amiss = s.kind == "failed" or any(map(is_trouble, JOINT.split(s.text)))
            run = s if amiss and s.kind in _RUNS and "refused" not in s.flags else None
        elif run and s.kind in ("said", "found") and 0 < s.turn - run.turn < 3 and _WANTED.match(s.text):
            found |= {(run.turn, run.place): s} if "\n" not in s.text else {}
            run = None
    return found


def verdict_on(statements: Sequence[Statement], run: Statement) -> str:
    """What the agent says of a run as soon as it has it, in one sentence; empty where it does not."""
    after = [s for s in statements if run.turn < s.turn < run.turn + 3]
    deed = min((s.turn for s in after if s.kind in DEEDS), default=run.turn + 3)
    said = (
        s.text for s in after if s.kind in ("said", "found") and s.turn <= deed and not _OPENS & {*s.flags}
    )
    found = next((text for text in said if WELL.search(text) or _NOW_WORKS.search(text)), "")
    return shortened(one_line(found), VERDICT_CHARS)


def noted(text: str, note: str) -> str:
    r"""A text with a note on what it claims behind the line that claims it.

    >>> noted("1. It fixed the bug.\n2. It added a page.", " (claimed)")
    '1. It fixed the bug. (claimed)\n2. It added a page.'
    """
    lines = text.split("\n")
    claims = (n for n, line in enumerate(lines) if any(claim.search(line) for claim in _CLAIMS))
    lines[next(claims, -1)] += note
    return "\n".join(lines)
