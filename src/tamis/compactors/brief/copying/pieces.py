"""The pieces in which a long text is copied: runs of whole lines, and what each is worth."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from tamis.compactors.brief.copying.put_in import LEFT_OUT, Replaced, text_put_in
from tamis.compactors.brief.reading.deeds.call_text import (
    RECORD,
    output_of,
    search_words,
    shortened,
    titles_only,
    without_progress,
)
from tamis.compactors.brief.reading.deeds.posts import commits, without_chatter
from tamis.compactors.brief.reading.deeds.salience import FRAMES, SEARCHES, is_blob
from tamis.compactors.brief.reading.deeds.service_calls import NOTHING, lists_files
from tamis.compactors.brief.reading.deeds.taken_up import NAME
from tamis.compactors.brief.reading.settling.overtaken import SLIP
from tamis.ledger.files.file_tools import command_line
from tamis.messages import Message, Text, Thinking, ToolCall, ToolResult
from tamis.messages.conversation import Part
from tamis.text.terms import all_terms_of

PIECE_CHARS, MANY_CHARS = 1_200, 500
"""Of a piece, and of one behind which a section begins a new one."""

SPOKEN_CHARS, NAME_SAYS = 12_000, 3
"""Of what is said, so much is looked at; a name in it says so many times as much as a word of its length."""

_HARNESS = re.compile(
    r"(?s)^The file \S+ has been (?:updated|edited)[^\n]*\n?|^No files found$"
    r"|(?m:^(?:File updated\. Please r|R)eview the changes and make sure [^\n]*$"
    r"|^\[File: [^\n]*\]$|^</?(?:files?|content)(?: [^>\n]{0,80})?>$|^\(\d+ more lines (?:above|below)\)$)"
    r"|\A(?:Tool execution aborted|aborted by user\b.*)\Z"
    r"|\AThe user doesn'?t want to (?:proceed|take this)\b.*\Z"
    r"|\AFile created successfully at: \S+\s*\Z"
    r"|\AWarning: truncated output \([^)\n]{1,80}\)\n(?:Total output lines: \d+\n)?"
    r"|\ASuccess\. Updated the following files:(?:\n[AMDR] \S+)*\s*\Z"
    r"|\A<file_write_result>(?:(?!<(?:problems|error)>).)*\Z"
    r"|(?m:^</?persisted-output>$|^<!--[^\n]{0,200}-->$|^\[[\w:-]{1,40}\] (?:\$ |Finished in )[^\n]*$)"
)
"""What a harness says around an output."""

MANY = 4
"""Of so many lines in a row that begin and end alike, the first and the last are enough."""

LEAST_WORDS, FEW_LINES, MOST_HEADS = 2, 3, 6

_EMPTY = re.compile(
    r"\A\s{0,12}(?:\d{1,6}[→:\t]\s{0,12})?(?:import\b|from \S{1,90} import\b|#include\b|use \S{1,90};"
    r"|(?:[\w.]{1,40} )?\"[\w./@-]{1,120}\"\s*\Z|package \w{1,60}\s*\Z|\)\s*\Z"
    r"|\} from ['\"]|(?:type )?\w{1,60},\s*\Z|ok\s{1,9}\S+\s|\?\s{1,9}\S{1,120}\s{1,9}\[no test files\]|[✓✔]"
    r"|\[[\w:-]{1,40}\] \$ |(?:0|No) (?:issues|errors|problems)\b"
    r"|REMINDER: |\{\"(?:parentU|u)uid\":"
    r"|\(pass\)|PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)\b|\S{1,160} PASSED\b)"
)
_HEADS = re.compile(
    r"\A\s{0,12}(?:\d{1,7}\s?[→|:\t])?\s{0,40}"
    r"(?:@\w|/[/*]|/\S{1,300}:\Z"
    r"|(?:async )?def \w|class \w|(?:export )?(?:async )?function \w|#{1,6} \S|={2,9} \S"
    r"|[A-Z]{4,30}(?: [A-Z]{1,30}){0,4}:?\Z)"
)
"""A line that stays with what stands below it: a decorator, a remark, a head of a function, heading, file."""

_LINK = re.compile(
    r"\A\s{0,12}(?:\d{1,6}[→|:\t])?\s{0,40}(?:[-*+] )?\[[^\]\n]{1,80}\]\([^)\s]{1,300}\)\s{0,9}\Z"
)
_LABEL = re.compile(r"\A\s{0,12}(?:\d{1,6}[→|:\t])?\s{0,40}[-*+] [\w ,&]{1,40}\Z")
"""A line that is a link and no more: of a page, the way to others; and one that may name some of them."""

_FILE = re.compile(r"\w[\w.-]{0,80}(?:\.\w{1,8}|_)|__\w{1,40}\.\w{1,8}")
_LINE_NUMBER = re.compile(r"\A\s{0,12}\d{1,7}\s?[→|:\t]\s*\Z")
_WORD, _LETTERS = re.compile(r"\w"), re.compile(r"[^\W\d_]{2}")
_NUMBER = r"(?:\s{0,12}\d{1,7}(?: ?[→|] ?|: ?|\t))?"
_MARGIN = re.compile(rf"\A{_NUMBER}([\s)\]}}]{{0,200}})")
_RULE = re.compile(rf"\A{_NUMBER}\s{{0,40}}[-=*_~]{{2,200}}\s{{0,9}}\Z|\A[a-z-]{{1,20}}:\t\s{{0,9}}\Z")
"""A line without a word, and a field without a value."""

_CUT = re.compile(
    r"\A\W{0,6}(?:(?:[Oo]utput |\d{1,9} (?:more )?(?:lines?|characters|chars|bytes|tokens) )?"
    r"(?:truncated|omitted|clipped)|File has more lines\b.{0,200}|\d{1,9} more lines\b.{0,100})\W{0,6}\Z"
)
"""Says that a tool cut the output there, often within a word."""

_OVERFULL = re.compile(r"\A(?:Warning: truncated output|Total output lines: \d)")
"""Begins an output that its tool cut for its size: of hits, nobody chose those at its head."""

_ENDED = re.compile(r"\W\Z")
_HEAD_OF_CODE = re.compile(
    rf"\A{_NUMBER}\s{{0,40}}((?:export )?(?:default )?(?:async )?(?:def|class|func|fn|function) \w.{{0,200}})"
)
_HEADING = re.compile(rf"\A{_NUMBER}((?:#{{1,6}}|diff --git|={{3,9}}) \S.{{0,200}})")

NAMED_CHARS = 70
"""Of the line that a piece stands under."""


def pieces_of(part: Part, call: ToolCall | None, later: Sequence[Replaced]) -> Iterator[str]:
    """Runs of whole lines, each of at most `PIECE_CHARS` where the lines allow.

    `call` is what gave a result; `later` are the edits that came after a call to the file that it edits.
    """
    if isinstance(part, ToolResult):
        yield from _cut(_printed(part, call))
    elif isinstance(part, ToolCall):
        yield from _cut(text_put_in(part, later).splitlines())


def _cut(lines: Sequence[str]) -> Iterator[str]:
    """Runs of lines, cut where they are too long; blobs are left out."""
    run: list[str] = []
    size = 0
    for line in lines:
        if len(line) > PIECE_CHARS or is_blob(line):
            if run and run[-1] != LEFT_OUT:
                run.append(LEFT_OUT)
            continue
        if (size + len(line) > PIECE_CHARS and run) or (size > MANY_CHARS and _HEADING.match(line)):
            ends = range(len(run), max(1, len(run) - MOST_HEADS), -1)
            end = next((n for n in ends if not _HEADS.match(run[n - 1])), len(run))
            yield "\n".join(run[:end])
            run = run[end:]
            size = sum(map(len, run)) + len(run)
        if _LINE_NUMBER.sub("", line).strip() and not _RULE.match(line):
            run.append(line.rstrip())
            size += len(line) + 1
    if run:
        yield "\n".join(run)


def _printed(result: ToolResult, call: ToolCall | None) -> list[str]:
    """The lines of an output without what a harness says around it."""
    line = (call and command_line(call)) or ""
    output = titles_only(output_of(result).removeprefix(line), line)
    output = without_chatter(output) if commits(line) else output  # it is told as the commit
    is_told = RECORD.match(output) if "\n" not in output else lists_files(output)  # by what it holds
    is_chance = call is not None and SEARCHES.match(f"ran `{line}" if line else search_words(call))
    is_chance = is_chance and _OVERFULL.match(output)
    output = "" if is_told or is_chance or NOTHING.match(output) else output
    text = FRAMES.sub("", _HARNESS.sub("", output)) if _WORD.search(output) else ""
    return [*_folded(without_progress(_telling(text.splitlines())))]


def _telling(lines: Sequence[str]) -> Sequence[str]:
    """The lines without those that part others or are links, or the word that a tool's cut runs through."""
    told: list[str] = []
    for line in _without_links([line for line in lines if not _RULE.match(line)]):
        if told and _CUT.match(line):
            cut = told.pop()
            told.append(cut if _ENDED.search(cut) else f"{cut.rpartition(' ')[0]} {LEFT_OUT}".lstrip())
        elif not _CUT.match(line):
            told.append(line)
    return told


def _without_links(lines: Sequence[str]) -> Iterator[str]:
    """The lines without those that are links, and without what stands over links alone."""
    kept: list[str] = []
    leads_on = False  # to nothing but links
    for line in reversed(lines):
        if _LINE_NUMBER.sub("", line).strip():
            leads_on = bool(_LINK.match(line) or (leads_on and _LABEL.match(line)))
        if not leads_on:
            kept.append(line)
    return reversed(kept)


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """The lines; of many in a row that begin and end with the same words, the first and the last."""
    for ends, run in groupby(lines, lambda line: (words := line.split())[:1] + words[-1:]):
        alike = list(run)
        is_many = len(alike) >= MANY and len(ends) == 2 and all(map(_LETTERS.search, ends))
        yield from [alike[0], LEFT_OUT, alike[-1]] if is_many else alike


def shares_of(pieces: Sequence[str], by: Sequence[Message]) -> list[float]:
    """How much each piece of an output shares with what is said and done in messages.

    A name says more than a word, what stands in one piece more than what stands in many.
    """
    spoken: Counter[str] = Counter()
    for message in by:  # what both speak of says most
        words = [part.text for part in message.parts if isinstance(part, Text | Thinking)]
        words += [str(list(call.arguments.values())) for call in message.calls]
        spoken.update(_weighed("\n".join(words)[:SPOKEN_CHARS]))
    shared = [spoken.keys() & ({} if says_little(piece) else _weighed(piece)).keys() for piece in pieces]
    held = Counter(chain.from_iterable(shared))
    return [sum(spoken[word] / held[word] for word in words) for words in shared]


def _weighed(text: str) -> dict[str, int]:
    """The terms and the names in a text, and how much each says."""
    names = {name.lower(): NAME_SAYS * len(name) for name in NAME.findall(text)}
    return {term: len(term) for term in all_terms_of(text)} | names


def begun(piece: str) -> str:
    """A piece from the middle of a text, without the end of what began before it."""
    lines = piece.splitlines()
    margins = [len(found[1]) for line in lines if (found := _MARGIN.match(line))]
    at = margins.index(min(margins)) if 0 < len(margins) == len(lines) else 0
    return "\n".join(lines[at:]) if at * 3 < max(len(lines), 9) else piece  # a long end tells enough


def standing_over(before: Sequence[str], piece: str) -> str:
    """The function around a piece of code, or the heading over one of a text; empty where it has its own."""
    first = piece.partition("\n")[0]
    if first == LEFT_OUT or _HEADS.match(first) or _HEADING.match(first):
        return ""
    margin = _margin(first)
    for line in reversed("\n".join(before).splitlines()):
        found = _HEADING.match(line) or (_margin(line) < margin and _HEAD_OF_CODE.match(line))
        margin = min(margin, _margin(line))
        if found and not found[1].startswith("# "):  # it may be a remark in code
            return shortened(found[1].strip(" {").replace("`", ""), NAMED_CHARS)
    return ""


def _margin(line: str) -> int:
    """How far a line of code is set in; one that closes what it is in stands further in."""
    found = _MARGIN.match(line)
    return len(found[1].expandtabs(4)) if found else 0


def says_little(piece: str) -> bool:
    """Whether a passage is one word, a slip, or most of its lines list names, or say that all is well."""
    lines = piece.splitlines()
    if len(piece.split()) < LEAST_WORDS or (len(lines) <= FEW_LINES and SLIP.search(piece)):
        return True
    if 0 < sum(map(_lists, lines)) >= len(lines) - 1:
        return True
    return 2 * sum(_EMPTY.match(line) is not None or _lists(line) for line in lines) > len(lines)


def _lists(line: str) -> bool:
    """Whether a line holds nothing but names of files."""
    return all("/" in word or _FILE.fullmatch(word) for word in line.split())
