"""What the user pasted, as statements: the lines that tell of trouble, or that the message speaks of."""

import re
from collections.abc import Iterator, Sequence

from tamis.compactors.brief.reading.call_text import shortened
from tamis.compactors.brief.reading.pieces import MAX_CODE_CHARS, TextPiece
from tamis.compactors.brief.reading.salience import LINE_CHARS, lines_spoken_of
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.speech.prose import looks_pasted
from tamis.text.cues.discourse_cues import tells_trouble

TROUBLE_LINES = 3
TROUBLE_CHARS = 300
"""A paste of more lines, or characters, is told by the first few that tell of trouble."""

EXAMPLE_CHARS = 200
_HUNK = re.compile(r"(?m)^@@ -\d{1,7}(?:,\d{1,7})? \+\d")
_IN_DIFF = re.compile(r"(?m)^\+\+\+ (?:b/)?(\S{1,200})")
_PLACED = re.compile(r"\A\s{0,20}[\w./-]{1,200}:\d{1,6}:\d{1,5}: ")
_WORD = re.compile(r"\w")
_ASIDE = re.compile(r"\(related information\)|:\d+: note: ")
TRACE = "Traceback (most recent"
LEAST_PRINTED = 3
_PROMPT = re.compile(
    r"(?:[\w.-]{1,40}@[\w.-]{1,80}[: ]\S{0,200} ?[$#%]|\[[\d/:. -]{6,30}[~/][^\]\n]{0,200}\]"
    r"|[➜❯] {1,3}\S{1,60}|(?:PS )?[A-Z]:\\[^>\n]{0,200}>|\$) ?\S"
)
"""Begins a line that was typed into a terminal."""


def without_printed(text: str) -> str:
    r"""A message without what a terminal printed below the commands in it, but for what tells of trouble.

    >>> without_printed("It works\n$ make\n* one\n* two\n\n* three\n\nGo on.")
    'It works\n$ make …\n\nGo on.'
    """
    told: list[str] = []
    is_printed, left_out, gap = False, 0, False
    for line in text.splitlines():
        is_typed = _PROMPT.match(line.lstrip()) is not None
        is_printed = is_typed or (is_printed and not (gap and line[:1].isalpha() and not looks_pasted(line)))
        if is_typed or not is_printed or tells_trouble(line):
            told += [""] * (gap and left_out > 0) + [line]
        else:
            left_out += bool(line)
            told[-1] += " …" * (bool(line) and not told[-1].endswith(" …"))
        gap = not line.strip()
    before = text[: text.find(next(filter(_PROMPT.match, map(str.lstrip, text.splitlines())), ""))].rstrip()
    is_shown = not before or before.endswith(":")  # then it is what the message is about
    return text if is_shown or left_out < LEAST_PRINTED else "\n".join(told)


def paste_statements(paste: TextPiece, spoken: frozenset[str], turn: int, part: int) -> Iterator[Statement]:
    """Of a long paste, the lines that tell of trouble; of an example, those that the message speaks of."""
    if _HUNK.search(paste.text):  # its lines say nothing without their hunks
        if len(paste.text) > MAX_CODE_CHARS:
            told = f"(a diff of {', '.join(dict.fromkeys(_IN_DIFF.findall(paste.text))) or 'a file'})"
            yield Statement(kind="asked", text=told, turn=turn, place=(part, paste.start), flags=("paste",))
        return
    lines = paste.text.splitlines()
    head = next((at for at, line in enumerate(lines) if TRACE in line), len(lines))
    is_trace = head < len(lines)
    trouble = [at for at in range(head % len(lines), len(lines)) if _tells_trouble(lines[at])]
    trouble = [at for at in trouble if not _ASIDE.search(lines[at])] or trouble
    if is_trace:
        trouble = trouble[-1:]  # what it ended with; the way there says nothing
    others = (
        [at for at in range(head) if at not in trouble] if len(trouble) < 2 else []
    )  # a log is no example
    shared = lines_spoken_of([lines[at] for at in others], spoken, EXAMPLE_CHARS)
    kept = sorted({*trouble[:TROUBLE_LINES], *(others[n] for n in shared)})
    if kept:
        flag = "trouble" if trouble else "detail"
        text = cut_lines(lines, kept, TROUBLE_CHARS if trouble else LINE_CHARS)
        yield Statement(
            kind="asked", text=text, turn=turn, place=(part, paste.start), flags=(flag, "excerpt")
        )


def _tells_trouble(line: str) -> bool:
    return tells_trouble(line) or _PLACED.match(line) is not None


def cut_lines(lines: Sequence[str], kept: Sequence[int], most: int) -> str:
    r"""The lines at these positions, in their order, with a mark wherever one with a word was left out.

    >>> cut_lines(["a = 1", "if a:", "  f()", ""], [0, 2], 80)
    'a = 1\n…   f()'
    """
    told = []
    for before, at in zip([-1, *kept], kept, strict=False):
        skips = any(map(_WORD.search, lines[before + 1 : at]))
        told.append("… " * skips + shortened(lines[at], most))
    ends = any(map(_WORD.search, lines[kept[-1] + 1 :]))
    return "\n".join(told) + " …" * (ends and not told[-1].endswith("…"))
