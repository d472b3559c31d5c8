"""Whether a deed was really done: what the call's result says about it."""

from __future__ import annotations

import re
from dataclasses import replace

from tamis.ledger.commands import exit_status
from tamis.ledger.deeds import Deed
from tamis.messages import ToolResult

HEAD_CHARS = 400
"""An answer that begins with an error is one; an error further down may be quoted."""

_REFUSAL = re.compile(
    r"\s*(?:<error>|<tool_use_error>|\{\"(?:error|success\": ?false)|\[?error\b|failed|failure|invalid|usage:"
    r"|no (?:replacement|changes|match|such file)|file (?:does not exist|not found)|string to replace not found"
    r"|old_?str|the user (?:doesn't|denied)|user (?:rejected|denied)|permission denied|cannot|can't|could not"
    r"|couldn't|unable to|traceback|tool execution failed|tool use was rejected|sibling tool call"
    r"|request interrupted|apply_patch verification failed)",
    re.IGNORECASE,
)
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


def judge_shell(deeds: tuple[Deed, ...], result: ToolResult) -> tuple[Deed, ...]:
    """The deeds of a command line that its output and exit status leave standing, with their certainty."""
    code, ok = exit_status(result)
    if (ok is False and code is None) or _NOT_PARSED.search(result.text):  # rejected, or never started
        return ()
    complaints = _complaints(result.text)
    judged = (_judge(deed, code, complaints) for deed in deeds)
    return tuple(deed for deed in judged if deed is not None)


def _judge(deed: Deed, code: int | None, complaints: list[str]) -> Deed | None:
    name = deed.path.rstrip("/").rsplit("/", 1)[-1]
    origin = deed.origin.rstrip("/").rsplit("/", 1)[-1] if deed.origin else name
    for line in complaints:
        speaker = line.split(":", 1)[0]
        named = bool(name) and (name in line or origin in line)
        if deed.verb and speaker == deed.verb and (named or deed.verb != "python"):
            return None
        if deed.verb and deed.verb.startswith("git") and speaker in ("error", "fatal"):
            return None
        if deed.verb and "command not found" in line and deed.verb in line:
            return None
        if deed.shell and named and _trouble_with(deed.path, line):
            return None
    if code in (None, 0):
        return deed
    if deed.shell:
        return deed
    if deed.last and deed.verb != "python" and not (code == 1 and deed.verb in _NO_FAILURE):
        return None
    return replace(deed, certain=False) if deed.action != "read" else deed


def _trouble_with(path: str, line: str) -> bool:
    return bool(re.search(re.escape(path) + r"['\"’]?: ", line)) and line[:2] != "rm"


_PREFIX = re.compile(r"^(?:\S*/)?(?:ba|z|da|k)?sh: (?:line )?\d*:? ?")


def _complaints(output: str) -> list[str]:
    """Lines in which a command says what went wrong: `sed: can't read a.py: No such file or directory`."""
    found = []
    for line in output.splitlines():
        if len(line) < 400 and ": " in line and _TROUBLE.search(line):
            plain = _PREFIX.sub("", line.strip())
            if re.match(r"[\w./~-]+: ", plain):
                found.append(plain)
        if len(found) > 50:
            break
    return found
