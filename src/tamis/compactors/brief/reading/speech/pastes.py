"""What the user pasted, as statements: the lines that tell of trouble, or that the message speaks of."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tamis.compactors.brief.reading.deeds.call_text import shortened
from tamis.compactors.brief.reading.deeds.salience import LINE_CHARS, lines_spoken_of
from tamis.compactors.brief.reading.edits.code_lines import HANDS_ON
from tamis.compactors.brief.reading.speech.pieces import MAX_CODE_CHARS, TextPiece
from tamis.compactors.brief.reading.statement import Statement
from tamis.ledger.speech.prose import looks_pasted
from tamis.text.cues.discourse_cues import is_frame, opens
from tamis.text.cues.printed_lines import is_code, tells_trouble

TROUBLE_LINES = 3
TROUBLE_CHARS = 300
"""A paste of more lines, or characters, is told by the first few that tell of trouble."""

EXAMPLE_CHARS, WHOLE_EXAMPLE = 200, 500
MOST_SCRAPS = 4
"""An example in so many places, with all that stands between them left out, says nothing."""

LEAST_PROGRAM, MOST_PROGRAM = 10, 4_000
"""Of code that defines something, in so many lines or more, single lines say nothing; so many characters of
it may be told whole."""

SHOWN_LINES, SHOWN_CHARS = 3, 240
"""No more code is one piece with the words that open it."""

_HUNK = re.compile(r"(?m)^@@ -\d{1,7}(?:,\d{1,7})? \+\d")
_IN_DIFF = re.compile(r"(?m)^\+\+\+ (?:b/)?(\S{1,200})")
_PLACED = re.compile(r"\A\s{0,20}[\w./-]{1,200}:\d{1,6}:\d{1,5}: ")
_WORD = re.compile(r"\w")
_ASIDE = re.compile(r"\(related information\)|:\d+: note: ")
_PAGE = re.compile(r"(?<=:)[ \t]{0,9}\n(?:[^\n]{1,60}\n){2,30}?[A-Z][a-z]{1,20} duration \d[^\n]{0,12}\n")
"""What the page of a run shows above how long it took, behind the words that bring it in."""

TRACE = "Traceback (most recent"
FENCE = "```"
LEAST_PRINTED = 3
"""So few lines that a command printed stand as they are."""

_HINT = re.compile(r"(?:hint|help|tip):", re.IGNORECASE)
"""Begins what a program advises."""

_FILE = re.compile(r"[\w./-]{1,120}\.[a-z]{1,5}(?: \([^()\n]{1,60}\))?:?")
"""Stands over the code of a file, among other code."""

_REMARK = re.compile(r"(?:#|//|--) \w")
_DEFINES = re.compile(
    r"(?m)^[ \t]{0,24}(?:(?:export|pub|public|private|static|async|default) ){0,3}"
    r"(?:def|func|function|fn|class|interface|struct|impl|trait) [\w(<*]"
)
_SHOWN = re.compile(r"\s{0,40}(?:>>> |│|[=_]{6}|E {2,})")
_OF_TEST = re.compile(r"[-=\s]{0,8}(?P<verdict>FAIL(?:ED)?|ERROR|SKIP(?:PED)?|PASS(?:ED)?): \S")
"""Stands over what one test printed, and says how it ended."""

_BARE_PLACE = re.compile(r"\s{0,20}[\w./-]{1,200}:\d{1,6}:\s{0,9}")
"""A place in a file, of which nothing is said."""

_PROMPT = re.compile(
    r"(?:[\w.-]{1,40}@[\w.-]{1,80}[: ]\S{0,200} ?[$#%]|\[[\d/:. -]{6,30}[~/][^\]\n]{0,200}\]"
    r"|[➜❯] {1,3}\S{1,60}|(?:PS )?[A-Z]:\\[^>\n]{0,200}>|\$) ?(?=\S)"
)
"""Stands before what was typed into a terminal."""


def without_printed(text: str) -> str:
    r"""A message without most of what a terminal printed below its commands: trouble, or the end, stays.

    >>> without_printed("It works\n$ make\n* one\n* two\n* three\n* 3 made\n\nGo on.")
    'It works\n$ make\n… * 3 made\n\nGo on.'
    """
    text = _PAGE.sub(" …\n", text)
    before = text[: text.find(next(filter(_PROMPT.match, map(str.lstrip, text.splitlines())), ""))].rstrip()
    is_shown = not before or before.endswith(":")  # then it is what the message is about
    told: list[str] = []
    printed: list[str] | None = None
    for line in [*text.splitlines(), FENCE]:
        is_typed = _PROMPT.match(line.lstrip()) is not None
        goes_on = printed and not printed[-1].strip() and line[:1].isalpha() and not looks_pasted(line)
        if printed is not None and (is_typed or goes_on or line.startswith(FENCE)):
            told += _result_in(printed, is_shown=is_shown)
            printed = None
        if printed is not None:
            printed.append(line)
            continue
        told.append(line)
        printed = [] if is_typed else None
    return "\n".join(told[:-1])


def _result_in(printed: Sequence[str], *, is_shown: bool) -> Sequence[str]:
    """What tells of trouble in what a command printed, or its last line; all but advice where it is shown."""
    full = [at for at, line in enumerate(printed) if line.strip()]
    kept: list[int] = []
    is_advice = False
    for at in full:
        is_advice = _HINT.match(printed[at]) is not None or (is_advice and printed[at][:2] in ("- ", "  "))
        kept += [at] * (not is_advice and (is_shown or tells_trouble(printed[at])))
    if len(full) <= LEAST_PRINTED or kept == full:
        return printed
    return [cut_lines(printed, kept or full[-1:], LINE_CHARS), *[""] * (not printed[-1].strip())]


def pasted_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """Lines of code or of output that stand below one another are one piece; so they keep their order.

    So are the remarks within code that stand below one another: they are somebody's words.
    """
    run: list[TextPiece] = []
    before: TextPiece | None = None
    for piece in pieces:
        is_title = before is not None and not run and opens(before.text) and is_frame(before.text)
        own = "quoted" not in piece.flags and not is_title
        is_remark = bool(run) and own and _REMARK.match(piece.text) is not None
        named = run and _FILE.fullmatch(piece.text)
        printed = own and (looks_pasted(piece.text) or is_code(piece.text))
        if is_remark or named or printed or "code" in piece.flags:
            piece.flags = ("prose",) if is_remark else ("code",)
            piece.text = piece.margin + piece.text
            if run and run[-1].flags == piece.flags and len(run[-1].text) + len(piece.text) < MAX_CODE_CHARS:
                run[-1].text += f"\n{piece.text}"
                piece.whole = run[-1]
                continue
            is_over = before is not None and ("heading" in before.flags or _opens(before.text))
            piece.leads = run[0].leads if run else [before] if before and is_over else []
            run.append(piece)
            continue
        yield from _set_back(run)
        run, before = [], piece
        yield piece
    yield from _set_back(run)


def _set_back(run: Sequence[TextPiece]) -> Iterator[TextPiece]:
    """Pieces of code without the blanks that all their lines begin with."""
    lines = [line for piece in run for line in piece.text.splitlines()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    for piece in run:
        piece.text = "\n".join(line[margin:] for line in piece.text.splitlines())
        yield piece


def shown_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """A little code behind words that do not end is one piece with them: without it they say nothing."""
    waiting: TextPiece | None = None
    for piece in pieces:
        if (
            waiting is not None
            and waiting.flags in (("prose",), ("item",))
            and _is_shown(piece, waiting.text)
        ):
            waiting.text += f"\n{piece.text}"
            piece.whole = waiting
            continue
        if waiting is not None:
            yield waiting
        waiting = piece
    if waiting is not None:
        yield waiting


def _opens(words: str) -> bool:
    return opens(words) and not is_frame(words)


def _is_shown(code: TextPiece, words: str) -> bool:
    """Whether words that do not end bring in a little code."""
    given = 2 if code.text.startswith(">>> ") else 1
    lines = SHOWN_LINES if _opens(words) else given if words[-1:].isalnum() and not is_frame(words) else 0
    fits = len(code.text) <= SHOWN_CHARS and code.text.count("\n") < lines
    return fits and "code" in code.flags and TRACE not in code.text


def is_program(code: str) -> bool:
    """Whether code is more of a program than an example, a log or what went wrong."""
    lines = [line for line in code.splitlines() if line.strip()]
    if len(lines) < LEAST_PROGRAM or TRACE in code or any(map(_SHOWN.match, lines)):
        return False
    return _DEFINES.search(code) is not None


def heads_test(line: str) -> bool:
    """Whether a line stands over what one test printed."""
    return _OF_TEST.match(line) is not None


def is_well(line: str) -> bool:
    """Whether a line stands over a test that did not fail: what it printed tells of no trouble."""
    found = _OF_TEST.match(line)
    return found is not None and found["verdict"][0] in "SP"


def paste_statements(paste: TextPiece, spoken: frozenset[str], turn: int, part: int) -> Iterator[Statement]:
    """Of a long paste, the lines that tell of trouble; of an example, those that the message speaks of."""
    if _HUNK.search(paste.text):  # its lines say nothing without their hunks
        if len(paste.text) > MAX_CODE_CHARS:
            told = f"(a diff of {', '.join(dict.fromkeys(_IN_DIFF.findall(paste.text))) or 'a file'})"
            yield Statement(kind="asked", text=told, turn=turn, place=(part, paste.start), flags=("paste",))
        return
    lines = paste.text.splitlines()
    if is_program(paste.text):
        told = f"(code of {len(lines)} lines, #{turn})"
        place, flags = (part, paste.start), ("detail", "excerpt")
        yield Statement(kind="asked", text=told, turn=turn, place=place, flags=flags)
        return
    head = next((at for at, line in enumerate(lines) if TRACE in line), len(lines))
    is_trace = head < len(lines)
    trouble = [at for at in range(head % len(lines), len(lines)) if _tells_trouble(lines[at])]
    trouble = [at for at in trouble if not _ASIDE.search(lines[at])] or trouble
    trouble = [at for at in trouble if not _REMARK.match(lines[at].lstrip())]
    if is_trace:
        trouble = trouble[-1:]  # what it ended with; the way there says nothing
    others = (
        [at for at in range(head) if at not in trouble] if len(trouble) < 2 else []
    )  # a log is no example
    shared = lines_spoken_of([lines[at] for at in others], spoken, EXAMPLE_CHARS, headed=True)
    kept = sorted({*trouble[:TROUBLE_LINES], *(others[n] for n in shared)})
    kept = [at for at in kept if not (_lacks_result(lines, at, kept) or _BARE_PLACE.fullmatch(lines[at]))]
    if not is_trace and len(paste.text) < min(WHOLE_EXAMPLE, 2 * sum(len(lines[at]) for at in kept)):
        kept = [*range(len(lines))]  # what is left out would be less than the half
    scraps = sum(at - 1 not in kept for at in kept)
    is_part = len(kept) < len(lines) and len(paste.text) < WHOLE_EXAMPLE  # where the whole can be told
    if kept and (trouble or not (is_part or scraps >= MOST_SCRAPS)):
        flag = "trouble" if trouble else "detail"
        text = cut_lines(lines, kept, TROUBLE_CHARS if trouble else LINE_CHARS)
        yield Statement(
            kind="asked", text=text, turn=turn, place=(part, paste.start), flags=(flag, "excerpt")
        )


def _lacks_result(lines: Sequence[str], at: int, kept: Sequence[int]) -> bool:
    """Whether a line was typed into Python's shell and gave something, of which nothing is kept."""
    end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith(">>>")), len(lines))
    return lines[at].startswith(">>>") and end > at + 1 and not any(at < n < end for n in kept)


def fails(pieces: Iterable[TextPiece]) -> bool:
    """Whether something goes wrong in code."""
    return any(_tells_trouble(line) for p in pieces if "code" in p.flags for line in p.text.splitlines())


def _tells_trouble(line: str) -> bool:
    return (tells_trouble(line) and not HANDS_ON.search(line.strip())) or _PLACED.match(line) is not None


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
