"""What of a long output mattered: the lines that the agent, having read it, went on to speak of."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tamis.compactors.brief.reading.deeds.call_text import (
    BREAK,
    HEADING,
    LETTERS,
    RECORD,
    SAYS,
    VERDICT,
    is_fault,
    picked,
    unended,
)
from tamis.compactors.brief.reading.deeds.rolls import apart
from tamis.compactors.brief.reading.deeds.search_hits import places_of_hits
from tamis.compactors.brief.reading.deeds.service_calls import lists_files
from tamis.compactors.brief.reading.deeds.tree_reports import UNDER_WAY
from tamis.compactors.brief.reading.edits.code_lines import BRANCH
from tamis.compactors.brief.reading.settling.overtaken import file_names
from tamis.compactors.brief.reading.statement import Statement, StatementKind
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.files.definitions import definition, is_source
from tamis.ledger.shell.programs import is_named_check
from tamis.text.terms import all_terms_of

LINES_LOOKED_AT, MOST_OUTLINED, MOST_LISTED = 600, 8, 16
_LISTING = re.compile(r"`ls(?: -\w{1,12}){1,4} ")
_LISTED = re.compile(r"(?m)^[-dl][-rwxsStT]{9}[@+.]? .{0,80}? (?:\d\d:\d\d|\d{4}) ([^\n]{1,120})$")
"""A listing with what may be done with each file, when it was changed, and its name."""
LINE_CHARS = 150
EVIDENCE_CHARS = 330
LEAST_SHARED = 2
HEAD_LINES, HELD_LINES, LEAST_WORDS = 9, 3, 3

FRAMES = re.compile(
    r'(?m)^Traceback \(most recent.*+\n?|^  File "[^"\n]*+", line \d[^\n]*+\n(?:    [^\n]*+\n)*+'
)
_PROGRESS = re.compile(r"\s{0,40}(?:=== (?:RUN|PAUSE|CONT|NAME)|--- PASS)\b")
"""How a test runner says where it is."""

_OPTION = re.compile(r"(?m)^\s{0,9}(?:-\w, )?--[\w-]{2,40}(?: \w{1,20})? {2,40}[A-Z]")

_HOLDS = re.compile(r"[\"'\w]\s{0,9}[:=]\s{0,9}[{\[(]\Z")
"""A line of data that says nothing without what stands in it: `"limits": {`."""

_FIELD, _OPENS_RECORD = (
    re.compile(r"\A(\s{1,80})\"([^\"]{1,80})\": "),
    re.compile(r"\A[^\s\"'()]?[^\"'();=]{0,200}\Z"),
)
"""A field of a record in JSON, and the line on which one opens, maybe behind a log's."""

_PHRASE, _OVER = (
    re.compile(r"\S \S"),
    re.compile(rf"\A(?:[^\s:]{{1,300}}:|\s{{0,40}}{HEADING.pattern}\s{{0,9}})\Z"),
)
_TRIAL = re.compile(
    r"(?i)\A\s{0,40}(?!traceback |error\b|exception\b)\S.{0,300}:\s{0,9}\Z"
    r"|\A\s{0,40}(?:test|case|step|scenario|example) ?\d{1,3}\b"
)
_USAGE = re.compile(
    r"(?mi)^(usage|(?:available )?(?:sub)?commands|(?:global )?(?:flags|options)|examples):"
    r"|^type '[^'\n]{1,80} help\b"
)

SEARCHES = re.compile(r"\A(?:(?!ran )\w{1,60} `|ran `[^`]{0,200}?\b(?:[ef]?grep|rg|ag) )")
"""The words for a search."""

LISTS = re.compile(r"ran `(?:ls|find|tree|[\w-]{1,30} [\w-]{1,30} list)\b|view |[Ll]ist")
_PREFACE = re.compile(r"Here['’]s the files and directories\b")
_NUMBERED = re.compile(r"^\s*\d+\s*(?:[→|:\t]|-(?=\s))\s?")
_AROUND = re.compile(r"\A(?:[\w./@+-]{1,200}-)?\d{1,7}-(?!\d)|\A[\w./@+-]{1,200}\.\w{1,8}-\s|\A--\Z")
_TITLES = re.compile(r"(?m)^(?: {0,9}\d{1,7}[→:\t])?(#{1,6}) \w")
_SENTENCE = re.compile(r"\A\s{0,9}(?:[-*>] |\d{1,2}[.)] )?[A-Z`*\"'](?:\S{1,60} ){5,80}\S{1,60}(?<!:)\Z")
"""A heading, and a line that says something where the lines around it are left out."""

_LINK = re.compile(r"https?://\S{1,300}")  # its words are those of many others
_HIT = re.compile(r"\A([\w./@+-]{1,200}):\d{1,7}[:-]\s{0,200}")


_BLOB = re.compile(
    r"(?<![\w+/=-])[\w+/=-]{200}"
    r"|\A\s{0,60}\"[\w.-]{1,60}\": \"(?=[^\d\"]{0,60}\d)[\w+=-]{20,200}\",?\s{0,9}\Z"
    r"|\A\s{0,9}(?:total \d{1,9}|[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]?\s.{1,400})\Z"
)
CUT_RECORDS = ("[\n", "[{", '{"', "---\nname: ")
"""Begin a list of records that was cut, or a log: which record a line is of is not to be seen; a skill."""

MODULE = re.compile(r"\A\s{0,40}(?:\w{1,60}\.){1,9}")
"""Where the class of an error is from: what one library raises, another raises again."""

_AROUND_NAMES = " #*-\"'."


def is_blob(line: str) -> bool:
    """Whether a line is base64, a key of a record with nothing but a hash, or of a long list of files."""
    return _BLOB.search(line) is not None


def is_usage(output: str) -> bool:
    """Whether a program says how it is called."""
    heads = {head.casefold() for head in _USAGE.findall(output[:3000])}
    return (not heads.isdisjoint({"", "usage"}) and len(heads) > 1) or len(_OPTION.findall(output[:3000])) > 1


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingOutput:
    """An output that waits for what the agent will say of it; `errors` are what led to its end, and its end.

    `note` is what there is to add.
    `is_page`: a browser showed it; `is_code`: it is of files of code.
    """

    words: str
    output: str
    turn: int
    part: int
    key: str
    reads: bool = True
    kind: StatementKind = "ran"
    errors: tuple[str, ...] = ()
    note: str = ""
    is_page: bool = False
    is_code: bool = False


def _is_shard(line: str, *, is_code: bool) -> bool:
    """Whether a line, alone or as a hit, is no whole statement: the beginning of a record, or of code."""
    if hit := _HIT.match(line):
        is_code, line = is_source(hit[1]), line[hit.end() :]
    line = line.strip()
    if not is_code:
        return len(line) > LINE_CHARS and RECORD.match(line) is not None
    head = line.removesuffix("{").rstrip()
    is_cut = any(line.count(opens) != line.count(closes) for opens, closes in ("()", "[]"))
    return is_cut or line[:1] in ")]}|,." or head[-1:] in "([,=|&+?" or (head != line and head[-1:] in ":>")


def top_of_records(lines: list[str]) -> list[str]:
    """The lines of an output; of JSON with many records, of which none is seen whole, its top and faults."""
    if not any(line.endswith("{") and _OPENS_RECORD.match(line) for line in lines[:HELD_LINES]):
        return lines
    found = [_FIELD.match(line) for line in lines]
    held = Counter(field[2] for field in found if field)
    if max(held.values(), default=0) <= HELD_LINES:
        return lines
    top = min(len(field[1]) for field in found if field)
    is_top = (not field or len(field[1]) == top for field in found)
    return [
        line if own or (len(line) <= LINE_CHARS and is_fault(line)) else ""
        for line, own in zip(lines, is_top, strict=True)
    ]


def outlined(shown: PendingOutput) -> str:
    r"""Code that was read, by what is defined in it, and a listing by its names; empty for anything else.

    >>> output = "x = 1\ndef read_rows(path):\n    return x\n"
    >>> outlined(PendingOutput(words="ran `cat a.py`", output=output, turn=3, part=0, key=""))
    'ran `cat a.py` → defines read_rows'
    """
    if listed := _LISTED.findall(shown.output) if _LISTING.search(shown.words) else []:
        files = [name for name in listed if name.strip(".")]
        more = f" and {len(files) - MOST_LISTED} more" * (len(files) > MOST_LISTED)
        return f"{shown.words} → {', '.join(files[:MOST_LISTED])}{more}"
    paths = [*file_names(shown.words)]
    if not shown.reads or SEARCHES.match(shown.words) or {*map(is_source, paths)} != {True}:
        return ""
    lines = (_NUMBERED.sub("", line) for line in shown.output.splitlines()[:LINES_LOOKED_AT])
    names = dict.fromkeys(name for line in lines if (name := definition(paths[-1], line)))
    more = f" and {len(names) - MOST_OUTLINED} more" * (len(names) > MOST_OUTLINED)
    return f"{shown.words} → defines {', '.join([*names][:MOST_OUTLINED])}{more}" if names else ""


def evidence(shown: PendingOutput, spoken: frozenset[str], *, most: int = EVIDENCE_CHARS) -> Statement | None:
    r"""The lines of an output that share terms with what was spoken of afterwards, in their order.

    >>> output = "x = 1\ndef read_rows(path):\n"
    >>> shown = PendingOutput(words="ran `cat a.py`", output=output, turn=3, part=0, key="")
    >>> evidence(shown, frozenset({"read", "rows", "path", "row"})).text
    'ran `cat a.py` → … def read_rows(path):'
    """
    printed = shown.output if shown.reads else FRAMES.sub("", shown.output)
    whole = [_NUMBERED.sub("", raw).rstrip() for raw in printed.splitlines()[:LINES_LOOKED_AT]]
    is_code = shown.reads and {*map(is_source, file_names(shown.words))} == {True}
    lines = ["" if _is_shard(line, is_code=is_code) else line for line in whole]
    if SEARCHES.match(shown.words):  # each hit has what was sought
        spoken = spoken.difference(all_terms_of(shown.words))
        texts = (line[hit.end() if (hit := _HIT.match(line)) else 0 :] for line in lines)
        vain = map(spoken.isdisjoint, map(all_terms_of, texts))
        lines = ["" if is_vain else line for line, is_vain in zip(lines, vain, strict=True)]
    if is_code or SEARCHES.match(shown.words):  # not the lines around the hits
        lines = [
            "" if _AROUND.match(raw) else line for raw, line in zip(printed.splitlines(), lines, strict=False)
        ]
    if not shown.is_page and len(found := _TITLES.findall(printed)) > 1 and "##" in "\n".join(found):
        lines = [line if _SENTENCE.match(line.rpartition(". ")[0] or line) else "" for line in lines]
        most = LINE_CHARS + 3
    if shown.is_page:  # its title says what was looked for, not what was found
        named = shown.words.casefold()
        lines = ["" if line.strip(_AROUND_NAMES).casefold() in named else line for line in lines]
    lines = top_of_records(lines)
    is_vain = shown.output.startswith(CUT_RECORDS) or (not shown.reads and is_usage(shown.output))
    if is_vain and not shown.errors:
        return None
    is_list = not (shown.is_page or SEARCHES.match(shown.words))
    own = apart(lines) if is_list else lines
    room = most - sum(map(len, shown.errors))
    kept = lines_spoken_of(lines, spoken, room, headed=not shown.reads, own=own)
    if "git status" in shown.words:  # where the tree stands, before which files do
        kept = sorted({*kept, *(at for at, line in enumerate(lines) if UNDER_WAY.search(line))})
    if not kept:
        return None
    if shown.reads and SEARCHES.match(shown.words) and (where := places_of_hits(printed)):
        return Statement(  # of many hits, some would be told by chance
            kind="ran",
            text=one_line(f"{shown.words} → {where}"),
            turn=shown.turn,
            place=(shown.part, -1),
            key=shown.key,
            flags=("reads",),
        )
    holds = (at for at in kept if _HOLDS.search(lines[at]))
    kept = sorted({*kept, *(n for at in holds for n in range(at + 1, min(at + HELD_LINES, len(lines))))})
    named = "\n".join(lines[at] for at in kept)
    phrases = (lines[at].rstrip(":") for at in kept if not _PREFACE.match(lines[at]))
    if (LISTS.match(shown.words) and not any(map(_PHRASE.search, phrases))) or lists_files(named):
        return None  # of many files some names
    last = ([n for n, x in enumerate(lines) if e.removesuffix("…") in one_line(x)] for e in shown.errors)
    ends = [at for places in last for at in places[-1:]]
    verdicts = [at for at, line in enumerate(lines) if not shown.reads and VERDICT.search(line)]
    if shown.kind == "tested" and not is_named_check(shown.key):  # what a script ends with is what it came to
        end = [at for at, line in enumerate(lines) if SAYS.search(line)][-1:]
        verdicts += [at for at in end if own[at] and len(LETTERS.findall(lines[at])) >= LEAST_WORDS]
    kept = [at for at in kept if not ends or MODULE.sub("", lines[at]) != MODULE.sub("", lines[ends[-1]])]
    kept = sorted({*kept, *ends, *verdicts[-1:]})
    room -= sum(min(len(lines[at]), LINE_CHARS) + 3 for at in kept)
    for at in kept[::-1]:  # what heads nothing that is told
        is_bare = at + 1 == len(lines) or HEADING.fullmatch(lines[at + 1].strip())
        below = [n for n in (at + 1, at + 2) if not is_bare and n < len(lines) and lines[n].strip()]
        heads = _OVER.match(lines[at]) or (not shown.reads and _TRIAL.match(lines[at]))
        if heads and {*below}.isdisjoint(kept):
            room -= min(len(lines[below[0]]), LINE_CHARS) + 3 if below else 0
            (kept.append(below[0]) if below and room >= 0 and not shown.reads else kept.remove(at))
    kept.sort()
    if not kept:
        return None
    told = "… " * any(map(SAYS.search, whole[: kept[0]])) + picked(whole, kept, LINE_CHARS)
    told = unended(told) if any(map(SAYS.search, printed.splitlines()[kept[-1] + 1 :])) else told
    if (error := "".join(shown.errors[-1:])).removesuffix("…")[: LINE_CHARS - 20] not in told:
        told += f"{BREAK}{error}"
    return Statement(
        kind=shown.kind,
        text=one_line(f"{shown.words} → {told}{shown.note}"),
        turn=shown.turn,
        place=(shown.part, -1),
        key=shown.key,
        flags=(*("reads",) * shown.reads, *("page",) * shown.is_page),
    )


def lines_spoken_of(
    lines: Sequence[str], spoken: frozenset[str], room: int, *, headed: bool = False, own: Sequence[str] = ()
) -> list[int]:
    """The positions of the lines that share most terms with what is spoken of, as fit so many characters.

    With `headed`, a line that is set in takes along the one that it belongs to; only `own` lines are chosen.
    """
    scored = []
    diff = next((at for at, line in enumerate(lines) if line.startswith("@@ -")), len(lines))
    for at, line in enumerate(own or lines):
        is_told = at < diff or (line[:1] == "+" and line[:4] != "+++ ")  # what is gone says little alone
        is_told = is_told and not (headed and line.rstrip().endswith("..."))  # how far it is
        if is_told and len(line.strip()) > 4 and not _PROGRESS.match(line) and not is_blob(line):
            rest = _LINK.sub("", line[:400])
            shared = spoken.intersection(all_terms_of(rest if _PHRASE.search(rest) else line[:400]))
            if len(shared) >= LEAST_SHARED and not all(map(str.isdigit, shared)):
                weight = sum(min(len(term), 12) for term in shared if len(term) > 2)
                scored.append((-weight / (len(line) + 30) ** 0.5, at))
    kept: set[int] = set()
    seen: set[str] = set()
    for _, at in sorted(scored):
        if lines[at].strip()[:LINE_CHARS] in seen:
            continue
        files = (n for n in range(at, 0, -1) if lines[n].startswith("+++ "))
        new = {at, *(islice(files, 1) if at > diff else _head_of(lines, at) if headed else ())} - kept
        told = [lines[n].strip()[:LINE_CHARS] for n in new]
        size = sum(len(line) + 3 for line in told)
        if size <= room:
            seen.update(told)
            room -= size
            kept |= new
    return sorted(kept)


def _head_of(lines: Sequence[str], at: int) -> Iterator[int]:
    """Where what a line belongs to stands, if it is near: `Test 4:`, `  failed`; the first of its record."""
    depth = len(lines[at]) - len(lines[at].lstrip())
    for n in range(at - 1, max(-1, at - HEAD_LINES - 1), -1):
        line = lines[n].strip()
        if line == "{" or not (line or depth):
            yield from [n + 1][: at - n - 1]
            return
        if line and len(lines[n]) - len(lines[n].lstrip()) < depth:
            yield n
            if not BRANCH.fullmatch(line):
                return
            depth = len(lines[n]) - len(lines[n].lstrip()) + 1  # and the `if` of an `else`
