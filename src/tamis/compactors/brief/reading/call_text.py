"""Wording what calls were and what they gave back: commands, arguments, the lines of an output that tell."""

import re

from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.outputs.error_messages import without_colours
from tamis.messages import ToolCall, ToolResult

BREAK = " ⏎ "
"""Stands where a line ended."""

LINE_CHARS = 110

_PROMPT = re.compile(
    r"(?m)^\(Open file: [^\n]*\)\s*$|^\(Current directory: [^\n]*\)\s*$|^bash-\$\s*$"
    r"|\AProcess running with session ID \d+\s*$"
    r"|^[\w.-]{1,40}@[\w.-]{1,80}:\S{0,200} [#$] ?$"
    r"|\[(?:Python [Ii]nterpreter|Current working directory|(?:The c|C)ommand (?:completed|finished))"
    r"[^\]\n]{0,300}\]$"
)
_REMINDER = re.compile(r"<system-reminder>(?:(?!</system-reminder>).)*(?:</system-reminder>)?", re.DOTALL)
_TROUBLE = re.compile(
    r"error|fail|panic|exception|traceback|✗|✘|undefined|not found|denied|cannot|fatal|warning",
    re.IGNORECASE,
)
_FINE = re.compile(r"\(pass\)|✓|✔|^\W*(?:PASS|ok)\b|\b(?:0|[Nn]o) (?:error|fail|warning|issue)")
_NUMBERED = re.compile(r"^\s*\d+\s*[→|\t]\s?")
_NOISE = re.compile(
    r"(?m)^Your command ran successfully and did not produce any output\.\s*\n?"
    r"|^WARNING: Running pip as the 'root' user[^\n]*\n?|^\[notice\][^\n]*\n?|^npm notice[^\n]*\n?"
)
_WORD = re.compile(r"\w")
_GAVE = re.compile(r" → | failed: ")
_PROSE_ARGUMENTS = frozenset(
    ("title", "subject", "name", "query", "question", "prompt", "body", "description", "message", "text")
)


def output_of(result: ToolResult) -> str:
    """What a call printed, without colours, prompts, a harness's asides and what an installer always says."""
    text = without_colours(result.text)
    if "<system-reminder>" in text:
        text = _REMINDER.sub("", text)
    return _NOISE.sub("", _PROMPT.sub("", text)).strip()


def name_of(call: ToolCall) -> str:
    """The tool's own name."""
    return call.name.rsplit("__", 1)[-1]


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


def shortened(text: str, most: int) -> str:
    """A command or a line of code that is too long, cut behind a word and marked so.

    >>> shortened("make all the tests run", 12)
    'make all…'
    """
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[most // 2 :] else cut).rstrip() + "…"


def bare(command: str) -> str:
    """A command without the change of folder before it.

    >>> bare("cd /repo && make all")
    'make all'
    """
    return re.sub(r"^cd \S+ && ", "", command)


def short_run(text: str, most: int) -> str:
    """A run in so many characters: of what it printed the end, or the first line where it tells of trouble.

    >>> short_run("ran `make all` → one ⏎ two ⏎ three", 26)
    'ran `make all` → … ⏎ three'
    """
    gave = _GAVE.search(text)
    if len(text) <= most or not gave:
        return shortened(text, most)
    printed = text[gave.end() :]
    head, lines = shortened(text[: gave.start()], max(most // 2, 40)), printed.split(BREAK)
    if len(lines) > 1 and _TROUBLE.search(lines[0]) and not _FINE.search(lines[0]):
        lines = lines[:1]
    room = most - len(head)
    kept = [n for n in range(1, len(lines)) if len(BREAK.join(["…", *lines[n:]])) + 3 <= room]
    told = printed if len(printed) <= room else BREAK.join(["…", *lines[kept[0] :]]) if kept else lines[-1]
    return f"{head}{gave[0]}{shortened(told, max(room, 60))}"


def joined(text: str) -> str:
    """The lines of a text in one."""
    return BREAK.join(line.strip() for line in text.splitlines() if line.strip())


def first_lines(text: str, most: int) -> str:
    """As many of the first lines as fit so many characters."""
    told: list[str] = []
    size = 0
    for line in _told_lines(text[: most * 8]):
        if told and size + len(line) > most:
            break
        told.append(shortened(line, LINE_CHARS))
        size += len(told[-1])
    return BREAK.join(told)


def last_lines(text: str, most: int) -> str:
    r"""As many of the last lines as fit, those that tell of trouble before others.

    >>> last_lines("a b\nTotal:\na b", 60)
    'a b ⏎ Total: ⏎ a b'
    """
    lines = _told_lines(text[-most * 30 :])
    trouble = [line for line in lines if _TROUBLE.search(line) and not _FINE.search(line)][:2]
    told: list[str] = []
    room = most - sum(min(len(line), LINE_CHARS) for line in trouble)
    for line in reversed(lines):
        if line in trouble or told[:1] == [line]:
            continue
        room -= min(len(line), LINE_CHARS)
        if room < 0 and (told or trouble):
            break
        told.insert(0, line)
    return BREAK.join(shortened(line, LINE_CHARS) for line in [*dict.fromkeys(trouble), *told])


def _told_lines(text: str) -> list[str]:
    lines = (_NUMBERED.sub("", raw).strip() for raw in text.splitlines())
    return [line for line in lines if _WORD.search(line)]
