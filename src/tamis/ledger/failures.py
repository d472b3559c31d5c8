"""Error messages in what tools print: exact, with their type and place.

Only lines that hold a cue are looked at, and each is tried against a short table of forms. What is merely quoted
(a source file that was read, a search hit) is not an error; the caller says when an output is of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tamis.ledger.events import ErrorSeen
from tamis.messages import ToolResult

MAX_ERRORS_PER_OUTPUT = 20
"""A broken build can print thousands; the first and the last tell."""

MAX_CANDIDATE_LINES = 400
MAX_MESSAGE_CHARS = 500

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")


def without_colours(text: str) -> str:
    """The text without terminal escape sequences."""
    return _ANSI.sub("", text) if "\x1b" in text else text


@dataclass(frozen=True, slots=True)
class FoundError:
    """An error and the range of its message in the text."""

    error: ErrorSeen
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    """A form that error lines take: `pattern` is matched at the line's start and names `message`, `type`, `file`
    and `line` as far as the line tells. `place` finds the place elsewhere in the output."""

    pattern: re.Pattern[str]
    type: str | None = None
    place: Callable[[str, int, int], str | None] | None = None


def _python_place(text: str, start: int, end: int) -> str | None:
    """The last stack frame above the line; for JavaScript the first one below."""
    above = text[max(0, start - 2000) : start]
    frames = _PYTHON_FRAME.findall(above)
    if frames:
        return f"{frames[-1][0]}:{frames[-1][1]}"
    below = _JS_FRAME.match(text, end)
    return f"{below[1]}:{below[2]}" if below else None


def _rust_place(text: str, start: int, end: int) -> str | None:  # noqa: ARG001
    arrow = _RUST_ARROW.match(text, end)
    return arrow[1] if arrow else None


def _panic_place(text: str, start: int, end: int) -> str | None:  # noqa: ARG001
    frame = _GO_FRAME.search(text, end, end + 4000)
    return f"{frame[1]}:{frame[2]}" if frame else None


def _pytest_place(text: str, start: int, end: int) -> str | None:  # noqa: ARG001
    frame = _PYTEST_FRAME.search(text, end, end + 4000)
    return f"{frame[1]}:{frame[2]}" if frame else None


_PYTHON_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)', re.MULTILINE)
_JS_FRAME = re.compile(r"\n\s+at (?:[^\n(]*\()?(?:file://)?([^\s():]+):(\d+):\d+\)?")
_RUST_ARROW = re.compile(r"(?:\n[^\n]*){0,1}?\n\s*--> ([^\s:]+:\d+)")
_GO_FRAME = re.compile(r"^\t(/[^\s:]+\.go):(\d+)", re.MULTILINE)
_PYTEST_FRAME = re.compile(r"^([^\s:]+\.py):(\d+): ", re.MULTILINE)

_FILE = r"(?P<file>(?:[A-Za-z]:)?[\w@./\\+-]*[\w-]\.[A-Za-z]\w{0,9})"
_SAID = r"(?P<message>(?:%s).*)"

_SHELL_SAYS = (
    "command not found|[Nn]o such file or directory|[Pp]ermission denied|[Ii]s a directory|[Nn]ot a directory|"
    "[Oo]peration not permitted|cannot access|No space left on device|Connection refused|[Nn]o rule to make target|"
    "[Ss]yntax error|unexpected EOF|[Cc]ould not resolve host|[Nn]ot found"
)

_FORMS = (
    _Form(
        re.compile(
            r"E   +(?P<message>(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Failed|Exit|Warning))\b.*|assert .*)"
        ),
        place=_pytest_place,
    ),
    _Form(re.compile(rf"{_FILE}[(:](?P<line>\d+)[:,]\d+\)?(?: -|:) (?P<message>error (?P<type>TS\d+): .*)")),
    _Form(re.compile(rf"{_FILE}:(?P<line>\d+)(?::\d+)?: (?P<message>(?:fatal )?[Ee]rror: .*)"), type="error"),
    _Form(
        re.compile(rf"(?:vet: )?{_FILE}:(?P<line>\d+):\d+:? (?P<message>(?P<type>[A-Z]{{1,4}}\d{{2,5}})\b.*)")
    ),
    _Form(re.compile(r"(?:vet: )?(?P<file>[\w@./\\+-]+\.go):(?P<line>\d+):\d+: (?P<message>.*)"), type="go"),
    _Form(re.compile(r"\s+(?P<file>[\w.-]+_test\.go):(?P<line>\d+): (?P<message>.*)"), type="test"),
    _Form(re.compile(r"(?P<message>(?P<type>error\[E\d+\]): .*)"), place=_rust_place),
    _Form(
        re.compile(
            r"thread '[^']*'(?: \(\d+\))? (?P<message>(?P<type>panicked) at (?:'.*', )?(?P<file>[^\s:]+):(?P<line>\d+).*)"
        )
    ),
    _Form(re.compile(r"(?P<message>(?P<type>panic): .*)"), place=_panic_place),
    _Form(re.compile(r"(?:Exception in thread \S+ |Caused by: )(?P<message>(?P<type>[\w.$]+).*)")),
    _Form(
        re.compile(
            r"(?:Uncaught |\[?uncaught exception\]?:? )?(?P<message>(?P<type>[A-Za-z_][\w.]*"
            r"(?:Error|Exception|Interrupt|Timeout|Exit))(?: \[\w+\])?(?::.*|\s*))$"
        ),
        place=_python_place,
    ),
    _Form(
        re.compile(
            r"(?P<message>npm (?:ERR!|error) (?:code )?(?P<type>E[A-Z]{3,}|ERESOLVE|Missing script)\b.*)"
        )
    ),
    _Form(re.compile(r"(?P<message>(?P<type>fatal): .*)")),
    _Form(re.compile(r"(?P<message>(?P<type>CONFLICT) \(.*)")),
    _Form(
        re.compile(
            r"(?P<message>(?:HTTP/[\d.]+ |HTTP (?:status )?(?:code )?|.{0,80}?status code:? )(?P<type>[45]\d\d)\b.*)"
        )
    ),
    _Form(re.compile(r"(?P<message>(?P<type>[45]\d\d) (?:Client|Server) Error: .*)")),
    _Form(re.compile(r"(?P<message>curl: \(\d+\) .*)"), type="curl"),
    _Form(re.compile(r"(?P<message>make(?:\[\d+\])?: \*\*\* .*)"), type="make"),
    _Form(
        re.compile(rf"(?P<message>[\w./-]+: (?:.{{0,200}}: )?(?:{_SHELL_SAYS})(?:: .{{0,200}})?)$"),
        type="shell",
    ),
    _Form(re.compile(rf"(?P<message>[\w./-]+: (?:line )?\d+: .{{0,200}}(?:{_SHELL_SAYS}).*)$"), type="shell"),
    _Form(re.compile(r"(?P<message>\w[\w ]*: cannot .{0,300}: .*)$"), type="shell"),
    _Form(
        re.compile(r"(?P<message>.{0,60}(?:Segmentation fault|core dumped|[Cc]ommand timed out).*)"),
        type="killed",
    ),
    _Form(
        re.compile(
            r"(?:\[?(?P<type>ERROR|FATAL|Error|error|Fatal error)\]?(?: \([\w-]+\))?(?::| -) ?)(?P<message>\S.*)"
        )
    ),
)
"""Tried in this order; the first that fits tells."""

_QUOTING_FORMS = tuple(
    form for form in _FORMS if form.type == "shell" or "fatal" in form.pattern.pattern[:24]
)
"""What a program that reads files says about itself, not what stands in the files."""

_CUES = (
    "rror", "xception", "ERROR", "FATAL", "atal: ", "panic", "not found", "o such file", "denied", "Traceback",
    "\nE  ", "HTTP", "status code", "CONFLICT", "egmentation", "core dumped", "timed out", ".go:", "ERR!",
    "nterrupt", "Timeout", "Exit", "*** ", "cannot ", "directory", "permitted", "curl: (", "No space",
)  # fmt: skip
_QUOTING_CUES = ("fatal: ", "ot found", "o such file", "denied", "cannot ", "directory", "permitted")

_LINTED = re.compile(r":\d+:\d+:? [A-Z]{1,4}\d{2,5}\b")


def errors_in_output(text: str, command: str | None, *, quotes: bool = False) -> list[FoundError]:
    """The errors that a program printed, in order, each once.

    With `quotes`, the program only prints what stands elsewhere, and only its own complaints count.
    """
    forms, cues = (_QUOTING_FORMS, _QUOTING_CUES) if quotes else (_FORMS, _CUES)
    found: dict[tuple[str, str | None], FoundError] = {}
    for start, end in _candidates(text, cues, linted=not quotes):
        error = _read_line(text, start, end, forms, command)
        if error:
            found.setdefault((error.error.message, error.error.place), error)
    errors = list(found.values())
    half = MAX_ERRORS_PER_OUTPUT // 2
    return errors if len(errors) <= 2 * half else errors[:half] + errors[-half:]


def _candidates(text: str, cues: tuple[str, ...], *, linted: bool) -> Iterator[tuple[int, int]]:
    """The ranges of the lines that hold a cue, in order."""
    starts: set[int] = set()
    for cue in cues:
        at = text.find(cue)
        taken = 0
        while at >= 0 and taken < MAX_CANDIDATE_LINES:
            at += cue.startswith("\n")
            starts.add(text.rfind("\n", 0, at) + 1)
            taken += 1
            line_end = text.find("\n", at)
            at = text.find(cue, line_end) if line_end >= 0 else -1
    if linted:
        for hit in _LINTED.finditer(text):
            starts.add(text.rfind("\n", 0, hit.start()) + 1)
    for start in sorted(starts):
        end = text.find("\n", start)
        yield start, len(text) if end < 0 else end


def _read_line(
    text: str, start: int, end: int, forms: tuple[_Form, ...], command: str | None
) -> FoundError | None:
    raw = text[start:end].rstrip()
    line = without_colours(raw)
    if len(line) > 4 * MAX_MESSAGE_CHARS:
        return None
    for form in forms:
        if not (match := form.pattern.match(line)):
            continue
        groups = match.groupdict()
        message = match["message"].strip()[:MAX_MESSAGE_CHARS]
        if not message:
            return None
        place = f"{groups['file']}:{groups['line']}" if groups.get("file") else None
        if place is None and form.place:
            place = form.place(text, start, end)
        at = raw.find(message)
        return FoundError(
            ErrorSeen(message=message, type=groups.get("type") or form.type, place=place, command=command),
            start + at if at >= 0 else start,
            start + at + len(message) if at >= 0 else start + len(raw),
        )
    return None


_TAGS = re.compile(r"\s*<(?:tool_use_)?error>\s*|\s*</(?:tool_use_)?error>\s*")
_REFUSALS = ("The user doesn't want", "The user does not want", "[Request interrupted", "User rejected")
_TOOL_ERROR = re.compile(
    r"(?:<tool_use_error>|(?:API |Tool |MCP )?[Ee]rror(?: \w+){0,6}: |ERROR: |Invalid |Failed to |InputValidationError"
    r"|Your proposed edit has introduced new syntax error)"
)


def tool_error(result: ToolResult) -> FoundError | None:
    """What a tool other than a shell complained about: the first line of a result that is an error."""
    text = result.text
    if not (result.is_error or _TOOL_ERROR.match(text)):
        return None
    opening = _TAGS.match(text)
    start = opening.end() if opening else len(text) - len(text.lstrip())
    end = text.find("\n", start)
    line = _TAGS.split(text[start : end if end >= 0 else len(text)])[0].rstrip()[:MAX_MESSAGE_CHARS]
    if not line or line.startswith(_REFUSALS):
        return None
    return FoundError(ErrorSeen(message=line, type="tool"), start, start + len(line))


_API_ERROR = re.compile(r"(?:API|Request) [Ee]rror\b[:(].*|\{\"type\":\"error\",.*")


def api_error(text: str) -> FoundError | None:
    """The error of the API that stands where a reply should have been."""
    match = _API_ERROR.match(text) if text.startswith(("API", "Request", '{"type":"error"')) else None
    if not match:
        return None
    message = match[0].rstrip()[:MAX_MESSAGE_CHARS]
    return FoundError(ErrorSeen(message=message, type="api"), 0, len(message))


_ADDRESS = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b")
_FOLDERS = re.compile(r"(?:[A-Za-z]:)?(?:[\w@.~+-]*[/\\])+(?=[\w.])")
_NUMBER = re.compile(r"\d+")


def error_signature(error: ErrorSeen) -> str:
    """What two sightings of the same error share: addresses, folders and numbers are folded.

    >>> error_signature(ErrorSeen(message="no /tmp/x1/a.py at line 3", type="IOError", place="/b/c.py:9"))
    'IOError c.py: no a.py at line #'
    """
    message = _NUMBER.sub("#", _FOLDERS.sub("", _ADDRESS.sub("0x#", error.message)))
    file = error.place.rpartition(":")[0].rsplit("/", 1)[-1] if error.place else ""
    return f"{' '.join(filter(None, (error.type, file)))}: {message}"
