"""Wording what calls were and what they gave back: commands, arguments, the lines of an output that tell."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby, islice
from textwrap import dedent

from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.files.paths import is_absolute, is_within
from tamis.ledger.outputs.error_messages import without_colours
from tamis.messages import ToolCall, ToolResult

BREAK = " ⏎ "
"""Stands where a line ended."""

GAP = " … "
"""Stands where lines were left out."""

Level = Callable[[Sequence[str]], list[str]] | None
LINE_CHARS = 110
MOST_TROUBLE, TABLE_LINES, LEAST_TICKS, ROW_CHARS = 2, 2, 3, 1_000

_PROMPT = re.compile(
    r"(?m)^\(Open file: [^\n]*\)\s*$|^\(Current directory: [^\n]*\)\s*$|^bash-\$\s*$"
    r"|\AProcess running with session ID \d+\s*$|^<command with (?:shell)?[iI]d: [^<>\n]{1,300}>\s*$"
    r"|\[(?:Python [Ii]nterpreter|Current working directory|(?:The c|C)ommand (?:completed|finished))"
    r"[^\]\n]{0,300}\]$"
)
_PROMPT_SIGNS = "(Open file: |(Current dir|bash-$|Process running|<command with|[Python |[Current w|ommand "
_SHELL_PROMPT = re.compile(r"(?m)^[\w.-]{1,40}@[\w.-]{1,80}:\S{0,200} [#$] ?$")
_REMINDER = re.compile(r"<system-reminder>(?:(?!</system-reminder>).)*(?:</system-reminder>)?", re.DOTALL)
_TROUBLE = re.compile(
    r"error|fail|panic|exception|traceback|✗|✘|undefined|not found|denied|cannot|fatal|warning|bad request"
    r"|\A\W{0,9}invalid\b|\bstatus(?: code)?\W{1,4}[45]\d\d\b",
    re.IGNORECASE,
)
_FINE = re.compile(r"\(pass\)|✓|✔|^\W*(?:PASS|ok)\b|\b(?:0|[Nn]o) (?:error|fail|warning|issue)")
_FAULT = re.compile(r"(?:\b[Ee]rror|ERROR|\w(?:Error|Exception))\b[^\n]{0,80}: ")
"""Says what went wrong, also where the program then ended well."""

VERDICT = re.compile(
    r"(?i)\ball\b[^\n]{0,40}\b(?:pass(?:ed)?|succeeded)\b|\Afound \d{1,9} (?!match|file|line|result)\w"
    r"|\bexit(?: (?:code|status))?[:=] ?\d{1,3}\s{0,9}\Z|\bsuccessfully rebased\b"
)
"""Says what a run came to, or how many there are of what is listed."""

_NUMBERED = re.compile(r"^\s*\d+\s*[→|\t]\s?")
_HEAD = re.compile(
    r"\A(?:Chunk ID: \w+\n)?Wall time: [^\n]*\n(?:Process exited [^\n]*\n)?"
    r"(?:Original token count: \d+\n)?(?:Output:\s*(?:\n|\Z))?"
    r"|\AHere's the result of running `cat -n` on [^\n]*\n"
    r"|\A(?:The user approved [^\n]*\n\n)?(?:<files>\n)?(?:<file>)?<path>[^\n]*</path>\n"
    r"(?:<type>\w+</type>\n)?<(?:content|entries)(?: [^>\n]{0,80})?>\n?"
)
"""What a tool puts before its output."""
_NOISE = re.compile(
    r"(?m)^\(End of file[^\n]*\)\s*(?:</content>)?"
    r"|^Your command ran successfully and did not produce any output\.\s*\n?"
    r"|^WARNING: Running pip as the 'root' user[^\n]*\n?|^\[notice\][^\n]*\n?|^npm notice[^\n]*\n?"
    r"|^Shell cwd was reset to [^\n]*\n?|^Consider using tools like grep [^\n]*\n?"
    r"|^\(\d+ entries\)\s*</entries>|^\.{3}\d+ bytes truncated\.{3}\s*"
    r"|^The tool call succeeded but the output was truncated\.[^\n]*\n(?:Use the Task tool[^\n]*\n?)?"
    r"|^ {0,2}(?:Collecting|Using cached|Downloading|Installing collected packages:) \S[^\n]*\n?"
    r"|^\s{1,9}\(use \"git [^\n]*\)\n?|^no changes added to commit [^\n]*\n?|^Preview \(first \d+ ?\w+\):$"
    r"|^</?persisted-output>\s*$\n?"
    r"|^Found \d+ matches for [^\n]*\n|^End of matches for [^\n]*"
)
_TIME = re.compile(
    r"(?m)^[^\n]{1,300}? \d+% cpu ([\d.:]+ total)$(?:\n[^\n]{1,300}? \d+% cpu [\d.:]+ total$)*+"
)
"""What `time` says of a pipe; of its parts the first does the work."""

_SAVED = re.compile(
    r"(?m)^Output too large[^\n.]{0,60}(?:\.\d[^\n.]{0,20})?\. ((?:Full output s|S)aved to:? \S{1,300})"
)
SAVED = "(the output is too large)"
"""Says that the beginning of an output is all that was shown."""

_NOISE_SIGNS = (
    "(End of file|Your command ran|WARNING: Running pip|[notice]|npm notice|Shell cwd was"
    "|Installing collected packages: |Consider using tools|</entries>|the output was truncated"
    '|(use "git |matches for |persisted-output>'
)
_WORD = re.compile(r"\w|[=-]{2} {1,2}[=-]{2}")  # the rules of a table are of it
COLUMNS = re.compile(r"[^\s.+-] {2,40}\S|[=-]{2} {1,2}[=-]{2}")
LETTERS = re.compile(r"[^\W\d_]{3,}")
RECORD = re.compile(r"\A\s{0,80}((?:[\w./@+-]{1,200}:(?:\d{1,7}:)?)?)\{\".*")
"""A record, or a hit in one."""

_OF_BODY = re.compile(r"(?m)^ {0,8}[*-] (?![*|/\\ ]{0,20}[0-9a-f]{7,40}\b)[^\n]*\n?")
_TITLE = re.compile(r"(?m)^(?:commit )?[0-9a-f]{7,40}\b")
SAYS = re.compile(r"[^\W_]|[)}\]…]|[=-]{2} {1,2}[=-]{2}")
_PART_STARTS = re.compile(r"\n[ \t\r]{0,80}\n\s{0,80}(\S[^\n]*)")
JOINT = re.compile(f"{BREAK}|{GAP}")
HOLLOW = re.compile(
    r"\W{0,9}(?:(?:all )?(?:tests?|checks?|test runs?|testing|script|demo) (?:(?:is|are|has|have) )?)?"
    r"(?:done|finished|completed?|the end)?\W{0,9}|\W{0,9}(?:the )?(?:script|demo|program|reproduction) "
    r"(?:(?:ran|run|has|was) )?(?:completed?|finished|ended|done)(?: successfully)?(?:, no errors)?\W{0,9}"
    r"|\d{1,9}\.\d[\d.\s]{0,60}\w{0,40}\W{0,9}",
    re.IGNORECASE,
)
"""A line that says only that it was the last, or a row of a table."""
HEADING = re.compile(r"(?:[=#*~─━═-]{2,9} .{1,200} |[=#*~-]{3,9}\w.{0,80}\w(?=[=#*~-]{3}))[=#*~─━═-]{2,80}")
_VOID = re.compile(
    r"(?i)\W{0,9}(?:\[[\w:./-]{1,40}\] )?(?:finished|done|completed|took|elapsed|duration|total time)\b"
    r"(?: in)?:? {0,9}[\d.]{1,12} ?(?:m?s|sec(?:ond)?s?|min(?:ute)?s?)\W{0,9}"
    r"|\s{0,9}<!--.{0,300}-->\s{0,9}|[\w -]{1,30}:\t\s{0,9}"
)
"""A line that says how long something took, a remark that is not shown, or a field with nothing in it."""

_TICK = re.compile(r"\W{0,3}[✓✔✅✗✘❌]\W{0,3}\w")
_COUNTER = re.compile(r"([^\d\n]{0,60})\d{1,7} ?(?:/|of) ?(\d{1,7})(?![/\d])")
_PROSE_ARGUMENTS = frozenset(
    ("title", "subject", "name", "query", "question", "prompt", "body", "description", "message", "text")
)


_BLANK_HEAD = re.compile(r"\A(?:[ \t\r]*\n)+")
"""What stands before the first line, whose own blanks may mean something: ` M a.py`."""


def output_of(result: ToolResult) -> str:
    """What a call printed, without colours, prompts, a harness's asides and what an installer always says."""
    text = without_colours(result.text)
    if "<system-reminder>" in text:
        text = _REMINDER.sub("", text)
    if any(sign in text for sign in _PROMPT_SIGNS.split("|")):  # a pattern of lines looks at every character
        text = _PROMPT.sub("", text)
    if "Output too large" in text:
        text = _SAVED.sub(rf"\1 {SAVED}", text)
    text = text.replace("have diverged,\nand have ", "have diverged, and have ")
    if "% cpu " in text:
        text = _TIME.sub(r"\1", text)
    if "@" in text and (" $" in text or " #" in text):
        text = _SHELL_PROMPT.sub("", text)
    if head := _HEAD.match(text):
        text = text[head.end() :]
    if any(sign in text for sign in _NOISE_SIGNS.split("|")):
        text = _NOISE.sub("", text)
    return _BLANK_HEAD.sub("", text).rstrip()


def titles_only(output: str, command: str) -> str:
    r"""The output of a command; of a log of versions without the items that stand below the titles.

    >>> titles_only("3f2a91c Keep rows\n* feat: rows\n", "git log -1")
    '3f2a91c Keep rows\n'
    """
    return _OF_BODY.sub("", output) if "git log" in command and _TITLE.search(output) else output


def name_of(call: ToolCall) -> str:
    """The tool's own name."""
    return call.name.rsplit("__", 1)[-1]


def search_words(call: ToolCall) -> str:
    """What a search is for, and where; empty for another call.

    >>> search_words(ToolCall(id="1", name="Grep", arguments={"pattern": "def read", "path": "src"}))
    'Grep `def read` in src'
    """
    pattern, place = call.arguments.get("pattern"), call.arguments.get("path")
    if not isinstance(pattern, str):
        return ""
    where = f" in {place}" if isinstance(place, str) and place else ""
    return f"{name_of(call)} `{shortened(one_line(pattern), 80)}`{where}"


def arguments_of(call: ToolCall) -> str:
    """The arguments that a person would name: prose first, the rest as they fit."""
    told = []
    for key, given in call.arguments.items():
        plain = [item for item in given if not isinstance(item, dict)] if isinstance(given, list) else given
        value = ", ".join(map(str, plain)) if isinstance(plain, list) else plain
        if isinstance(value, str | int | float | bool) and str(value).strip():
            told.append(
                (key not in _PROSE_ARGUMENTS, f"{one_line(key)}: {shortened(one_line(str(value)), 200)}")
            )
    return shortened("; ".join(text for _, text in sorted(told, key=lambda t: t[0])), 330)


_LONG_PATH = re.compile(r"(`?)~?(?:/[\w.@+-]{1,80}){3,30}")


def shortened(text: str, most: int) -> str:
    """A command or a line of code that is too long, cut behind a word and marked so.

    An absolute path is cut at its front: its end says which file it is.

    >>> shortened("make all the tests run", 12), shortened("read /home/dev/shop/src/rows.py whole", 24)
    ('make all…', 'read …/shop/src/rows.py…')
    """
    if len(text.removesuffix(" …")) <= most:
        return text
    cut = text[: most - 1]
    start = cut.rfind(" ") + 1
    path = _LONG_PATH.match(text, start)
    room = most - start - 2
    if path and (end := path[0].find("/", max(1, len(path[0]) - room))) > 0:
        goes_on = "…" * (path.end() < len(text))
        return f"{text[:start]}{path[1]}…{path[0][end:]}{goes_on}"
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip(" …") + "…"


def bare(command: str) -> str:
    """A command without the change of folder before it, and a quotation mark within quotes as it is meant.

    >>> bare("cd /repo && make all")
    'make all'
    """
    return re.sub(r"^cd \S+(?: &&|;) ", "", command).replace("'\"'\"'", "'")


def placed(command: str, cwd: str | None) -> str:
    """A command with the change of folder before it only where that leads away from where the work is.

    >>> placed("cd /repo/web && npm test", "/repo"), placed("cd /repo && make", "/repo/web")
    ('cd /repo/web && npm test', 'make')
    """
    found = re.match(r"cd (\S+) && ", command)
    away = found and (cwd is not None or not is_absolute(found[1])) and not is_within(cwd or "", found[1])
    return command.replace("'\"'\"'", "'") if away else bare(command)


def is_trouble(line: str) -> bool:
    """Whether a line that a program printed tells of anything amiss."""
    return _TROUBLE.search(line) is not None and _FINE.search(line) is None


def is_fault(line: str) -> bool:
    """Whether a line that a program printed says what went wrong.

    >>> is_fault("Error in read(7): no such row"), is_fault("No error: all fine")
    (True, False)
    """
    return _FAULT.search(line) is not None and _FINE.search(line) is None


def picked(lines: Sequence[str], kept: Sequence[int], most: int = LINE_CHARS, level: Level = None) -> str:
    """The lines at these positions in one, with a mark where others stood between them.

    >>> picked(["one", "two", "", "three", "four"], [0, 1, 3])
    'one ⏎ two ⏎ three'
    >>> picked(["one", "two", "three"], [0, 2]), picked(["one or more", "two", "three"], [0, 2], 8)
    ('one … three', 'one or… … three')
    """
    told = ""
    shown = (level or _levelled)([lines[at] for at in kept])
    for before, at, line in zip([None, *kept], kept, shown, strict=False):
        if before is not None:
            is_gap = any(map(SAYS.search, lines[before + 1 : at])) and not told.endswith(GAP.rstrip())
            told += GAP if is_gap else BREAK
        told += shortened(line, most)
    return told


def joined(text: str) -> str:
    """The lines of a text in one, without those that are only drawn."""
    lines = [line for line in text.splitlines() if SAYS.search(line) and not _VOID.fullmatch(line)]
    lines = _levelled(lines)
    told = _headed(lines)
    text = BREAK.join(told).replace(f"{BREAK}{GAP.strip()}{BREAK}", GAP)
    return text if len(told) == len(lines) else unended(text)


def _levelled(lines: Sequence[str]) -> list[str]:
    """The lines without what sets them in; those of a diff or a table keep what sets one apart from another.

    >>> _levelled(["     try:", "+        open(path)", "+    close()"])
    [' try:', '+    open(path)', '+close()']
    """
    stripped = [line.strip() for line in lines]
    if not any(line[:1].isspace() for line in lines if line):
        return stripped
    if sum(COLUMNS.search(line) is not None for line in stripped) >= TABLE_LINES:
        return dedent("\n".join(lines).expandtabs()).split("\n")
    if not any(line[:1] in "+-" for line in lines if line):
        return stripped
    code = [line[:1] in "+- \t" and line[:3] not in ("+++", "---") for line in lines]
    depth = min(
        (len(line) - 1 - len(line[1:].lstrip()) for line, own in zip(lines, code, strict=True) if own),
        default=0,
    )
    depth *= depth > 1  # the space behind the sign of a list stays
    return [
        line[:1] + line[1 + depth :].rstrip() if own else bare_line
        for line, own, bare_line in zip(lines, code, stripped, strict=True)
    ]


def first_lines(text: str, most: int) -> str:
    """As many of the first lines as fit so many characters."""
    told: list[str] = []
    lines = _told_lines(text[: most * 8])
    for line in lines:
        if told and most < len(line):
            break
        told.append(shortened(line, LINE_CHARS))
        most -= len(told[-1])
    return unended(BREAK.join(told)) if len(told) < len(lines) else BREAK.join(told)


def unended(text: str) -> str:
    """A text with the mark that more stood behind it."""
    return text if not text or text.endswith("…") else text + GAP.rstrip()


def last_lines(text: str, most: int, *, trouble: bool = True) -> str:
    r"""As many of the last lines as fit, a fault and the verdict before others; with `trouble`, any trouble.

    >>> last_lines("a b\nTotal:\na b", 60)
    'a b ⏎ Total: ⏎ a b'
    """
    text = "\n".join(row[:ROW_CHARS] + "…" * (len(row) > ROW_CHARS) for row in text.splitlines())
    tail = text[-most * 30 :]
    lines = _told_lines(tail if tail == text else tail.partition("\n")[2] or tail)
    pattern = _TROUBLE if trouble else _FAULT
    found = (at for at, line in enumerate(lines) if pattern.search(line) and not _FINE.search(line))
    kept = list(islice(found, MOST_TROUBLE))
    kept += [at for at, line in enumerate(lines) if VERDICT.search(line) and at not in kept][-1:]
    said = {lines[at] for at in kept}
    room = most - sum(min(len(lines[at]), LINE_CHARS) for at in kept)
    ticks = [at for at, line in enumerate(lines) if _TICK.match(line)]  # what a script counts as done, or not
    told = ticks if len(ticks) >= LEAST_TICKS else [at for at, x in enumerate(lines) if len(x) <= ROW_CHARS]
    for at in reversed(told or range(len(lines))):
        if lines[at] in said:
            continue
        room -= min(len(lines[at]), LINE_CHARS)
        if room < 0 and kept:
            break
        kept.append(at)
    kept.sort()
    while len(kept) > 1 and kept[0] and HOLLOW.fullmatch(lines[kept[0]]):
        del kept[0]  # of a table that is cut, some row
    parts = {first.strip() for first in _PART_STARTS.findall(tail)}
    first = next((at for at in kept if lines[at].strip() in parts), 0)
    first -= first > 0 and lines[first - 1].endswith(":")
    whole = [at for at in kept if at >= first or lines[at] in said]
    is_most = 2 * sum(len(lines[at]) for at in whole) > sum(len(lines[at]) for at in kept)
    if kept and kept[0] and (is_most or (whole and _TICK.match(lines[whole[-1]]))):
        kept = whole  # it begins where a part of what was printed does
    begins = not kept or (kept[0] == 0 and tail == text)
    came = "… " * (not begins) + picked(lines, kept)
    return came if kept[-1:] == [len(lines) - 1] else unended(came)


def ends_in_verdict(text: str) -> bool:
    r"""Whether the last line of an output is ticked off as done, or not.

    >>> ends_in_verdict("rows: 3\n\n✓ all rows are kept\n"), ends_in_verdict("✓ read\nrows: 3")
    (True, False)
    """
    return _TICK.match(text.rstrip().rpartition("\n")[2]) is not None


def _told_lines(text: str) -> list[str]:
    lines = (_NUMBERED.sub("", raw) for raw in text.splitlines())
    lines = (x if len(x) <= LINE_CHARS else RECORD.sub(r"\1", x) for x in lines)  # no half of a record
    told = _levelled(
        [line for line in without_progress([*lines]) if _WORD.search(line) and not _VOID.fullmatch(line)]
    )
    runs = ((x, len([*alike]) if LETTERS.search(x) else 1) for x, alike in groupby(told))
    return _headed([f"{x} (printed {n} times)" if n > 1 else x for x, n in runs])


def without_progress(lines: Sequence[str]) -> list[str]:
    """The lines; of several in a row that count up to the same number, the last.

    >>> without_progress(["start", *(f"row {n}/9: read" for n in range(1, 8)), "done"])
    ['start', 'row 7/9: read', 'done']
    """
    told: list[str] = []
    for counts, run in groupby(lines, _counts):
        alike = list(run)
        told += alike[-1:] if counts and len(alike) >= LEAST_TICKS else alike
    return told


def _counts(line: str) -> tuple[str, str] | None:
    """What a line counts, and up to where."""
    found = _COUNTER.match(line)
    return (found[1], found[2]) if found else None


def _headed(lines: list[str]) -> list[str]:
    """The lines without headings under which nothing was printed."""
    heads = [HEADING.fullmatch(line.strip()) is not None for line in lines]
    told = zip(lines, heads, [*heads[1:], True], strict=False)
    return [line for line, is_head, is_over in told if not (is_head and is_over)] or lines[:1]
