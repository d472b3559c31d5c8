"""Wording what a run came to: in few characters, and what it printed before."""

import re
from collections.abc import Sequence
from itertools import takewhile

from tamis.compactors.brief.reading.deeds.call_text import (
    BREAK,
    COLUMNS,
    GAP,
    HOLLOW,
    JOINT,
    LETTERS,
    TABLE_LINES,
    VERDICT,
    is_fault,
    is_trouble,
    shortened,
    unended,
)
from tamis.compactors.brief.reading.deeds.own_scripts import NOT_THE_WORK
from tamis.compactors.brief.reading.statement import Statement

BEFORE_CHARS, PLACE_CHARS, SPARED_CHARS, LEAST_VAIN = 90, 20, 8, 3
"""A command is not cut for `SPARED_CHARS`."""

ENDS_WELL = re.compile(
    r"(?i)\b(?:complete[d]?|finished|ended|done) (?:successfully|without errors?)\W{0,9}\Z"
)
"""A program that says so at its end has gone on behind the errors that it printed."""

_TALLY = re.compile(r"[*-] [\w./-]{1,40}: \d{1,6}")
"""How often a rule was broken, under the lines that say where."""
_TIMED = re.compile(r"\d ?(?:ms|s|sec|seconds)\b")
_COUNTED = re.compile(r"\d{1,7} (?:passed|failed|errors)(?:, \d{1,7} (?:passed|failed|errors|skipped)){0,3}")
_SETTINGS = re.compile(r"\A(?:[A-Z_]{1,40}=\S{1,200} ){1,8}(?=\S)|(?<=\bgit )-C \S{1,200} (?=\S)")
_SET = re.compile(r"`(?:[A-Z_]{1,40}=\S{1,200} ){1,8}")
_PLACE = re.compile(r"(?<= )~?/(?!dev/)[\w./@+-]{2,80}(?![^ ;`])")
"""A path that leads from elsewhere than where the work is."""
_TOTALS = re.compile(r"(?:\b[a-z]\w{0,19}[=:] ?\d{1,9}\b[,; ]{0,2}){2,9}")
"""What a last line that is too long comes to."""

_RED = re.compile(r"`: (?:\d+ passed, )?[1-9]\d* (?:failed|errors)\b")
_WHY = re.compile(r"` → |` failed: |`: \d[^(]{0,60}\((?:[^()]|\([^()]*\)){1,200}?: ")
"""What stands before the error of a run."""

_GAVE = re.compile(r" → | failed: |(?<=`): ")


def short_run(text: str, most: int) -> str:
    """A run in so many characters: of what it printed the end, or the first line that tells of trouble.

    >>> short_run("ran `make all` → one ⏎ two ⏎ three", 26)
    'ran `make all` → … ⏎ three'
    """
    if text.endswith(note := f" ({NOT_THE_WORK})"):
        return short_run(text.removesuffix(note), most - len(note)) + note
    gave = _GAVE.search(text)
    if len(text) <= most or not gave:
        return shortened(text, most)
    head, printed = text[: gave.start()], text[gave.end() :]
    if len(head) > max(most // 2, 40) + SPARED_CHARS:
        place = _PLACE.search(head)
        head = shortened(_SET.sub("`… ", head), max(most // 2, 40))  # the program before what was set for it
        if (
            place and place[0][:PLACE_CHARS] not in head
        ):  # without it, the call would be told of another folder
            head += f" {place[0]}…"
        head += "`" * (head.count("`") % 2)
    room = most - len(head)
    ended = last if ENDS_WELL.search(last := JOINT.split(printed)[-1]) else ""
    while (joint := [*JOINT.finditer(printed)][-1:]) and HOLLOW.fullmatch(printed, joint[0].end()):
        if printed[joint[0].end()].isdigit():
            break  # of a table, rows are what there is to tell
        printed = unended(printed[: joint[0].start()])
    lines = JOINT.split(printed)
    is_long = len(lines) > 1 and len(lines[-1]) > 2 * room and not _TOTALS.search(lines[-1])
    if is_long and not is_trouble(lines[-1]):  # hardly its beginning would be told
        printed = unended(printed[: -len(lines[-1])].rstrip(BREAK + GAP))
        lines = JOINT.split(printed)
    if len(lines) > 1 and is_trouble(lines[0]):
        printed = lines[0]
    ends = [  # a value is told with what it is of
        f"…{BREAK}{printed[joint.end() :]}"
        for joint, line in zip(JOINT.finditer(printed), lines[1:], strict=False)
        if printed[joint.start() - 1] != ":" and not HOLLOW.fullmatch(line)
    ]
    fitting = next((end for end in ends if len(end) <= room), [printed, *ends][-1])
    told = printed if len(printed) <= room else fitting
    if len(told) > room and (totals := _TOTALS.search(lines[-1])):
        told = f"… {totals[0].rstrip(',; ')}"
    is_table = len(COLUMNS.findall(printed)) >= TABLE_LINES
    if len(told) > max(room, 60) and is_table and not any(map(is_trouble, lines)):
        told = "no error printed"  # some rows of a table say nothing of it
    fault = next(
        (line for line in lines if is_fault(line) or (VERDICT.search(line) and line[-1:] != ":")), ""
    )
    if fault not in told:
        told = shortened(fault, max(room, 44))
        return f"{head}{gave[0]}{GAP.join((told, ended)) if ended else told}"  # which decides is not known
    return f"{head}{gave[0]}{shortened(told, max(room, 60))}"


def without_settings(command: str, most: int) -> str:
    """A command that is too long, without the variables and the folder set for it: what it does says more.

    >>> without_settings("MODE=fast make rows", 12), without_settings("git -C /work/shop pull", 12)
    ('… make rows', 'git … pull')
    """
    return command if len(command) <= most else _SETTINGS.sub("… ", command)


def in_words(told: str, judged: str | None) -> str:
    """A shortened run; where what is left of its output says nothing, by the agent's own words of it.

    `judged` are those words, empty where it said none; None where the output tells enough in any case.

    >>> in_words("ran `a.py` → … ⏎ [ 8  0]]", "All rows work."), in_words("ran `a.py` → rows: 3", "Fine.")
    ('ran `a.py` = All rows work.', 'ran `a.py` → rows: 3')
    """
    head, arrow, printed = told.partition(" → ")
    lines = [line.strip(" …") for line in JOINT.split(printed)]
    says = any(LETTERS.search(line) and line[-1:] != ":" for line in lines)
    if judged is None or not arrow or says or "…" not in printed:
        return told
    return f"{head} = {judged}" if judged else f"{head} → no error was seen"


def overcome(before: str, came: str, *, failed: bool) -> str:
    """What a run printed, in its last line that shows what became of it; `came` is what it prints now.

    >>> overcome("rows: 0 ⏎ Done.", "rows: 3", failed=False)
    'rows: 0'
    """
    words = {*LETTERS.findall(came)}
    lines = (line for line in JOINT.split(before) if line not in came and not _TIMED.search(line))
    lines = (line for line in lines if not _TALLY.fullmatch(line))
    # A line that would be cut is none, but for trouble: its value stands at its end.
    lines = (line for line in lines if len(line) <= BEFORE_CHARS or is_trouble(line))
    told = [x for x in lines if failed or is_trouble(x) or not words.isdisjoint(LETTERS.findall(x))]
    return told[-1] if told else ""


def failed_before(statements: Sequence[Statement], run: Statement, opening: str) -> str:
    """The note that runs of a script failed until it was changed: how many in a row, and the last error."""
    runs = {s.turn: s for s in statements if s.key == run.key and s.kind in ("failed", "tested")}
    vain = [*takewhile(_fails, reversed(runs.values()))]
    if len(vain) < LEAST_VAIN or _fails(run):  # of a slip nothing need be known
        return ""
    why = _WHY.split(vain[0].text.partition(opening)[0], maxsplit=1)[-1].removesuffix(")")
    told = shortened(why, BEFORE_CHARS)
    return f"{opening}{vain[0].turn} and {len(vain) - 1} times before it failed, last with: {told})"


def _fails(s: Statement) -> bool:
    return s.kind == "failed" or _RED.search(s.text) is not None


def counts_of(came: str) -> tuple[int, str]:
    """How many tests a run came to, and the words for it; with nothing but errors, no test has run.

    >>> counts_of("30 passed, 2 failed (test_a, test_b)"), counts_of("0 passed, 6 errors")
    ((32, '30 passed, 2 failed'), (0, '0 passed, 6 errors'))
    """
    found = _COUNTED.match(came)
    counts = (
        {kind: int(many) for many, kind in re.findall(r"\b(\d{1,7}) ([a-z]{1,12})", found[0])}
        if found
        else {}
    )
    ran = sum(counts.values()) if {kind for kind, many in counts.items() if many} - {"errors"} else 0
    return ran, found[0] if found else ""
