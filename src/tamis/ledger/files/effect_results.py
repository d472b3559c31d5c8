"""Whether a deed was really done: what the call's result says about it."""

import re
from dataclasses import replace

from tamis.ledger.files.file_effects import FileEffect
from tamis.ledger.files.packages import PACKAGERS
from tamis.ledger.files.shell_commands import FORMATTERS
from tamis.ledger.outputs.commands import exit_status
from tamis.messages import ToolResult

_IDLE = re.compile(r"No fixes applied|left unchanged|already formatted|\(unchanged\)", re.IGNORECASE)
_AT_WORK = re.compile(
    r"\bfixed [1-9]|\b[1-9]\d{0,5} (?:files? )?(?:re)?(?:formatted|fixed)|^reformatted ",
    re.IGNORECASE | re.MULTILINE,
)

HEAD_CHARS = 400
"""An answer that begins with an error is one; an error further down may be quoted."""

_REFUSALS = r"""
    <error>|<tool_use_error>|\{\"error|\{\"success\": ?false|\[?error\b|failed|failure
    |invalid|usage:|traceback|cannot|can't|could not|couldn't|unable to|old_?str
    |no replacement|no changes|no match|no such file|file does not exist|file not found
    |string to replace not found|permission denied|the user doesn't|the user denied|user rejected
    |user denied|tool use was rejected|sibling tool call|request interrupted|tool execution failed
    |apply_patch verification failed|-{9,}\s+\w{2,40}(?:error|exception)\s+traceback
"""
_REFUSAL = re.compile(rf"\A\s*(?:{''.join(map(str.strip, _REFUSALS.splitlines()))})", re.IGNORECASE)
_TROUBLE = re.compile(
    r"no such file|not found|cannot|can't|denied|is a directory|not a directory|did not match|unable|failed"
    r"|read-only|error|fatal|does not exist|does not apply|are the same file|unterminated|unknown command",
    re.IGNORECASE,
)
_NOT_PARSED = re.compile(r"^\S*sh: (?:-c: )?(?:line )?\d*:? ?(?:syntax error|unexpected EOF)", re.MULTILINE)
_NO_FAILURE = frozenset({"diff", "cmp", "colordiff"})
"""Commands whose exit status 1 is an answer."""


def refused(result: ToolResult, *, reading: bool) -> bool:
    """Whether a tool other than a shell says that it did not do what it was asked."""
    if result.is_error:
        return True
    if result.is_error is False or (result.details and "filePath" in result.details):
        return False
    if result.exit_code not in (None, 0):
        return True
    head = result.text[:HEAD_CHARS]
    if reading and head.count("\n") > 3:  # a file may well begin with the word error
        return False
    return bool(_REFUSAL.match(head))


def judge_shell(deeds: tuple[FileEffect, ...], result: ToolResult) -> tuple[FileEffect, ...]:
    """The deeds of a command line that its output and exit status leave standing, with their certainty."""
    code, ok = exit_status(result)
    if (ok is False and code is None) or _NOT_PARSED.search(result.text):  # rejected, or never started
        return ()
    if _IDLE.search(result.text) and not _AT_WORK.search(result.text):
        deeds = tuple(deed for deed in deeds if deed.verb not in FORMATTERS)
    for line in _complaints(result.text):
        named = [deed for deed in deeds if _names(deed, line)]
        # A complaint that names no file is about all that its command should have done.
        suspects = [deed for deed in named or deeds if _speaks_of(line, deed, named=bool(named))]
        deeds = tuple(deed for deed in deeds if deed not in suspects)
    deeds = tuple(judged for deed in deeds if (judged := _by_status(deed, code)))
    return tuple(replace(d, certain=d.certain or _is_listed(d, result.text)) for d in deeds)


def _is_listed(deed: FileEffect, output: str) -> bool:
    """Whether an output lists a package that was to be added."""
    names = [name for name in deed.arguments if len(name) > 2 and name[0] not in "-."]
    lines = output.splitlines() if deed.verb in PACKAGERS and names else ()
    return any(name in line and not _TROUBLE.search(line) for name in names for line in lines)


def _names(deed: FileEffect, line: str) -> bool:
    names = {path.rstrip("/").rsplit("/", 1)[-1] for path in (deed.path, deed.origin) if path}
    return any(
        re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", line) for name in names if name and name in line
    )


def _speaks_of(line: str, deed: FileEffect, *, named: bool) -> bool:
    """Whether a complaint is the command's own that should have done the deed."""
    speaker = line.split(":", 1)[0].rsplit("/", 1)[-1]
    if deed.shell:
        return named and re.search(re.escape(deed.path) + r"['\"’]?: ", line) is not None
    if deed.verb is None:
        return False
    if deed.verb.startswith("git"):
        return speaker in ("git", "error", "fatal")
    return speaker == deed.verb and (named or deed.verb != "python")


def _by_status(deed: FileEffect, code: int | None) -> FileEffect | None:
    if code in (None, 0) or deed.shell:  # the shell has made its file before the command could fail
        return deed
    if deed.last and deed.verb != "python" and not (code == 1 and deed.verb in _NO_FAILURE):
        return None
    return replace(deed, certain=False) if deed.action != "read" else deed


_SPEAKS = re.compile(r"\A[\w./~-]+: ")
_PREFIX = re.compile(r"^(?:\S*/)?(?:ba|z|da|k)?sh: (?:line )?\d*:? ?")


def _complaints(output: str) -> list[str]:
    """Lines in which a command says what went wrong: `sed: can't read a.py: No such file or directory`."""
    found = []
    for line in output.splitlines() if ": " in output else ():
        if ": " in line and len(line) < 400:
            plain = _PREFIX.sub("", line.strip())
            if _SPEAKS.match(plain) and _TROUBLE.search(line):
                found.append(plain)
        if len(found) > 50:
            break
    return found
