"""The forms that error lines take, as a table, and where each says its place.

A form is tried at the beginning of a line. Its groups name the `message` and, as far as the line tells, the
`type`, `file` and `line`. What the line does not tell is looked for around it by the form's `place`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

PlaceFinder = Callable[[str, int, int], str | None]
"""Finds `path:line` for the error line that is `text[start:end]`."""

NEAR_CHARS = 3000
"""How far from the message its place is looked for."""


@dataclass(frozen=True, slots=True)
class ErrorForm:
    """One form of error line.

    `cues` are strings of which one must stand in the line, so that lines can be found quickly; a form without
    any is tried on the lines that `TRACEBACK` and `LINT_MARK` lead to. `own` marks what a program
    says about itself even when all it does is print other people's text. `holds` has the last word on whether
    the line is an error in its surroundings.
    """

    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    type: str | None = None
    place: PlaceFinder | None = None
    own: bool = False
    holds: Callable[[str, int, int], bool] | None = None


_PYTHON_FRAME = re.compile(r'^[ \t]*File "([^"<\n][^"\n]*|<(?:string|stdin)>)", line (\d+)', re.MULTILINE)
_JS_FRAME = re.compile(r"\n[ \t]+at (?:[^\n(]*\()?(?:file://)?([^\s():]+):(\d+):\d+\)?")
_RUST_ARROW = re.compile(r"(?:\n[^\n]*)??\n[ \t]*--> ([^\s:]+:\d+)")
_GO_FRAME = re.compile(r"^\t(/(?!\S*/src/(?:runtime|testing)/)[^\s:]+\.go):(\d+)", re.MULTILINE)
_PYTEST_FRAME = re.compile(r"^([^\s:]+\.py):(\d+): (?!in )", re.MULTILINE)
_IMPORT_FRAME = re.compile(r"^([^\s:]+\.py):(\d+): in ", re.MULTILINE)


def _stack_place(text: str, start: int, end: int) -> str | None:
    """The last Python frame above the line, or the first JavaScript frame below."""
    above = text[max(0, start - NEAR_CHARS) : start]
    if frames := _PYTHON_FRAME.findall(above[above.rfind("Traceback (most recent") + 1 :]):
        return ":".join(frames[-1])
    return _joined(_JS_FRAME.match(text, end))


def _pytest_place(text: str, start: int, end: int) -> str | None:
    """Below the lines that begin with E; above them where a module could not be imported."""
    above = text[max(0, start - NEAR_CHARS) : start]
    if frames := _IMPORT_FRAME.findall(above[above.rfind("\n____") + 1 :]):
        return ":".join(frames[-1])
    return _joined(_PYTEST_FRAME.search(text, end, end + NEAR_CHARS))


def _rust_place(text: str, _start: int, end: int) -> str | None:
    arrow = _RUST_ARROW.match(text, end)
    return arrow[1] if arrow else None


def _panic_place(text: str, _start: int, end: int) -> str | None:
    return _joined(_GO_FRAME.search(text, end, end + NEAR_CHARS))


def _joined(frame: re.Match[str] | None) -> str | None:
    return f"{frame[1]}:{frame[2]}" if frame else None


_COMPLAINS = re.compile(r"\b(?:expected|unexpected|want(?:ed)?|should|mismatch|failed)\b", re.IGNORECASE)
_GO_VERDICT = re.compile(r"^[ \t]*--- (PASS|FAIL|SKIP): ", re.MULTILINE)


def _in_failing_go_test(text: str, start: int, end: int) -> bool:
    """Go's tests log in the form in which they complain; with `-v` before the verdict, else behind it."""
    if "--- FAIL" not in text:
        return False
    if "=== RUN" in text:
        verdict = _GO_VERDICT.search(text, end)
        if verdict is None or verdict[1] != "FAIL":
            return False
        is_last = "_test.go:" not in text[end : verdict.start()]
        return is_last or _COMPLAINS.search(text[start:end]) is not None
    verdicts = _GO_VERDICT.findall(text, max(0, start - NEAR_CHARS), start)
    return bool(verdicts) and verdicts[-1] == "FAIL"


TRACEBACK = re.compile(r"Traceback \(most recent call last\):[ \t\r]*\n(?:[ \t].*\n|\r?\n)*")
"""A Python stack; the line behind it is the exception, whatever its name."""


def _ends_traceback(text: str, start: int, _end: int) -> bool:
    stack = TRACEBACK.match(text, text.rfind("Traceback (most recent", 0, start))
    return stack is not None and stack.end() == start


_FILE = r"(?P<file>(?:[A-Za-z]:)?[\w@./\\+-]*[\w-]\.[A-Za-z]\w{0,9})"
_RAISED = r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Timeout|Exit)"

_SHELL_SAYS = (
    r"(?:command not found|[Nn]o such file or directory|[Pp]ermission denied|(?:[Ii]s|[Nn]ot) a directory"
    r"|[Oo]peration not permitted|No space left on device|Connection refused|[Nn]o rule to make target"
    r"|[Ss]yntax error|unexpected EOF|[Cc]ould not resolve host|not found)"
)
_SHELL_CUES = (
    "ot found|o such file|denied|directory|permitted|No space|refused|No rule|yntax error|unexpected EOF"
    "|resolve host"
)


def _form(
    cues: str,
    pattern: str,
    type: str | None = None,  # noqa: A002
    *,
    place: PlaceFinder | None = None,
    own: bool = False,
    holds: Callable[[str, int, int], bool] | None = None,
) -> ErrorForm:
    """A form whose cues stand between bars."""
    return ErrorForm(
        cues=tuple(filter(None, cues.split("|"))),
        pattern=re.compile(rf"\A(?:{pattern})"),
        type=type,
        place=place,
        own=own,
        holds=holds,
    )


FORMS = (
    _form(
        "E  ", rf"E   +(?P<message>(?P<type>{_RAISED}|Failed|\w+Warning)\b.*|assert .*)", place=_pytest_place
    ),
    _form("rror TS", rf"{_FILE}[(:](?P<line>\d+)[:,]\d+\)?(?: -|:) (?P<message>error (?P<type>TS\d+): .*)"),
    _form("rror: ", rf"{_FILE}:(?P<line>\d+)(?::\d+)?: (?P<message>(?:fatal )?[Ee]rror: .*)", "error"),
    _form(
        "_test.go:",
        r"\s+(?P<file>[\w.-]+_test\.go):(?P<line>\d+): (?P<message>.*)",
        "test",
        holds=_in_failing_go_test,
    ),
    _form(".go:", r"(?:vet: )?(?P<file>[\w@./\\+-]+\.go):(?P<line>\d+):\d+: (?P<message>.*)", "go"),
    _form("error[", r"(?P<message>(?P<type>error\[E\d+\]): .*)", place=_rust_place),
    _form(
        "panicked",
        r"thread '[^']*'(?: \(\d+\))? (?P<message>(?P<type>panicked) at (?:'.*', )?"
        r"(?P<file>[^\s:]+):(?P<line>\d+).*)",
    ),
    _form("panic: ", r"(?P<message>(?P<type>panic): .*)", place=_panic_place),
    _form("thread |Caused by", r"(?:Exception in thread \S+ |Caused by: )(?P<message>(?P<type>[\w.$]+).*)"),
    _form(
        "rror|xception|nterrupt|Timeout|Exit",
        r"(?:(?:Error|Exception|Caught|Uncaught|Got)(?: \w+)?:? |\[?uncaught exception\]?:? )?"
        rf"(?P<message>(?P<type>{_RAISED})(?: \[\w+\])?(?::.*|\s*))$",
        place=_stack_place,
    ),
    _form(
        "",
        r"(?P<message>(?P<type>[A-Za-z_][\w.]*)(?:: .*|:?\s*))$",
        place=_stack_place,
        holds=_ends_traceback,
    ),
    _form("npm ", r"(?P<message>npm (?:ERR!|error) (?:code )?(?P<type>E[A-Z]{3,}|Missing script)\b.*)"),
    _form("CONFLICT", r"(?P<message>(?P<type>CONFLICT) \(.*)"),
    _form("HTTP", r"(?P<message>HTTP(?:/[\d.]+|(?: status)?(?: code)?):? (?P<type>[45]\d\d)\b.*)"),
    _form("status code", r"(?P<message>.{0,80}?status code:? (?P<type>[45]\d\d)\b.*)"),
    _form(" Error: ", r"(?P<message>(?P<type>[45]\d\d) (?:Client|Server) Error: .*)"),
    _form("curl: (", r"(?P<message>curl: \(\d+\) .*)", "curl"),
    _form("*** ", r"(?P<message>(?:make(?:\[\d+\])?|patch): \*{3,4} .*)", "make"),
    _form(
        "fault|core dumped|timed out",
        r"(?P<message>.{0,60}(?:Segmentation fault|core dumped|ommand timed out)\b.*"
        r"|.{0,400}timed out after \d+.*)",
        "killed",
    ),
    _form(
        "ERROR|FATAL|rror",
        r"(?:\[?(?P<type>ERROR|FATAL|Error|error|Fatal error)\]?(?: \([\w-]+\))?(?::| -) ?)"
        r"(?P<message>(?!\S+ \([\w.]+\)$)\S.*)",
    ),
    _form(
        "go: ",
        r"(?P<message>go: (?!downloading|finding|found|added|upgraded|creating|to add|extracting).*)",
        "go",
    ),
    _form("No module named", r"(?P<message>\S+: No module named .*)", "shell"),
    _form("fatal: ", r"(?P<message>(?P<type>fatal): .*)", own=True),
    _form(
        _SHELL_CUES,
        r"(?P<message>\(?[\w./-]+\)?: (?:.{0,200}: (?:\[Errno \d+\] )?)?"
        rf"{_SHELL_SAYS}(?:: .{{0,200}})?)$",
        "shell",
        own=True,
    ),
    _form(
        _SHELL_CUES,
        rf"(?P<message>\(?[\w./-]+\)?:(?:\w+:)? ?(?:line )?\d+: .{{0,200}}{_SHELL_SAYS}.*)$",
        "shell",
        own=True,
    ),
    _form("cannot ", r"(?P<message>\w[\w ]*: cannot .{0,300}: .*)$", "shell", own=True),
)
"""Tried in this order; the first that fits tells."""

LINTED = re.compile(rf"\A{_FILE}:(?P<line>\d+):\d+:? (?P<message>(?P<type>[A-Z]{{1,4}}\d{{2,5}})\b.*)")
"""A linter's line, `path:line:column: CODE text`; it holds no cue, so `LINT_MARK` finds it."""

LINT_MARK = re.compile(r":\d+:\d+:? [A-Z]{1,4}\d{2,5}\b")
