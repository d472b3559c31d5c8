"""What the user pasted, as statements: the lines that tell of trouble, or that the message speaks of."""

import re
from collections.abc import Iterator

from tamis.compactors.brief.reading.pieces import MAX_CODE_CHARS, TextPiece
from tamis.compactors.brief.reading.salience import LINE_CHARS, lines_spoken_of
from tamis.compactors.brief.reading.statement import Statement
from tamis.text.cues.discourse_cues import tells_trouble

TROUBLE_LINES = 3
TROUBLE_CHARS = 300
"""A paste of more lines, or characters, is told by the first few that tell of trouble."""

EXAMPLE_CHARS = 200
_HUNK = re.compile(r"(?m)^@@ -\d{1,7}(?:,\d{1,7})? \+\d")
_IN_DIFF = re.compile(r"(?m)^\+\+\+ (?:b/)?(\S{1,200})")
_PLACED = re.compile(r"\A\s{0,20}[\w./-]{1,200}:\d{1,6}:\d{1,5}: ")
_ASIDE = re.compile(r"\(related information\)|:\d+: note: ")
TRACE = "Traceback (most recent"


def paste_statements(paste: TextPiece, spoken: frozenset[str], turn: int, part: int) -> Iterator[Statement]:
    """Of a long paste, the lines that tell of trouble; of an example, those that the message speaks of."""
    if _HUNK.search(paste.text):  # its lines say nothing without their hunks
        if len(paste.text) > MAX_CODE_CHARS:
            told = f"(a diff of {', '.join(dict.fromkeys(_IN_DIFF.findall(paste.text))) or 'a file'})"
            yield Statement(kind="asked", text=told, turn=turn, place=(part, paste.start), flags=("paste",))
        return
    before, _, trace = paste.text.partition(TRACE)
    every = (before.rpartition("\n")[0] if trace else before).splitlines()
    lines = [line for line in (trace or before).splitlines() if tells_trouble(line) or _PLACED.match(line)]
    lines = [line for line in lines if not _ASIDE.search(line)] or lines
    if trace:
        lines = lines[-1:]  # what it ended with; the way there says nothing
    if lines:
        text = "\n".join(line[:TROUBLE_CHARS] for line in lines[:TROUBLE_LINES])
        place = part, paste.start + paste.text.find(lines[0])
        yield Statement(kind="asked", text=text, turn=turn, place=place, flags=("trouble",))
    others = [line for line in every if line not in lines] if len(lines) < 2 else []  # a log is no example
    kept = lines_spoken_of(others, spoken, EXAMPLE_CHARS)
    skips = [bool(n) and at > kept[n - 1] + 1 for n, at in enumerate(kept)]
    text = "\n".join("… " * skip + others[at][:LINE_CHARS] for at, skip in zip(kept, skips, strict=True))
    if text:
        place = part, paste.start + paste.text.find(others[kept[0]])
        yield Statement(kind="asked", text=text, turn=turn, place=place, flags=("detail",))
