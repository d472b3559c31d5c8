"""Error messages in what tools give back: exact, with their type and place.

Only lines that hold a cue are looked at, and each is tried against the forms of `error_forms.py`. What is
merely quoted (a source file that was read, a search hit) is no error; the caller says when an output is of
that kind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tamis.ledger.events import ErrorMessage
from tamis.ledger.outputs.error_forms import FORMS, LINT_MARK, LINTED, TRACEBACK, ErrorForm
from tamis.ledger.shell.programs import PREPARING, READING
from tamis.messages import ToolResult

MAX_ERRORS = 20
"""How many errors are taken from one output, the first and the last: a broken build can print thousands."""

MAX_LINES_PER_CUE = 300
MAX_LINE_CHARS = 2000
MAX_MESSAGE_CHARS = 500

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*+\x07")


def without_colours(text: str) -> str:
    """The text without terminal escape sequences."""
    return _ESCAPE.sub("", text) if "\x1b" in text else text


@dataclass(frozen=True, slots=True)
class FoundError:
    """An error, and the range of its message in the text."""

    error: ErrorMessage
    start: int
    end: int


_ALL_FORMS = (ErrorForm(cues=(), pattern=LINTED), *FORMS)
_OWN_FORMS = tuple(form for form in FORMS if form.own)
_ALL_CUES = tuple(sorted({cue for form in _ALL_FORMS for cue in form.cues}))
_OWN_CUES = tuple(sorted({cue for form in _OWN_FORMS for cue in form.cues}))


def errors_in_output(text: str, command: str | None, *, quotes: bool = False) -> list[FoundError]:
    """The errors that a program printed, in order, each once.

    With `quotes`, the program only prints what stands elsewhere, and only its own complaints count.
    """
    forms, cues = (_OWN_FORMS, _OWN_CUES) if quotes else (_ALL_FORMS, _ALL_CUES)
    found: dict[tuple[str, str | None], FoundError] = {}
    for start, end in _candidates(text, cues, marked=not quotes):
        error = _read_line(text, start, end, forms, command)
        if error and not (quotes and _quoted(error.error, command)):
            found.setdefault((error.error.message, error.error.place), error)
    errors = list(found.values())
    half = MAX_ERRORS // 2
    return errors if len(errors) <= MAX_ERRORS else errors[:half] + errors[-half:]


def _candidates(text: str, cues: tuple[str, ...], *, marked: bool) -> Iterator[tuple[int, int]]:
    """The ranges of the lines that hold a cue, in order; with `marked`, also where other signs lead."""
    starts: set[int] = set()
    for cue in cues:
        at = text.find(cue)
        left = MAX_LINES_PER_CUE
        while at >= 0 and left:
            starts.add(text.rfind("\n", 0, at) + 1)
            left -= 1
            line_end = text.find("\n", at)
            at = text.find(cue, line_end) if line_end >= 0 else -1
    if marked:
        starts.update(text.rfind("\n", 0, mark.start()) + 1 for mark in LINT_MARK.finditer(text))
        starts.update(stack.end() for stack in TRACEBACK.finditer(text))
    for start in sorted(starts):
        end = text.find("\n", start)
        yield start, len(text) if end < 0 else end


_SPEAKERS = READING | PREPARING | {"bash", "eval", "git", "sh", "ugrep", "zsh"}


def _quoted(error: ErrorMessage, command: str | None) -> bool:
    """Whether a line of a file was printed: who complains for itself begins with its name (`cat: x: ...`)."""
    speaker = error.message.partition(":")[0].removeprefix("/usr").removeprefix("/bin/").strip("()")
    return "git" not in (command or "") if speaker == "fatal" else speaker not in _SPEAKERS


_TASK_PREFIX = re.compile(r"^\[(?!ERROR|FATAL|error|Error)[\w:./-]{1,30}\] ")
_HARNESS_NOTE = re.compile(
    r"\[(?:Python Interpreter|Current working directory|Command finished)\b[^\[\]]*+\]$"
)


def _read_line(
    text: str, start: int, end: int, forms: tuple[ErrorForm, ...], command: str | None
) -> FoundError | None:
    if end - start > MAX_LINE_CHARS:
        return None
    raw = text[start:end].rstrip()
    line = _HARNESS_NOTE.sub("", _TASK_PREFIX.sub("", without_colours(raw), count=1))
    for form in forms:
        match = form.pattern.match(line)
        if match is None or (form.holds and not form.holds(text, start, end)):
            continue
        message = match["message"].strip()[:MAX_MESSAGE_CHARS]
        if not message:
            return None
        groups = match.groupdict()
        place = f"{groups['file']}:{groups['line']}" if groups.get("file") else None
        if place is None and form.place:
            place = form.place(text, start, end)
        error = ErrorMessage(
            message=message, type=groups.get("type") or form.type, place=place, command=command
        )
        at = raw.find(message)
        if at < 0:  # coloured: the range is the whole line
            return FoundError(error, start, start + len(raw))
        return FoundError(error, start + at, start + at + len(message))
    return None


_LABEL = re.compile(r"(?:\s|<(?:tool_use_)?error>|ERROR:?\s*\n|Error:\s*\n)+")
_CLOSING = re.compile(r"</(?:tool_use_)?error>")
_REFUSED_EDIT = re.compile(r"\AYour proposed edit has introduced new syntax error.*?ERRORS:\s*- ", re.DOTALL)
_COMPLAINT = re.compile(
    r"<(?:tool_use_)?error>|(?:API |Tool |MCP )?[Ee]rror(?: \w+){0,6}: |ERROR:|Invalid |Failed to "
    r"|InputValidationError|Your proposed edit has introduced new syntax error"
)
_NOT_RUN = (
    "The user doesn't want",
    "The user does not want",
    "[Request interrupted",
    "User rejected",
    "Sibling tool call errored",
)


def was_not_run(result: ToolResult) -> bool:
    """Whether a call was turned down: somebody decided against it, or another call failed first."""
    return result.text.removeprefix("<tool_use_error>").startswith(_NOT_RUN)


def tool_errors(result: ToolResult, path: str | None) -> list[FoundError]:
    """What a tool other than a shell complained about: the first line of a result that is an error.

    `path` is the file that it was to work on.
    """
    text = result.text
    if not (result.is_error or _COMPLAINT.match(text)):
        return []
    opening = _REFUSED_EDIT.match(text) or _LABEL.match(text)
    start = opening.end() if opening else 0
    end = text.find("\n", start)
    line = _CLOSING.split(text[start : end if end >= 0 else len(text)])[0].rstrip()[:MAX_MESSAGE_CHARS]
    if not line:
        return []
    return [FoundError(ErrorMessage(message=line, type="tool", place=path), start, start + len(line))]


_API_ERROR = re.compile(r"(?:API|Request) [Ee]rror\b[:(].*|\{\"type\":\"error\",.*")


def api_error(text: str) -> FoundError | None:
    """The error of the API that stands where a reply should have been."""
    match = _API_ERROR.match(text) if text.startswith(("API", "Request", '{"type":"error"')) else None
    if not match:
        return None
    message = match[0].rstrip()[:MAX_MESSAGE_CHARS]
    return FoundError(ErrorMessage(message=message, type="api"), 0, len(message))


_ADDRESS = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b")
_FOLDERS = re.compile(r"(?<![\w@.~+/\\-])(?:[A-Za-z]:)?(?:[\w@.~+-]*+[/\\])+(?=[\w.])")
_NUMBER = re.compile(r"\d+")
_LINE = re.compile(r":\d+$")


def error_signature(error: ErrorMessage) -> str:
    """What two sightings of the same error share: addresses, folders and numbers are folded.

    >>> error_signature(ErrorMessage(message="no /tmp/x1/a.py at line 3", type="IOError", place="/b/c.py:9"))
    'IOError c.py: no a.py at line #'
    """
    message = _NUMBER.sub("#", _FOLDERS.sub("", _ADDRESS.sub("0x#", error.message)))
    file = _LINE.sub("", error.place).rsplit("/", 1)[-1] if error.place else ""
    return f"{' '.join(filter(None, (error.type, file)))}: {message}"
