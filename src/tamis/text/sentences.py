"""Cutting text into sentences without losing a character of it.

What agents and people write is prose mixed with Markdown, code, logs, paths and versions, in English and
Chinese. A sentence is given as a range of the text, so that it can be quoted exactly; between two sentences
there is white space and nothing else. Code (fenced blocks) is never cut.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tamis.text.cues.phrases import word_set

SentenceKind = Literal["prose", "item", "heading", "quote", "table", "code", "markup"]
"""What the sentence stands in: running text, a list item, a heading, a quoted line (`>`), a table row, a
fenced block (always whole), or a line without words (a ruler, a bracket)."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `text[start:end]`, with the words beginning at `body`.

    `body` is `start` but where the line opens with a mark (`- `, `1. `, `## `, `> `, `[ ] `).
    """

    start: int
    end: int
    kind: SentenceKind = "prose"
    body: int = -1

    def __post_init__(self) -> None:
        if self.body < 0:
            object.__setattr__(self, "body", self.start)


# Behind these a full stop ends no sentence. Titles are always followed by more; the shortened ones end one
# where a capital follows ("and so on, etc. Then ..."); the last kind wants a number.
_TITLES = word_set(
    "dr mr mrs ms prof st e.g i.e cf vs eg ie resp viz approx ca fig figs eq sec ch min max avg"
)
_SHORTENED = word_set(
    "etc al inc ltd corp co dept est jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m u.s u.k ph.d"
    " perf impl config dir misc spec ref refs temp prev curr req reqs num std ver incl excl orig admin auth"
)
_BEFORE_DIGIT = word_set("no nos p pp v ver art")

_CJK = r"\u3400-\u9fff\u3000-\u303f\uff00-\uffef"
_CLOSERS = r"[\"'”’»)\]}*_`）」』】》]*+"
_STOP = re.compile(
    rf"[。！？；.!?…`](?:(?<=[。！？；])[。！？；]*+{_CLOSERS}"
    rf"|(?<=[.!?…])(?<![.!?…]{{2}})[.!?…]*+{_CLOSERS}(?=\s|$|[{_CJK}])"
    r"|(?<=`)`*+)"
)
"""What may end a sentence: its marks with what closes behind them, or ticks. The characters that it may begin
with stand in front, as a plain set is found several times faster; which one it was is asked behind it."""

_OPENERS = "\"'`*_([“‘「（《"
_LAST_WORD = re.compile(r"[\w.]{0,20}\Z")
_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"\A[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+|>[ \t]?)?(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)")
_DIFF_HEAD = re.compile(
    r"(?:diff --git |index [0-9a-f]{7,}\.\.|(?:new|deleted) file mode |--- \S|\+\+\+ \S)"
    r"|@@ -\d{1,7}(?:,(?P<old>\d{1,7}))? \+\d{1,7}(?:,(?P<new>\d{1,7}))? @@"
)
_HEADING = re.compile(r"\A {0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"\A[ \t]*>+[ \t]?")
_TYPED = re.compile(r"\A[ \t]*(?:>>>|\.\.\.|[a-z]{3,8}>) .*\w")
_GIVEN = re.compile(r"\A(?:[+|]|\d+ \w|\S*[\[({<'\"=]|\S+(?: \S+)?\Z)")
"""What was typed into a shell of Python's or of a database, and a line that it gave."""

_TABLE = re.compile(r"\A[ \t]*\|.*\|[ \t]*$")
_RULER = re.compile(r"(?m)^[ \t]*:?-{2,}:?[ \t]*\|[ \t|:-]*$")
"""Stands between the head of a table and its rows, which need no lines around them then."""
_ITEM = re.compile(
    r"\A[ \t]*(?:[-*+•‣·●○◦▪–][ \t]+|\d{1,3}[.)][ \t]+|\d{1,3}[、．]|[a-zA-Z]\)[ \t]+|[(（]\w{1,2}[)）][ \t]*"
    r"|\*\*\d{1,3}[.)][ \t]+(?=[^*\n]{1,90}(?:\*\*[ \t:–—-]{0,4}[\w`*\"']|\.\*\*$))|[①-⑳][ \t]*"
    r"|[一二三四五六七八九十]{1,3}、)(?:\[[ xX~/-]\][ \t]+)?"
)
_WORD = re.compile(r"\w")
_FIRST_WORD = re.compile(r"\S+")

_MEMBER = re.compile(r"\s{1,3}[a-z]\w{0,60}[_(]")
"""Behind a lone word and its full stop: a name that broke in two, `pkg. do_it()`."""
_ALONE = re.compile(r"[A-Z]\w{0,60}")
"""A line that goes on from none: a lone word as a heading."""
_WRAP_WIDTHS = range(45, 131)
"""Line lengths at which text is taken to have been wrapped by a program, not broken by its writer."""

_WIDE = range(131, 401)
"""The same of a wide terminal, where the next line goes on in small letters."""
_NUMBERED = re.compile(
    r"\b(?:address|do|fix|items?|points?|steps?|options?|numbers?|take) {1,4}\d{1,2}\Z"
    r"|(?<!\d): {0,3}\d{1,2}\Z",
    re.IGNORECASE,
)
"""Ends with an item that is called by its number: its name may stand behind."""


@dataclass(slots=True)
class _Line:
    start: int
    body: int
    end: int
    kind: SentenceKind


def split_sentences(text: str) -> list[Sentence]:
    r"""The sentences of `text`, in order.

    Every character that is not white space lies in exactly one of them.

    >>> text = "See e.g. docs/v1.2/a.md. Then:\n- run `x. y`\n- 别动配置。好"
    >>> [text[s.body : s.end] for s in split_sentences(text)]
    ['See e.g. docs/v1.2/a.md.', 'Then:', 'run `x. y`', '别动配置。', '好']
    """
    found: list[Sentence] = []
    for block in _blocks(text):
        if block[0].kind in ("code", "markup", "table"):
            found.append(Sentence(block[0].start, block[-1].end, block[0].kind))
            continue
        if block[0].kind == "heading":  # `### 1. The parser` is one
            found.append(Sentence(block[0].start, block[0].end, "heading", block[0].body))
            continue
        for first, last in _unwrapped(text, block):
            found.extend(_cut(text, first, last.end))
    return found


def prose_sentences(text: str) -> list[Sentence]:
    """The sentences that somebody wrote as words: no code, tables, rulers."""
    return [s for s in split_sentences(text) if s.kind not in ("code", "table", "markup")]


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Runs of lines that may hold a sentence together; a fenced block, or a diff, is one run of one line."""
    run: list[_Line] = []
    fence: tuple[str, _Line] | None = None
    diff = _Diff() if "@@ -" in text else None
    heads = {text.rfind("\n", 0, max(ruler.start() - 1, 0)) + 1 for ruler in _RULER.finditer(text)}
    in_table = in_shell = False
    for match in _LINE.finditer(text):
        raw = match.group().rstrip()
        if not match.group():
            break
        start = match.start() + len(raw) - len(raw.lstrip())
        end = match.start() + len(raw)
        if fence is not None:
            mark, block = fence
            block.end = max(block.end, end if raw else block.end)
            if raw.strip(" \t>").startswith(mark) and not raw.strip(" \t>").strip(mark[0]):
                yield [block]
                fence = None
            continue
        in_shell = bool(_TYPED.match(raw) or (in_shell and _GIVEN.match(raw)))
        if (diff is not None and diff.takes(raw)) or in_shell:
            if run and run[-1].kind == "code":
                run[-1].end = max(run[-1].end, end)
                continue
            yield from _flushed(run)
            run = [_Line(start, start, end, "code")] if raw else []
            continue
        if run and run[-1].kind == "code":
            yield from _flushed(run)
            run = []
        if (opening := _FENCE.match(raw)) and opening["fence"][0] not in opening["info"]:
            yield from _flushed(run)
            run = []
            fence = (opening["fence"], _Line(start, start, end, "code"))
            continue
        in_table = "|" in raw and (in_table or match.start() in heads)
        line = _classified(raw, match.start(), start, end)
        if line is not None and in_table and line.kind != "markup":
            line = _Line(start, start, end, "table")
        if line is None:
            yield from _flushed(run)
            run = []
        elif line.kind == "prose" and run and run[-1].kind in ("prose", "item"):
            line.kind = run[-1].kind if start > match.start() else "prose"
            run.append(line)
        else:
            yield from _flushed(run)
            run = [line]
    yield from _flushed(run)
    if fence is not None:
        yield [fence[1]]


@dataclass(slots=True)
class _Diff:
    """How many lines of the old and of the new text a diff's hunk still has, by what its head says."""

    old: int = 0
    new: int = 0

    def takes(self, raw: str) -> bool:
        """Whether the next line belongs to a diff."""
        if (self.old > 0 or self.new > 0) and raw[:1] in ("", " ", "\t", "+", "-", "\\"):
            self.old -= raw[:1] not in ("+", "\\")
            self.new -= raw[:1] not in ("-", "\\")
            return True
        head = _DIFF_HEAD.match(raw)
        counts = head is not None and raw.startswith("@@")
        self.old, self.new = (int(head[name] or 1) for name in ("old", "new")) if counts and head else (0, 0)
        return head is not None


def _flushed(run: list[_Line]) -> Iterator[list[_Line]]:
    if run:
        yield run


def _classified(raw: str, offset: int, start: int, end: int) -> _Line | None:
    if start >= end:
        return None
    if not _WORD.search(raw):
        return _Line(start, start, end, "markup")
    if _TABLE.match(raw):
        return _Line(start, start, end, "table")
    for pattern, kind in _MARKED:
        if (mark := pattern.match(raw)) and mark.end() < len(raw):
            return _Line(start, offset + mark.end(), end, kind)
    return _Line(start, start, end, "prose")


_MARKED: tuple[tuple[re.Pattern[str], SentenceKind], ...] = (
    (_HEADING, "heading"),
    (_QUOTE, "quote"),
    (_ITEM, "item"),
)


def _unwrapped(text: str, lines: list[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """First and last line of each stretch that a program wrapped; a line break of the writer's ends one.

    Wrapped text shows in that the next line's first word would not have fitted on the line before.
    """
    width = max(line.end - line.start for line in lines)
    first = last = lines[0]
    for line in lines[1:]:
        wraps = width in _WRAP_WIDTHS or (width in _WIDE and text[line.start].islower())
        if wraps and _runs_on(text, last, line, width, len(lines)):
            last = line
            continue
        yield first, last
        first = last = line
    yield first, last


def _runs_on(text: str, line: _Line, following: _Line, width: int, lines: int) -> bool:
    word = _FIRST_WORD.match(text, following.start)
    room = width - (line.end - line.start)
    if word is None or text[line.end - 1] in ".!?:…。！？；：" or len(word.group()) < room:
        return False
    below = text[following.start : following.end]
    if re.search(r" \| |:\t", below) or _ALONE.fullmatch(below):
        return False
    opening = text[following.start]
    goes_on = opening.islower() or opening.isdigit() or opening in "(`'\""
    return goes_on or text[line.end - 1] == "," or lines > 2


def _cut(text: str, line: _Line, end: int) -> Iterator[Sentence]:
    """Cut one stretch at its sentence ends; nothing is cut inside `inline code`."""
    start, body = line.start, line.body
    position = line.body
    while position < end and (stop := _STOP.search(text, position, end)):
        position = stop.end()
        mark = stop.group()
        if mark[0] == "`":
            closing = text.find(mark, position, end)
            if closing >= 0 and "\n" not in text[position:closing].strip():
                position = closing + len(mark)
            # The ticks may close a sentence's code: the stop behind them is found from here.
            continue
        if mark[0] in ".!?…" and not _ends_sentence(text, start, stop, end):
            continue
        yield Sentence(start, position, line.kind, body)
        while position < end and text[position].isspace():
            position += 1
        start = body = position
    if start < end:
        yield Sentence(start, end, line.kind, min(body, end))


def _ends_sentence(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    mark = stop.group()
    rest = text[stop.end() : min(stop.end() + 8, end)].lstrip()
    if not rest:
        return True
    if mark.startswith(("..", "…")):  # in a row of steps or numbers the dots leave some out
        return (rest[0].isalpha() and not rest[0].islower()) or rest[0] in _OPENERS
    if mark[-1] in ')]"”’»' and rest[0].islower():
        return False  # what stands in brackets, or is quoted, ended
    if not mark.startswith("."):
        return True
    found = _LAST_WORD.search(text, max(start, stop.start() - 20), stop.start())
    word = found.group().lower() if found else ""
    if word == "ms" and text[max(start, stop.start() - 6) : stop.start() - 2].rstrip()[-1:].isdigit():
        return True  # milliseconds
    initial = len(word) == 1 and word.isalpha() and text[stop.start() - 1].isupper() and word != "i"
    if word in _TITLES or initial:
        return False
    if word.isdigit() and _NUMBERED.search(text, max(start, stop.start() - 20), stop.start()):
        return False
    if word in _SHORTENED:
        return rest[0].isupper()
    if word in _BEFORE_DIGIT:
        return not rest[0].isdigit()
    if word and len(word) == stop.start() - start and _MEMBER.match(text, stop.end()):
        return False
    return bool(word) or stop.start() > start
